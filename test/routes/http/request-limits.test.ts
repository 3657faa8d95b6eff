/** The limits on the requests of a user or an address. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { FeedFinder } from '../../../src/domain/channels/discovery.ts'
import { useApp } from '../../support/app/app.ts'
import { entry, person, someoneFirst } from '../../support/app/people.ts'

const findFeed: FeedFinder = async address => ({
  rss_url: address,
  feed: { channel_id: new URL(address).pathname.slice(1), title: 'A channel', entries: [entry('v')], skipped: 0 },
})
const a_minute = (most: number) => ({ most, per_s: 60 })

describe('budgets', () => {
  const of_person = { lookups: { most: 2, per_s: 600 }, requests: a_minute(4) }
  const app = useApp({ findFeed, limits: { of_person, signed_out: a_minute(3), at_address: a_minute(40) } })
  beforeAll(() => someoneFirst(app.sql))

  it('a user who sends too many requests is refused, and no one else is', async () => {
    const [alice, bob] = [await person(app.sql, 'alice'), await person(app.sql, 'bob')]
    const statuses = []
    for (let index = 0; index < 6; index++) statuses.push((await app.ask('/downloads', { as: alice })).status)
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
    expect((await app.ask('/downloads', { as: bob })).status).toBe(200)
  })

  it('lookups have a budget of their own, shared by the page, the API and HEAD', async () => {
    const alice = await person(app.sql, 'alice')
    const json = { url: 'https://videos.example/c' }
    expect((await app.ask('/api/channels', { as: alice, json })).status).toBe(201)
    expect((await app.ask('/channels/new?url=https://videos.example/c', { as: alice, method: 'HEAD' })).status).toBe(
      200,
    )
    expect((await app.ask('/channels', { as: alice, form: json })).status).toBe(429)
    expect((await app.ask('/downloads', { as: alice })).status).toBe(200)
  })

  it('too many requests are answered as problem details, as a page and as a message, each with the time to wait', async () => {
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
    expect(await page.text()).toContain('Too many requests.')
    expect(await fragment.text()).not.toContain('<html')
  })

  it('requests without a sign-in count by address, except for static files and probes', async () => {
    const from = '203.0.113.77'
    const statuses = []
    for (let index = 0; index < 4; index++) statuses.push((await app.ask('/login', { from })).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    expect((await app.ask('/login', { from: '203.0.113.78' })).status).toBe(200)
    for (const path of ['/static/backlot.css', '/healthz', '/readyz'])
      expect((await app.ask(path, { from })).status).toBe(200)
  })

  it('requests with made-up cookies are limited before the database is queried', async () => {
    const from = '203.0.113.99'
    const cookie = `session=b${'1'.repeat(64)}`
    for (let index = 0; index < 40; index++) await app.ask('/login', { from, headers: { cookie } })
    const answer = await app.ask('/login', { from, headers: { cookie } })
    expect([answer.status, answer.headers.has('retry-after')]).toEqual([429, true])
  })
})

describe('usual limits', () => {
  const app = useApp()
  it('the usual limits allow five tabs polling once a second, five players and a search with every letter', async () => {
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
})
