// Starts what every page does beyond HTML and htmx. Every page works without it.

import './messages.js'
import './forms.js'
import './lists.js'
import './clocks.js'
import './menus.js'
import './keys.js'
import './focus.js'
import './polling.js'
import './choosing.js'
import './pictures.js'
import { base } from './site.js'

// In place of the browser's own page when Backlot cannot be reached. Browsers have workers only on secure addresses.
navigator.serviceWorker?.register(`${base}/service-worker.js`).catch(() => {})

// On a phone, the links of the settings scroll sideways: to the chosen one.
for (const link of document.querySelectorAll('.side-nav [aria-current]')) {
  const line = link.parentElement
  if (line) line.scrollLeft = link.offsetLeft + link.offsetWidth / 2 - line.clientWidth / 2
}

// Few pages have a file that some browsers do not play.
const knowCodecs = () => {
  if (document.querySelector('.unplayable')) import('./lacked-codecs.js')
}
knowCodecs()
document.addEventListener('htmx:after:swap', knowCodecs)

// The title of a page that counts something changes with its content.
document.addEventListener('htmx:after:swap', () => {
  const titled = document.querySelector('[data-title]')
  if (titled) document.title = `${titled.dataset.title} · Backlot`
})

// The person signs out also when the push service or the server does not answer.
const longest_wait_ms = 3000
document.addEventListener('submit', async event => {
  const form = event.target
  if (form.getAttribute('action') !== `${base}/logout` || !localStorage.getItem('notification-target')) return
  event.preventDefault()
  const off = import('./web-push.js').then(({ switchOff }) => switchOff())
  await Promise.race([off, new Promise(done => setTimeout(done, longest_wait_ms))]).catch(() => {})
  form.submit()
})
