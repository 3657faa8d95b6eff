/** The history of a channel, by page and API. */
import { beforeEach, describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { publishedFeeds } from '../../support/app/feeds.ts'
import { breadKitchen, entry, type Person, person } from '../../support/app/people.ts'

const { findFeed, publish } = publishedFeeds()

const { ask, sql } = useApp({ findFeed })

let alice: Person
beforeEach(async () => {
  alice = await person(sql, 'alice')
})

const url = 'https://videos.example/feed.xml'

const bakes = (name: string, videos?: number) => breadKitchen(sql, name, videos)

const page = async (who: Person, path: string) => (await ask(path, { as: who })).text()

describe('the history', () => {
  const days = (n: number) => new Date(Date.UTC(2026, 4, n))
  const many = Array.from({ length: 25 }, (_, n) => entry(`v${n}`, { published_at: n % 5 === 0 ? null : days(n) }))

  it('the history lists every video once, newest first', async () => {
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
    publish(url, 'kitchen', [entry('v1')])
    await ask('/api/channels', { as: alice, json: { url } })
    const answer = await ask(`/api/history/kitchen?${query}`, { as: alice })
    const { errors } = (await answer.json()) as { errors: Record<string, string> }
    expect(answer.status).toBe(422)
    expect(Object.keys(errors)).toEqual([query.split('=')[0]])
  })

  it('a channel that is not followed answers 404, even with a cursor that is not a place', async () => {
    const answer = await ask('/api/history/none?cursor=bm9uc2Vuc2U', { as: await person(sql, 'alice') })
    expect(answer.status).toBe(404)
  })
})

describe('the history of a channel', () => {
  it('page and API count the videos of a channel by status', async () => {
    const alice = await bakes('alice', 60)
    const json = (await (await ask('/api/history/kitchen', { as: alice })).json()) as { counts: unknown }
    expect(json.counts).toEqual({ pending: 60, downloading: 0, completed: 0, failed: 0 })
    expect(await page(alice, '/channels/kitchen')).toMatch(/Not downloaded<span class="amount">60</)
  })

  it('no list page is larger than 100 kB, however long the descriptions are', async () => {
    const channel = { channel_id: 'long', title: 'Long', rss_url: 'https://videos.example/long' }
    const description = 'Bread and the things next to it. '.repeat(60)
    const all = Array.from({ length: 120 }, (_, at) =>
      entry(`video-${at}`, { title: `Bread number ${at}, at length`, description }),
    )
    await alice.library.channels.save(channel, all)
    for (const path of ['/channels/long', '/channels/long?q=bread', '/', '/search?q=bread']) {
      const html = await page(alice, path)
      expect([path, html.length < 100_000]).toEqual([path, true])
    }
  })
})
