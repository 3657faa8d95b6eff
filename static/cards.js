// What the cards and rows of videos do in addition: their menus, and where the focus goes. They work without it.

// A menu of a video fetches its list when it opens, and closes after an action.
document.addEventListener(
  'toggle',
  ({ target }) => target.open && target.matches('[hx-trigger=opened]') && htmx.trigger(target, 'opened'),
  true,
)
document.addEventListener('htmx:after:request', ({ target }) => {
  const menu = target.closest?.('.panel form') && target.closest('details.menu')
  if (!menu) return
  menu.open = false
  if (menu.contains(document.activeElement)) menu.querySelector('summary').focus()
})

// Download becomes Cancel when it is pressed. The focus goes to the words of the new state, where a second Enter does nothing. A card
// that leaves the list hands the focus to the next one.
let pressed_cell
let pressed_card
let cards_beside = []
document.addEventListener('htmx:before:request', () => {
  pressed_cell = document.activeElement.closest('.cell')?.id
  pressed_card = document.activeElement.closest('#videos > .video')
  const all = [...document.querySelectorAll('#videos > .video')]
  const at = all.indexOf(pressed_card)
  cards_beside = [all[at + 1], all[at - 1]]
})
document.addEventListener('htmx:after:swap', () => {
  if (pressed_card && !pressed_card.isConnected && document.activeElement === document.body)
    cards_beside
      .find(card => card?.isConnected)
      ?.querySelector('.title a')
      .focus()
  if (pressed_cell && document.activeElement === document.body)
    document.getElementById(pressed_cell)?.querySelector('[tabindex], .get, .get button')?.focus()
})

// A link to a video names the list that it is in, so that the next one is of the same list. Cards are the same in every list, and are
// remembered as they are, so this is done when a link is about to be used.
for (const name of ['pointerdown', 'focusin'])
  document.addEventListener(name, ({ target }) => {
    const link = target.closest('[data-list] a[href^="/watch/"]')
    const address = link && new URL(link.href)
    if (!address || address.searchParams.has('list')) return
    address.searchParams.set('list', link.closest('[data-list]').dataset.list)
    link.href = address.pathname + address.search + address.hash
  })
