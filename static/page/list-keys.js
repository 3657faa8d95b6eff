// Keys on the page New: they move between the cards and press the buttons of the card in focus. They can be turned off in the settings.

import { areKeysOff, isCombined, isListOfKeysOpen, isTyping } from './keys.js'
import { base } from './site.js'

const cards = () => [...document.querySelectorAll('#videos > .video')]
/** @param {Element | null | undefined} card */
const titleOf = card => card?.querySelector('.title a')
/** Where the focus stops on a card: while videos are selected, on its box. @param {Element | null | undefined} card */
const stopOf = card => card?.querySelector('.choose input') ?? titleOf(card)
const current = () => document.activeElement?.closest('#videos > .video')

/** Moves to the first card in sight, when none has the focus. @param {number} steps */
function move(steps) {
  const all = cards()
  const card = current()
  const at = card ? all.indexOf(card) : -1
  const inSight = all.find(one => one.getBoundingClientRect().top >= 0)
  stopOf(at < 0 ? inSight : all[at + steps])?.focus()
}

/** Moves to the card above or below, in the nearest column. @param {1 | -1} direction */
function moveLine(direction) {
  const from = current()?.getBoundingClientRect()
  if (!from) return move(0)
  const places = cards().map(card => ({ card, place: card.getBoundingClientRect() }))
  const beyond = places.filter(({ place }) => (place.top - from.top) * direction > 1)
  const nearest = Math.min(...beyond.map(({ place }) => Math.abs(place.top - from.top)))
  const line = beyond.filter(({ place }) => Math.abs(place.top - from.top) === nearest)
  const [next] = line.sort(
    (one, other) => Math.abs(one.place.left - from.left) - Math.abs(other.place.left - from.left),
  )
  stopOf(next?.card)?.focus()
}

/** The focus stays on the card when its button is replaced. @param {string} button */
function press(button) {
  const card = current()
  card?.querySelector(button)?.click()
  stopOf(card)?.focus()
}

/** @param {'seen' | 'later' | 'dismissed'} mark */
function toggle(mark) {
  const marked = current()?.querySelector('.marked')
  if (!marked) return
  const is_on = marked.classList.contains(mark)
  const act = mark === 'seen' ? (is_on ? 'unseen' : 'seen') : `${mark}${is_on ? '/remove' : ''}`
  htmx.ajax('POST', `${base}/videos/${encodeURIComponent(marked.dataset.video ?? '')}/${act}`, {
    source: marked,
    swap: 'none',
  })
}

/** @type {Record<string, () => void>} */
const act_of = {
  j: () => move(1),
  k: () => move(-1),
  o: () => titleOf(current())?.click(),
  d: () => press('.cell.pending > form.get button, .cell.failed > form.get button'),
  l: () => toggle('later'),
  x: () => toggle('dismissed'),
  w: () => toggle('seen'),
  Escape: () => document.activeElement?.blur(),
}
/** @type {Record<string, () => void>} */
const arrow_of = {
  ArrowRight: () => move(1),
  ArrowLeft: () => move(-1),
  ArrowDown: () => moveLine(1),
  ArrowUp: () => moveLine(-1),
}

document.addEventListener('keydown', event => {
  const { key, target } = event
  if (event.defaultPrevented || isCombined(event) || isListOfKeysOpen()) return
  if (isTyping(target) || target.closest('details[open]')) return
  // Arrows scroll the page unless a title or a box has the focus.
  const act = Object.hasOwn(arrow_of, key)
    ? target.closest('.title a, .choose input') && arrow_of[key]
    : (!areKeysOff() || key === 'Escape') && Object.hasOwn(act_of, key) && act_of[key]
  if (!act) return
  event.preventDefault()
  act()
})
