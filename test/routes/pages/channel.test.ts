import { describe, expect, it } from 'vitest'
import { DomainError } from '../../../src/errors.ts'
import type { FeedEntry, ReadFeed } from '../../../src/schema/feed.ts'
import { useApp } from '../../support/app/app.ts'
import { entry, type Person, person } from '../../support/app/people.ts'

/** What each address answers just now. */
const feeds = new Map<string, () => ReadFeed>()
const findFeed = async (address: string) => {
  const feed = feeds.get(address)
  if (!feed) throw new DomainError('feed_failed', 'The site answered 404. Check the address.')
  return feed()
}
const publish = (address: string, channel_id: string, entries: FeedEntry[], title = 'Slow Kitchen') =>
  feeds.set(address, () => ({ rss_url: address, feed: { channel_id, title, entries, skipped: 0 } }))

const { ask, sql } = useApp({ findFeed })
const url = 'https://videos.example/feed.xml'

describe('refreshing', () => {
  it('a refresh adds new videos, updates changed ones, and keeps downloads and videos no longer in the feed', async () => {
    const alice = await person(sql, 'alice')
    publish(url, 'kitchen', [entry('v1'), entry('v2'), entry('v3')])
    await ask('/api/channels', { as: alice, json: { url } })
    await alice.library.downloads.request(['v2'])

    publish(url, 'kitchen', [
      entry('v2', { title: 'Another title', description: 'Another text' }),
      entry('v3'),
      entry('v4'),
    ])
    const answer = await ask('/api/channels/kitchen/refresh', { as: alice, method: 'POST' })

    expect(await answer.json()).toMatchObject({
      channel: { channel_id: 'kitchen', entry_count: 4 },
      saved: { inserted: 1, updated: 1, unchanged: 1 },
    })
    expect(await alice.library.videos.find('v2')).toMatchObject({
      title: 'Another title',
      description: 'Another text',
      queued: true,
    })
    expect(await alice.library.videos.find('v1')).toBeDefined()
  })

  it('page and API say which entries of a feed could not be read, until they can be', async () => {
    const alice = await person(sql, 'alice')
    const bob = await person(sql, 'bob')
    const sentence = '3 entries of this feed could not be read: they have no address.'
    const saying = (entries: FeedEntry[], more: { skipped: number; warning?: string }) =>
      feeds.set(url, () => ({ rss_url: url, feed: { channel_id: 'kitchen', title: 'Kitchen', entries, ...more } }))
    const refresh = async () => {
      await sql`update channels set refresh_asked_at = null`
      return (await ask('/api/channels/kitchen/refresh', { as: alice, method: 'POST' })).json()
    }

    saying([entry('v1')], { skipped: 3, warning: sentence })
    const followed = await ask('/api/channels', { as: alice, json: { url } })
    expect(await followed.json()).toMatchObject({ saved: { inserted: 1 }, skipped: 3, feed_warning: sentence })
    expect(await (await ask('/channels/kitchen', { as: alice })).text()).toContain(sentence)
    expect(await (await ask('/api/feed', { as: alice, json: { rss_url: url, save: false } })).json()).toMatchObject({
      skipped: 3,
      saved: null,
    })
    expect(await refresh()).toMatchObject({ skipped: 3, channel: { feed_warning: sentence } })
    expect((await ask('/channels/kitchen', { as: bob })).status).toBe(404)

    saying([], { skipped: 0, warning: 'This feed no longer lists any entries.' })
    expect(await refresh()).toMatchObject({
      skipped: 0,
      channel: { feed_warning: expect.stringContaining('no longer lists any entries') },
    })

    saying([entry('v1')], { skipped: 0 })
    expect(await refresh()).toMatchObject({ skipped: 0, channel: { feed_warning: null } })
  })

  it('an empty feed gives no warning', async () => {
    const alice = await person(sql, 'alice')
    const feed = { channel_id: 'new', title: 'New', entries: [], skipped: 0, warning: 'This feed lists no entries.' }
    feeds.set(url, () => ({ rss_url: url, feed }))
    const followed = await ask('/api/channels', { as: alice, json: { url } })
    expect(await followed.json()).toMatchObject({ skipped: 0, feed_warning: null })
  })

  it('a failed refresh keeps everything and shows why', async () => {
    const alice = await person(sql, 'alice')
    publish(url, 'kitchen', [entry('v1')])
    await ask('/api/channels', { as: alice, json: { url } })
    const before = await alice.library.channels.find('kitchen')
    feeds.delete(url)

    const answer = await ask('/api/channels/kitchen/refresh', { as: alice, method: 'POST' })
    const page = await (await ask('/channels/kitchen', { as: alice })).text()

    expect(answer.status).toBe(502)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(await answer.json()).toMatchObject({ status: 502, detail: 'The site answered 404. Check the address.' })
    expect(page).toContain('The site answered 404. Check the address.')
    expect(await alice.library.channels.find('kitchen')).toMatchObject({
      last_fetched_at: before?.last_fetched_at,
      entry_count: 1,
    })
  })

  it('the refresh form leads back to the channel and says what is new', async () => {
    const alice = await person(sql, 'alice')
    publish(url, 'kitchen', [entry('v1')])
    await ask('/api/channels', { as: alice, json: { url } })
    publish(url, 'kitchen', [entry('v1'), entry('v2'), entry('v3')])
    const answer = await ask('/channels/kitchen/refresh', { as: alice, method: 'POST' })
    const flash = answer.headers.getSetCookie().find(cookie => cookie.startsWith('flash=')) ?? ''
    const page = await ask('/channels/kitchen', { as: alice, headers: { cookie: flash.split(';')[0] ?? '' } })
    expect(answer.headers.get('location')).toBe('/channels/kitchen')
    expect(await page.text()).toContain('2 new videos.')
  })
})

describe('refreshing by hand', () => {
  const follow = async (alice: Person) => {
    publish(url, 'kitchen', [entry('v1')])
    await ask('/api/channels', { as: alice, json: { url } })
  }
  const refresh = (alice: Person) => ask('/api/channels/kitchen/refresh', { as: alice, method: 'POST' })

  it('a second refresh within ten seconds gets 429 from page and API, even when the first failed', async () => {
    const alice = await person(sql, 'alice')
    await follow(alice)
    feeds.delete(url)
    const failed = await refresh(alice)
    const soon = await refresh(alice)
    const page = await ask('/channels/kitchen/refresh', { as: alice, method: 'POST' })

    expect([failed.status, soon.status, page.status]).toEqual([502, 429, 429])
    for (const answer of [soon, page]) {
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(10)
      expect(await answer.text()).toMatch(/refreshed a moment ago. Try again in \d+ seconds?\./)
    }
    await sql`update channels set refresh_asked_at = refresh_asked_at - interval '10 seconds'`
    expect((await refresh(alice)).status).toBe(502)
  })

  it('of two refreshes at the same moment one runs; other channels are not affected', async () => {
    const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
    for (const somebody of [alice, bob]) await follow(somebody)
    const statuses = (await Promise.all([refresh(alice), refresh(alice), refresh(bob)])).map(({ status }) => status)
    expect(statuses.slice(0, 2).toSorted()).toEqual([200, 429])
    expect(statuses[2]).toBe(200)
  })

  it('a manual refresh ignores the schedule; its failure does not change it, its success clears a back-off', async () => {
    const alice = await person(sql, 'alice')
    await follow(alice)
    await sql`
      update channels
      set    next_fetch_at = now() + interval '20 hours', fetch_failures = 6, failing_since = now() - interval '2 days'
      where  user_id = ${alice.user.user_id}`
    feeds.delete(url)
    await refresh(alice)
    const [failed] = await sql`
      select fetch_failures, next_fetch_at > now() + interval '19 hours' and next_fetch_at < now() + interval '21 hours' as stands
      from   channels where user_id = ${alice.user.user_id}`
    expect(failed).toEqual({ fetch_failures: 6, stands: true })

    await sql`update channels set refresh_asked_at = null`
    publish(url, 'kitchen', [entry('v1')])
    const { channel } = (await (await refresh(alice)).json()) as { channel: object }
    expect(channel).toMatchObject({ next_fetch_at: null, failing_since: null, fetch_error: null })
  })

  it('a manual refresh delays the schedule when the site asks for that', async () => {
    const alice = await person(sql, 'alice')
    await follow(alice)
    feeds.set(url, () => {
      throw new DomainError('feed_failed', 'The site answered 429.', { retry_after_s: 7200 })
    })
    const answer = await refresh(alice)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([502, '7200'])
    const channel = await alice.library.channels.find('kitchen')
    expect(((channel?.next_fetch_at?.getTime() ?? 0) - Date.now()) / 60_000).toBeCloseTo(120, 0)
  })

  it('the page says when a channel was and will be refreshed', async () => {
    const alice = await person(sql, 'alice')
    await follow(alice)
    await sql`
      update channels
      set    fetch_error   = 'The site answered 404.',
             failing_since = now() - interval '25 hours',
             next_fetch_at = now() + interval '121 minutes'
      where  user_id = ${alice.user.user_id}`
    const text = (await (await ask('/channels/kitchen', { as: alice })).text()).replace(/<[^>]+>/g, '')
    expect(text).toContain('Updated just now. Not updating for 1 day. The site answered 404. Next try in 2 hours.')
    await sql`update channels set fetch_error = null, failing_since = null where user_id = ${alice.user.user_id}`
    const well = (await (await ask('/channels/kitchen', { as: alice })).text()).replace(/<[^>]+>/g, '')
    expect(well).toContain('Updated just now, next check in 2 hours')
  })
})

describe('no longer following', () => {
  it('unfollowing by page or API deletes the channel’s videos', async () => {
    const alice = await person(sql, 'alice')
    publish(url, 'kitchen', [entry('v1')])
    await ask('/api/channels', { as: alice, json: { url } })
    const api = await ask('/api/channels/kitchen', { as: alice, method: 'DELETE' })
    const gone = await alice.library.videos.find('v1')
    await ask('/api/channels', { as: alice, json: { url } })
    const page = await ask('/channels/kitchen/delete', { as: alice, method: 'POST' })

    expect(api.status).toBe(204)
    expect(gone).toBeUndefined()
    expect(page.headers.get('location')).toBe('/channels')
    expect((await ask('/api/channels/kitchen', { as: alice, method: 'DELETE' })).status).toBe(404)
  })
})

describe('the history', () => {
  const days = (n: number) => new Date(Date.UTC(2026, 4, n))
  const many = Array.from({ length: 25 }, (_, n) => entry(`v${n}`, { published_at: n % 5 === 0 ? null : days(n) }))

  it('the history lists every video once, newest first', async () => {
    const alice = await person(sql, 'alice')
    publish(url, 'kitchen', many)
    await ask('/api/channels', { as: alice, json: { url } })

    const seen: { video_id: string; published_at: string | null }[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const answer = await ask(`/api/history/kitchen?limit=10&cursor=${encodeURIComponent(cursor)}`, { as: alice })
      const page = (await answer.json()) as { entries: typeof seen; next_cursor: string | null }
      seen.push(...page.entries)
      cursor = page.next_cursor
    }

    expect(new Set(seen.map(({ video_id }) => video_id)).size).toBe(25)
    expect(seen).toHaveLength(25)
    const dates = seen.flatMap(({ published_at }) => published_at ?? [])
    expect(dates).toEqual(dates.toSorted().toReversed())
  })

  it('small pages lose no video of those without a date that arrived together', async () => {
    const alice = await person(sql, 'alice')
    const undated = ['v1', 'v2', 'v3'].map(id => entry(id, { published_at: null }))
    await alice.library.channels.save({ channel_id: 'at-once', title: 'At once', rss_url: url }, undated)

    const seen: string[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = await alice.library.videos.list({ limit: 1, ...(cursor && { cursor }) })
      seen.push(...page.entries.map(({ video_id }) => video_id))
      cursor = page.next_cursor ?? undefined
    }

    expect(seen).toEqual(['v3', 'v2', 'v1'])
  })

  it('a date in the future does not keep a video at the top of the history', async () => {
    const alice = await person(sql, 'alice')
    const year = new Date(Date.now() + 365 * 24 * 3_600_000)
    publish(url, 'kitchen', [entry('future', { published_at: year }), entry('undated', { published_at: null })])
    await ask('/api/channels', { as: alice, json: { url } })
    publish(url, 'kitchen', [entry('today', { published_at: new Date() }), entry('old')])
    await ask('/api/channels', { as: alice, json: { url } })

    const answer = await ask('/api/history/kitchen', { as: alice })
    const { entries } = (await answer.json()) as { entries: { video_id: string; published_at: string | null }[] }
    expect(entries.map(({ video_id }) => video_id)).toEqual(['today', 'undated', 'future', 'old'])
    expect(entries.find(({ video_id }) => video_id === 'future')?.published_at).toBe(year.toISOString())
  })

  it('the history can be filtered by status and words', async () => {
    const alice = await person(sql, 'alice')
    publish(url, 'kitchen', [
      entry('v1', { title: '100% rye' }),
      entry('v2', { description: 'about RYE_bread' }),
      entry('v3'),
    ])
    await ask('/api/channels', { as: alice, json: { url } })
    const ids = async (query: string) => {
      const { entries } = (await (await ask(`/api/history/kitchen?${query}`, { as: alice })).json()) as {
        entries: { video_id: string }[]
      }
      return entries.map(({ video_id }) => video_id).toSorted()
    }
    expect(await ids('q=rye')).toEqual(['v1', 'v2'])
    expect(await ids('q=100%25')).toEqual(['v1'])
    expect(await ids('q=rye+-bread')).toEqual(['v1'])
    expect(await ids('q=ry')).toEqual(['v1', 'v2'])
    expect(await ids('status=completed')).toEqual([])
    expect(await ids('status=pending&q=')).toEqual(['v1', 'v2', 'v3'])
  })

  const placeOf = (text: string) => `cursor=${Buffer.from(text).toString('base64url')}`

  it.each([
    ...['limit=0', 'limit=201', 'limit=1.5', 'limit=x', 'status=done', 'cursor=bm9uc2Vuc2U'],
    placeOf('0000-00-00 00:00:00+00|1'),
    placeOf('2026-02-30 00:00:00+00|1'),
    placeOf('2026-11-20 24:00:01+00|1'),
    placeOf('999999-01-01 00:00:00+00|1'),
    placeOf('9999-01-01 00:00:00+00 BC|1'),
  ])('the history refuses %s at its field', async query => {
    const alice = await person(sql, 'alice')
    publish(url, 'kitchen', [entry('v1')])
    await ask('/api/channels', { as: alice, json: { url } })
    const answer = await ask(`/api/history/kitchen?${query}`, { as: alice })
    const { errors } = (await answer.json()) as { errors: Record<string, string> }
    expect(answer.status).toBe(422)
    expect(Object.keys(errors)).toEqual([query.split('=')[0]])
  })
})
