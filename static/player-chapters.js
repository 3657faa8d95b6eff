// Marks the chapters on the line of the player, and the current one in their list.

const chapterLinks = () => [...article.querySelectorAll('.chapters [data-seek]')]
const startOf = ({ dataset }) => Number(dataset.seek)

function markChapters(media) {
  const [links, length] = [chapterLinks(), lengthOf(media)]
  if (!timeline() || !(length > 0)) return
  for (const former of timeline().querySelectorAll('.marks > .chapter')) former.remove()
  const marks = links.map((link, index) => {
    const end = links[index + 1] ? startOf(links[index + 1]) : length
    return stretchOf('chapter', link.querySelector('bdi').textContent, startOf(link), end)
  })
  timeline()
    .querySelector('.marks')
    .prepend(...marks)
}
onPlayer(markChapters)
on('durationchange', markChapters)

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
