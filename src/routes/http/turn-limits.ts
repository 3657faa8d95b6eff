/** Lets a few pages of each user, a few searches, and a few fetches that a person waits for, run at the same time. The others wait. */
import type { MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Library } from '../../db/library.ts'
import { DomainError } from '../../errors.ts'
import { turnsFor } from '../../runtime/turns.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Env } from './context.ts'
import { fetchesAddress, isSearch } from './request-kind.ts'

/** Two connections for each of the searches that run at once. */
export const search_connections = 6

/** Changes, and requests for files and pictures, wait for none of these. */
export const takeTurns = (inTurn: Record<'search' | 'fetch' | 'page', MiddlewareHandler<Env>>) =>
  createMiddleware<Env>((c, next) => {
    if (isSearch(c)) return inTurn.search(c, next)
    if (fetchesAddress(c)) return inTurn.fetch(c, next)
    return c.get('kind') === 'requests' && c.req.method === 'GET' ? inTurn.page(c, next) : next()
  })

/**
 * Two pages at once for each user: a page of a huge library keeps a core of the database busy for a tenth of a second, and one person
 * may send twenty requests a second. An answer of a podcast costs as much. A page that is read slowly takes no turn, because it is read
 * when it is whole.
 */
export function pageInTurn() {
  const sentence = 'Too many of your pages are waiting. Try again in a moment.'
  const inTurn = turnsFor({ most: Number.POSITIVE_INFINITY, of_one: 2, waiting: { most: 2000, of_one: 200, sentence } })
  return createMiddleware<Env>((c, next) => inTurn(c.var.library.user_id, next))
}

/** `libraryOf`: the library through the connections for searches. */
export function searchInTurn(libraryOf: (user_id: UserId) => Library) {
  const sentence = 'Too many searches are running. Try again in a moment.'
  const inTurn = turnsFor({ most: search_connections / 2, of_one: 2, waiting: { most: 60, of_one: 50, sentence } })
  return createMiddleware<Env>((c, next) => {
    const { user_id } = c.var.library
    c.set('library', libraryOf(user_id))
    return inTurn(user_id, next)
  })
}

/** Two fetches at once for each user. A fetch of another site takes up to 20 seconds. */
export function fetchInTurn() {
  const sentence = 'Too many of your links are being looked up. Wait for some of them, then try again.'
  const inTurn = turnsFor({ most: 16, of_one: 2, waiting: { most: 200, of_one: 20, sentence } })
  return createMiddleware<Env>(async (c, next) => {
    const { signal } = c.req.raw
    await inTurn(c.var.library.user_id, next, signal).catch((fault: unknown) => {
      // The client has disconnected, so only the log shows this.
      throw signal.aborted
        ? new DomainError('unavailable', 'The client left before its turn.', { cause: fault })
        : fault
    })
  })
}
