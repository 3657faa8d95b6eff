// Decides where the focus goes after the keyboard loaded a page or the focused element was removed. Otherwise the focus would start at
// the top.

import { flash } from './messages.js'

// `data-next-focus` of a button or link: where the focus is on the next page; empty: on the list.
const storage_key = 'next_focus'

/** @param {string} selector */
const firstOf = selector => (selector === '' ? null : document.querySelector(selector))
const listStart = () => firstOf('#videos .choose input, #channels .choose input') ?? firstOf('#videos .title a')

/** Where the browser refuses to store anything, the focus starts at the top. @template T @param {() => T} work */
function stored(work) {
  try {
    return work()
  } catch {
    return null
  }
}

// A press by a key has no `detail`.
document.addEventListener('click', ({ target, detail }) => {
  const by = detail === 0 ? target.closest('[data-next-focus]') : null
  // An answer to htmx loads no page.
  const next = by?.closest('[hx-post]') ? undefined : by?.dataset.nextFocus
  stored(() =>
    next === undefined ? sessionStorage.removeItem(storage_key) : sessionStorage.setItem(storage_key, next),
  )
})

function focusList() {
  const place = listStart() ?? document.querySelector('main h1')
  if (place?.matches('h1')) place.tabIndex = -1
  place?.focus()
}

const next_focus = stored(() => sessionStorage.getItem(storage_key))
stored(() => sessionStorage.removeItem(storage_key))
if (next_focus !== null) {
  const place = firstOf(next_focus)
  if (place) place.focus()
  else focusList()
}

// A message that is closed or replaced by a key hands the focus back to where it was before.

/** @type {HTMLElement | undefined} */
let place_before
let is_in_message = false
document.addEventListener('focusin', ({ target }) => {
  is_in_message = flash.contains(target) && target.matches(':focus-visible')
  if (!flash.contains(target)) place_before = target
})
new MutationObserver(() => {
  if (!is_in_message || document.activeElement !== document.body) return
  if (place_before?.isConnected) place_before.focus()
  else focusList()
}).observe(flash, { childList: true })

// Download becomes Cancel when it is pressed. The focus goes to the words of the new state, where a second Enter does nothing. A card
// that leaves the list hands the focus to the next one.

const listed = '#videos > .video, #videos .row.own'
/** @type {{ cell_id?: string, card?: HTMLElement | null, beside: (HTMLElement | undefined)[] }} */
let pressed = { beside: [] }
document.addEventListener('htmx:before:request', () => {
  const card = document.activeElement?.closest(listed)
  const all = [...document.querySelectorAll(listed)]
  const at = card ? all.indexOf(card) : -1
  pressed = {
    cell_id: document.activeElement?.closest('.cell, .backfill')?.id,
    card,
    beside: [all[at + 1], all[at - 1]],
  }
})
document.addEventListener('htmx:after:swap', () => {
  const { cell_id, card, beside } = pressed
  if (card && !card.isConnected && document.activeElement === document.body) {
    const next = beside.find(one => one?.isConnected)
    next?.querySelector('.title a')?.focus()
  }
  if (cell_id && document.activeElement === document.body)
    document.getElementById(cell_id)?.querySelector('[tabindex], .get, .get button')?.focus()
})
