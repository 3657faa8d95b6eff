// Arranging a playlist: a row is dragged by its handle, and moved by the arrow keys on the handle or by the buttons of its menu.

import { sayNoAnswer } from './polling.js'

/** @type {HTMLOListElement | null} */
const list = document.querySelector('#videos.in-order')
const moved = /** @type {HTMLElement} */ (document.querySelector('#moved'))
/** @param {Element} row */
const placeOf = row => (list?.start ?? 1) + [...(list?.children ?? [])].indexOf(row)
/** @param {EventTarget | null} target @returns {HTMLElement | null} */
const rowOf = target => (target instanceof Element ? target.closest('#videos > .row') : null)

// Moves are stored one after another, because each place counts from the order before.
let storing = Promise.resolve()

/** Stores where the row is now. @param {HTMLElement} row */
function store(row) {
  const body = new URLSearchParams({ video_id: row.dataset.video ?? '', to: String(placeOf(row)) })
  moved.textContent = `Moved to place ${placeOf(row)}.`
  storing = storing
    .then(() => fetch(list?.dataset.places ?? '', { method: 'POST', body, headers: { 'HX-Request': 'true' } }))
    .then(answer => {
      if (!answer.ok) location.reload()
    })
    .catch(() => sayNoAnswer())
}

/** @type {Record<string, (row: HTMLElement) => void>} */
const steps = {
  top: row => list?.prepend(row),
  up: row => row.previousElementSibling?.before(row),
  down: row => row.nextElementSibling?.after(row),
  bottom: row => list?.append(row),
}
/** @type {Record<string, keyof typeof steps>} */
const step_of_key = { ArrowUp: 'up', ArrowDown: 'down', Home: 'top', End: 'bottom' }

/**
 * The row next to this one may be on another page, so the server decides.
 * @param {HTMLElement} row @param {string} step
 */
function leavesPage(row, step) {
  const [has_earlier, has_later] = [list !== null && list.start > 1, document.querySelector('#older-link') !== null]
  if (step === 'top' || step === 'bottom') return step === 'top' ? has_earlier : has_later
  return step === 'up' ? has_earlier && !row.previousElementSibling : has_later && !row.nextElementSibling
}

/** @param {HTMLElement} row @param {string} step */
function move(row, step) {
  steps[step]?.(row)
  store(row)
  // A finger has no handle, but the menu of the video.
  const handle = [...row.querySelectorAll('.menu > summary')].find(summary => summary.checkVisibility())
  handle?.focus()
  handle?.scrollIntoView({ block: 'nearest' })
}

// The buttons of the menu of a row. Without a script they load the page again.
list?.addEventListener('submit', event => {
  const row = rowOf(event.target)
  const step = event.target.dataset.move
  if (!row || !step || leavesPage(row, step)) return
  event.preventDefault()
  event.stopPropagation()
  /** @type {HTMLDetailsElement | null} */
  const menu = event.target.closest('details.menu')
  if (menu) menu.open = false
  move(row, step)
})

list?.addEventListener('keydown', event => {
  const handle = event.target.closest('.arrange:not([open]) > summary')
  const row = rowOf(handle)
  const step = step_of_key[event.key]
  if (!row || !step || event.altKey || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  if (!leavesPage(row, step)) move(row, step)
})

// Only the handle drags its row: a title is a link, which is dragged as such.
/** @type {{ row: HTMLElement, next: Element | null } | undefined} */
let dragged
list?.addEventListener('pointerdown', event => {
  const row = rowOf(event.target.closest('.arrange > summary'))
  if (row) row.draggable = true
})
document.addEventListener('pointerup', () => list?.querySelector('.row[draggable]')?.removeAttribute('draggable'))
list?.addEventListener('dragstart', event => {
  const row = rowOf(event.target)
  if (!row?.draggable || !event.dataTransfer) return
  dragged = { row, next: row.nextElementSibling }
  event.dataTransfer.effectAllowed = 'move'
  // Older versions of Firefox drag nothing without data.
  event.dataTransfer.setData('text/plain', '')
  row.classList.add('dragged')
})
list?.addEventListener('dragover', event => {
  if (!dragged) return
  event.preventDefault()
  const over = rowOf(event.target)
  if (!over || over === dragged.row) return
  const { top, height } = over.getBoundingClientRect()
  over[event.clientY < top + height / 2 ? 'before' : 'after'](dragged.row)
})
list?.addEventListener('drop', event => dragged && event.preventDefault())
list?.addEventListener('dragend', ({ dataTransfer }) => {
  if (!dragged) return
  const { row, next } = dragged
  dragged = undefined
  row.classList.remove('dragged')
  row.removeAttribute('draggable')
  if (dataTransfer?.dropEffect === 'none') {
    list.insertBefore(row, next)
  } else if (row.nextElementSibling !== next) store(row)
})
