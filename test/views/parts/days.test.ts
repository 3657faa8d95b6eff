/** A list of videos has the days of the reader, not of the server. */
import { expect, it } from 'vitest'
import { dayOf, dayWords } from '../../../src/views/parts/days.ts'
import { video } from '../../support/app/samples.ts'

const now = new Date('2026-11-20T12:00:00Z')

it.each([
  ['2026-11-20', 'Today'],
  ['2026-11-21', 'Today'],
  ['2026-11-19', 'Yesterday'],
  ['2026-11-18', 'Wednesday'],
  ['2026-11-14', 'Saturday'],
  ['2026-11-13', '13 November'],
  ['2025-11-30', '30 November 2025'],
])('%s is called %s', (day, words) => {
  expect(dayWords(day, now, 'UTC')).toBe(words)
})

it('a video of the late evening is of the next day east of us', () => {
  const late = video({ published_at: new Date('2026-11-19T22:30:00Z') })
  expect(dayOf(late, 'UTC')).toBe('2026-11-19')
  expect(dayOf(late, 'Europe/Berlin')).toBe('2026-11-19')
  expect(dayOf(late, 'Asia/Tokyo')).toBe('2026-11-20')
  expect(dayWords('2026-11-20', new Date('2026-11-19T23:00:00Z'), 'Asia/Tokyo')).toBe('Today')
})

it('a premiere of next week is of the day when it was announced, as lists sort it', () => {
  const announced = video({ published_at: new Date('2026-11-27T20:00:00Z') })
  expect(dayOf(announced, 'UTC')).toBe('2026-11-20')
})
