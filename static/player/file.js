// When the file appears or disappears while the watch page is open, the parts that depend on it are fetched again.

import { isArriving, isFed, takeOver } from './arriving.js'
import { pageAddress, pageAt, put } from './parts.js'
import { article, player } from './player.js'
import { followTranscript } from './transcript.js'

let is_fetching = false
const thisPage = () => pageAt(pageAddress())

new MutationObserver(async () => {
  const cell = document.getElementById(article.dataset.cell ?? '')
  const is_there = cell?.classList.contains('completed')
  const has_file = Boolean(player()) && !isFed(player())
  // A player that is fed while the file arrives stays until the file is there.
  if (!cell || is_there === has_file || (!is_there && isArriving(player())) || is_fetching) return
  is_fetching = true
  try {
    takeParts(await thisPage(), is_there)
  } catch {
    // The page shows it when it is opened the next time.
  }
  is_fetching = false
}).observe(article, { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] })

/** Takes the parts of a page that also knows whether the file is there. @param {Document} page @param {boolean | undefined} is_there */
function takeParts(page, is_there) {
  const is_same = page.querySelector('.watch > article')?.dataset.cell === article.dataset.cell
  if (!is_same || is_there !== Boolean(page.querySelector('.player'))) return
  for (const id of ['stage', 'known', 'file', 'about', 'chapters']) {
    const [part, media] = [page.getElementById(id), player()]
    if (!part) continue
    if (id === 'stage' && media && isFed(media)) takeOver(media, part)
    else put(document.getElementById(id), part)
  }
  takeTranscript(page)
  awaitTranscript()
}

/** @param {Document} page */
function takeTranscript(page) {
  const [former, part] = [document.getElementById('transcript'), page.getElementById('transcript')]
  if (!part || !former || former.matches('details')) return
  put(former, part)
  if (part.matches('details')) followTranscript(part)
}

// Subtitles are read after the file is there. A worker that needs longer than this shows them when the page is opened the next time.
const longest_wait_ms = 32_000

export function awaitTranscript(wait_ms = 1000) {
  const place = document.querySelector('#transcript[data-waits]')
  if (!place || wait_ms > longest_wait_ms) return
  setTimeout(async () => {
    const page = await thisPage().catch(() => undefined)
    // Another video may be shown by now.
    if (!page || !place.isConnected) return
    takeTranscript(page)
    awaitTranscript(wait_ms * 2)
  }, wait_ms)
}
awaitTranscript()
