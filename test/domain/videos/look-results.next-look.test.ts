import { describe, expect, it } from 'vitest'
import { type KnownFacts, lookAfterFailure, nextLook } from '../../../src/domain/videos/look-results.ts'

const now = new Date('2026-11-22T12:00:00Z')
const hour = 60
const day = 24 * hour
const facts = (more: Partial<KnownFacts>): KnownFacts => ({
  duration_seconds: 60,
  live_status: 'none',
  availability: 'public',
  published_at: now,
  ...more,
})
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
const minutesTo = (at: Date | null) => (at === null ? null : (at.getTime() - now.getTime()) / 60_000)
const plan = (known: Partial<KnownFacts>, count: number) =>
  Array.from({ length: count }, (_, looks) => minutesTo(nextLook(facts(known), looks, now)))

describe('the next look', () => {
  it.each<[string, Partial<KnownFacts>]>([
    ['public', {}],
    ['unlisted', { availability: 'unlisted' }],
    ['of unknown availability', { availability: null, live_status: null, duration_seconds: null }],
    ['age-restricted', { availability: 'age_restricted', live_status: 'live' }],
    ['removed', { availability: 'removed', live_status: 'upcoming' }],
    ['recorded', { live_status: 'was_live' }],
  ])('a video that is %s is not looked up again', (_, known) => {
    expect(plan(known, 50)).toEqual(Array(50).fill(null))
  })

  it('a video for members is looked up daily for a month, then monthly for a year', () => {
    const expected = [...Array(30).fill(day), ...Array(12).fill(30 * day), null]
    expect(plan({ availability: 'members_only' }, 43)).toEqual(expected)
  })

  it('a video for members that was published over a month ago is looked up monthly', () => {
    expect(plan({ availability: 'members_only', published_at: later(-31 * day) }, 2)).toEqual([30 * day, 30 * day])
  })

  it('a private video is looked up after one, two and four days, and then no more', () => {
    expect(plan({ availability: 'private' }, 4)).toEqual([day, 2 * day, 4 * day, null])
  })

  it('a live stream is looked up every hour for three days, then daily for a year', () => {
    const all = plan({ live_status: 'live' }, 438)
    expect([all[0], all[71], all[72], all[436], all[437]]).toEqual([hour, hour, day, day, null])
  })

  it('a recording without a length is looked up until the site knows the length', () => {
    expect(plan({ live_status: 'was_live', duration_seconds: null }, 2)).toEqual([hour, hour])
  })

  it('an announced video is looked up soon after it begins, and at least once a week', () => {
    const inMinutes = (minutes: number) =>
      minutesTo(nextLook(facts({ live_status: 'upcoming', starts_at: later(minutes) }), 3, now))
    expect([1, hour, 3 * day, 40 * day].map(inMinutes)).toEqual([10, hour + 2, 3 * day + 2, 7 * day])
  })

  it('an announced video is looked up at once when its begin is unknown, and a bounded number of times when it is late', () => {
    const all = plan({ live_status: 'upcoming', starts_at: later(-day) }, 86)
    expect([all[0], all[1], all[24], all[25], all[84], all[85]]).toEqual([0, hour, hour, day, day, null])
  })

  it('videos that were found together are looked up at different times', () => {
    const at = (random: number) => minutesTo(nextLook(facts({ availability: 'members_only' }), 0, now, random))
    expect([at(0), at(0.5)]).toEqual([day, day * 1.05])
  })
})

it('a look that fails is repeated five times, ever later', () => {
  const all = Array.from({ length: 6 }, (_, failures) => minutesTo(lookAfterFailure(failures, now)))
  expect(all).toEqual([hour, 6 * hour, day, day, day, null])
})
