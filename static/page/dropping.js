// A file that is dropped anywhere on a page is imported, as if it had been chosen on the page Import. Links and texts are left alone.

const drop = /** @type {HTMLFormElement} */ (document.querySelector('#drop'))

// A picture of the page counts as a file, too, when it is dragged.
let from_page = false
document.addEventListener('dragstart', () => {
  from_page = true
})
document.addEventListener('dragend', () => {
  from_page = false
})

/** @param {DragEvent} event */
const bringsFile = ({ target, dataTransfer }) =>
  !from_page && dataTransfer?.types.includes('Files') && !target.closest?.('input[type=file]')

document.addEventListener('dragover', event => {
  if (!bringsFile(event)) return
  event.preventDefault()
  drop.hidden = false
})
document.addEventListener('dragleave', event => {
  // Null: the pointer has left the window.
  if (event.relatedTarget === null) drop.hidden = true
})
document.addEventListener('drop', event => {
  if (!bringsFile(event)) return
  event.preventDefault()
  const file = event.dataTransfer?.files[0]
  const is_too_large = file !== undefined && file.size > Number(drop.dataset.mostBytes)
  drop.classList.toggle('refused', is_too_large)
  drop.hidden = !is_too_large
  const chooser = drop.querySelector('input')
  if (!file || is_too_large || !chooser) return
  const one = new DataTransfer()
  one.items.add(file)
  chooser.files = one.files
  drop.requestSubmit()
})
// The words about a file that is too large stay until the next press.
document.addEventListener('click', () => {
  drop.hidden = true
})

// An archive can bring its files as well. It names its format in the first line.
document.addEventListener('change', async ({ target }) => {
  const { archive } = target.dataset
  if (!archive) return
  const head = await target.files?.[0]?.slice(0, 200).text()
  target.form?.classList.toggle('has-archive', head?.includes(archive) === true)
})
