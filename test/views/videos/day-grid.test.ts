/** A list of videos has the days of the reader, not of the server. */
import { expect, it } from 'vitest'
import { dayOf, dayWords, headingsOf, lastDayOf } from '../../../src/views/videos/day-grid.tsx'
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
  expect(dayWords(day, now, 'UTC')).toBe(words)
})

it('a video of the late evening is of the next day east of us', () => {
  const late = video({ published_at: new Date('2026-11-19T22:30:00Z') })
  expect(dayOf(late, now, 'UTC')).toBe('2026-11-19')
  expect(dayOf(late, now, 'Europe/Berlin')).toBe('2026-11-19')
  expect(dayOf(late, now, 'Asia/Tokyo')).toBe('2026-11-20')
  expect(dayWords('2026-11-20', new Date('2026-11-19T23:00:00Z'), 'Asia/Tokyo')).toBe('Today')
})

it.each([
  ['2026-11-14', '2026-11-14'],
  ['2026-11-13', '2026-11-09'],
  ['2026-11-09', '2026-11-09'],
  ['2026-11-08', '2026-11-02'],
  ['2026-01-01', '2025-12-29'],
])('a video of %s is under %s', (day, heading) => {
  expect(dayOf(video({ published_at: new Date(`${day}T12:00:00Z`) }), now, 'UTC')).toBe(heading)
})

it('a premiere of next week is of the day when it was announced, as lists sort it', () => {
  const announced = video({ published_at: new Date('2026-11-27T20:00:00Z') })
  expect(dayOf(announced, now, 'UTC')).toBe('2026-11-20')
})

const on = (...days: string[]) => days.map(day => video({ published_at: new Date(`${day}T09:00:00Z`) }))
const [wednesday, tuesday, monday] = ['2026-11-18', '2026-11-17', '2026-11-16']

it('days of the last week with few videos share a heading, but today and yesterday have their own', () => {
  const videos = on('2026-11-20', '2026-11-19', wednesday, tuesday, monday, '2026-11-09')
  expect(headingsOf(videos, now, 'UTC')).toEqual([
    'Today',
    'Yesterday',
    ...Array(3).fill('Earlier this week'),
    'Week of 9 November',
  ])
})

it('a day with four videos has a heading of its own', () => {
  expect(headingsOf(on(wednesday, tuesday, tuesday, tuesday, tuesday, monday), now, 'UTC')).toEqual([
    'Wednesday',
    ...Array(4).fill('Tuesday'),
    'Monday',
  ])
})

it('a shared heading has the rest of the week', () => {
  const many = Array<string>(5).fill(monday)
  expect(headingsOf(on(wednesday, tuesday, ...many), now, 'UTC')).toEqual(Array(7).fill('Earlier this week'))
})

it('the page after a shared heading continues it', () => {
  const above = lastDayOf(on(wednesday, tuesday), now, 'UTC')
  expect(headingsOf(on(monday, '2026-11-09'), now, 'UTC', above)).toEqual(['Earlier this week', 'Week of 9 November'])
  expect(lastDayOf(on(monday), now, 'UTC', above)).toBe(above)
})

it('a day that began on the page above shares its heading with no other day', () => {
  expect(headingsOf(on(tuesday, monday), now, 'UTC', tuesday)).toEqual(['Tuesday', 'Monday'])
  expect(headingsOf(on(tuesday, monday), now, 'UTC', wednesday)).toEqual(Array(2).fill('Earlier this week'))
})
