/**
 * Reads a date as Google Takeout writes it in HTML: in the language of the account, with the month as a number or a word. The names of
 * time zones are not read, so a time can be some hours off. Pure.
 */
import { halfNamed, type MonthWord, monthWords, plainLetters } from './date-words.ts'

/** Milliseconds since 1970; undefined: not understood, or it can mean several days. */
export function writtenDate(text: string): number | undefined {
  const line = plainLetters(text.slice(0, 200)).trim()
  const numbers = year_first.exec(line) ?? year_last.exec(line)
  const rest = numbers ? line.replace(numbers[0], ' ') : line
  const clock = a_clock.exec(rest)
  const day = numbers ? dayOfNumbers(numbers) : dayOfWords(clock ? rest.replace(clock[0], ' ') : rest, line)
  const midnight = day && midnightOf(day)
  if (midnight === undefined) return undefined
  const [before = '', after = ''] = clock ? rest.split(clock[0]) : []
  const [, hours, ...parts] = clock ?? []
  const [minutes, seconds] = parts.filter(part => part !== undefined)
  const half = halfNamed(before, after, day?.languages ?? [])
  const hour = Number(hours ?? 0)
  const hour_of_day = half === undefined || hour > 12 ? hour : (hour % 12) + (half === 'pm' ? 12 : 0)
  return midnight + ((hour_of_day * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0)) * 1000
}

/** `languages`: those in which the month has this name; none: it is a number. */
type Day = { year: number; month: number; date: number; calendar?: MonthWord['calendar']; languages: string[] }

const year_first = /(?<year>\d{4})\s*[-/.年년]\s*(?<a>\d{1,2})\s*[-/.月월]\s*(?<b>\d{1,2})/
const year_last = /(?<a>\d{1,2})\s*[-/.]\s*(?<b>\d{1,2})\s*[-/.]\s*(?<year>\d{4})/
/** `15:05:12`, `15.05.12`, `15 h 05 min 12 s`, `3시 5분 12초`. */
const a_clock =
  /(?<!\d)(\d{1,2})(?:[:.](\d{2})(?:[:.](\d{2}))?|\s?(?:h|[時时시点點])\s?(\d{1,2})(?:\s?(?:min|[分분])(?:\s?(\d{1,2})(?:\s?[s秒초])?)?)?)(?!\d)/

/** The day is first in every language that writes the year last, except American English, whose history has words. */
function dayOfNumbers({ groups: { a, b, year } = {}, 0: text }: RegExpExecArray): Day {
  const is_month_first = /^\d{4}/.test(text) || Number(b) > 12
  const [month, date] = is_month_first ? [a, b] : [b, a]
  return { year: Number(year), month: Number(month), date: Number(date), languages: [] }
}

/** `line`: with the time, as its language writes it. */
function dayOfWords(rest: string, line: string): Day | undefined {
  const named = monthsIn(rest)
  // In Polish and Croatian, some words are different months.
  const meant = isOneMonth(named) ? named : named.filter(({ shape }) => shape.test(line))
  const [first] = meant
  if (!first || !isOneMonth(meant)) return undefined
  const numbers = rest.replace(first.text, ' ').match(/\d+/g) ?? []
  const year = numbers.find(digits => digits.length === 4)
  const date = numbers.find(digits => digits.length <= 2)
  if (year === undefined || date === undefined) return undefined
  const languages = meant.map(({ language }) => language)
  return { ...first, year: Number(year), date: Number(date), languages }
}

const isOneMonth = (words: MonthWord[]) => new Set(words.map(({ month }) => month)).size === 1

/** The words that name a month in any language, else those that begin like one. */
function monthsIn(line: string): (MonthWord & { text: string })[] {
  const known = monthWords()
  const words = [...line.matchAll(/([\p{L}\p{M}]+)(?: \d{1,2}(?!\d))?/gu)]
  const whole = words.flatMap(([both, word = '']) =>
    [both, word].flatMap(text => known.get(text)?.map(month => ({ ...month, text })) ?? []),
  )
  if (whole.length > 0) return whole
  return words.flatMap(([, text = '']) =>
    text.length < 3
      ? []
      : [...known].flatMap(([name, months]) =>
          name.startsWith(text) || (name.length >= 3 && text.startsWith(name))
            ? months.map(month => ({ ...month, text }))
            : [],
        ),
  )
}

/** Thai dates count the years of the Buddhist era. */
function midnightOf({ year, month, date, calendar }: Day): number | undefined {
  const is_persian = calendar === 'persian' || (year > 1300 && year < 1600)
  const day = is_persian
    ? dayInPersian(year, month, date)
    : Date.UTC(year > 2400 && year < 2743 ? year - 543 : year, month - 1, date)
  const found = new Date(day ?? Number.NaN)
  const is_day = is_persian || found.getUTCMonth() === month - 1
  return is_day && found.getUTCFullYear() >= 2000 && found.getUTCFullYear() < 2200 ? day : undefined
}

/** As UTC; undefined: the calendar has no such day. */
function dayInPersian(year: number, month: number, date: number): number | undefined {
  const near = Date.UTC(year + 621, 2, 20) + Math.round((month - 1) * 30.5 + date) * day_ms
  for (let days = -5; days <= 5; days++) {
    const day = near + days * day_ms
    if (persian.format(day).match(/\d+/g)?.join() === [month, date, year].join()) return day
  }
  return undefined
}

const day_ms = 86_400_000
const persian = new Intl.DateTimeFormat('en-u-ca-persian', {
  ...{ day: 'numeric', month: 'numeric', year: 'numeric', timeZone: 'UTC' },
})
