/**
 * Limits how many requests a user or an address may send in a time. Each process counts its own, in memory. Tries to sign in
 * are counted in the database instead (`domain/account/sign-in.ts`).
 */
import { hash, randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { DomainError } from '../../errors.ts'
import { memoized } from '../../runtime/cache.ts'
import { countIn } from '../../runtime/rate-limits.ts'
import type { StreamLimits } from './answer-limits.ts'
import type { Env, RequestKind } from './context.ts'
import { kindOf } from './request-kind.ts'

/** At most `most` requests in `per_s` seconds. */
type Budget = { most: number; per_s: number }

export type RequestLimits = {
  /** For each signed-in user. A kind without a budget counts among `requests`; without that, it is not counted. */
  of_person: Partial<Record<RequestKind, Budget>>
  /** For each address, for requests without a sign-in. */
  signed_out: Budget
  /** For each address, for all its requests, with or without a sign-in. */
  at_address: Budget
  /** Default: `usual_streams`. */
  streams?: StreamLimits
}

export const usual_limits: RequestLimits = {
  of_person: {
    lookups: { most: 60, per_s: 600 },
    refreshes: { most: 300, per_s: 600 },
    imports: { most: 20, per_s: 600 },
    // The page searches with every letter that is typed.
    searches: { most: 240, per_s: 60 },
    // A player requests many small ranges of a file.
    files: { most: 6000, per_s: 60 },
    // A page of 50 videos shows up to 100 pictures.
    pictures: { most: 6000, per_s: 60 },
    requests: { most: 1200, per_s: 60 },
  },
  signed_out: { most: 600, per_s: 60 },
  at_address: { most: 12_000, per_s: 60 },
}

/** Counts every request, before the database is queried. */
export function limitRequestsByAddress({ at_address }: RequestLimits = usual_limits) {
  const count = counterOf('requests', at_address)
  return (c: Context<Env>) => count(counterKey(c.get('client')))
}

/** Counts a request without a sign-in, for its address. */
export type CountSignedOut = (client: string) => void

export function signedOutCounter({ signed_out }: RequestLimits = usual_limits): CountSignedOut {
  const count = counterOf('requests', signed_out)
  return client => count(counterKey(client))
}

/** Counts the requests of a signed-in user by their kind, and all others for their address. Runs once the user is known. */
export function limitRequestsByPerson(countSignedOut: CountSignedOut, { of_person }: RequestLimits = usual_limits) {
  const counters = Object.fromEntries(
    Object.entries(of_person).map(([kind, budget]) => [kind, counterOf(kind as RequestKind, budget)]),
  )
  return (c: Context<Env>) => {
    const user = c.get('user')
    const kind = kindOf(c)
    c.set('kind', kind)
    const count = counters[kind] ?? counters.requests
    if (user) count?.(user.user_id)
    else countSignedOut(c.get('client'))
  }
}

/** Counts the requests by all links of one person, apart from the requests that the person sends. */
export function limitRequestsByLink({ of_person }: RequestLimits = usual_limits) {
  const count = of_person.files && counterOf('files', of_person.files)
  return (c: Context<Env>) => count?.(c.get('library').user_id)
}

function counterOf(kind: RequestKind, { most, per_s }: Budget): (key: string) => void {
  const count = countIn(per_s)
  return key => {
    const { used, wait_s } = count(key)
    if (used <= most) return
    const sentence = `Too many ${kind_words[kind]}. Try again in ${durationWords(wait_s)}.`
    throw new DomainError('too_many', sentence, { retry_after_s: wait_s })
  }
}

const kind_words: Record<RequestKind, string> = {
  lookups: 'links looked up',
  refreshes: 'refreshes',
  imports: 'imports',
  searches: 'searches',
  files: 'requests for files',
  pictures: 'requests for pictures',
  requests: 'requests',
}

const durationWords = (seconds: number) =>
  seconds === 1 ? '1 second' : seconds <= 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`

/**
 * Client addresses are hashed into this many counters, so memory is bounded however many addresses send requests. The salt is
 * secret, so an attacker can't choose an address that shares a counter with someone else's.
 */
const counters_of_addresses = 2 ** 14
const salt = randomBytes(16).toString('hex')
const counterKey = memoized(client =>
  String(Number.parseInt(hash('sha256', salt + client).slice(0, 8), 16) % counters_of_addresses),
)
