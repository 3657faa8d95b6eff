// The switch of notifications in this browser (Web Push). The server knows the browser by the address that its push service gave.

import { base } from './site.js'

/** Which of the person's targets is this browser. */
const kept = 'notification-target'
const browsers = `${base}/api/notifications/browsers`

/** @param {HTMLElement} card @param {HTMLInputElement} field */
async function prepare(card, field) {
  const reason = whyNot()
  if (reason) {
    field.disabled = true
    return say(card, reason)
  }
  field.addEventListener('change', async () => {
    field.disabled = true
    say(card, '')
    try {
      await (field.checked ? switchOn(card.dataset.webPush ?? '') : switchOff())
      // The list of targets has this browser now, or no longer.
      location.reload()
    } catch (fault) {
      field.checked = !field.checked
      field.disabled = false
      say(card, fault instanceof Refusal ? fault.message : did_not_work)
    }
  })
  const row = rowOfThis()
  if (!row || !(await subscription())) return
  field.checked = true
  for (const badge of row.querySelectorAll('.badge')) badge.hidden = false
}

function whyNot() {
  if (!isSecureContext) return 'Notifications need an address with https.'
  if ('PushManager' in window && 'Notification' in window && navigator.serviceWorker) return undefined
  return /iP(hone|ad)/.test(navigator.userAgent)
    ? 'Add Backlot to the Home Screen and open it there. Then it can notify you.'
    : 'This browser shows no notifications of sites.'
}

const rowOfThis = () => {
  const target_id = localStorage.getItem(kept)
  return [...document.querySelectorAll('[data-target]')].find(({ dataset }) => dataset.target === target_id)
}

const pushManager = async () => (await navigator.serviceWorker.ready).pushManager
const subscription = async () => (await pushManager()).getSubscription()

/** @param {string} applicationServerKey */
async function switchOn(applicationServerKey) {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Refusal('This browser does not let Backlot notify you. Allow it in the settings of the browser.')
  // It may belong to another person, or to another key of the service.
  await (await subscription())?.unsubscribe()
  const made = await (await pushManager()).subscribe({ userVisibleOnly: true, applicationServerKey })
  const { endpoint, keys } = made.toJSON()
  const { target_id } = await send('POST', { endpoint, keys })
  localStorage.setItem(kept, target_id)
}

/** Also at a sign-out, so that the next person at this browser reads no messages. */
export async function switchOff() {
  const made = await subscription()
  if (made) {
    await send('DELETE', { endpoint: made.endpoint })
    await made.unsubscribe()
  }
  localStorage.removeItem(kept)
}

/** @param {'POST' | 'DELETE'} method @param {object} body */
async function send(method, body) {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(browsers, { method, headers, body: JSON.stringify(body) })
  const said = await answer.json().catch(() => ({}))
  if (!answer.ok) throw new Refusal(said.detail ?? did_not_work)
  return said
}

/** A sentence for the person. */
class Refusal extends Error {}

const did_not_work = 'That did not work. Try again in a moment.'

/** @param {HTMLElement} card @param {string} sentence */
function say(card, sentence) {
  const place = card.querySelector('.fault')
  if (!place) return
  place.textContent = sentence
  place.hidden = sentence === ''
}

const card = document.querySelector('[data-web-push]')
/** @type {HTMLInputElement | null | undefined} */
const field = card?.querySelector('input.switch')
if (card && field) prepare(card, field)
