// Media keys, headphones and the lock screen: what plays, and what their buttons do.

import { acts, article, on, play } from './player.js'
import { lengthOf, seek } from './timeline.js'

// Some browsers have no media session.
const mediaSession = /** @type {MediaSession | undefined} */ (navigator.mediaSession)

/** @param {Player} media */
function tellSession(media) {
  if (!mediaSession) return
  const words = (/** @type {string} */ place) => article.querySelector(place)?.textContent.trim() ?? ''
  /** @type {HTMLImageElement | null} */
  const thumbnail = article.querySelector('.stage .thumbnail img')
  const picture = media.poster || thumbnail?.src
  mediaSession.metadata = new MediaMetadata({
    title: words('h1'),
    artist: words('.known .channel'),
    artwork: picture ? [{ src: picture }] : [],
  })
  /** @type {Partial<Record<MediaSessionAction, MediaSessionActionHandler | null>>} */
  const buttons = {
    play: () => play(media),
    pause: () => media.pause(),
    seekbackward: () => acts.back(media),
    seekforward: () => acts.forward(media),
    seekto: ({ seekTime = 0 }) => seek(media, seekTime),
    previoustrack: linkTo('prev'),
    nexttrack: linkTo('next'),
  }
  for (const [name, act] of Object.entries(buttons)) {
    try {
      mediaSession.setActionHandler(/** @type {MediaSessionAction} */ (name), act)
    } catch {
      // This browser does not know the button.
    }
  }
}

/** The button is not shown without a previous or next video. @param {'prev' | 'next'} rel */
function linkTo(rel) {
  const link = article.querySelector(`a[rel=${rel}]`)
  return link && (() => link.click())
}
on('play', tellSession)

/** @param {Player} media */
function tellPosition(media) {
  const [duration, { playbackRate, currentTime }] = [lengthOf(media), media]
  if (!mediaSession?.setPositionState || !(duration > 0) || playbackRate <= 0) return
  mediaSession.setPositionState({ duration, playbackRate, position: Math.min(currentTime, duration) })
}
for (const name of ['play', 'seeked', 'ratechange', 'durationchange']) on(name, tellPosition)
