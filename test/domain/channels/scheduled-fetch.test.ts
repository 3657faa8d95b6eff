import { describe, expect, it } from 'vitest'
import { type FeedPast, fetchOnSchedule } from '../../../src/domain/channels/scheduled-fetch.ts'
import { never_fetched } from '../../../src/schema/sources/feed.ts'
import { entry } from '../../support/app/people.ts'

const now = new Date('2026-11-20T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 3600_000)
const posted = [daysAgo(1), daysAgo(2)]

/** Minutes until the next check, when the feed lists videos of these dates; undefined: it has not changed. */
async function minutesAfter(past: Partial<FeedPast>, dates?: (Date | null)[]): Promise<number> {
  const entries = dates?.map((published_at, n) => entry(`v${n}`, { published_at }))
  const feed = entries && { channel_id: 'c', title: 'c', skipped: 0, entries }
  const fetchChanges = async () => ({ known: never_fetched, min_wait_s: null, ...(feed && { feed }) })
  const deps = { fetchChanges, now: () => now, random: 0.5, base_minutes: 30 }
  const fetched = await fetchOnSchedule(deps, 'https://h.example/', {
    known: never_fetched,
    failures: 0,
    posted,
    ...past,
  })
  return Math.round((fetched.next_fetch_at.getTime() - now.getTime()) / 60_000)
}

describe('the pace of a feed whose hub has proven itself', () => {
  it('a check without news, or with old ones only, keeps the slow pace', async () => {
    expect(await minutesAfter({ is_pushed: true })).toBe(120)
    expect(await minutesAfter({ is_pushed: true }, posted)).toBe(120)
  })

  it('a check by the clock that finds a video no push announced brings the usual pace back at once', async () => {
    expect(await minutesAfter({ is_pushed: true }, [daysAgo(0.9), ...posted])).toBe(30)
  })

  it('a video that a push announced keeps the slow pace', async () => {
    expect(await minutesAfter({ is_pushed: true, by_push: true }, [daysAgo(0.9), ...posted])).toBe(120)
  })

  it('without a hub the pace is the usual one', async () => {
    expect(await minutesAfter({}, [daysAgo(0.9), ...posted])).toBe(30)
  })
})
