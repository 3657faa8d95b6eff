/** Work that runs a few at a time: searches of the database, and fetches that a person waits for. Users take turns. */
import { createMiddleware } from 'hono/factory'
import { DomainError } from '../../errors.ts'
import { turnsFor } from '../../runtime/turns.ts'
import type { Env } from './context.ts'
import { fetchesAddress, isSearch } from './request-kind.ts'

/** A search can take long and uses two of the ten database connections, so that at most six of them are busy with searches. */
export function limitSearches() {
  const sentence = 'Too many searches are running. Try again in a moment.'
  const inTurn = turnsFor({ most: 3, of_one: 2, waiting: { most: 60, of_one: 50, sentence } })
  return createMiddleware<Env>((c, next) => (isSearch(c) ? inTurn(c.var.library.user_id, next) : next()))
}

/** Fetches of other sites, each up to 20 seconds long: two at once for each user. */
export function limitFetches() {
  const sentence = 'Too many of your links are being looked up. Wait for some of them, then try again.'
  const inTurn = turnsFor({ most: 16, of_one: 2, waiting: { most: 200, of_one: 20, sentence } })
  return createMiddleware<Env>(async (c, next) => {
    if (!fetchesAddress(c)) return next()
    const { signal } = c.req.raw
    await inTurn(c.var.library.user_id, next, signal).catch((fault: unknown) => {
      // The client has gone, so this is read in the log only.
      throw signal.aborted
        ? new DomainError('unavailable', 'The client left before its turn.', { cause: fault })
        : fault
    })
  })
}
