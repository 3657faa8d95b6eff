// Media keys, headphones and the lock screen: what plays, and what their buttons do.

const { mediaSession } = navigator

function tellSession(media) {
  if (!mediaSession) return
  const words = place => article.querySelector(place)?.textContent.trim() ?? ''
  const picture = media.poster || article.querySelector('.stage .thumbnail img')?.src
  mediaSession.metadata = new MediaMetadata({
    title: words('h1'),
    artist: words('.known .channel'),
    artwork: picture ? [{ src: picture }] : [],
  })
  const buttons = {
    play,
    pause: () => media.pause(),
    seekbackward: acts.back,
    seekforward: acts.forward,
    seekto: (_, { seekTime }) => seek(media, seekTime),
    previoustrack: linkTo('prev'),
    nexttrack: linkTo('next'),
  }
  for (const [name, act] of Object.entries(buttons)) {
    try {
      mediaSession.setActionHandler(name, act ? details => act(media, details) : null)
    } catch {
      // A button that this browser does not know.
    }
  }
}
// Without such a video, its button is not shown.
const linkTo = rel => {
  const link = article.querySelector(`a[rel=${rel}]`)
  return link && (() => link.click())
}
on('play', tellSession)

function tellPosition(media) {
  const [duration, { playbackRate, currentTime }] = [lengthOf(media), media]
  if (!mediaSession?.setPositionState || !(duration > 0) || playbackRate <= 0) return
  mediaSession.setPositionState({ duration, playbackRate, position: Math.min(currentTime, duration) })
}
for (const name of ['play', 'seeked', 'ratechange', 'durationchange']) on(name, tellPosition)
