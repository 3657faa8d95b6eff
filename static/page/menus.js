// Menus and other parts that open: they come into view, close by a click or Escape, and move the focus by arrows.

import { isCombined, isTyping } from './keys.js'
import { base } from './site.js'

// A search field that was opened gets the focus.
document.addEventListener(
  'toggle',
  ({ target }) => {
    const field = target.matches('.finder[open]') && target.querySelector('input')
    if (field && field.value === '') field.focus()
  },
  true,
)

// A menu that opens near the end of the window is scrolled into it, and again when its list has arrived: a menu of a video fetches its
// list when it opens.
/** @param {Element} within */
const showMenu = within =>
  within.closest('details.menu[open]')?.querySelector('.panel')?.scrollIntoView({ block: 'nearest' })
document.addEventListener('htmx:after:swap', ({ target }) => {
  if (target instanceof Element) showMenu(target)
})
document.addEventListener(
  'toggle',
  ({ target }) => {
    showMenu(target)
    if (target.open && target.matches('[hx-trigger=opened]')) htmx.trigger(target, 'opened')
  },
  true,
)

// A list does not take the place of the former one while something there is pressed or under way: htmx shows no answer to a form that is
// gone.
document.addEventListener('htmx:before:swap', event => {
  const { target } = event
  if (target.matches('[hx-trigger=opened]') && target.querySelector('.panel :is(:active, [aria-busy])'))
    event.preventDefault()
})

// The fold of channels in the column is on the next page as the person leaves it, also when it was opened before this module was there.
/** @type {HTMLDetailsElement | null} */
const fold = document.querySelector('.library-column > details')
const keepFold = () => {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing without https.
  document.cookie = `channels=${fold?.open ? 'open' : 'closed'}; path=${base}/; max-age=31536000; samesite=lax`
}
fold?.addEventListener('toggle', keepFold)
if (fold) keepFold()
if (fold?.open) htmx.trigger(fold, 'opened')

// The menu of a video closes after an action.
document.addEventListener('htmx:after:request', ({ target }) => {
  /** @type {HTMLDetailsElement | null | undefined} */
  const menu = target.closest?.('.panel form') && target.closest('details.menu')
  if (!menu) return
  menu.open = false
  if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus()
})

// Saving a file leaves the page as it is, so the menu closes here.
document.addEventListener('click', event => {
  /** @type {HTMLDetailsElement | null} */
  const menu = event.target.closest(`.panel a[href^="${base}/download/"]`) && event.target.closest('details.menu')
  if (menu) menu.open = false
})

// Escape closes menus, and arrows move among the items of an open one: from the last to the first and back.
document.addEventListener('keydown', event => {
  if (event.key === 'Escape' && closeMenus(null, true)) event.preventDefault()
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const menu = event.target.closest('details.menu[open]')
  if (!step || !menu || isCombined(event) || isTyping(event.target)) return
  event.preventDefault()
  const items = [...menu.querySelectorAll('.panel :is(a, button, input, select, summary):not(:disabled)')].filter(
    item => item.checkVisibility(),
  )
  const at = document.activeElement ? items.indexOf(document.activeElement) : -1
  items.at(Math.max(at + step, -1) % items.length)?.focus()
})

// A click outside a menu closes it.
document.addEventListener('click', event => closeMenus(event.target.closest('details.menu')))

/** Says whether a menu was open. @param {Element | null} except */
function closeMenus(except, focus = false) {
  /** @type {NodeListOf<HTMLDetailsElement>} */
  const all = document.querySelectorAll('details.menu[open]')
  const open = [...all].filter(menu => menu !== except)
  for (const menu of open) {
    menu.open = false
    if (focus) menu.querySelector('summary')?.focus()
  }
  return open.length > 0
}
