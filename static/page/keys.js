// The keys of every page and the list of all keys. `page/list-keys.js` and `player/keys.js` add the keys of their pages.

/** Single keys can be turned off in the settings. */
export const areKeysOff = () => document.documentElement.dataset.keys === 'off'
document.addEventListener('change', ({ target }) => {
  if (target.name === 'keyboard_shortcuts') document.documentElement.dataset.keys = target.checked ? '' : 'off'
})

/** @type {HTMLDialogElement | null} */
const list_of_keys = document.querySelector('#keys')
export const isListOfKeysOpen = () => list_of_keys?.open === true

/** A checkbox or a line may have the focus, but nothing is typed into it. @param {Element} target */
export const isTyping = target =>
  target.closest('input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]') !== null

/** @param {KeyboardEvent} event */
export const isCombined = ({ ctrlKey, metaKey, altKey }) => ctrlKey || metaKey || altKey

/**
 * Each returns the element that it acted on. Without one, the browser handles the key.
 * @type {Record<string, () => HTMLElement | null | undefined>}
 */
const key_of_every_page = {
  '/': () => {
    /** @type {HTMLInputElement | null} */
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
  if (areKeysOff() || event.repeat || isCombined(event) || isTyping(event.target) || isListOfKeysOpen()) return
  if (Object.hasOwn(key_of_every_page, event.key) && key_of_every_page[event.key]()) event.preventDefault()
})

// The list of keys. When it closes, the focus goes back to the menu it was opened from.
document.addEventListener('click', ({ target }) => {
  const does = target.closest('button[data-keys]')?.dataset.keys
  if (does === 'open') {
    /** @type {HTMLDetailsElement | null} */
    const menu = target.closest('details.menu')
    if (menu) menu.open = false
    menu?.querySelector('summary')?.focus()
    list_of_keys?.showModal()
  }
  if (does === 'close' || target === list_of_keys) list_of_keys?.close()
})
