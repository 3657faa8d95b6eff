import { describe, expect, it } from 'vitest'
import { Ago, Planned, Since } from '../../../src/views/parts/times.tsx'
import { now } from '../../support/app/samples.ts'

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
