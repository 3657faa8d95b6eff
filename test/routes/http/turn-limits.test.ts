/** Pages, searches and lookups run a few at a time, and users take turns. */
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { createToken } from '../../../src/domain/account/tokens.ts'
import type { FeedFinder } from '../../../src/domain/channels/discovery.ts'
import { unlimited, useApp } from '../../support/app/app.ts'
import { holdVideos, queriesHeld } from '../../support/app/database.ts'
import { entry, follows, person } from '../../support/app/people.ts'
import { podcastsThrough } from '../../support/app/podcasts.ts'

const findFeed: FeedFinder = async address => ({
  rss_url: address,
  feed: { channel_id: new URL(address).pathname.slice(1), title: 'A channel', entries: [entry('v')], skipped: 0 },
})

describe('slow pages', () => {
  const { ask, sql } = useApp({ connections: 12 })

  it('two slow pages of a user run at once, and another user waits for none of the others', async () => {
    const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
    const release = await holdVideos(sql)
    const hers = Array.from({ length: 8 }, () => ask('/api/videos', { as: alice }))
    const his = ask('/api/videos', { as: bob })
    await vi.waitFor(async () => expect(await queriesHeld(sql)).toBe(3))
    expect((await ask('/api/settings', { as: bob })).status).toBe(200)
    const held = await queriesHeld(sql)
    await release()

    expect(held).toBe(3)
    expect(new Set((await Promise.all([...hers, his])).map(({ status }) => status))).toEqual(new Set([200]))
  })
})

describe('slow podcasts', () => {
  const app = useApp({ connections: 12 })
  const { ask, sql } = app

  it('two answers of all podcasts of a user are made at once, and the user waits for none of them', async () => {
    const { withVideos, podcastOf } = podcastsThrough(app)
    const alice = await withVideos('v')
    const paths = await Promise.all(
      [await podcastOf(alice), await podcastOf(alice, { list: 'all' })].map(({ url }) => new URL(url).pathname),
    )
    const release = await holdVideos(sql)
    const asked = paths.flatMap(path => [
      path,
      path.replace('feed.xml', 'v.mp4'),
      path.replace('feed.xml', 'v.jpg'),
      path,
    ])
    const answers = asked.map(path => ask(path))
    await vi.waitFor(async () => expect(await queriesHeld(sql)).toBe(2))
    expect((await ask('/api/settings', { as: alice })).status).toBe(200)
    const held = await queriesHeld(sql)
    await release()

    expect(held).toBe(2)
    for (const answer of await Promise.all(answers)) await answer.arrayBuffer()
  })
})

describe('slow searches', () => {
  const { ask, sql } = useApp()

  it.each(['/search?q=bread', '/api/history/c?q=bread'])(
    'slow searches of one user leave room for other requests: %s',
    async path => {
      const alice = await person(sql, 'alice')
      await follows(alice, 'c', ['v1'])
      const release = await holdVideos(sql)
      // What every page shows is also held, and is read before a turn. Only what asks for HTML gets that.
      const headers = { accept: '*/*' }
      const searches = Array.from({ length: 20 }, () => ask(path, { as: alice, headers }))

      const others = Array.from({ length: 20 }, () => ask('/api/settings', { as: alice }))
      const answers = await Promise.race([Promise.all(others), pause(20_000)])
      await release()

      expect(answers?.map(({ status }) => status)).toEqual(Array(20).fill(200))
      expect(new Set((await Promise.all(searches)).map(({ status }) => status))).toEqual(new Set([200]))
    },
  )
})

describe('lookups', () => {
  const begun: string[] = []
  const gate = Promise.withResolvers<void>()
  const slow: FeedFinder = async (address, whose = '') => {
    begun.push(whose)
    await gate.promise
    return findFeed(address)
  }
  const app = useApp({ findFeed: slow, limits: unlimited })

  it('a user has two lookups running and twenty waiting; more are refused, and another user waits for none of them', async () => {
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

describe('lookups with a token', () => {
  const begun: string[] = []
  const gate = Promise.withResolvers<void>()
  const slow: FeedFinder = async address => {
    begun.push(address)
    await gate.promise
    return findFeed(address)
  }
  const of_person = { lookups: { most: 4, per_s: 600 } }
  const app = useApp({ findFeed: slow, limits: { ...unlimited, of_person } })

  it('a token with a browser’s header gets no more lookups than anyone, and two at a time', async () => {
    const alice = await person(app.sql, 'alice')
    const { token } = await createToken(alice.library, { name: 'mine', scope: 'write', expires_in_days: null })
    const headers = { authorization: `Bearer ${token}`, 'sec-fetch-site': 'cross-site' }

    const lookups = Array.from({ length: 6 }, (_, n) =>
      app.ask(`/api/discover?url=https://videos.example/c${n}`, { headers }),
    )
    const refused: Response[] = []
    for (const asked of lookups) void asked.then(answer => answer.status === 429 && refused.push(answer))
    try {
      await vi.waitFor(() => expect(refused).toHaveLength(2))
      await vi.waitFor(() => expect(begun).toHaveLength(2))
    } finally {
      gate.resolve()
      await Promise.all(lookups)
    }
    expect(begun).toHaveLength(4)
  })
})
