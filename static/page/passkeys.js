// Passkeys: a form that adds one or signs in by one requests the options, lets the browser ask the person, and is sent with the answer.

/** @type {NodeListOf<HTMLFormElement>} */
const forms = document.querySelectorAll('form[data-passkey]')
for (const form of forms) {
  if (window.PublicKeyCredential) prepare(form)
  else if (!form.hidden) refuse(form)
}

/** @param {HTMLFormElement} form */
function prepare(form) {
  form.hidden = false
  form.addEventListener('submit', event => {
    event.preventDefault()
    // `page/forms.js` would count the form as sent.
    event.stopPropagation()
    const button = form.querySelector('button')
    if (!button || button.hasAttribute('aria-busy')) return
    say(form, '')
    button.setAttribute('aria-busy', 'true')
    askAndSend(form).catch(fault => {
      button.removeAttribute('aria-busy')
      say(form, wordsOf(fault))
    })
  })
}

/** Browsers have no passkeys on addresses without https. @param {HTMLFormElement} form */
function refuse(form) {
  const reason = isSecureContext ? 'This browser has no passkeys.' : 'Passkeys need an address with https.'
  const sentence = document.createElement('p')
  sentence.className = 'hint'
  sentence.textContent = reason
  form.closest('details')?.replaceWith(sentence)
}

/** @param {HTMLFormElement} form */
async function askAndSend(form) {
  const answer = await fetch(form.dataset.passkey ?? '', { method: 'POST', body: new URLSearchParams(fieldsOf(form)) })
  // The person was signed out meanwhile.
  if (answer.redirected) return location.assign(answer.url)
  const options = await answer.json().catch(() => ({}))
  if (!answer.ok || !options.challenge) throw new Refusal(options.sentence ?? no_answer)
  const credential = options.user ? await make(options) : await use(options)
  fieldIn(form, 'credential').value = JSON.stringify(credential)
  const remember = /** @type {HTMLInputElement | null} */ (document.querySelector('[type=checkbox][name=remember]'))
  if (remember?.checked) fieldIn(form, 'remember').value = 'on'
  form.submit()
}

/** @param {HTMLFormElement} form @returns {[string, string][]} */
const fieldsOf = form => [...new FormData(form)].map(([name, value]) => [name, String(value)])

/** @param {HTMLFormElement} form @param {string} name */
const fieldIn = (form, name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name))

// The browser's own functions for JSON are missing in Safari before 18.4, and fail with some password managers.

/** @param {any} options */
async function make({ challenge, user, excludeCredentials, ...options }) {
  const publicKey = {
    ...options,
    challenge: bytesOf(challenge),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: excludeCredentials.map(/** @param {any} one */ one => ({ ...one, id: bytesOf(one.id) })),
  }
  const made = /** @type {PublicKeyCredential} */ (await navigator.credentials.create({ publicKey }))
  const response = /** @type {AuthenticatorAttestationResponse} */ (made.response)
  return {
    ...named(made),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  }
}

/** @param {any} options */
async function use({ challenge, ...options }) {
  const publicKey = { ...options, challenge: bytesOf(challenge) }
  const used = /** @type {PublicKeyCredential} */ (await navigator.credentials.get({ publicKey }))
  const response = /** @type {AuthenticatorAssertionResponse} */ (used.response)
  return {
    ...named(used),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      userHandle: textOf(response.userHandle ?? new ArrayBuffer(0)),
    },
  }
}

/** @param {PublicKeyCredential} credential */
const named = ({ id, rawId, type }) => ({ id, rawId: textOf(rawId), type })

/** @param {string} text base64url */
const bytesOf = text =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.charCodeAt(0))

/** @param {ArrayBuffer} bytes */
const textOf = bytes =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

/** A sentence of the server. */
class Refusal extends Error {}

const no_answer = 'Backlot did not answer. Try again in a moment.'

/** By the name of the browser's error. @type {Record<string, string>} */
const sentences = {
  NotAllowedError: 'No passkey was used: it was cancelled, or took too long. Try again.',
  InvalidStateError: 'This device or password manager already has a passkey of your account.',
  SecurityError: 'Passkeys need https, and a name instead of numbers in the address bar.',
  NotSupportedError: 'This device cannot keep such a passkey. Try another one.',
  ConstraintError: 'This device cannot check who you are. Set up a PIN or a screen lock first, or use another one.',
  TypeError: no_answer,
}

/** @param {unknown} fault */
function wordsOf(fault) {
  if (fault instanceof Refusal) return fault.message
  return sentences[fault instanceof Error ? fault.name : ''] ?? 'The passkey did not work. Try again.'
}

/** @param {HTMLFormElement} form @param {string} sentence */
function say(form, sentence) {
  const place = form.querySelector('.fault')
  if (!place) return
  place.textContent = sentence
  place.hidden = sentence === ''
}
