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
    const page = partsOf(await (await fetch(location.pathname + location.search)).text())
    const agrees = is_there === Boolean(page.querySelector('.player'))
    for (const id of ['stage', 'known', 'file', 'about']) {
      const part = page.getElementById(id)
      if (!part || !agrees) continue
      if (id === 'stage' && isFed(player())) takeOver(player(), part)
      else put(document.getElementById(id), part)
    }
  } catch {
    // The page shows it when it is opened the next time.
  }
  is_fetching = false
}).observe(article, { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] })

const partsOf = html => new DOMParser().parseFromString(html, 'text/html')

function put(former, part) {
  former.replaceWith(part)
  window.htmx?.process(part)
}
