// In full screen, which would end with the page, the next or the previous video is put into this one.

const longest_fetch_ms = 10_000
let shown_address = pageAddress()
// Fetches the page of the other video. `player-next.js` ends it for a person who stays.
let going

article.addEventListener('click', event => {
  const link = event.target.closest('a[rel=next], a[rel=prev], a[data-plays]')
  if (!link || opensElsewhere(event) || fullElement() !== stage() || isFed(player())) return
  event.preventDefault()
  if (!going) goTo(link.href)
})

async function goTo(address) {
  going = new AbortController()
  const { signal } = going
  try {
    const page = await pageAt(address, { signal: AbortSignal.any([signal, AbortSignal.timeout(longest_fetch_ms)]) })
    if (!page.querySelector('#stage .player')) throw new Error('nothing to play')
    if (!signal.aborted) playHere(address, page)
  } catch {
    if (!signal.aborted) location.assign(address)
  }
  going = undefined
}

function playHere(address, page) {
  leave()
  const focused = stage().contains(document.activeElement) && document.activeElement.dataset.act
  history.pushState(null, '', address)
  shown_address = pageAddress()
  sessionStorage.removeItem(goes_on)
  document.title = page.title
  ;[is_dragging, failed_at] = [false, -1]
  replaceWith(page)
  if (focused !== false) {
    const seen = [...buttonsOf(focused)].find(button => button.getClientRects().length > 0)
    ;(seen ?? buttonsOf('play')[0])?.focus()
  }
  for (const pane of article.querySelectorAll('details#transcript')) followTranscript(pane)
  awaitTranscript()
  play(player())
}

function replaceWith(page) {
  const [main, other] = [document.getElementById('main'), page.getElementById('stage')]
  const other_article = other.closest('article')
  article.dataset.cell = other_article.dataset.cell
  replaceAround(stage(), other)
  replaceAround(article, other_article)
  replaceAround(article.parentElement, other_article.parentElement)
  stage().className = other.className
  stage().replaceChildren(...other.childNodes)
  window.htmx?.process(main)
  // Times, pictures and states are looked at again.
  main.dispatchEvent(new Event('htmx:after:swap', { bubbles: true }))
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
  if (pageAddress() !== shown_address) location.reload()
})
