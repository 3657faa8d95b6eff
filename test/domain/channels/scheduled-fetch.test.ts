import { describe, expect, it } from 'vitest'
import {
  type FeedPast,
  fetchOnSchedule,
  type LastFetch,
  nextFetchAt,
} from '../../../src/domain/channels/scheduled-fetch.ts'
import { DomainError } from '../../../src/errors.ts'
import type { Pushes } from '../../../src/schema/push/push.ts'
import { never_fetched } from '../../../src/schema/sources/feed.ts'
import { entry } from '../../support/app/people.ts'

const now = new Date('2026-11-20T12:00:00Z')
const hour = 60
const day = 24 * hour

/** `count` posts, `apart` minutes from one to the next, the newest of them `ago` minutes before now. */
const posts = (count: number, apart: number, ago = apart): Date[] =>
  Array.from({ length: count }, (_, n) => new Date(now.getTime() - (ago + n * apart) * 60_000))

/** Minutes until the next fetch of a channel that posts daily and just did, if nothing else is said. */
const pause = (round: Partial<LastFetch> = {}): number => {
  const usual = { now, base_minutes: 30, posted: posts(15, day), unchanged: false, failures: 0, min_wait_s: null }
  return (nextFetchAt({ ...usual, random: 0.5, ...round }).getTime() - now.getTime()) / 60_000
}

describe('a channel that works', () => {
  it.each<[string, Partial<LastFetch>, number]>([
    ['daily, is asked at the base', {}, 30],
    ['weekly, too', { posted: posts(15, 7 * day) }, 30],
    ['every 9 hours, somewhat more often', { posted: posts(15, 9 * hour) }, 22.5],
    ['hourly, twice as often', { posted: posts(15, hour) }, 15],
    ['hourly, but without news just now, at the base', { posted: posts(15, hour), unchanged: true }, 30],
    ['four weeks apart, half as often', { posted: posts(15, 28 * day) }, 60],
    ['hourly once, but silent for 28 days, half as often', { posted: posts(15, hour, 28 * day) }, 60],
    ['silent for years, once a day', { posted: posts(15, day, 2000 * day) }, day],
    ['with all its posts of one second, by its silence', { posted: posts(15, 0, 28 * day) }, 60],
    ['without any dates, at the base', { posted: [] }, 30],
    ['with a single one, at the base', { posted: posts(1, day) }, 30],
    ['with posts announced for next year, as if of today', { posted: posts(15, 0, -365 * day) }, 15],
  ])('and posts %s', (_, round, minutes) => {
    expect(pause(round)).toBeCloseTo(minutes, 5)
  })

  it.each<[string, number, Partial<LastFetch>, number]>([
    ['an hour is left alone so long', 3600, {}, 63],
    ['less than the schedule has it anyway changes nothing', 60, {}, 30],
    ['a month is heard for a day', 30 * 24 * 3600, {}, day],
    ['an hour, though it posts every hour, is left alone so long', 3600, { posted: posts(15, hour) }, 63],
  ])('and whose host asks for %s', (_, min_wait_s, round, minutes) => {
    // The chance in the middle of its range leaves a pause as it is; at the host's bound it adds to it.
    expect(pause({ min_wait_s, random: min_wait_s === 3600 ? 0.75 : 0.5, ...round })).toBeCloseTo(minutes, 5)
  })
})

describe('a channel whose hub announces new videos', () => {
  it.each<[string, Partial<LastFetch>, number]>([
    ['that posts daily is checked four times less often', {}, 120],
    ['that posts hourly too', { posted: posts(15, hour) }, 60],
    ['whose host asks for three hours waits that long', { min_wait_s: 3 * 3600, random: 0.75 }, 3.15 * hour],
    ['that is silent for a year is checked every day all the same', { posted: posts(15, day, 365 * day) }, day],
    ['that fails is tried again as soon as any other', { failures: 1 }, 30],
  ])('%s', (_, round, minutes) => {
    expect(pause({ is_pushed: true, ...round })).toBeCloseTo(minutes, 5)
  })
})

describe('a channel that fails', () => {
  it.each<[failures: number, minutes: number]>([
    [1, 30],
    [2, 60],
    [3, 120],
    [6, 960],
    [7, day],
    [100, day],
    [32_767, day],
  ])('for the %ith time is asked again in %i minutes', (failures, minutes) => {
    expect(pause({ failures })).toBeCloseTo(minutes, 5)
  })

  it('a failing channel waits as long as the host says, at most a day', () => {
    expect(pause({ failures: 1, min_wait_s: 2 * 3600, random: 1 })).toBeCloseTo(132, 5)
    expect(pause({ failures: 1, min_wait_s: 2 * 3600, random: 0 })).toBeGreaterThanOrEqual(120)
    expect(pause({ failures: 1, min_wait_s: 90 * 24 * 3600 })).toBe(day)
    expect(pause({ failures: 5, min_wait_s: 60 })).toBeCloseTo(480, 5)
  })
})

describe('the chance', () => {
  it('the random number moves the time by up to a tenth either way', () => {
    expect(pause({ random: 0 })).toBeCloseTo(27, 5)
    expect(pause({ random: 0.999999 })).toBeCloseTo(33, 3)
  })

  it('the random number never leads outside the bounds, and times do not pile up at them', () => {
    const spread = (round: Partial<LastFetch>) => [0, 0.2, 0.4, 0.6, 0.8].map(random => pause({ random, ...round }))
    const shortest = spread({ posted: posts(15, hour) })
    const longest = spread({ failures: 50 })
    expect(Math.min(...shortest)).toBeGreaterThanOrEqual(15)
    expect(Math.max(...longest)).toBeLessThanOrEqual(day)
    expect(Math.max(...shortest) - Math.min(...shortest)).toBeGreaterThan(0.8)
    expect(Math.max(...longest) - Math.min(...longest)).toBeGreaterThan(80)
  })
})

describe('the operator', () => {
  it.each<[base_minutes: number, round: Partial<LastFetch>, minutes: number]>([
    [5, {}, 5],
    [5, { posted: posts(15, hour) }, 5],
    [5, { min_wait_s: 3600 }, 60],
    [60, { posted: posts(15, hour) }, 30],
    [2 * day, {}, 2 * day],
    [2 * day, { failures: 9 }, 2 * day],
  ])('who says %i minutes is taken at their word', (base_minutes, round, minutes) => {
    expect(pause({ base_minutes, ...round })).toBeCloseTo(minutes, 5)
  })
})

describe('the pace of a feed whose hub has proven itself', () => {
  const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 3600_000)
  const posted = [daysAgo(1), daysAgo(2)]

  const pushes = (streak: number, minutes_ago?: number): Pushes => ({
    is_subscribed: true,
    streak,
    check_at: minutes_ago === undefined ? null : new Date(now.getTime() - minutes_ago * 60_000),
  })

  /** Minutes until the next check, when the feed lists videos of these dates; undefined: it has not changed. */
  async function minutesAfter(past: Partial<FeedPast>, dates?: Date[] | 'fails'): Promise<number> {
    const entries = dates === 'fails' ? undefined : dates?.map((published_at, n) => entry(`v${n}`, { published_at }))
    const feed = entries && { channel_id: 'c', title: 'c', skipped: 0, entries }
    const fetchChanges = async () => {
      if (dates === 'fails') throw new DomainError('feed_failed', 'The site is away.')
      return { known: never_fetched, min_wait_s: null, ...(feed && { feed }) }
    }
    const deps = { fetchChanges, now: () => now, random: 0.5, base_minutes: 30 }
    const fetched = await fetchOnSchedule(deps, {
      rss_url: 'https://h.example/',
      known: never_fetched,
      failures: 0,
      posted,
      pushes: pushes(2),
      ...past,
    })
    return Math.round((fetched.next_fetch_at.getTime() - now.getTime()) / 60_000)
  }

  it('a check without news, or with old ones only, keeps the slow pace', async () => {
    expect(await minutesAfter({})).toBe(120)
    expect(await minutesAfter({}, posted)).toBe(120)
  })

  it('a check by the clock that finds a video no push announced brings the usual pace back at once', async () => {
    expect(await minutesAfter({}, [daysAgo(0.9), ...posted])).toBe(30)
  })

  it('a video that a push announced keeps the slow pace', async () => {
    expect(await minutesAfter({ pushes: pushes(2, 0) }, [daysAgo(0.9), ...posted])).toBe(120)
  })

  it.each([0, 1])('after %i announcements in a row the pace is the usual one', async streak => {
    expect(await minutesAfter({ pushes: pushes(streak) })).toBe(30)
  })

  it.each([
    [0, 1],
    [0.9, 1],
    [1, 5],
    [4.9, 5],
    [5, 120],
    [600, 120],
  ])('%d minutes after a push without news, the feed is checked again in %i', async (minutes_ago, wait) => {
    expect(await minutesAfter({ pushes: pushes(2, minutes_ago) })).toBe(wait)
    expect(await minutesAfter({ pushes: pushes(2, minutes_ago) }, posted)).toBe(wait)
  })

  it('a check after a push that finds the new video, or fails, leads to no other one', async () => {
    expect(await minutesAfter({ pushes: pushes(2, 0.5) }, [daysAgo(0), ...posted])).toBe(120)
    expect(await minutesAfter({ pushes: pushes(0, 0.5) }, 'fails')).toBe(30)
  })

  it('a video that is found ten minutes after a push was not announced by it', async () => {
    expect(await minutesAfter({ pushes: pushes(2, 9.9) }, [daysAgo(0), ...posted])).toBe(120)
    expect(await minutesAfter({ pushes: pushes(2, 10) }, [daysAgo(0), ...posted])).toBe(30)
  })
})
