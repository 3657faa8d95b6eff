/**
 * How much of their answers a person may leave unread. A file is read from the disk as it is taken; every other answer waits
 * whole in memory, and an answer can be ten megabytes of descriptions. Only Node tells how much waits.
 */
import { createMiddleware } from 'hono/factory'
import { DomainError } from '../../errors.ts'
import type { Connection } from '../../runtime/serve.ts'
import type { Env } from './context.ts'

type Answer = NonNullable<Connection['answer']>

/** Bytes; more than a browser ever has open. */
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
    const { user_id } = c.var.library
    const answer = c.env?.answer
    requireRead(user_id)
    if (answer) note(user_id, answer)
    await next()
    // Asked again, because many requests can begin before the first of them is answered. What was done is not refused,
    // and what comes from the disk waits nowhere.
    if (c.req.method === 'GET' && !c.res.headers.has('Accept-Ranges')) requireRead(user_id)
  })
}

const tooMuch = () =>
  new DomainError('too_many', 'You have asked for more than you read. Read or close what is open, then try again.', {
    retry_after_s: 5,
  })
