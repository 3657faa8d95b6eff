// Starts what the watch page does beyond HTML: its player, its transcript, links to times, and the notes on the picture. Without scripts
// the video still starts at the saved position, and the links lead to the same times.

import { article, on, onPlayer, opensElsewhere, play, player, stage } from './player.js'
import { seek } from './timeline.js'
import './chapters.js'
import './controls.js'
import './screen.js'
import './remote.js'
import './remembered.js'
import './session.js'
import './gestures.js'
import './segments.js'
import './next.js'
import './position.js'
import './keys.js'
import './arriving.js'
import './faults.js'
import './transcript.js'
import './file.js'

// Few files have several sounds.
onPlayer(() => {
  if (article.querySelector('[data-sets="sound"]')) import('./sounds.js')
})

// Links to times, in the description, the chapters and the transcript.
article.parentElement?.addEventListener('click', event => {
  const link = event.target.closest('[data-seek]')
  const media = player()
  if (!link || !media || opensElsewhere(event)) return
  event.preventDefault()
  seek(media, Number(link.dataset.seek))
  play(media)
  media.scrollIntoView({ block: 'nearest' })
})

const notes_shown_ms = 5000
let notes_timer = 0

/** Takes the notes of where the video resumed, and of parts that are skipped, off the picture after a while. */
function clearNotesLater() {
  clearTimeout(notes_timer)
  notes_timer = setTimeout(() => {
    const notes = stage().querySelector('.notes')
    // A person may be about to press Start over.
    if (notes?.matches(':hover, :focus-within')) clearNotesLater()
    else notes?.classList.add('read')
  }, notes_shown_ms)
}
on('playing', clearNotesLater)
clearNotesLater()

// A video with autoplay may begin before any module listens.
const first_player = player()
if (first_player && !first_player.paused) first_player.dispatchEvent(new Event('play'))
