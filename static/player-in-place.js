// In full screen, which would end with the page, the next or the previous video is put into this one.

let shown_address = location.pathname + location.search

article.addEventListener('click', event => {
  const link = event.target.closest('a[rel=next], a[rel=prev], a[data-plays]')
  if (!link || fullElement() !== stage() || isFed(player())) return
  event.preventDefault()
  playHere(link.href).catch(() => location.assign(link.href))
})

// Throws where the other video has no file, or the page cannot be fetched.
async function playHere(address) {
  const page = partsOf(await (await fetch(address)).text())
  const other = page.getElementById('stage')
  if (!other?.querySelector('.player')) throw new Error('nothing to play')
  leave()
  history.pushState(null, '', address)
  shown_address = location.pathname + location.search
  sessionStorage.removeItem(goes_on)
  document.title = page.title
  const other_article = other.closest('article')
  article.dataset.cell = other_article.dataset.cell
  replaceAround(stage(), other)
  replaceAround(article, other_article)
  replaceAround(article.parentElement, other_article.parentElement)
  stage().className = other.className
  stage().replaceChildren(...other.childNodes)
  window.htmx?.process(document.getElementById('main'))
  for (const pane of article.querySelectorAll('details#transcript')) followTranscript(pane)
  play(player())
}

// What is next to `kept` becomes what is next to `other`. An element that is moved would leave full screen.
function replaceAround(kept, other) {
  for (const sibling of [...kept.parentElement.children]) if (sibling !== kept) sibling.remove()
  const siblings = [...other.parentElement.children]
  const place = siblings.indexOf(other)
  kept.before(...siblings.slice(0, place))
  kept.after(...siblings.slice(place + 1))
}

// Back, to a video that was played here.
window.addEventListener('popstate', () => {
  if (location.pathname + location.search !== shown_address) location.reload()
})
