// Polls keep a page up to date: one request a second, fewer while the page is hidden. While the server is unreachable,
// only `/readyz` is requested, until it answers; then the polls continue. An ended session ends them.

import { flash, say } from './messages.js'
import { base } from './site.js'

/** The ETag of the last answer to a poll. @type {WeakMap<Element, string>} */
const tags = new WeakMap()
const connection = { is_away: false, failures: 0, is_over: false, poll_due_at: 0, timer: 0 }
const findPoll = () => document.querySelector('[hx-trigger^="every"]')
/** @param {Element | undefined} element */
const isPoll = element => element?.matches?.('[hx-trigger^="every"]')

document.addEventListener('htmx:config:request', ({ detail: { ctx } }) => {
  // A request that hangs counts as failed: the server may have gone without closing the connection.
  if (isPoll(ctx.sourceElement)) ctx.request.timeout = '10s'
})

document.addEventListener('htmx:before:request', event => {
  const { sourceElement, request } = event.detail.ctx
  if (!isPoll(sourceElement)) return
  if (connection.is_away || connection.is_over || Date.now() < connection.poll_due_at) return event.preventDefault()
  if (document.hidden) connection.poll_due_at = Date.now() + 15_000
  const tag = tags.get(sourceElement)
  if (tag) request.headers['If-None-Match'] = tag
})

document.addEventListener('htmx:before:response', event => {
  const { ctx } = event.detail
  if (!ctx.response) return
  const { status, headers } = ctx.response
  if (isPoll(ctx.sourceElement)) {
    if (status < 500 && status !== 401) return
    event.preventDefault()
    if (status === 401) endPolls(headers.get('HX-Redirect') ?? `${base}/login`)
    else loseConnection()
  } else if (status === 503 && !ctx.hx.retarget) {
    // Our own responses name the target of their message. This one is the page of a proxy, which must not replace ours.
    event.preventDefault()
    sayNoAnswer()
  }
})

document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
  if (!ctx.response || ctx.response.status >= 500) return
  regainConnection()
  if (!isPoll(ctx.sourceElement)) return
  const tag = ctx.response.headers.get('ETag')
  if (tag) tags.set(ctx.sourceElement, tag)
})

document.addEventListener('htmx:error', ({ detail: { ctx } }) => {
  if (isPoll(ctx?.sourceElement)) loseConnection()
})
document.addEventListener('visibilitychange', wake)

// One live region says what has ended. Cells are no live regions: many that change at once would all be read.

/** @typedef {'completed' | 'failed' | 'downloading' | 'pending'} State */
/** @type {State[]} */
const all_states = ['completed', 'failed', 'downloading', 'pending']
/** The last state of each cell, by the id of the cell. @type {Map<string, State | undefined>} */
const states = new Map()

function noteStates() {
  /** The ids of cells. @type {Record<string, string[]>} */
  const ended = { completed: [], failed: [] }
  for (const cell of document.querySelectorAll('.cell[id]')) {
    const before = states.get(cell.id)
    const state = all_states.find(one => cell.classList.contains(one))
    states.set(cell.id, state)
    if (state && before === 'downloading' && before !== state) ended[state]?.push(cell.id)
  }
  const words = [
    endedWords(ended.completed, 'Downloaded: ', 'downloads finished'),
    endedWords(ended.failed, 'Download failed: ', 'downloads failed'),
  ].filter(Boolean)
  const place = document.querySelector('#announced')
  if (place && words.length > 0) place.textContent = words.join('. ')
}

/** @param {string[]} cell_ids @param {string} one @param {string} many */
function endedWords(cell_ids, one, many) {
  if (cell_ids.length > 1) return `${cell_ids.length} ${many}`
  const title = document.getElementById(cell_ids[0]?.replace(/^download-/, 'title-'))
  return title && one + title.textContent
}
noteStates()
document.addEventListener('htmx:after:swap', noteStates)

window.addEventListener('online', () => {
  // A request sent over the previous network may never be answered.
  const poll = findPoll()
  if (poll) htmx.trigger(poll, 'htmx:abort')
  wake()
})

/** A single failure is not reported: the first check often finds the server back. */
function loseConnection() {
  connection.is_away = true
  connection.failures += 1
  if (connection.failures > 1 && !document.querySelector('[data-away]'))
    say('flash late', 'Reconnecting…').dataset.away = ''
  clearTimeout(connection.timer)
  connection.timer = setTimeout(checkServer, 1000)
}

/** `/readyz` also checks the database. A hidden page waits until it is shown. */
async function checkServer() {
  if (document.hidden) return
  const answer = await fetch(`${base}/readyz`, { cache: 'no-store', signal: AbortSignal.timeout(5000) }).catch(
    () => undefined,
  )
  if (!answer?.ok) return loseConnection()
  connection.is_away = false
  const poll = findPoll()
  if (connection.is_over || !poll) return regainConnection()
  connection.poll_due_at = 0
  htmx.trigger(poll, 'every')
}

function regainConnection() {
  connection.is_away = false
  connection.failures = 0
  clearTimeout(connection.timer)
  for (const message of document.querySelectorAll('[data-away]')) message.remove()
}

function wake() {
  if (document.hidden) return
  connection.poll_due_at = 0
  if (!connection.is_away) return
  clearTimeout(connection.timer)
  checkServer()
}

/** @param {string} login The address. */
function endPolls(login) {
  connection.is_over = true
  regainConnection()
  const link = document.createElement('a')
  link.href = login
  link.textContent = 'Sign in again'
  say('flash problem late', 'You were signed out. ').append(link, '.')
}

/** An action of the user was lost. The message is removed once the server answers again. */
export function sayNoAnswer() {
  flash.replaceChildren()
  say('flash problem', 'The server did not answer. Check the connection and try again.').dataset.away = ''
  loseConnection()
}
