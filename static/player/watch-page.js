// Starts what the watch page does beyond HTML: its player, its transcript, and links to times. Without scripts the video still starts at
// the saved position, and the links lead to the same times.

import { article, onPlayer, opensElsewhere, play, player } from './player.js'
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
import './notes.js'
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
