/** Checks when a video counts as watched, where playing resumes, and since when videos are new. */
import { describe, expect, it } from 'vitest'
import { nextLook, reachesEnd, startOf } from '../../../src/domain/videos/watching-state.ts'
import { isAtEnd, WatchQuery } from '../../../src/schema/watching/viewing.ts'

describe('the end of a video', () => {
  it.each([
    [0, 100, false],
    [89, 100, false],
    [90, 100, true],
    [100, 100, true],
    // The last 30 seconds count only where they are less than a tenth.
    [270, 300, true],
    [269, 300, false],
    [271, 301, true],
    [270, 301, false],
    [3600 - 361, 3600, false],
    [3600 - 360, 3600, true],
    [50, null, false],
    [0, 0, false],
  ])('second %i of a video of %s seconds is at its end: %s', (position, duration, expected) => {
    expect(isAtEnd(position, duration)).toBe(expected)
  })
})

describe('reaching the end', () => {
  const fresh = { position_seconds: null, duration_seconds: null }

  it.each([
    [
      'playing past the last tenth marks a video as watched',
      { position_seconds: 80, duration_seconds: 100 },
      { position_seconds: 91 },
      true,
    ],
    [
      'a first position at the end marks a video as watched',
      fresh,
      { position_seconds: 95, duration_seconds: 100 },
      true,
    ],
    [
      'a first position before the end does not mark a video',
      fresh,
      { position_seconds: 50, duration_seconds: 100 },
      false,
    ],
    [
      'a second position at the end does not mark a video again',
      { position_seconds: 92, duration_seconds: 100 },
      { position_seconds: 99 },
      false,
    ],
    [
      'starting over and playing to the end marks a video again',
      { position_seconds: 0, duration_seconds: 100 },
      { position_seconds: 95 },
      true,
    ],
    ['a late position does not mark a video of unknown length', fresh, { position_seconds: 95 }, false],
    ['a length without a position does not mark a video', fresh, { duration_seconds: 100 }, false],
  ])('%s', (_, before, noted, expected) => {
    expect(reachesEnd(before, noted)).toBe(expected)
  })
})

describe('where the player starts', () => {
  it.each([
    ['where playing stopped', 760, 1000, undefined, 760],
    ['at the beginning after less than 5 seconds', 4, 1000, undefined, 0],
    ['at the beginning of a video played to its end', 950, 1000, undefined, 0],
    ['where playing stopped in a video of unknown length', 760, null, undefined, 760],
    ['where the address says', 760, 1000, 30, 30],
    ['at the beginning, where the address says so', 760, 1000, 0, 0],
    ['at the beginning of a video never played', null, null, undefined, 0],
  ])('the player starts %s', (_, position_seconds, duration_seconds, asked, expected) => {
    expect(startOf({ position_seconds, duration_seconds }, asked)).toBe(expected)
  })
})

describe('the parameter ?t=', () => {
  it.each([
    ['754', 754],
    ['754s', 754],
    ['12m34s', 754],
    ['1h2m3s', 3723],
    ['1h', 3600],
    ['0', 0],
    ['', undefined],
    [undefined, undefined],
    ['-5', undefined],
    ['1e9', undefined],
    ['12:34', undefined],
    ['9999999', undefined],
    ['999h', undefined],
    ['javascript:alert(1)', undefined],
    ['0&autoplay', undefined],
  ])('?t=%s means second %s', (t, expected) => {
    expect(WatchQuery.parse({ t }).t).toBe(expected)
  })
})

describe('a look at what is new', () => {
  const at = (time: string) => new Date(`2026-11-20T${time}Z`)

  it('the first look has nothing to compare with', () => {
    expect(nextLook({ looked_at: null, new_since: null }, at('12:00:00'))).toEqual({
      looked_at: at('12:00:00'),
      new_since: null,
    })
  })

  it('a new look counts videos since the last one', () => {
    const last = { looked_at: at('09:00:00'), new_since: at('05:00:00') }
    expect(nextLook(last, at('09:30:00'))).toEqual({ looked_at: at('09:30:00'), new_since: at('09:00:00') })
  })

  it('within a minute it is still the last look, which need not be stored', () => {
    const last = { looked_at: at('09:00:00'), new_since: at('05:00:00') }
    expect(nextLook(last, at('09:00:59'))).toBe(last)
    expect(nextLook(last, at('09:01:00'))).toEqual({ looked_at: at('09:01:00'), new_since: at('05:00:00') })
  })

  it('a clock that was set back does not stop looks from being stored', () => {
    const last = { looked_at: at('09:00:00'), new_since: null }
    expect(nextLook(last, at('07:00:00')).looked_at).toEqual(at('07:00:00'))
  })

  it('a look lasts until half an hour after the latest visit', () => {
    const last = { looked_at: at('09:00:00'), new_since: at('05:00:00') }
    const meanwhile = nextLook(last, at('09:29:59'))
    expect(meanwhile).toEqual({ looked_at: at('09:29:59'), new_since: at('05:00:00') })
    expect(nextLook(meanwhile, at('09:59:00')).new_since).toEqual(at('05:00:00'))
  })
})
