// Where the focus goes when the keyboard loads the next page, or what had the focus is removed. Otherwise it would start at the top.

// `data-next-focus` of a button or link: where the focus is on the next page; empty: on the list.
const storage_key = 'next_focus'
const firstOf = selector => selector && document.querySelector(selector)
const listStart = () => firstOf('#videos .choose input, #channels .choose input') ?? firstOf('#videos .title a')

// A press by a key has no `detail`.
document.addEventListener('click', ({ target, detail }) => {
  const by = detail === 0 ? target.closest('[data-next-focus]') : null
  // An answer to htmx loads no page.
  const next = by?.closest('[hx-post]') ? undefined : by?.dataset.nextFocus
  if (next === undefined) sessionStorage.removeItem(storage_key)
  else sessionStorage.setItem(storage_key, next)
})

function focusList() {
  const place = listStart() ?? document.querySelector('main h1')
  if (place?.matches('h1')) place.tabIndex = -1
  place?.focus()
}

const next_focus = sessionStorage.getItem(storage_key)
sessionStorage.removeItem(storage_key)
if (next_focus !== null) {
  const place = firstOf(next_focus)
  if (place) place.focus()
  else focusList()
}

// A message that is closed or replaced by a key hands the focus back to where it was before.
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
