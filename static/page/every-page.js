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

// In place of the browser's own page when Backlot cannot be reached. Browsers have workers only on secure addresses.
navigator.serviceWorker?.register('/service-worker.js').catch(() => {})

// A line of chips or links that scrolls sideways shows the chosen one.
for (const chip of document.querySelectorAll('.chip[aria-current], .side-nav [aria-current]')) {
  const line = chip.parentElement
  if (line) line.scrollLeft = chip.offsetLeft + chip.offsetWidth / 2 - line.clientWidth / 2
}

// The title of a page that counts something changes with its content.
document.addEventListener('htmx:after:swap', () => {
  const titled = document.querySelector('[data-title]')
  if (titled) document.title = `${titled.dataset.title} · Backlot`
})
