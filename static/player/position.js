// Saves the position while a video plays, and shows the mark that the server sets at the end.

import { partsOf, put } from './parts.js'
import { article, isPlayed, on, player } from './player.js'

let saved = -1

on('loadstart', () => {
  saved = -1
})
on('timeupdate', media => Math.abs(media.currentTime - saved) >= 10 && save(media))
for (const name of ['pause', 'seeked', 'ended']) on(name, media => save(media))

window.addEventListener('pagehide', savePosition)
document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && savePosition())

/** Saves the position of a person who leaves the page or the video. */
export function savePosition() {
  const media = player()
  if (media) save(media, true)
}

/** @param {Player} media */
function save(media, is_leaving = false) {
  const [position, address] = [Math.floor(media.currentTime), media.dataset.position]
  // Before a file begins to load, its position is 0 and not yet the one at which the player will start.
  if (!isPlayed() || media.readyState === HTMLMediaElement.HAVE_NOTHING || position === saved || !address) return
  saved = position
  const body = new URLSearchParams({ position_seconds: String(position) })
  if (Number.isFinite(media.duration)) body.set('duration_seconds', String(Math.floor(media.duration)))
  if (is_leaving) return void navigator.sendBeacon(address, body)
  fetch(address, { method: 'POST', body, headers: { 'hx-request': 'true' }, keepalive: true })
    .then(async answer => {
      const html = await answer.text()
      // Another video may be shown by now.
      if (answer.ok && media === player()) showMark(html)
    })
    // The next position replaces one that was lost.
    .catch(() => {})
}

/** At the end of the video, the server marks it as watched. @param {string} html */
function showMark(html) {
  const [former, mark] = [article.querySelector('.mark'), partsOf(html).querySelector('.mark')]
  if (mark && mark.className !== former?.className) put(former, mark)
}
