// Forms: their buttons are busy while a request is under way, a large file is refused at once, a secret is copied or shared, a switch of
// this browser is kept, and a search is in the address.

import { sayNoAnswer } from './polling.js'
import { base } from './site.js'

// The button of a submitted form shows that it is busy, and the form cannot be submitted twice.
document.addEventListener('submit', event => {
  const form = event.target
  if (form.hasAttribute('hx-post')) return
  if (form.dataset.sent) return event.preventDefault()
  if (form.method === 'post') form.dataset.sent = 'true'
  if (event.submitter) makeBusy(event.submitter)
})

/** @param {HTMLElement} button */
function makeBusy(button) {
  button.setAttribute('aria-busy', 'true')
  if (!button.dataset.busy) return
  button.dataset.label = button.textContent
  button.textContent = button.dataset.busy
}

/** @param {HTMLElement} button */
function makeReady(button) {
  if (button.dataset.label) button.textContent = button.dataset.label
  delete button.dataset.label
  button.removeAttribute('aria-busy')
}

// A button that htmx sends a request for is busy until the response has arrived. For an element that has left the page, the target
// is the document.
document.addEventListener('htmx:before:request', ({ target }) => {
  if (!(target instanceof Element)) return
  const button = target.matches('form[hx-post]') ? target.querySelector('button') : target.closest('#older-link')
  if (button) makeBusy(button)
})
document.addEventListener('htmx:finally:request', ({ target, detail }) => {
  for (const form of [target, detail.ctx?.sourceElement])
    for (const button of form?.parentElement?.querySelectorAll('form[hx-post] > [aria-busy], #older-link[aria-busy]') ??
      [])
      makeReady(button)
})

// The browser may restore a page that was left by submitting a form.
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent
  for (const button of document.querySelectorAll('button[aria-busy]')) makeReady(button)
})

// Says that the server is unreachable when a form is sent. `page/polling.js` reports failed polls.
for (const failure of /** @type {const} */ (['htmx:error', 'htmx:response:error'])) {
  document.addEventListener(failure, event => {
    const { request, response } = event.detail.ctx ?? {}
    if (request?.method === 'POST' && (!response || [502, 504].includes(response.status))) sayNoAnswer()
  })
}

// A switch that counts for this browser alone.
/** @type {NodeListOf<HTMLInputElement>} */
const remembered = document.querySelectorAll('input[data-remembered]')
for (const field of remembered) {
  try {
    field.checked = localStorage.getItem(field.name) !== 'false'
  } catch {
    // A browser that stores nothing has the usual choice.
    field.disabled = true
  }
  field.addEventListener('change', () => {
    localStorage.setItem(field.name, String(field.checked))
    field.closest('.setting-card')?.querySelector('.saved')?.replaceChildren(savedNote())
  })
}

/** A new element each time, which fades again. */
function savedNote() {
  const note = document.createElement('span')
  note.textContent = 'Saved'
  return note
}

// The server can refuse a large file only after receiving it, which may take minutes, so check the size first.
document.addEventListener('change', ({ target }) => {
  if (!target.dataset?.mostBytes) return
  const is_too_large = (target.files?.[0]?.size ?? 0) > Number(target.dataset.mostBytes)
  target.setCustomValidity(is_too_large ? (target.dataset.tooLarge ?? '') : '')
  target.reportValidity()
})

// A button copies a field. Browsers have a clipboard only over https and on localhost; elsewhere the selected text is copied.
document.addEventListener('click', async ({ target }) => {
  const button = target.closest('[data-copies]')
  /** @type {HTMLTextAreaElement | null} */
  const field = document.querySelector(`#${button?.dataset.copies}`)
  if (!button || !field) return
  field.select()
  if (navigator.clipboard) await navigator.clipboard.writeText(field.value)
  else document.execCommand('copy')
  button.textContent = 'Copied'
})

// A button hands a field to another app, such as one for messages.
/** @type {NodeListOf<HTMLButtonElement>} */
const sharing = document.querySelectorAll('[data-shares]')
for (const button of sharing) {
  button.hidden = !navigator.share
  button.addEventListener('click', () => {
    /** @type {HTMLTextAreaElement | null} */
    const field = document.querySelector(`#${button.dataset.shares}`)
    // A person may close the choice of apps.
    navigator.share({ title: button.dataset.title, url: field?.value }).catch(() => {})
  })
}

// The address contains the search terms, so that a search can be bookmarked, sent and returned to.
document.addEventListener('htmx:after:swap', event => {
  /** @type {HTMLFormElement | null | undefined} */
  const form = event.target.closest?.('form[data-keeps-address]')
  if (!form) return
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value.trim() !== '') query.append(name, value)
  history.replaceState(history.state, '', query.size > 0 ? `${form.action}?${query}` : form.action)
  // The column is not loaded again, and this search is not the saved one that the column marks.
  document.querySelector(`.library-column [href^="${base}/search?"][aria-current]`)?.removeAttribute('aria-current')
})
