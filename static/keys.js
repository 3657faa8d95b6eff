// Keys on every page, and menus. Single keys can be turned off in the settings. `list-keys.js` and `player-keys.js` add the keys of their pages.

const keys_are_off = document.documentElement.dataset.keys === 'off'
const list_of_keys = document.querySelector('#keys')
// A checkbox may have the focus, but nothing is typed into it.
const isTyping = target =>
  target.closest('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]') !== null
const isCombined = ({ ctrlKey, metaKey, altKey }) => ctrlKey || metaKey || altKey

// Each returns what it acted on, if anything: otherwise the key keeps what it does in the browser.
const key_of_every_page = {
  '/': () => {
    const field = document.querySelector('input[type=search]')
    field?.focus()
    field?.select()
    return field
  },
  '?': () => {
    list_of_keys?.showModal()
    return list_of_keys
  },
  u: () => {
    const button = [...document.querySelectorAll('#flash .undo button')].at(-1)
    button?.click()
    return button
  },
}
document.addEventListener('keydown', event => {
  if (keys_are_off || event.repeat || isCombined(event) || isTyping(event.target) || list_of_keys?.open) return
  if (Object.hasOwn(key_of_every_page, event.key) && key_of_every_page[event.key]()) event.preventDefault()
})

// Escape closes menus, and arrows move among the items of an open one: from the last to the first and back.
document.addEventListener('keydown', event => {
  if (event.key === 'Escape' && closeMenus(undefined, true)) event.preventDefault()
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const menu = event.target.closest('details.menu[open]')
  if (!step || !menu || isCombined(event) || isTyping(event.target)) return
  event.preventDefault()
  const items = [...menu.querySelectorAll('.panel :is(a, button, input, select, summary):not(:disabled)')].filter(
    item => item.checkVisibility(),
  )
  const at = items.indexOf(document.activeElement)
  items.at(Math.max(at + step, -1) % items.length)?.focus()
})

// A click outside a menu closes it.
document.addEventListener('click', event => closeMenus(event.target.closest('details.menu')))

// Says whether one was open.
function closeMenus(except, focus = false) {
  const open = [...document.querySelectorAll('details.menu[open]')].filter(menu => menu !== except)
  for (const menu of open) {
    menu.open = false
    if (focus) menu.querySelector('summary').focus()
  }
  return open.length > 0
}

// The list of keys. When it closes, the focus goes back to the menu it was opened from.
document.addEventListener('click', ({ target }) => {
  const does = target.closest('button[data-keys]')?.dataset.keys
  if (does === 'open') {
    closeMenus(undefined, true)
    list_of_keys.showModal()
  }
  if (does === 'close' || target === list_of_keys) list_of_keys.close()
})
