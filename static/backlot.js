// What HTML and htmx leave undone. Every page works without it.

const flash = document.querySelector('#flash')

// "/" goes to the search, as on many sites.
document.addEventListener('keydown', event => {
  const typing = event.target.closest('input, textarea, select, [contenteditable]')
  if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    document.querySelector('input[type=search]')?.focus()
    event.preventDefault()
  }
  if (event.key === 'Escape') closeMenus(undefined, true)
})

// A menu closes when something else is pressed.
document.addEventListener('click', event => closeMenus(event.target.closest('details.menu')))

function closeMenus(except, focus = false) {
  for (const menu of document.querySelectorAll('details.menu[open]')) {
    if (menu === except) continue
    menu.open = false
    if (focus) menu.querySelector('summary').focus()
  }
}

// What takes a moment says so, and cannot be sent twice.
document.addEventListener('submit', event => {
  const form = event.target
  if (form.hasAttribute('hx-post')) return
  if (form.dataset.sent) return event.preventDefault()
  if (form.method === 'post') form.dataset.sent = 'true'
  const button = event.submitter
  if (!button?.dataset.busy) return
  button.dataset.label = button.textContent
  button.textContent = button.dataset.busy
  button.setAttribute('aria-busy', 'true')
})

// Coming back to a page that was left by a form.
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent
  for (const button of document.querySelectorAll('button[aria-busy]')) {
    button.textContent = button.dataset.label
    button.removeAttribute('aria-busy')
  }
})

// Choosing several: one box for all, a range with Shift, and a word about how many.
const boxesOf = form => [...document.querySelectorAll(`input[name=video_id][form="${form}"]`)]
let last_box

function countChosen() {
  for (const count of document.querySelectorAll('[data-count-chosen]')) {
    const boxes = boxesOf(count.dataset.countChosen)
    const chosen = boxes.filter(box => box.checked).length
    const text = chosen > 0 ? `${chosen} selected` : ''
    if (count.textContent !== text) count.textContent = text
    for (const all of document.querySelectorAll('[data-choose-all]')) {
      all.closest('.checkbox').hidden = false
      all.checked = chosen > 0 && chosen === boxes.length
      all.indeterminate = chosen > 0 && chosen < boxes.length
    }
    for (const none of document.querySelectorAll('[data-choose-none]')) none.hidden = false
  }
}

document.addEventListener('click', event => {
  const box = event.target.closest('input[name=video_id][form]')
  if (box) {
    const boxes = boxesOf(box.getAttribute('form'))
    const [from, to] = [boxes.indexOf(last_box), boxes.indexOf(box)].sort((one, other) => one - other)
    if (event.shiftKey && from >= 0) for (const other of boxes.slice(from, to + 1)) other.checked = box.checked
    last_box = box
  }
  const none = event.target.closest('[data-choose-none]')
  if (none) for (const other of boxesOf(none.dataset.chooseNone)) other.checked = false
  if (box || none) countChosen()
})
document.addEventListener('change', event => {
  const form = event.target.dataset.chooseAll
  if (form) for (const box of boxesOf(form)) box.checked = event.target.checked
  countChosen()
})
window.addEventListener('pageshow', countChosen)

// What was searched for stands in the address, so that it can be kept, sent, and come back to.
document.addEventListener('htmx:after:swap', event => {
  countChosen()
  const form = event.target.closest?.('form[data-keeps-address]')
  if (!form) return
  const said = [...new FormData(form)].filter(([, value]) => value.trim() !== '')
  const query = new URLSearchParams(said).toString()
  history.replaceState(history.state, '', query ? `${form.action}?${query}` : form.action)
})

// A picture of a channel that is not there leaves its initial.
const dropBroken = picture => picture.closest('.avatar') && picture.remove()
document.addEventListener('error', event => event.target instanceof HTMLImageElement && dropBroken(event.target), true)
for (const picture of document.querySelectorAll('.avatar img'))
  if (picture.complete && picture.naturalWidth === 0 && picture.currentSrc) dropBroken(picture)

// The server cannot say that it is not there. Polls stay quiet about it and simply go on.
for (const failure of ['htmx:error', 'htmx:response:error']) {
  document.addEventListener(failure, event => {
    const { request, response } = event.detail.ctx ?? {}
    if (request?.method !== 'POST' || (response && ![502, 504].includes(response.status))) return
    const message = document.createElement('p')
    message.className = 'flash problem'
    message.textContent = 'The server did not answer. Check the connection and try again.'
    flash.replaceChildren(message)
  })
}
