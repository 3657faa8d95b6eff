// Suggestions below the fields that search everything: keys of filters, their values, and names. Nothing is chosen until a person moves to it.

for (const field of document.querySelectorAll('input[data-suggestions]')) suggestBelow(field)

function suggestBelow(field) {
  const list = document.createElement('div')
  list.id = `suggestions-${field.form.closest('header') ? 'top' : 'page'}`
  list.className = 'suggestions'
  list.role = 'listbox'
  list.ariaLabel = 'Suggestions'
  list.hidden = true
  field.parentElement.append(list)
  const combobox = { role: 'combobox', 'aria-autocomplete': 'list', 'aria-controls': list.id, 'aria-expanded': 'false' }
  for (const [name, value] of Object.entries(combobox)) field.setAttribute(name, value)

  let timer
  // Of the last request: an older answer is dropped.
  let asked = new AbortController()
  // What was typed then, and where the cursor was: an option replaces what was before it.
  let asked_for = { text: '', end: 0 }
  const isElsewhere = () => field.value === asked_for.text && field.selectionEnd !== asked_for.end

  function stopAsking() {
    clearTimeout(timer)
    asked.abort()
  }
  function close() {
    stopAsking()
    list.hidden = true
    field.setAttribute('aria-expanded', 'false')
    field.removeAttribute('aria-activedescendant')
  }

  async function ask() {
    asked = new AbortController()
    const { signal } = asked
    asked_for = { text: field.value, end: field.selectionEnd }
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

  const activeOption = () => list.querySelector('[aria-selected=true]')
  function moveTo(option) {
    activeOption()?.setAttribute('aria-selected', 'false')
    option?.setAttribute('aria-selected', 'true')
    option?.scrollIntoView({ block: 'nearest' })
    if (option) field.setAttribute('aria-activedescendant', option.id)
    else field.removeAttribute('aria-activedescendant')
  }
  // Past the last option is the field again.
  function moveBy(step) {
    const places = [undefined, ...list.children]
    const at = places.indexOf(activeOption() ?? undefined)
    moveTo(places.at((at + step) % places.length))
  }
  function take({ dataset }) {
    const rest = field.value.slice(isElsewhere() ? asked_for.end : field.selectionEnd)
    field.value = dataset.search + rest.trimStart()
    field.setSelectionRange(dataset.search.length, dataset.search.length)
    close()
    field.focus()
    // The results follow, and so do suggestions for what comes next.
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }

  field.addEventListener('input', () => {
    stopAsking()
    timer = setTimeout(() => ask().catch(() => {}), 120)
  })
  field.addEventListener('blur', close)
  // Options for one place are wrong at another.
  document.addEventListener('selectionchange', () => {
    if (!list.hidden && isElsewhere()) close()
  })
  field.addEventListener('keydown', event => {
    if (list.hidden || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const option = activeOption()
    if (event.key === 'ArrowDown') moveBy(1)
    else if (event.key === 'ArrowUp') moveBy(-1)
    else if (event.key === 'Escape') close()
    else if (option && (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey))) take(option)
    else return
    event.preventDefault()
  })
  // A press would take the focus, and so close the list before the click.
  list.addEventListener('mousedown', event => event.preventDefault())
  list.addEventListener('click', ({ target }) => {
    const option = target.closest('[role=option]')
    if (option) take(option)
  })
}
