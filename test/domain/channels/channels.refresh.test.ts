import { describe, expect, it } from 'vitest'
import { DomainError } from '../../../src/errors.ts'
import { useApp } from '../../support/app/app.ts'
import { publishedFeeds } from '../../support/app/feeds.ts'
import { entry, type Person, person } from '../../support/app/people.ts'

const { feeds, findFeed, publish } = publishedFeeds()

const { ask, sql } = useApp({ findFeed })
const url = 'https://videos.example/feed.xml'

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
    for (const follower of [alice, bob]) await follow(follower)
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
      select fetch_failures, next_fetch_at > now() + interval '19 hours' and next_fetch_at < now() + interval '21 hours' as is_planned
      from   channels where user_id = ${alice.user.user_id}`
    expect(failed).toEqual({ fetch_failures: 6, is_planned: true })

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

  it('the page says when a channel was refreshed, and its settings when it will be', async () => {
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
    const well = (await (await ask('/channels/kitchen/settings', { as: alice })).text()).replace(/<[^>]+>/g, '')
    expect(well).toContain('Updated just now, next check in 2 hours')
  })
})
