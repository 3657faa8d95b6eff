/** Finds the year, month and day in a text without its time. Each number must have a single meaning. Pure. */
import { monthsOf, weekdaysOf } from './words.ts'

export type Day = { year: number; month: number; day: number }
/** What the first two numbers of `3/5/2019` are. */
export type Order = 'day first' | 'month first'

/** `has_half`: the time has AM or PM, which suggests that the month is first. The day may not exist. */
export function dayIn(text: string, order: Order | undefined, has_half = false): Day | undefined {
  return withoutWords(text) ?? withNumbers(text, order, has_half) ?? withMonthName(text)
}

/** The order of a date that has only one possible order. */
export function orderShownBy(text: string): Order | undefined {
  const found = numbers.exec(text)
  if (found?.[2] !== '/') return undefined
  const fitting = readingsOf(found, text)
  return fitting.length === 1 ? fitting[0]?.order : undefined
}

function withoutWords(text: string): Day | undefined {
  const given = text.trim().replace(/[TZ,]$/i, '')
  const year = /^(\d{4})(?:-(\d\d))?$/.exec(given)
  if (year) return { year: Number(year[1]), month: Number(year[2] ?? 1), day: 1 }
  const compact = /^(\d{4})(\d\d)(\d\d)$/.exec(given)
  if (compact) return { year: Number(compact[1]), month: Number(compact[2]), day: Number(compact[3]) }
  const [, of, count] = /^(\d{4})-(\d{3})$/.exec(given) ?? []
  if (of === undefined) return undefined
  const day = new Date(Date.UTC(Number(of), 0, Number(count)))
  // In most years day 366 belongs to the next year.
  if (day.getUTCFullYear() !== Number(of)) return undefined
  return { year: day.getUTCFullYear(), month: day.getUTCMonth() + 1, day: day.getUTCDate() }
}

/** Only words, such as the weekday, may come before the numbers. */
const numbers = /^[^\d]{0,60}(?<![\d+-])(\d{1,2})([./-]|\s)\s?(\d{1,2})(?:\2|\s)\s?(\d{4}|\d\d)(?!\d|[./-]\d)/
const year_first = /^[^\d]{0,60}(\d{4})\s?([./-]|\s)\s?(\d{1,2})\s?\2\s?(\d{1,2})(?!\d|[./-]\d)/

function withNumbers(text: string, order: Order | undefined, has_half: boolean): Day | undefined {
  const [, year, , month, day] = year_first.exec(text) ?? []
  if (year !== undefined) return { year: Number(year), month: Number(month), day: Number(day) }
  const found = numbers.exec(text)
  // `03-12-31` has three possible orders, and `26. 1. 13` may be German or Korean.
  if (!found || (found[4]?.length === 2 && !/\d([./])\d+\1\d/.test(found[0]))) return undefined
  const readings = readingsOf(found, text)
  const usual: Order = found[2] === '/' ? (order ?? 'month first') : has_half && !order ? 'month first' : 'day first'
  return (readings.find(reading => reading.order === usual) ?? readings[0])?.day
}

type Reading = { order: Order; day: Day }

/** The days that exist; if any of them fall on the weekday that the text names, only those. */
function readingsOf([, first, , second, written = '']: RegExpExecArray, text: string): Reading[] {
  const year = fullYear(written)
  const all: Reading[] = [
    { order: 'day first', day: { year, month: Number(second), day: Number(first) } },
    { order: 'month first', day: { year, month: Number(first), day: Number(second) } },
  ]
  return onItsWeekday(
    all.filter(({ day }) => weekdayOf(day) !== undefined),
    ({ day }) => day,
    text,
  )
}

function onItsWeekday<T>(readings: T[], dayOf: (reading: T) => Day, text: string): T[] {
  if (readings.length < 2) return readings
  const named = (text.match(/\p{L}[\p{L}\p{M}]*/gu) ?? []).map(weekdaysOf).find(days => days.length > 0) ?? []
  const fitting = readings.filter(reading => named.includes(weekdayOf(dayOf(reading)) ?? -1))
  return fitting.length > 0 ? fitting : readings
}

/** 0 for Sunday; undefined for a day that does not exist. */
const weekdayOf = (day: Day): number | undefined => midnightOf(day)?.getUTCDay()

/** Undefined for a day that does not exist. */
export function midnightOf({ year, month, day }: Day): Date | undefined {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date : undefined
}

type Token = { number: string; months?: undefined } | { months: Months; number?: undefined }
/** `likely`: in the languages that write a point after the day exactly if this text does. */
type Months = { possible: number[]; likely: number[] }

/** The first numbers and the name of a month, in the orders that languages use. Other words are weekdays and prepositions. */
function withMonthName(text: string): Day | undefined {
  const tokens = tokensOf(text)
  const [one, two, three] = tokens
  // Two months are a span of time.
  if (!one || !two || tokens.filter(({ months }) => months).length > 1) return undefined
  if (one.months && two.number !== undefined && !isDay(two.number))
    return dayOf(one.months, /^\d{4}$/.test(two.number) ? two.number : undefined, '1', text)
  if (one.number !== undefined && two.months && three?.number !== undefined)
    return /^\d{4}$/.test(one.number)
      ? dayOf(two.months, one.number, three.number, text)
      : dayOf(two.months, three.number, one.number, text)
  if (one.number?.length === 4 && two.months) return dayOf(two.months, one.number, '1', text)
  if (one.months && two.number !== undefined) return dayOf(one.months, longYear(three?.number), two.number, text)
  // Latvian: `2026. gada 20. novembris`.
  return one.number?.length === 4 && three?.months ? dayOf(three.months, one.number, two.number, text) : undefined
}

const isDay = (number: string) => number.length <= 2
/** In `Nov 20 10` the last number may be an hour. */
const longYear = (number = '') => (number.length === 4 ? number : undefined)

function tokensOf(text: string): Token[] {
  const words = [...text.matchAll(/\d+|\p{L}[\p{L}\p{M}]*/gu)]
  const tokens = words.slice(0, 24).flatMap(({ 0: word, index }): Token[] => {
    if (/^\d/.test(word)) return [{ number: word }]
    const possible = monthsOf(word)
    const likely = possible.length > 1 ? monthsOf(word, /\d\.\s?$/.test(text.slice(0, index))) : possible
    return possible.length > 0 ? [{ months: { possible, likely } }] : []
  })
  // `Mar` is Tuesday in several languages: before another name of a month it is not a month.
  const [first, ...others] = tokens
  return first?.months && others.slice(0, 3).some(({ months }) => months) ? others : tokens
}

/** Undefined unless exactly one of the months that the name may mean fits. */
function dayOf({ possible, likely }: Months, year = '', day = '', text = ''): Day | undefined {
  if (!isDay(day) || day === '' || year.length > 4 || year.length < 2) return undefined
  const readings = possible.map(month => ({ year: fullYear(year), month, day: Number(day) }))
  const fitting = onItsWeekday(readings, reading => reading, text)
  const usual = fitting.length > 1 ? fitting.filter(({ month }) => likely.includes(month)) : fitting
  return usual.length === 1 ? usual[0] : undefined
}

/** Two digits as in RFC 822, three as in RFC 2822: years since 1900. */
const fullYear = (year: string): number =>
  Number(year) + (year.length > 3 ? 0 : year.length === 3 ? 1900 : Number(year) < 70 ? 2000 : 1900)
