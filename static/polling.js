// Polls keep a page up to date: one request a second, fewer while the page is hidden. While the server is unreachable,
// only `/readyz` is requested, until it answers; then the polls continue. An ended session ends them.
const tags = new WeakMap()
const connection = { is_away: false, failures: 0, is_over: false, poll_due_at: 0, timer: 0 }
const findPoll = () => document.querySelector('[hx-trigger^="every"]')
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
  const { status, headers } = ctx.response
  if (isPoll(ctx.sourceElement)) {
    if (status < 500 && status !== 401) return
    event.preventDefault()
    if (status === 401) endPolls(headers.get('HX-Redirect') ?? '/login')
    else loseConnection()
  } else if (status === 503 && !ctx.hx.retarget) {
    // Our own responses name the target of their message. This one is the page of a proxy, which must not replace ours.
    event.preventDefault()
    sayNoAnswer()
  }
})

document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
  if (ctx.response.status >= 500) return
  regainConnection()
  if (!isPoll(ctx.sourceElement)) return
  const tag = ctx.response.headers.get('ETag')
  if (tag) tags.set(ctx.sourceElement, tag)
})

document.addEventListener('htmx:error', ({ detail: { ctx } }) => {
  if (isPoll(ctx?.sourceElement)) loseConnection()
})
// The title of a page that counts something changes with its content.
document.addEventListener('htmx:after:swap', () => {
  const titled = document.querySelector('[data-title]')
  if (titled) document.title = `${titled.dataset.title} · Backlot`
})
document.addEventListener('visibilitychange', wake)

// One live region says what has ended. Cells are no live regions: many that change at once would all be read.
const states = new Map()
const stateOf = cell => ['completed', 'failed', 'downloading', 'pending'].find(state => cell.classList.contains(state))
function noteStates() {
  const ended = { completed: [], failed: [] }
  for (const cell of document.querySelectorAll('.cell[id]')) {
    const [before, state] = [states.get(cell.id), stateOf(cell)]
    states.set(cell.id, state)
    if (before === 'downloading' && before !== state) ended[state]?.push(cell.id)
  }
  const words = [
    endedWords(ended.completed, 'Downloaded: ', 'downloads finished'),
    endedWords(ended.failed, 'Download failed: ', 'downloads failed'),
  ].filter(Boolean)
  if (words.length > 0) document.querySelector('#announced').textContent = words.join('. ')
}
function endedWords(cell_ids, one, many) {
  if (cell_ids.length > 1) return `${cell_ids.length} ${many}`
  const title = document.getElementById(cell_ids[0]?.replace(/^download-/, 'title-'))
  return title && one + title.textContent
}
noteStates()
document.addEventListener('htmx:after:swap', noteStates)
window.addEventListener('online', () => {
  // A request sent over the previous network may never be answered.
  if (findPoll()) htmx.trigger(findPoll(), 'htmx:abort')
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
  const answer = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(5000) }).catch(() => undefined)
  if (!answer?.ok) return loseConnection()
  connection.is_away = false
  if (connection.is_over || !findPoll()) return regainConnection()
  connection.poll_due_at = 0
  htmx.trigger(findPoll(), 'every')
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

function endPolls(login) {
  connection.is_over = true
  regainConnection()
  const link = document.createElement('a')
  link.href = login
  link.textContent = 'Sign in again'
  say('flash problem late', 'You were signed out. ').append(link, '.')
}

function say(className, text) {
  const message = document.createElement('p')
  message.className = className
  message.textContent = text
  flash.append(message)
  return message
}

/** An action of the user was lost. The message is removed once the server answers again. */
function sayNoAnswer() {
  flash.replaceChildren()
  say('flash problem', 'The server did not answer. Check the connection and try again.').dataset.away = ''
  loseConnection()
}
