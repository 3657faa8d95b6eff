/** Lets a few searches, and a few fetches that a person waits for, run at the same time. The others wait, and users take turns. */
import type { MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Library } from '../../db/library/library.ts'
import { DomainError } from '../../errors.ts'
import { turnsFor } from '../../runtime/turns.ts'
import type { UserId } from '../../schema/user.ts'
import type { Env } from './context.ts'
import { fetchesAddress, isSearch } from './request-kind.ts'

/** Two connections for each of the searches that run at once. */
export const search_connections = 6

/** Most requests wait for neither. */
export const takeTurns = (searchInTurn: MiddlewareHandler<Env>, fetchInTurn: MiddlewareHandler<Env>) =>
  createMiddleware<Env>((c, next) =>
    isSearch(c) ? searchInTurn(c, next) : fetchesAddress(c) ? fetchInTurn(c, next) : next(),
  )

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
