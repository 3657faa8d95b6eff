/**
 * Limits what is sent to one user, or to one address, at the same time: how many files are open, and how many bytes of other answers wait
 * unread. Each process counts its own.
 */
import { createMiddleware } from 'hono/factory'
import { DomainError } from '../../errors.ts'
import type { Env } from './context.ts'
import type { OpenAnswers } from './open-answers.ts'

export type StreamLimits = {
  of_person: number
  at_address: number
  /** A client that reads nothing for this long is disconnected. */
  idle_ms: number
}

/**
 * A browser opens one or two connections per video, and closes those it no longer needs. It may stop reading while a video is
 * paused; if it is disconnected then, it requests the rest by Range when playing continues.
 */
export const usual_streams: StreamLimits = { of_person: 24, at_address: 120, idle_ms: 5 * 60_000 }

/** Counts one more open file. Returns the function that counts it down; calling it twice is harmless. Throws `too_many`. */
export type BeginStream = (user_id: string, client: string) => () => void

export function openStreams({ of_person, at_address }: StreamLimits): BeginStream {
  const open = new Map<string, number>()
  const count = (key: string, by: 1 | -1) => {
    const now = (open.get(key) ?? 0) + by
    if (now > 0) open.set(key, now)
    else open.delete(key)
  }
  return (user_id, client) => {
    const keys = [`person ${user_id}`, `address ${client}`]
    const [person = '', address = ''] = keys
    if ((open.get(person) ?? 0) >= of_person) throw tooMany(`You have ${of_person} videos open`)
    if ((open.get(address) ?? 0) >= at_address) throw tooMany(`${at_address} videos are open at your address`)
    for (const key of keys) count(key, 1)
    return () => {
      for (const key of keys.splice(0)) count(key, -1)
    }
  }
}

const tooMany = (what: string) =>
  new DomainError('too_many', `${what}, which is the limit. Close some, then try again.`, {
    retry_after_s: 5,
  })

/** Bytes; more than a browser ever leaves unread. */
const max_unread_bytes = 16 * 1024 * 1024

/**
 * Files are read from disk as fast as the client takes them; every other answer waits in memory as a whole, and can be ten megabytes of
 * descriptions. Only Node reports how much waits.
 */
export function limitUnread({ unread }: OpenAnswers) {
  const requireRead = (user_id: string) => {
    if (unread(user_id) > max_unread_bytes) throw tooMuchUnread()
  }
  return createMiddleware<Env>(async (c, next) => {
    const { user_id } = c.get('library')
    requireRead(user_id)
    await next()
    // Checked again, because many requests can begin before the first is answered. A POST has done its work by now, and a
    // file does not wait in memory, so neither is refused.
    if (c.req.method === 'GET' && !c.res.headers.has('Accept-Ranges')) requireRead(user_id)
  })
}

const tooMuchUnread = () =>
  new DomainError('too_many', 'Too many answers are waiting to be read. Read or close some, then try again.', {
    retry_after_s: 5,
  })
