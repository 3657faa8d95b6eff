/** A list of videos has the days of the reader, not of the server. */
import { expect, it } from 'vitest'
import { headingOf, headingWords } from '../../../src/views/parts/days.ts'
import { video } from '../../support/app/samples.ts'

const now = new Date('2026-11-20T12:00:00Z')

it.each([
  ['2026-11-20', 'Today'],
  ['2026-11-21', 'Today'],
  ['2026-11-19', 'Yesterday'],
  ['2026-11-18', 'Wednesday'],
  ['2026-11-14', 'Saturday'],
  ['2026-11-09', 'Week of 9 November'],
  ['2025-11-24', 'Week of 24 November 2025'],
])('%s is called %s', (day, words) => {
  expect(headingWords(day, now, 'UTC')).toBe(words)
})

it('a video of the late evening is of the next day east of us', () => {
  const late = video({ published_at: new Date('2026-11-19T22:30:00Z') })
  expect(headingOf(late, now, 'UTC')).toBe('2026-11-19')
  expect(headingOf(late, now, 'Europe/Berlin')).toBe('2026-11-19')
  expect(headingOf(late, now, 'Asia/Tokyo')).toBe('2026-11-20')
  expect(headingWords('2026-11-20', new Date('2026-11-19T23:00:00Z'), 'Asia/Tokyo')).toBe('Today')
})

it.each([
  ['2026-11-14', '2026-11-14'],
  ['2026-11-13', '2026-11-09'],
  ['2026-11-09', '2026-11-09'],
  ['2026-11-08', '2026-11-02'],
  ['2026-01-01', '2025-12-29'],
])('a video of %s stands under %s', (day, heading) => {
  expect(headingOf(video({ published_at: new Date(`${day}T12:00:00Z`) }), now, 'UTC')).toBe(heading)
})

it('a premiere of next week is of the day when it was announced, as lists sort it', () => {
  const announced = video({ published_at: new Date('2026-11-27T20:00:00Z') })
  expect(headingOf(announced, now, 'UTC')).toBe('2026-11-20')
})
