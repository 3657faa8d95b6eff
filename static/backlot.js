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

// One box that chooses all.
for (const all of document.querySelectorAll('[data-choose-all]')) {
  const boxes = () => document.querySelectorAll(`input[name=video_id][form="${all.dataset.chooseAll}"]`)
  all.closest('[hidden]').hidden = false
  all.addEventListener('change', () => {
    for (const box of boxes()) box.checked = all.checked
  })
}

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

// Only the browser knows the reader's time zone: "yesterday 21:10".
for (const time of document.querySelectorAll('time.local')) {
  const [date, today] = [new Date(time.dateTime), new Date()]
  const days = Math.round((new Date(today).setHours(0, 0, 0, 0) - new Date(date).setHours(0, 0, 0, 0)) / 86_400_000)
  const clock = date.toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' })
  const day = { weekday: 'long' }
  const words =
    days === 0 ? '' : days === 1 ? 'yesterday' : date.toLocaleDateString('en', days < 7 ? day : { dateStyle: 'long' })
  time.textContent = `${words} ${clock}`.trim()
  time.title = date.toLocaleString()
}
