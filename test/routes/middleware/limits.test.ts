import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { newToken, tokenHash } from '../../../src/auth/tokens.ts'
import { tokensOf } from '../../../src/db/accounts/tokens.ts'
import { libraryOf } from '../../../src/db/library/library.ts'
import { trackChannel } from '../../../src/domain/channels/channels.ts'
import { performImport } from '../../../src/domain/imports/perform-import.ts'
import type { FeedReader } from '../../../src/feed/fetch/read.ts'
import { usual_limits } from '../../../src/routes/middleware/limits.ts'
import type { Channel } from '../../../src/schema/channel.ts'
import { unlimited, useApp } from '../../support/app/app.ts'
import { entry, follows, person } from '../../support/app/people.ts'

const readFeed: FeedReader = async address => ({
  rss_url: address,
  feed: { channel_id: new URL(address).pathname.slice(1), title: 'A channel', entries: [entry('v')], skipped: 0 },
})
const small = (most: number) => ({ what: 'requests', most, per_s: 60, fits: /^/ })

describe('requests', () => {
  const of_person = [
    { what: 'addresses to look at', most: 2, per_s: 600, fits: /^(GET|POST) \/(api\/)?channels(\/new)?$/ },
    { ...small(4), fits: /^/ },
  ]
  const app = useApp({ readFeed, limits: { of_person, signed_out: small(3), at_address: small(40) } })

  it('of somebody are refused when they are too many, and of nobody else', async () => {
    const [alice, bob] = [await person(app.sql, 'alice'), await person(app.sql, 'bob')]
    const statuses = []
    for (let index = 0; index < 6; index++) statuses.push((await app.ask('/downloads', { as: alice })).status)
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
    expect((await app.ask('/downloads', { as: bob })).status).toBe(200)
  })

  it('that make others work have a count of their own, shared by page, JSON and HEAD', async () => {
    const alice = await person(app.sql, 'alice')
    const json = { url: 'https://videos.example/c' }
    expect((await app.ask('/api/channels', { as: alice, json })).status).toBe(201)
    expect((await app.ask('/channels/new?url=https://videos.example/c', { as: alice, method: 'HEAD' })).status).toBe(
      200,
    )
    const refused = await app.ask('/channels', { as: alice, form: json })
    expect(refused.status).toBe(429)
    expect((await app.ask('/downloads', { as: alice })).status).toBe(200)
  })

  it('are refused as problem details, as a page, and as a message, each with the time to wait', async () => {
    const alice = await person(app.sql, 'alice')
    for (let index = 0; index < 4; index++) await app.ask('/downloads', { as: alice })
    const api = await app.ask('/api/download/status', { as: alice })
    const page = await app.ask('/downloads', { as: alice })
    const fragment = await app.ask('/downloads', { as: alice, headers: { 'hx-request': 'true' } })
    expect([api.status, page.status, fragment.status]).toEqual([429, 429, 429])
    for (const { headers } of [api, page, fragment]) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
    }
    expect(await api.json()).toMatchObject({ status: 429, detail: expect.stringContaining('Try again in') })
    expect(await page.text()).toContain('These were too many requests at once.')
    expect(await fragment.text()).not.toContain('<html')
  })

  it('of those who are signed out count by address; static files and health do not', async () => {
    const from = '203.0.113.77'
    const statuses = []
    for (let index = 0; index < 4; index++) statuses.push((await app.ask('/login', { from })).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    expect((await app.ask('/login', { from: '203.0.113.78' })).status).toBe(200)
    for (const path of ['/static/backlot.css', '/healthz', '/readyz'])
      expect((await app.ask(path, { from })).status).toBe(200)
  })

  it('with made-up cookies end before the database is asked', async () => {
    const from = '203.0.113.99'
    const cookie = `session=b${'1'.repeat(64)}`
    for (let index = 0; index < 40; index++) await app.ask('/login', { from, headers: { cookie } })
    const answer = await app.ask('/login', { from, headers: { cookie } })
    expect([answer.status, answer.headers.has('retry-after')]).toEqual([429, true])
  })
})

const usual = useApp()

describe('searches that take long', () => {
  it.each(['/search?q=bread', '/api/history/c?q=bread'])('leave room for everybody else: %s', async path => {
    const { ask, sql } = usual
    const alice = await person(sql, 'alice')
    await follows(alice, 'c', ['v1'])
    const [gate, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = sql.begin(async tx => {
      await tx`lock table video_entries in access exclusive mode`
      locked.resolve()
      await gate.promise
    })
    await locked.promise
    const searches = Array.from({ length: 20 }, () => ask(path, { as: alice }))

    const other = await Promise.race([ask('/settings/account', { as: alice }), pause(3000)])
    gate.resolve()
    await holding

    expect(other?.status).toBe(200)
    expect(new Set((await Promise.all(searches)).map(({ status }) => status))).toEqual(new Set([200]))
  })
})

describe('what goes out for a person', () => {
  const begun: string[] = []
  const gate = Promise.withResolvers<void>()
  const slow: FeedReader = async (address, whose = '') => {
    begun.push(whose)
    await gate.promise
    return readFeed(address)
  }
  const app = useApp({ readFeed: slow, limits: unlimited })

  it('is two looks at a time; twenty wait, more are refused, and nobody else waits for them', async () => {
    const [alice, bob] = [await person(app.sql, 'alice'), await person(app.sql, 'bob')]
    const hers = Array.from({ length: 40 }, (_, n) =>
      n % 2
        ? app.ask(`/api/discover?url=https://videos.example/c${n}`, { as: alice })
        : app.ask('/api/channels', { as: alice, json: { url: `https://videos.example/c${n}` } }),
    )
    const refused: Response[] = []
    for (const asked of hers) void asked.then(answer => answer.status === 429 && refused.push(answer))
    await vi.waitFor(() => expect(refused).toHaveLength(18))
    const his = app.ask('/channels/new?url=https://videos.example/his', { as: bob })
    await vi.waitFor(() => expect(begun).toHaveLength(3))

    expect(begun.at(-1)).toBe(bob.user.user_id)
    expect(refused[0]?.headers.get('retry-after')).toBe('5')
    expect((await app.ask('/channels/new', { as: alice })).status).toBe(200)
    gate.resolve()
    expect((await his).status).toBe(200)
    const statuses = (await Promise.all(hers)).map(({ status }) => status)
    expect(statuses.filter(status => status < 300)).toHaveLength(22)
  })
})

describe('a program that says what browsers say', () => {
  const begun: string[] = []
  const gate = Promise.withResolvers<void>()
  const slow: FeedReader = async address => {
    begun.push(address)
    await gate.promise
    return readFeed(address)
  }
  const of_person = [{ what: 'addresses to look at', most: 4, per_s: 600, fits: /^GET \/api\/discover$/ }]
  const app = useApp({ readFeed: slow, limits: { ...unlimited, of_person } })

  it('has no more looks than any other, and two at a time', async () => {
    const alice = await person(app.sql, 'alice')
    const secret = newToken()
    const mine = { name: 'mine', scope: 'write' as const, expires_at: null, hash: tokenHash(secret) ?? '' }
    await tokensOf(app.sql, alice.user.user_id).add(mine)
    const headers = { authorization: `Bearer ${secret}`, 'sec-fetch-site': 'cross-site' }

    const looks = Array.from({ length: 6 }, (_, n) =>
      app.ask(`/api/discover?url=https://videos.example/c${n}`, { headers }),
    )
    const refused: Response[] = []
    for (const asked of looks) void asked.then(answer => answer.status === 429 && refused.push(answer))
    try {
      await vi.waitFor(() => expect(refused).toHaveLength(2))
      await vi.waitFor(() => expect(begun).toHaveLength(2))
    } finally {
      gate.resolve()
      await Promise.all(looks)
    }
    expect(begun).toHaveLength(4)
  })
})

describe('a program', () => {
  const app = useApp({ limits: { of_person: [], signed_out: small(3), at_address: small(40) } })

  it.each([
    ['was never given out', `backlot_${'1'.repeat(64)}`],
    ['is none', 'a guess'],
  ])('that brings a token which %s is counted as somebody unknown', async (_, token) => {
    const headers = { authorization: `Bearer ${token}` }
    const from = `198.51.100.${token.length}`
    const statuses = []
    for (let index = 0; index < 5; index++) statuses.push((await app.ask('/api/channels', { headers, from })).status)
    expect(statuses).toEqual([401, 401, 401, 429, 429])
  })
})

describe('what everybody has', () => {
  it('is enough for five tabs that poll once a second, five players and a search with every letter', async () => {
    const app = usual
    const alice = await person(app.sql, 'alice')
    const minute = [
      ...Array.from({ length: 300 }, () => '/api/download/status'),
      ...Array.from({ length: 1000 }, () => '/stream/nothing'),
      ...Array.from({ length: 60 }, (_, index) => `/search?q=${'bread'.slice(0, index % 6)}`),
      ...Array.from({ length: 100 }, () => '/settings'),
    ]
    const statuses = new Set<number>()
    for (let from = 0; from < minute.length; from += 50)
      for (const { status } of await Promise.all(
        minute.slice(from, from + 50).map(path => app.ask(path, { as: alice })),
      ))
        statuses.add(status)
    expect([...statuses].toSorted()).toEqual([200, 404])
  })

  const fits = (request: string) => usual_limits.of_person.find(budget => budget.fits.test(request))?.what
  it.each([
    ['POST /channels', 'addresses to look at'],
    ['POST /api/channels', 'addresses to look at'],
    ['POST /api/feed', 'addresses to look at'],
    ['GET /channels/new', 'addresses to look at'],
    ['GET /api/discover', 'addresses to look at'],
    ['POST /channels/new/refresh', 'refreshes'],
    ['POST /import', 'lists'],
    ['POST /api/import/7/retry', 'lists'],
    ['GET /stream/v1', 'pieces of files'],
    ['GET /search', 'searches'],
    ['GET /api/search', 'searches'],
    ['GET /channels', 'requests'],
    ['GET /import/7', 'requests'],
    ['DELETE /api/channels/c', 'requests'],
  ])('%s counts among %s', (request, what) => expect(fits(request)).toBe(what))
})

describe('channels of one person', () => {
  const app = useApp({ readFeed, USER_CHANNELS: 3 })
  const add = (as: Awaited<ReturnType<typeof person>>, id: string) =>
    app.ask('/api/channels', { as, json: { url: `https://videos.example/${id}` } })

  it('are so many and no more, also when they are added side by side', async () => {
    const [alice, bob] = [await person(app.sql, 'alice'), await person(app.sql, 'bob')]
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => add(alice, `c${index}`)))
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([201, 201, 201, ...Array(9).fill(422)])
    const problem = await answers.find(({ status }) => status === 422)?.json()
    expect(problem).toMatchObject({ errors: { url: expect.stringContaining('You follow 3 channels') } })
    expect(await alice.library.channels.list()).toHaveLength(3)
    expect((await add(bob, 'c1')).status).toBe(201)
  })

  it('stand in the way of no refresh, and make room when one goes', async () => {
    const alice = await person(app.sql, 'alice')
    for (const id of ['a', 'b', 'c']) await follows(alice, id, [`${id}1`])
    expect((await add(alice, 'a')).status).toBe(200)
    expect((await app.ask('/api/feed', { as: alice, json: { rss_url: 'https://videos.example/d' } })).status).toBe(422)
    const shown = await app.ask('/channels', { as: alice, form: { url: 'https://videos.example/d' } })
    expect([shown.status, await shown.text()]).toEqual([422, expect.stringContaining('Stop following some')])
    await app.ask('/api/channels/b', { as: alice, method: 'DELETE' })
    expect((await add(alice, 'd')).status).toBe(201)
  })

  it('are so many for a list too, whose lines say why they failed', async () => {
    const alice = await person(app.sql, 'alice')
    const library = libraryOf(app.sql, alice.user.user_id, 2)
    await trackChannel(library, readFeed, 'https://videos.example/first')
    const lines = ['x', 'y', 'z'].map(id => ({ address: `https://videos.example/${id}`, title: null }))
    const import_id = (await library.imports.begin('addresses', lines)) ?? ''
    await performImport({ library, readFeed, stopping: new AbortController().signal }, import_id)
    const after = await library.imports.lines(import_id, 10)
    expect(after.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'added'])
    expect(after[0]?.message).toContain('You follow 2 channels')
  })
})

describe('videos of one person', () => {
  const videos = { count: 5 }
  const many: FeedReader = async address => ({
    rss_url: address,
    feed: {
      channel_id: new URL(address).pathname.slice(1),
      title: 'A channel',
      entries: Array.from({ length: videos.count }, (_, n) =>
        entry(`v${n}`, { published_at: new Date(Date.UTC(2026, 0, n + 1)) }),
      ),
      skipped: 0,
    },
  })
  const app = useApp({ readFeed: many, USER_VIDEOS: 8 })

  it('are so many and no more; the newest come first, and the channel says what is not kept', async () => {
    const [alice, bob] = [await person(app.sql, 'alice'), await person(app.sql, 'bob')]
    const add = async (as: typeof alice, id: string) =>
      (await (await app.ask('/api/channels', { as, json: { url: `https://videos.example/${id}` } })).json()) as Channel
    expect(await add(alice, 'a')).toMatchObject({ entry_count: 5, fetch_error: null })

    const full = await add(alice, 'b')

    expect(full).toMatchObject({
      entry_count: 3,
      saved: { inserted: 3, updated: 0, unchanged: 0 },
      fetch_error: expect.stringContaining('2 new videos of this channel are not kept, because you have 8 videos'),
      failing_since: expect.any(String),
    })
    const { entries } = await alice.library.videos.list({ channel_id: 'b', limit: 10 })
    expect(entries.map(({ video_id }) => video_id)).toEqual(['v4', 'v3', 'v2'])
    const page = await app.ask('/channels/b', { as: alice })
    expect(await page.text()).toContain('2 new videos of this channel are not kept')
    expect(await add(bob, 'b')).toMatchObject({ entry_count: 5, fetch_error: null })

    expect(await add(alice, 'a')).toMatchObject({ fetch_error: null, saved: { inserted: 0, updated: 0, unchanged: 5 } })
    await app.ask('/api/channels/a', { as: alice, method: 'DELETE' })
    expect(await add(alice, 'b')).toMatchObject({ entry_count: 5, fetch_error: null, saved: { inserted: 2 } })
  })
})
