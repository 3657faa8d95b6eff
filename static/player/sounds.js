// Chooses the sound of a file that has several, in browsers that can play another than the first, such as Safari. In the others the names
// of the sounds are shown.

import { article, onPlayer, player } from './player.js'

/** @returns {HTMLSelectElement | null} */
const field = () => article.querySelector('[data-sets="sound"]')

/** @param {Player} media */
function showSounds({ audioTracks }) {
  const choice = field()
  if (!choice) return
  const can_choose = audioTracks !== undefined && audioTracks.length === choice.options.length
  const label = choice.closest('label')
  if (label) label.hidden = !can_choose
  for (const names of article.querySelectorAll('[data-shows="sounds"]')) names.hidden = can_choose
}
onPlayer(showSounds)

article.addEventListener('change', ({ target }) => {
  const tracks = player()?.audioTracks
  if (target.dataset.sets !== 'sound' || !tracks) return
  for (let nth = 0; nth < tracks.length; nth++) tracks[nth].enabled = nth === Number(target.value)
})
