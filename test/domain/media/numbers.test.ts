/** The season of a video is its year, its number the month and day; further videos of a day get numbers that no other day has. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dayOf, nextNumbers, numberOf, numberText } from '../../../src/domain/media/numbers.ts'
import { holds } from '../../support/run/holds.ts'

const day_of_year = fc.date({ noInvalidDate: true }).map(date => (date.getUTCMonth() + 1) * 100 + date.getUTCDate())
const seen = new Date('2026-11-22T10:00:00Z')

it('the first video of 21 November 2026 is episode 112101 of season 2026', () => {
  const day = dayOf(new Date('2026-11-21T23:59:59Z'), seen)
  expect(day).toEqual({ season: 2026, month_day: 1121 })
  expect(nextNumbers([], [day])).toEqual([112101])
  expect(numberText(112101)).toBe('112101')
})

it('further videos of a day follow the first, and continue after those that have numbers', () => {
  const day = { month_day: 1121 }
  expect(nextNumbers([], [day, day, day])).toEqual([112101, 112102, 112103])
  expect(nextNumbers([112101, 112102, 112201], [day, { month_day: 1122 }])).toEqual([112103, 112202])
  expect(nextNumbers([112199], [day])).toEqual([11210100])
})

it('the videos of a day are in order, in whatever order they are downloaded', () => {
  holds(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.array(fc.nat()), (count, picks) => {
      const numbers = new Map<number, number>()
      for (const pick of picks) {
        const nth_of_day = 1 + (pick % count)
        if (numbers.has(nth_of_day)) continue
        const [number = 0] = nextNumbers([...numbers.values()], [{ month_day: 1121, nth_of_day }])
        numbers.set(nth_of_day, number)
      }
      const in_order = [...numbers].toSorted(([a], [b]) => a - b).map(([, number]) => number)
      expect(in_order).toEqual(in_order.toSorted((a, b) => a - b))
      expect(new Set(in_order).size).toBe(numbers.size)
    }),
  )
})

it('a place that is taken is followed by the next free number', () => {
  expect(
    nextNumbers(
      [112101, 112102],
      [
        { month_day: 1121, nth_of_day: 2 },
        { month_day: 1121, nth_of_day: 4 },
      ],
    ),
  ).toEqual([112103, 112104])
})

it('an early month has its zero in the file name, and not in the number', () => {
  expect([1, 2, 100, 10_000].map(nth => numberOf({ month_day: 105 }, nth))).toEqual([10501, 10502, 1050100, 105010000])
  expect([10501, 1050100, 105010000].map(numberText)).toEqual(['010501', '01050100', '0105010000'])
})

it.each([null, new Date('1927-12-31T00:00:00Z'), new Date('2501-01-01T00:00:00Z'), new Date(Number.NaN)])(
  'a video dated %s has the day on which it was first seen',
  published_at => {
    expect(dayOf(published_at, seen)).toEqual({ season: 2026, month_day: 1122 })
  },
)

it('the numbers of two days never collide, and fit the 32 bits of the media servers', () => {
  const month_day = day_of_year
  const nth = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 999_999 }))
  holds(
    fc.property(month_day, nth, month_day, nth, (a, nth_a, b, nth_b) => {
      const [one, other] = [numberOf({ month_day: a }, nth_a), numberOf({ month_day: b }, nth_b)]
      expect(one === other).toBe(a === b && nth_a === nth_b)
      expect(one).toBeLessThan(2 ** 31)
      if (a === b && nth_a < nth_b) expect(one).toBeLessThan(other)
    }),
  )
})

it('the videos of a season are in the order of their days, whatever the order in which they come', () => {
  holds(
    fc.property(fc.array(fc.array(day_of_year, { maxLength: 20 }), { maxLength: 5 }), downloads => {
      const given: { month_day: number; number: number }[] = []
      for (const days of downloads.map(days => days.map(month_day => ({ month_day })))) {
        const numbers = nextNumbers(
          given.map(({ number }) => number),
          days,
        )
        given.push(...numbers.map((number, at) => ({ month_day: days[at]?.month_day ?? 0, number })))
      }
      const in_order = given.toSorted((a, b) => a.number - b.number).map(({ month_day }) => month_day)
      expect(in_order).toEqual(in_order.toSorted((a, b) => a - b))
    }),
  )
})

it('20,000 videos of one day get 20,000 different numbers', () => {
  const numbers = nextNumbers(
    [],
    Array.from({ length: 20_000 }, () => ({ month_day: 1122 })),
  )
  expect(new Set(numbers).size).toBe(20_000)
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
})
