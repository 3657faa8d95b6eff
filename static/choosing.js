// Selecting several videos: one checkbox for all, a range with Shift, and the number of selected ones.
const boxesOf = form => [...document.querySelectorAll(`input[name=video_id][form="${form}"]`)]
let last_box

function countChosen() {
  for (const all of document.querySelectorAll('[data-choose-all]')) {
    const boxes = boxesOf(all.dataset.chooseAll)
    const chosen = boxes.filter(box => box.checked).length
    all.checked = chosen > 0 && chosen === boxes.length
    all.indeterminate = chosen > 0 && chosen < boxes.length
  }
  for (const count of document.querySelectorAll('[data-count-chosen]')) {
    const chosen = boxesOf(count.dataset.countChosen).filter(box => box.checked).length
    const text = chosen > 0 ? `${chosen} selected` : ''
    if (count.textContent !== text) count.textContent = text
  }
  for (const none of document.querySelectorAll('[data-choose-none]')) none.hidden = false
}

document.addEventListener('click', event => {
  const box = event.target.closest('input[name=video_id][form]')
  if (box) {
    const boxes = boxesOf(box.getAttribute('form'))
    const [from, to] = [boxes.indexOf(last_box), boxes.indexOf(box)].sort((one, other) => one - other)
    if (event.shiftKey && from >= 0) for (const other of boxes.slice(from, to + 1)) other.checked = box.checked
    last_box = box
  }
  const none = event.target.closest('[data-choose-none]')
  if (none) for (const other of boxesOf(none.dataset.chooseNone)) other.checked = false
  if (box || none) countChosen()
})
document.addEventListener('change', event => {
  const form = event.target.dataset.chooseAll
  if (form) for (const box of boxesOf(form)) box.checked = event.target.checked
  countChosen()
})
window.addEventListener('pageshow', countChosen)
document.addEventListener('htmx:after:swap', countChosen)
