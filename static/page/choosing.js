// Selecting several videos or channels: one checkbox for all, a range with Shift, keys, and the number and size of the selected ones.

import { areKeysOff, isCombined, isListOfKeysOpen, isTyping } from './keys.js'

/** @param {string} form The id of the form. */
function boxesOf(form) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const boxes = document.querySelectorAll(`input:is([name=video_id], [name=channel_id])[form="${form}"]`)
  return [...boxes]
}

function countChosen() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const boxes_of_all = document.querySelectorAll('[data-choose-all]')
  for (const all of boxes_of_all) {
    const boxes = boxesOf(all.dataset.chooseAll ?? '')
    const chosen = boxes.filter(box => box.checked).length
    all.checked = chosen > 0 && chosen === boxes.length
    all.indeterminate = chosen > 0 && chosen < boxes.length
  }
  for (const count of document.querySelectorAll('[data-count-chosen]')) {
    const text = chosenWords(boxesOf(count.dataset.countChosen ?? '').filter(box => box.checked))
    if (count.textContent !== text) count.textContent = text
  }
}

/** "3 selected", or "3 selected, 1.2 GB" of files on disk. @param {HTMLInputElement[]} boxes */
function chosenWords(boxes) {
  const bytes = boxes.reduce((sum, box) => sum + Number(box.dataset.bytes ?? 0), 0)
  return [boxes.length > 0 && `${boxes.length} selected`, bytes > 0 && bytesWords(bytes)].filter(Boolean).join(', ')
}

/** @param {number} bytes */
function bytesWords(bytes) {
  const step = Math.min(Math.floor(Math.log10(bytes) / 3), 4)
  const amount = bytes / 1000 ** step
  return `${step > 0 && amount < 9.95 ? amount.toFixed(1) : Math.round(amount)} ${['bytes', 'KB', 'MB', 'GB', 'TB'][step]}`
}

/** @type {HTMLInputElement | undefined} */
let last_box
// A press on a label is followed by one on its box, without the Shift key.
let label_shift = false

document.addEventListener('click', event => {
  /** @type {HTMLInputElement | null} */
  const box = event.target.closest('input:is([name=video_id], [name=channel_id])[form]')
  if (box) {
    const boxes = boxesOf(box.getAttribute('form') ?? '')
    const last = last_box ? boxes.indexOf(last_box) : -1
    const [from, to] = [last, boxes.indexOf(box)].sort((one, other) => one - other)
    if ((event.shiftKey || label_shift) && from >= 0)
      for (const other of boxes.slice(from, to + 1)) other.checked = box.checked
    last_box = box
  }
  label_shift = !box && event.shiftKey
  if (box) countChosen()
})
document.addEventListener('change', event => {
  const form = event.target.dataset.chooseAll
  if (form) for (const box of boxesOf(form)) box.checked = event.target.checked
  countChosen()
})
window.addEventListener('pageshow', countChosen)
document.addEventListener('htmx:after:swap', countChosen)

// Keys. Space selects the video whose title has the focus, and Escape leaves the selection. A list may grow without end, so Tab leads from
// a selected box to the bar, and from the end of the bar to the next box.
const choosing_bar = document.querySelector('.choosing-bar')
/** @type {HTMLInputElement | undefined} */
let left_box

document.addEventListener('keydown', event => {
  if (event.defaultPrevented || isCombined(event) || isTyping(event.target) || isListOfKeysOpen()) return
  const act =
    event.key === ' '
      ? !areKeysOff() && boxBeside(event.target)
      : choosing_bar &&
        (event.key === 'Tab' ? tabTo(choosing_bar, event) : event.key === 'Escape' && choosing_bar.querySelector('a'))
  if (!act) return
  event.preventDefault()
  if (event.key === 'Tab') act.focus()
  else act.click()
})

/** @param {Element} target */
const boxBeside = target => target.closest('.title a')?.closest('.video, .row')?.querySelector('.choose input')

/** @param {HTMLElement} bar @param {KeyboardEvent} event */
function tabTo(bar, { target, shiftKey }) {
  const stops = [...bar.querySelectorAll('a, button, input, summary')].filter(stop => stop.checkVisibility())
  if (target === stops.at(shiftKey ? 0 : -1) && left_box?.isConnected) {
    const back = shiftKey ? left_box : boxAfter(bar, left_box)
    left_box = undefined
    return back
  }
  // From the last box, Tab leaves the list.
  if (shiftKey || !(target instanceof HTMLInputElement) || !target.matches('.choose input:checked')) return
  if (!boxAfter(bar, target)) return
  left_box = target
  return bar.querySelector('button, summary')
}

/** @param {HTMLElement} bar @param {HTMLInputElement} box */
function boxAfter(bar, box) {
  const boxes = boxesOf(bar.id)
  return boxes[boxes.indexOf(box) + 1]
}
