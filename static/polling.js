// The poll of a page: it asks for news alone, less often where nobody looks or the server is away, and at once again after that.
const tags = new WeakMap()
const poll = { failures: 0, due_at: 0 }

document.addEventListener('htmx:before:request', event => {
  const { sourceElement, request } = event.detail.ctx
  if (sourceElement.id !== 'polling') return
  if (Date.now() < poll.due_at) return event.preventDefault()
  if (document.hidden) poll.due_at = Date.now() + 15_000
  const tag = tags.get(sourceElement)
  if (tag) request.headers['If-None-Match'] = tag
})
document.addEventListener('htmx:after:request', ({ detail: { ctx } }) => {
  if (ctx.sourceElement.id !== 'polling') return
  if (ctx.response.status >= 500) return restPoll()
  poll.failures = 0
  const tag = ctx.response.headers.get('ETag')
  if (tag) tags.set(ctx.sourceElement, tag)
})
document.addEventListener('htmx:error', ({ detail: { ctx } }) => {
  if (ctx?.sourceElement?.id === 'polling') restPoll()
})
document.addEventListener('visibilitychange', wakePoll)
window.addEventListener('online', wakePoll)

function restPoll() {
  poll.failures += 1
  poll.due_at = Date.now() + Math.min(30_000, 1000 * 2 ** poll.failures)
}
function wakePoll() {
  if (!document.hidden) poll.due_at = 0
}
