/** What counts as seen, where playing goes on, and what is new: each a table. */
import { describe, expect, it } from 'vitest'
import { comesToEnd, isAtEnd, lookAt, startOf } from '../../../src/domain/videos/seen.ts'
import { WatchQuery } from '../../../src/schema/viewing.ts'

describe('the end of a video', () => {
  it.each([
    [0, 100, false],
    [89, 100, false],
    [90, 100, true],
    [100, 100, true],
    // Half a minute before the end counts only where that is less than a tenth would be.
    [270, 300, true],
    [269, 300, false],
    [271, 301, true],
    [270, 301, false],
    [3600 - 361, 3600, false],
    [3600 - 360, 3600, true],
    [50, null, false],
    [0, 0, false],
  ])('at %i of %s seconds: %s', (position, duration, expected) => {
    expect(isAtEnd(position, duration)).toBe(expected)
  })
})

describe('coming to the end', () => {
  const fresh = { position_seconds: null, duration_seconds: null }

  it.each([
    ['by playing on', { position_seconds: 80, duration_seconds: 100 }, { position_seconds: 91 }, true],
    ['on the first word of it', fresh, { position_seconds: 95, duration_seconds: 100 }, true],
    ['not before it', fresh, { position_seconds: 50, duration_seconds: 100 }, false],
    [
      'not twice, or unseen could never stay',
      { position_seconds: 92, duration_seconds: 100 },
      { position_seconds: 99 },
      false,
    ],
    ['again after starting over', { position_seconds: 0, duration_seconds: 100 }, { position_seconds: 95 }, true],
    ['not while nobody knows how long it is', fresh, { position_seconds: 95 }, false],
    ['not by word of its length alone', fresh, { duration_seconds: 100 }, false],
  ])('%s', (_, before, noted, expected) => {
    expect(comesToEnd(before, noted)).toBe(expected)
  })
})

describe('where the player starts', () => {
  it.each([
    ['where playing stopped', 760, 1000, undefined, 760],
    ['at the beginning after a glance', 4, 1000, undefined, 0],
    ['at the beginning once it was at its end', 950, 1000, undefined, 0],
    ['where playing stopped, of unknown length', 760, null, undefined, 760],
    ['where the address says', 760, 1000, 30, 30],
    ['at the beginning, where the address says so', 760, 1000, 0, 0],
    ['at the beginning of what was never played', null, null, undefined, 0],
  ])('%s', (_, position_seconds, duration_seconds, asked, expected) => {
    expect(startOf({ position_seconds, duration_seconds }, asked)).toBe(expected)
  })
})

describe('?t=', () => {
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
  ])('%s means %s', (t, expected) => {
    expect(WatchQuery.parse({ t }).t).toBe(expected)
  })
})

describe('a look at what is new', () => {
  const at = (time: string) => new Date(`2026-11-20T${time}Z`)

  it('has nothing to compare with the first time', () => {
    expect(lookAt({ looked_at: null, new_since: null }, at('12:00:00'))).toEqual({
      looked_at: at('12:00:00'),
      new_since: null,
    })
  })

  it('counts from the last one', () => {
    const last = { looked_at: at('09:00:00'), new_since: at('05:00:00') }
    expect(lookAt(last, at('09:30:00'))).toEqual({ looked_at: at('09:30:00'), new_since: at('09:00:00') })
  })

  it('goes on for half an hour after every visit', () => {
    const last = { looked_at: at('09:00:00'), new_since: at('05:00:00') }
    const meanwhile = lookAt(last, at('09:29:59'))
    expect(meanwhile).toEqual({ looked_at: at('09:29:59'), new_since: at('05:00:00') })
    expect(lookAt(meanwhile, at('09:59:00')).new_since).toEqual(at('05:00:00'))
  })
})
