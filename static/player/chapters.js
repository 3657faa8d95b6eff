// Marks the chapters on the line of the player, and the current one in their list.

import { on, onPlayer } from './player.js'
import { lengthOf, stretchOf, timeline } from './timeline.js'

const chapterLinks = () => [...document.querySelectorAll('.chapters [data-seek]')]
/** @param {HTMLElement} link */
const startOf = ({ dataset }) => Number(dataset.seek)

/** @param {Player} media */
function markChapters(media) {
  const [links, length, place] = [chapterLinks(), lengthOf(media), timeline()?.querySelector('.marks')]
  if (!place || !(length > 0)) return
  for (const former of place.querySelectorAll(':scope > .chapter')) former.remove()
  const marks = links.map((link, index) => {
    const end = links[index + 1] ? startOf(links[index + 1]) : length
    return stretchOf(media, 'chapter', link.querySelector('bdi')?.textContent ?? '', startOf(link), end)
  })
  place.prepend(...marks)
}
onPlayer(markChapters)
on('durationchange', markChapters)

/** @param {Player} media */
function showChapter({ currentTime }) {
  const links = chapterLinks()
  // A seek to a chapter may end a moment before it.
  const current = links.findLast(link => startOf(link) <= currentTime + 0.3)
  for (const link of links) {
    if (link === current) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
  }
}
onPlayer(showChapter)
for (const name of ['timeupdate', 'seeking']) on(name, showChapter)
