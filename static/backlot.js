// What HTML and htmx cannot do on every page: menus in sight, busy buttons, messages, long lists. Every page works without it.

const flash = document.querySelector('#flash')

// A search field that was opened gets the focus.
document.addEventListener(
  'toggle',
  ({ target }) => {
    const field = target.matches('.finder[open]') && target.querySelector('input[type=search]')
    if (field && field.value === '') field.focus()
  },
  true,
)

// A menu that opens near the end of the window is scrolled into it.
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (target.matches('details.menu[open]')) target.querySelector('.panel')?.scrollIntoView({ block: 'nearest' })
  },
  true,
)

// A line of chips that scrolls sideways shows the chosen one.
for (const chip of document.querySelectorAll('.chip[aria-current]')) {
  const { parentElement: line } = chip
  line.scrollLeft = chip.offsetLeft + chip.offsetWidth / 2 - line.clientWidth / 2
}

// The button of a submitted form shows that it is busy, and the form cannot be submitted twice.
document.addEventListener('submit', event => {
  const form = event.target
  if (form.hasAttribute('hx-post')) return
  if (form.dataset.sent) return event.preventDefault()
  if (form.method === 'post') form.dataset.sent = 'true'
  const button = event.submitter
  if (button) makeBusy(button)
})

function makeBusy(button) {
  button.setAttribute('aria-busy', 'true')
  if (!button.dataset.busy) return
  button.dataset.label = button.textContent
  button.textContent = button.dataset.busy
}
function makeReady(button) {
  if (button.dataset.label) button.textContent = button.dataset.label
  delete button.dataset.label
  button.removeAttribute('aria-busy')
}

// A button that htmx sends a request for is busy until the response has arrived. For an element that has left the page, the target
// is the document.
document.addEventListener('htmx:before:request', ({ target }) => {
  if (target === document) return
  const button = target.matches('form[hx-post]') ? target.querySelector('button') : target.closest('#older-link')
  if (button) makeBusy(button)
})
document.addEventListener('htmx:finally:request', ({ target, detail }) => {
  for (const form of [target, detail.ctx?.sourceElement])
    for (const button of form?.parentElement?.querySelectorAll('form[hx-post] > [aria-busy], #older-link[aria-busy]') ??
      [])
      makeReady(button)
})

// Screen readers announce changes only, so the messages that a page comes with are inserted once more.
if (flash.children.length > 0)
  setTimeout(() => {
    const focused = flash.contains(document.activeElement) && document.activeElement
    flash.replaceChildren(...flash.children)
    if (focused) focused.focus()
  }, 300)

// A message is closed by its button. One that offers nothing is removed after a while, but not while it may be being read.
document.addEventListener('click', event => event.target.closest('.flash .close')?.closest('.flash').remove())
const read_ms = 12_000
function closeLater(message) {
  setTimeout(() => {
    if (document.hidden || message.matches(':hover, :focus-within')) closeLater(message)
    else message.remove()
  }, read_ms)
}
function closeMessagesLater() {
  for (const message of document.querySelectorAll('.flash.done:not([data-closing], :has(form))')) {
    message.dataset.closing = ''
    closeLater(message)
  }
}
closeMessagesLater()
document.addEventListener('htmx:after:swap', closeMessagesLater)

// The server can refuse a large file only after receiving it, which may take minutes, so check the size first.
document.addEventListener('change', ({ target }) => {
  if (!target.dataset?.mostBytes) return
  const is_too_large = target.files[0]?.size > Number(target.dataset.mostBytes)
  target.setCustomValidity(is_too_large ? target.dataset.tooLarge : '')
  target.reportValidity()
})

// The browser may restore a page that was left by submitting a form.
window.addEventListener('pageshow', event => {
  // Its messages were already read.
  if (event.persisted) flash.replaceChildren()
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent
  for (const button of document.querySelectorAll('button[aria-busy]')) makeReady(button)
})

// A list that grew by scrolling grows to the same length and position when the reader comes back to it.
const listed = () => (document.querySelector('#older') ? document.querySelector('#videos, #channels') : null)
const first_count = listed()?.children.length
window.addEventListener('pagehide', () => {
  const count = listed()?.children.length
  const has_grown = count > first_count
  if (has_grown) history.replaceState({ ...history.state, grown: { count, scroll: scrollY } }, '')
})
if (performance.getEntriesByType('navigation')[0]?.type === 'back_forward' && history.state?.grown)
  growAgain(history.state.grown)

function growAgain({ count, scroll }) {
  const link = document.querySelector('#older-link')
  if (!link || listed()?.children.length >= count) return scrollTo(0, scroll)
  // The link loads the next page when it comes into view.
  link.scrollIntoView()
  const growFurther = ({ detail }) => {
    // The response replaces the link. htmx then reports the list as the source of the request.
    const has_arrived = !link.isConnected
    if (!has_arrived && detail.ctx?.sourceElement !== link) return
    document.removeEventListener('htmx:finally:request', growFurther)
    // A failed request is not repeated: the reader can still press the link.
    if (has_arrived) setTimeout(growAgain, 0, { count, scroll })
  }
  document.addEventListener('htmx:finally:request', growFurther)
}

// The address contains the search terms, so that a search can be bookmarked, sent and returned to.
document.addEventListener('htmx:after:swap', event => {
  const form = event.target.closest?.('form[data-keeps-address]')
  if (!form) return
  const filled = [...new FormData(form)].filter(([, value]) => value.trim() !== '')
  const query = new URLSearchParams(filled).toString()
  history.replaceState(history.state, '', query ? `${form.action}?${query}` : form.action)
  // The column is not loaded again. Another search is shown than the saved one.
  document.querySelector('.library-column [href^="/search?"][aria-current]')?.removeAttribute('aria-current')
})

// A picture that cannot be loaded is removed, which reveals the initial below it.
const dropBroken = picture => picture.closest('.avatar, .thumbnail') && picture.remove()
document.addEventListener('error', event => event.target instanceof HTMLImageElement && dropBroken(event.target), true)
for (const picture of document.querySelectorAll('.avatar img, .thumbnail img'))
  if (picture.complete && picture.naturalWidth === 0 && picture.currentSrc) dropBroken(picture)

// Says that the server is unreachable when a form is sent. Failed polls are reported by polling.js.
for (const failure of ['htmx:error', 'htmx:response:error']) {
  document.addEventListener(failure, event => {
    const { request, response } = event.detail.ctx ?? {}
    if (request?.method === 'POST' && (!response || [502, 504].includes(response.status))) sayNoAnswer()
  })
}

// Only the browser knows the reader's time zone: `data-clock` asks for "since yesterday 21:10", "tomorrow at 8:10" or a date.
// A swap brings the words of the server, which are written again.
function showClocks() {
  for (const time of document.querySelectorAll('time[data-clock]')) {
    const date = new Date(time.dateTime)
    const words = clocks[time.dataset.clock](date)
    if (time.textContent !== words) time.textContent = words
    time.title = date.toLocaleString()
  }
}
const clocks = {
  since: sinceWords,
  at: atWords,
  on: date => date.toLocaleDateString('en-GB', { dateStyle: 'long' }),
}
function sinceWords(date) {
  const words = [dayWords(date), clockWords(date)].filter(Boolean)
  return `since ${words.join(' ')}`
}
function atWords(date) {
  const day = dayWords(date)
  const on = day && !['yesterday', 'tomorrow'].includes(day) ? 'on' : ''
  return [on, day, `at ${clockWords(date)}`].filter(Boolean).join(' ')
}
const clockWords = date => date.toLocaleTimeString([], { timeStyle: 'short' })

// The day of a time, or nothing for today.
function dayWords(date) {
  const midnight = time => new Date(time).setHours(0, 0, 0, 0)
  const days = Math.round((midnight(date) - midnight(new Date())) / 86_400_000)
  if (Math.abs(days) < 2) return ['yesterday', '', 'tomorrow'][days + 1]
  return date.toLocaleDateString('en', Math.abs(days) < 7 ? { weekday: 'long' } : { dateStyle: 'long' })
}

// The server groups videos by the reader's days.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
if (timeZone && !document.cookie.includes(`time_zone=${encodeURIComponent(timeZone)}`))
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing without https.
  document.cookie = `time_zone=${encodeURIComponent(timeZone)}; path=/; max-age=31536000; samesite=lax`

showClocks()
document.addEventListener('htmx:after:swap', showClocks)
