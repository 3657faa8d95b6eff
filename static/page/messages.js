// The messages above the content: they are announced, added by other scripts, and closed.

export const flash = /** @type {HTMLElement} */ (document.querySelector('#flash'))

/** Adds a message. @param {string} className @param {string} text */
export function say(className, text) {
  const message = document.createElement('p')
  message.className = className
  message.textContent = text
  flash.append(message)
  return message
}

// Screen readers announce changes only, so the messages that a page comes with are inserted once more.
if (flash.children.length > 0)
  setTimeout(() => {
    const focused = flash.contains(document.activeElement) && document.activeElement
    flash.replaceChildren(...flash.children)
    if (focused) focused.focus()
  }, 300)

// A button closes its message. A message without a form is removed after a while, but not while a person may be reading it.
document.addEventListener('click', event => event.target.closest('.flash .close')?.closest('.flash')?.remove())

const read_ms = 12_000

/** @param {HTMLElement} message */
function closeLater(message) {
  setTimeout(() => {
    if (document.hidden || message.matches(':hover, :focus-within')) closeLater(message)
    else message.remove()
  }, read_ms)
}

function closeMessagesLater() {
  for (const message of document.querySelectorAll('.flash.done:not([data-closing], :has(form))')) {
    message.dataset.closing = ''
    closeLater(message)
  }
}
closeMessagesLater()
document.addEventListener('htmx:after:swap', closeMessagesLater)

// The messages of a page that the browser restores were already read.
window.addEventListener('pageshow', event => event.persisted && flash.replaceChildren())
