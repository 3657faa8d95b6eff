// Where the video resumed, and which of its parts are skipped: on the picture, for a while.

import { on, stage } from './player.js'

const shown_ms = 5000
let timer = 0

function clearLater() {
  clearTimeout(timer)
  timer = setTimeout(() => {
    const notes = stage().querySelector('.notes')
    // A person may be about to press Start over.
    if (notes?.matches(':hover, :focus-within')) clearLater()
    else notes?.classList.add('read')
  }, shown_ms)
}
on('playing', clearLater)
clearLater()
