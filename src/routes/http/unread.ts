/**
 * Limits how many bytes of answers a user may leave unread. Files are read from disk as fast as the client takes them; every other
 * answer waits in memory as a whole, and can be ten megabytes of descriptions. Only Node reports how much waits.
 */
import { createMiddleware } from 'hono/factory'
import { DomainError } from '../../errors.ts'
import type { Connection } from '../../runtime/serve.ts'
import type { Env } from './context.ts'

type Answer = NonNullable<Connection['answer']>

/** Bytes; more than a browser ever leaves unread. */
const most_unread_bytes = 16 * 1024 * 1024

export function limitUnread() {
  const open = new Map<string, Set<Answer>>()
  const requireRead = (user_id: string) => {
    let unread = 0
    for (const { writableLength } of open.get(user_id) ?? []) unread += writableLength
    if (unread > most_unread_bytes) throw tooMuch()
  }
  const note = (user_id: string, answer: Answer) => {
    const all = open.get(user_id) ?? new Set()
    open.set(user_id, all.add(answer))
    answer.once('close', () => {
      all.delete(answer)
      if (all.size === 0 && open.get(user_id) === all) open.delete(user_id)
    })
  }
  return createMiddleware<Env>(async (c, next) => {
    const { user_id } = c.get('library')
    const answer = c.env?.answer
    requireRead(user_id)
    if (answer) note(user_id, answer)
    await next()
    // Checked again, because many requests can begin before the first is answered. A POST has done its work by now, and a
    // file does not wait in memory, so neither is refused.
    if (c.req.method === 'GET' && !c.res.headers.has('Accept-Ranges')) requireRead(user_id)
  })
}

const tooMuch = () =>
  new DomainError('too_many', 'Too many answers are waiting to be read. Read or close some, then try again.', {
    retry_after_s: 5,
  })
