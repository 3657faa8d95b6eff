/** How much anybody may ask for, and how large. The counts are this process's own; tries to sign in are counted in the database. */
import { createHmac, randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { DomainError } from '../../errors.ts'
import { turnsFor } from '../../runtime/turns.ts'
import { file_too_large, list_file_types, most_file_bytes, most_list_bytes } from '../../schema/import.ts'
import type { Env } from './context.ts'
import type { StreamLimits } from './open-streams.ts'
import { fromAnotherSite } from './same-origin.ts'

/** So `most` requests in `per_s` seconds; `fits` reads the method and the path. */
export type Budget = { what: string; most: number; per_s: number; fits: RegExp }

export type Limits = {
  of_person: Budget[]
  signed_out: Budget
  at_address: Budget
  /** Not given: `usual_streams`. */
  streams?: StreamLimits
}

export const usual_limits: Limits = {
  /** Of each person who is signed in. The first that fits counts; what makes others work has less. */
  of_person: [
    {
      what: 'addresses to look at',
      most: 60,
      per_s: 600,
      fits: /^(POST \/(api\/)?channels|POST \/api\/feed|GET \/(channels\/new|api\/discover))$/,
    },
    { what: 'refreshes', most: 300, per_s: 600, fits: /^POST \/(api\/)?channels\/[^/]+\/refresh$/ },
    { what: 'lists', most: 20, per_s: 600, fits: /^POST \/(api\/)?import(\/[^/]+\/retry)?$/ },
    // With every letter that is typed, but not for an hour.
    { what: 'searches', most: 240, per_s: 60, fits: /^GET \/(api\/)?search$/ },
    // A player asks for many small pieces.
    { what: 'pieces of files', most: 6000, per_s: 60, fits: /^GET \/(stream|download)\// },
    { what: 'requests', most: 1200, per_s: 60, fits: /^/ },
  ],
  /** Of each address, by those who are signed out. */
  signed_out: { what: 'requests', most: 600, per_s: 60, fits: /^/ },
  /** Of each address, by everybody there together, before it is known who they are. */
  at_address: { what: 'requests', most: 12_000, per_s: 60, fits: /^/ },
}

/** Before the database is asked anything. */
export function limitAddresses({ at_address }: Limits = usual_limits) {
  const spend = counterOf(at_address)
  return createMiddleware<Env>(async (c, next) => {
    await spend(shelfOf(c.var.client))
    await next()
  })
}

/** Counts a request of somebody who is not known, at this address. */
export type CountStranger = (client: string) => Promise<void>

export function strangersIn({ signed_out }: Limits = usual_limits): CountStranger {
  const spend = counterOf(signed_out)
  return client => spend(shelfOf(client))
}

/** Once it is known who asks. */
export function limitPeople(countStranger: CountStranger, { of_person }: Limits = usual_limits) {
  const counters = of_person.map(budget => ({ fits: budget.fits, spend: counterOf(budget) }))
  return createMiddleware<Env>(async (c, next) => {
    const { user, client } = c.var
    const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
    // What another site sets off asks nobody, so it does not use up what the person may ask.
    const path = fromAnotherSite(c) && /^\/(channels\/new|api\/discover)$/.test(c.req.path) ? '/' : c.req.path
    const request = searches(c) ? 'GET /search' : `${method} ${path}`
    if (user) await counters.find(({ fits }) => fits.test(request))?.spend(user.user_id)
    else await countStranger(client)
    await next()
  })
}

function counterOf({ what, most, per_s }: Budget): (key: string) => Promise<void> {
  const limiter = new RateLimiterMemory({ points: most, duration: per_s })
  return async key => {
    const spent = await limiter.consume(key).catch((fault: unknown) => fault)
    if (!(spent instanceof RateLimiterRes)) throw spent
    if (spent.consumedPoints <= most) return
    const retry_after_s = Math.max(1, Math.ceil(spent.msBeforeNext / 1000))
    throw new DomainError('too_many', `These were too many ${what} at once. Try again in ${inWords(retry_after_s)}.`, {
      retry_after_s,
    })
  }
}

const inWords = (seconds: number) =>
  seconds === 1 ? 'a second' : seconds <= 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`

/** Addresses are free, memory is not: they share so many counters, by a draw that nobody outside can foresee. */
const shelves = 2 ** 14
const salt = randomBytes(16)
const shelfOf = (client: string) => String(createHmac('sha256', salt).update(client).digest().readUInt32BE(0) % shelves)

/** Searching can be made to take long, and takes two connections of ten to the database meanwhile: some are left for the rest. */
export function limitSearches() {
  const sentence = 'Too many people search just now. Try again in a moment.'
  const inTurn = turnsFor({ most: 3, of_one: 2, waiting: { most: 60, of_one: 50, sentence } })
  return createMiddleware<Env>((c, next) => (searches(c) ? inTurn(c.var.library.user_id, next) : next()))
}

/**
 * What goes out to another site for a person, who may wait for an answer for 20 seconds: two at once for each, and
 * others have their turn in between.
 */
export function limitLooks() {
  const sentence = 'You are looking at many addresses at once. Wait for some of them, then try again.'
  const inTurn = turnsFor({ most: 16, of_one: 2, waiting: { most: 200, of_one: 20, sentence } })
  return createMiddleware<Env>(async (c, next) => {
    if (!goesOut(c)) return next()
    const { signal } = c.req.raw
    await inTurn(c.var.library.user_id, next, signal).catch((fault: unknown) => {
      // Nobody is there to be told.
      throw signal.aborted
        ? new DomainError('unavailable', 'You left before it was your turn.', { cause: fault })
        : fault
    })
  })
}

const goesOut = (c: Context): boolean =>
  c.req.method === 'POST'
    ? /^\/((api\/)?channels(\/[^/]+\/refresh)?|api\/feed)$/.test(c.req.path)
    : /^\/(channels\/new|api\/discover)$/.test(c.req.path) &&
      !fromAnotherSite(c) &&
      Boolean(c.req.query('url') || c.req.query('text'))

/** Whether the database is to be searched: everywhere, or in a list. */
const searches = (c: Context): boolean =>
  Boolean(c.req.query('q')) &&
  /^\/(search|channels\/(?!new$)[^/]+|api\/(search|videos|history\/[^/]+))$/.test(c.req.path)

/** A batch of 500 identifiers at their longest, with room to spare. */
const most_body_bytes = 256 * 1024

/** Lists of channels are larger, and need a sign-in. JSON needs room for its escapes, a form for what is around the file. */
const list_paths = ['/import', '/api/import']
const most_list_body_bytes = most_list_bytes * 1.5
const most_file_body_bytes = most_file_bytes + 64 * 1024

/** Whoever is still sending hears no answer, and the connection is lost; so this much, where it is announced, is thrown away first. */
const most_swallowed_bytes = 16 * 1024 * 1024

const refuseAs = (sentence: string) => async (c: Context) => {
  const { body } = c.req.raw
  const announced = Number(c.req.header('content-length') ?? Number.POSITIVE_INFINITY)
  if (body && !body.locked && announced <= most_swallowed_bytes) await body.pipeTo(new WritableStream()).catch(() => {})
  throw new DomainError('too_large', sentence)
}
const too_much = 'This is too much at once. Send less.'
const small = bodyLimit({ maxSize: most_body_bytes, onError: refuseAs(too_much) })
const long = bodyLimit({ maxSize: most_list_body_bytes, onError: refuseAs(too_much) })
const file = bodyLimit({ maxSize: most_file_body_bytes, onError: refuseAs(file_too_large) })

export const limitBodies = createMiddleware<Env>((c, next) =>
  list_paths.includes(c.req.path) ? next() : small(c, next),
)

/** For those who are signed in. A file is held in memory while it arrives, so each person sends one at a time. */
export function limitLists() {
  const sending = new Set<string>()
  return createMiddleware<Env>(async (c, next) => {
    if (!list_paths.includes(c.req.path)) return next()
    if (!isFile(c)) return long(c, next)
    const { user_id } = c.var.library
    if (sending.has(user_id))
      throw new DomainError('too_many', 'Another file of yours is being read. Try again in a moment.', {
        retry_after_s: 5,
      })
    sending.add(user_id)
    try {
      return await file(c, next)
    } finally {
      sending.delete(user_id)
    }
  })
}

function isFile(c: Context): boolean {
  const [type = ''] = (c.req.header('content-type') ?? '').toLowerCase().split(/\s*;/)
  return c.req.method === 'POST' && ['multipart/form-data', ...list_file_types].includes(type)
}
