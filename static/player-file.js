// When the file appears or disappears while the watch page is open, the parts that depend on it are fetched again.

let is_fetching = false

new MutationObserver(async () => {
  const cell = document.getElementById(article.dataset.cell)
  const is_there = cell?.classList.contains('completed')
  const has_file = Boolean(player()) && !isFed(player())
  // A player that is fed while the file arrives stays until the file is there.
  if (!cell || is_there === has_file || (!is_there && isArriving(player())) || is_fetching) return
  is_fetching = true
  try {
    const page = await thisPage()
    const is_same = page.querySelector('.watch > article')?.dataset.cell === article.dataset.cell
    const agrees = is_same && is_there === Boolean(page.querySelector('.player'))
    for (const id of ['stage', 'known', 'file', 'about']) {
      const part = page.getElementById(id)
      if (!part || !agrees) continue
      if (id === 'stage' && isFed(player())) takeOver(player(), part)
      else put(document.getElementById(id), part)
    }
    if (agrees) {
      takeTranscript(page)
      awaitTranscript()
    }
  } catch {
    // The page shows it when it is opened the next time.
  }
  is_fetching = false
}).observe(article, { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] })

function takeTranscript(page) {
  const [former, part] = [document.getElementById('transcript'), page.getElementById('transcript')]
  if (!part || former.matches('details')) return
  put(former, part)
  if (part.matches('details')) followTranscript(part)
}

// Subtitles are read after the file is there. A worker that needs longer than this shows them when the page is opened the next time.
const longest_wait_ms = 32_000

function awaitTranscript(wait_ms = 1000) {
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

const pageAt = async (address, options) => partsOf(await (await fetch(address, options)).text())
const thisPage = () => pageAt(pageAddress())
const partsOf = html => new DOMParser().parseFromString(html, 'text/html')

function put(former, part) {
  former.replaceWith(part)
  window.htmx?.process(part)
}
