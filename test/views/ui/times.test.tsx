import { describe, expect, it } from 'vitest'
import type { Precision } from '../../../src/schema/sources/facts.ts'
import { Ago, Planned, PublishedAgo, publishedWords, Since } from '../../../src/views/ui/times.tsx'
import { now, video } from '../../support/app/samples.ts'

const in_14_minutes = new Date('2026-11-20T12:14:00Z')
const exact = 'datetime="2026-11-20T12:14:00.000Z" title="20 November 2026 at 12:14 UTC"'

describe('without a script, which knows the time zone', () => {
  it('a planned time is relative, with the exact time in UTC on hover', () => {
    expect(String(<Planned at={in_14_minutes} now={now} />)).toBe(`<time data-clock="at" ${exact}>in 14 minutes</time>`)
  })

  it('a planned time that has passed is soon, and no script turns it into a clock time', () => {
    expect(String(<Planned at={now} now={now} />)).toBe('soon')
  })

  it('the begin of a lasting state is told by how long it lasts', () => {
    const later = new Date('2026-11-20T15:14:00Z')
    expect(String(<Since at={in_14_minutes} now={later} />)).toBe(
      `<time data-clock="since" ${exact}>for 3 hours</time>`,
    )
  })

  it('a past time stays relative also with a script', () => {
    const later = new Date('2026-11-23T12:14:00Z')
    expect(String(<Ago at={in_14_minutes} now={later} />)).toBe(`<time ${exact}>3 days ago</time>`)
  })
})

describe('the date of a video', () => {
  const when = (changes: Partial<ReturnType<typeof video>>) => {
    const sample = video({ published_at: new Date('2023-03-05T00:00:00Z'), ...changes })
    return String(<PublishedAgo video={sample} now={now} />)
  }

  it('an exact date has its time for programs and on hover', () => {
    expect(when({})).toBe(
      '<time datetime="2023-03-05T00:00:00.000Z" title="5 March 2023 at 00:00 UTC">3 years ago</time>',
    )
  })

  it('a date that is known to the day has no time of day', () => {
    expect(when({ published_precision: 'day' })).toBe(
      '<time datetime="2023-03-05" title="5 March 2023">3 years ago</time>',
    )
  })

  it('an approximate date says so, and is no date for programs', () => {
    expect(when({ published_precision: 'approximate' })).toBe(
      '<span title="Approximate: about March 2023">about 3 years ago</span>',
    )
  })

  it('the recording of a live stream was streamed', () => {
    expect(when({ live_status: 'was_live', published_precision: 'approximate' })).toMatch(/^streamed <span/)
  })

  it('an announced video with a date to come says when it starts', () => {
    const in_2_hours = { live_status: 'upcoming', published_at: new Date('2026-11-20T14:00:00Z') } as const
    expect(when(in_2_hours)).toMatch(/^starts <time.*>in 2 hours</)
    expect(when({ ...in_2_hours, live_status: 'none' })).toMatch(/^<time/)
    expect(when({ live_status: 'upcoming' })).toMatch(/^<time/)
  })

  it('a video without a date was added when it was first seen', () => {
    expect(when({ published_at: null, live_status: 'was_live' })).toMatch(/^added <time.*2 hours ago/)
  })
})

it.each<[Precision, string, string]>([
  ['exact', '2026-11-20T09:00:00Z', '3 hours ago'],
  ['day', '2026-11-20T00:00:00Z', 'today'],
  ['day', '2026-11-19T00:00:00Z', '1 day ago'],
  ['day', '2026-11-21T00:00:00Z', 'tomorrow'],
  ['day', '2026-11-22T00:00:00Z', 'in 1 day'],
  ['day', '2023-03-05T00:00:00Z', '3 years ago'],
  ['approximate', '2026-11-20T09:00:00Z', 'about 3 hours ago'],
  ['approximate', '2023-03-05T00:00:00Z', 'about 3 years ago'],
  ['approximate', '2026-11-20T11:59:55Z', 'just now'],
  ['approximate', '2026-11-20T14:00:00Z', 'in 2 hours'],
])('a date of precision %s at %s is %s', (precision, at, words) => {
  expect(publishedWords(new Date(at), precision, now)).toBe(words)
})
