// The watch page saves the position while a video plays, and shows the mark that the server sets at the end.

let saved = -1

on('loadstart', () => {
  saved = -1
})
on('timeupdate', media => Math.abs(media.currentTime - saved) >= 10 && save(media))
for (const name of ['pause', 'seeked', 'ended']) on(name, media => save(media))

window.addEventListener('pagehide', leave)
document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && leave())

function leave() {
  if (player()) save(player(), true)
}

function save(media, is_leaving = false) {
  const position = Math.floor(media.currentTime)
  // Before a file begins to load, its position is 0 and not yet the one at which the player will start.
  if (!is_played || media.readyState === HTMLMediaElement.HAVE_NOTHING || position === saved) return
  saved = position
  const body = new URLSearchParams({ position_seconds: position })
  if (Number.isFinite(media.duration)) body.set('duration_seconds', Math.floor(media.duration))
  if (is_leaving) return void navigator.sendBeacon(media.dataset.position, body)
  fetch(media.dataset.position, { method: 'POST', body, headers: { 'hx-request': 'true' }, keepalive: true })
    .then(async answer => {
      const html = await answer.text()
      // Another video may be shown by now.
      if (answer.ok && media === player()) showMark(html)
    })
    // The next position replaces it.
    .catch(() => {})
}

// At the end of the video, the server marks it as watched.
function showMark(html) {
  const [former, mark] = [article.querySelector('.mark'), partsOf(html).querySelector('.mark')]
  if (mark && mark.className !== former.className) put(former, mark)
}
