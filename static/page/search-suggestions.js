// Suggestions below the fields that search everything: keys of filters, their values, and names. Nothing is chosen until a person moves to
// it.

/** @type {NodeListOf<HTMLInputElement>} */
const fields = document.querySelectorAll('input[data-suggestions]')
for (const field of fields) suggestBelow(field)

// A link that types a filter, whose value then is suggested.
document.addEventListener('click', event => {
  /** @type {HTMLAnchorElement | null} */
  const link = event.target.closest('a[data-types]')
  const [field] = fields
  if (!link || !field) return
  event.preventDefault()
  field.focus()
  field.value = `${field.value.trim()} ${link.dataset.types}`.trimStart()
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
})

/** @param {HTMLInputElement} field */
function suggestBelow(field) {
  const list = listBelow(field)
  const answers = suggestionsFor(field, list)
  field.addEventListener('input', answers.askSoon)
  field.addEventListener('blur', answers.close)
  // Suggestions belong to one place of the cursor.
  document.addEventListener('selectionchange', () => {
    if (!list.hidden && answers.isElsewhere()) answers.close()
  })
  field.addEventListener('keydown', event => {
    if (list.hidden || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const option = activeIn(list)
    if (event.key === 'ArrowDown') moveBy(field, list, 1)
    else if (event.key === 'ArrowUp') moveBy(field, list, -1)
    else if (event.key === 'Escape') answers.close()
    else if (option && (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey))) answers.take(option)
    else return
    event.preventDefault()
  })
  // A press would take the focus, and so close the list before the click.
  list.addEventListener('mousedown', event => event.preventDefault())
  list.addEventListener('click', ({ target }) => {
    const option = target.closest('[role=option]')
    if (option) answers.take(option)
  })
}

/** @param {HTMLInputElement} field */
function listBelow(field) {
  const list = document.createElement('div')
  list.id = `suggestions-${field.form?.closest('header') ? 'top' : 'page'}`
  list.className = 'suggestions'
  list.role = 'listbox'
  list.ariaLabel = 'Suggestions'
  list.hidden = true
  field.parentElement?.append(list)
  const combobox = { role: 'combobox', 'aria-autocomplete': 'list', 'aria-controls': list.id, 'aria-expanded': 'false' }
  for (const [name, value] of Object.entries(combobox)) field.setAttribute(name, value)
  return list
}

/**
 * Requests suggestions, shows them in the list, and puts the chosen one into the field.
 * @param {HTMLInputElement} field @param {HTMLElement} list
 */
function suggestionsFor(field, list) {
  let timer = 0
  // Aborts the last request, so that a late answer is dropped.
  let asked = new AbortController()
  // The text and the cursor of the last request. An option replaces the text before that cursor.
  let asked_for = { text: '', end: 0 }
  const cursor = () => field.selectionEnd ?? field.value.length
  const isElsewhere = () => field.value === asked_for.text && cursor() !== asked_for.end

  function stopAsking() {
    clearTimeout(timer)
    asked.abort()
  }
  function askSoon() {
    stopAsking()
    timer = setTimeout(() => ask().catch(() => {}), 120)
  }
  async function ask() {
    asked = new AbortController()
    const { signal } = asked
    asked_for = { text: field.value, end: cursor() }
    const typed = field.value.slice(0, asked_for.end)
    const answer = await fetch(`${field.dataset.suggestions}?${new URLSearchParams({ q: typed })}`, { signal })
    const options = answer.ok && !answer.redirected ? await answer.text() : ''
    if (signal.aborted) return
    list.replaceChildren(...new DOMParser().parseFromString(options, 'text/html').body.children)
    if (list.children.length === 0 || document.activeElement !== field) return close()
    list.hidden = false
    field.setAttribute('aria-expanded', 'true')
    field.removeAttribute('aria-activedescendant')
  }
  function close() {
    stopAsking()
    list.hidden = true
    field.setAttribute('aria-expanded', 'false')
    field.removeAttribute('aria-activedescendant')
  }
  /** @param {HTMLElement} option */
  function take({ dataset: { search = '', leadsTo } }) {
    if (leadsTo) return location.assign(leadsTo)
    const rest = field.value.slice(isElsewhere() ? asked_for.end : cursor())
    field.value = search + rest.trimStart()
    field.setSelectionRange(search.length, search.length)
    close()
    field.focus()
    // The results follow, and so do suggestions for what comes next.
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  return { askSoon, isElsewhere, close, take }
}

/** @param {HTMLElement} list */
const activeIn = list => list.querySelector('[aria-selected=true]') ?? undefined

/**
 * Moves to another option. The field comes after the last option.
 * @param {HTMLInputElement} field @param {HTMLElement} list @param {number} step
 */
function moveBy(field, list, step) {
  const places = [undefined, ...list.querySelectorAll(':scope > *')]
  const former = activeIn(list)
  const option = places.at((places.indexOf(former) + step) % places.length)
  former?.setAttribute('aria-selected', 'false')
  option?.setAttribute('aria-selected', 'true')
  option?.scrollIntoView({ block: 'nearest' })
  if (option) field.setAttribute('aria-activedescendant', option.id)
  else field.removeAttribute('aria-activedescendant')
}
