/**
 * Reads a date as Google Takeout writes it in HTML: in the language of the account, with the month as a number or a word. The names of
 * time zones are not read, so a time can be some hours off. Pure.
 */
import { memoized, once } from '../../runtime/cache.ts'
import { asciiDigits } from '../../schema/values/digits.ts'

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
  day: 'numeric',
  month: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
})

/** A month that a word means in a language. `shape`: how this language writes a date with the word. */
type MonthWord = { language: string; month: number; calendar: 'gregory' | 'persian'; shape: RegExp }

/** The languages of Google's accounts, with the regions whose months or clocks are written in another way. */
export const languages =
  'en en-GB en-CA en-AU en-IN de de-AT fr fr-CA es es-MX it pt pt-PT nl pl ru uk be cs sk hu ro bg el tr sv da nb fi et lv lt hr sr sr-Latn bs sl mk sq id ms fil vi th lo km my ar ar-EG ar-MA fa he ur hi bn mr ne ta te kn ml gu pa si or as ca eu gl is af sw zu az uz ka hy kk ky am ja ko zh zh-TW'.split(
    ' ',
  )

/** A text in the letters and digits that all words here have: `25 dic 2024, 3:05 pm`. */
const plainLetters = (text: string): string =>
  asciiDigits(text)
    .toLowerCase()
    .replace(/\p{Cf}/gu, '')
    // Signs of abbreviation: `dec.`, `p.m.`, `ธ.ค.`, `דצמ׳`, `दिस॰`.
    .replace(/(?<=[\p{L}\p{M}])[.॰׳״'’]/gu, '')
    .replace(/\s/g, ' ')

/** The words that name a month, and numbered months such as `thg 12`. */
const monthWords = once(() => {
  const found = new Map<string, MonthWord[]>()
  for (const language of languages)
    for (const calendar of language === 'fa' ? (['gregory', 'persian'] as const) : (['gregory'] as const))
      for (const month_style of ['short', 'long'] as const) addMonths(found, language, calendar, month_style)
  return found
})

function addMonths(
  found: Map<string, MonthWord[]>,
  language: string,
  calendar: MonthWord['calendar'],
  month_style: 'short' | 'long',
): void {
  const style = { day: 'numeric', month: month_style, year: 'numeric', timeZone: 'UTC' } as const
  const format = new Intl.DateTimeFormat(`${language}-u-ca-${calendar}-nu-latn`, style)
  const alone = new Intl.DateTimeFormat(`${language}-u-nu-latn`, { month: month_style, timeZone: 'UTC' })
  for (let month = 1; month <= 12; month++) {
    // The Persian year begins in March.
    const day = Date.UTC(2023, month + (calendar === 'persian' ? 2 : -1), 5 + (calendar === 'persian' ? 0 : 10))
    const parts = format.formatToParts(day)
    const at = parts.findIndex(({ type }) => type === 'month')
    const before = /\S*$/.exec(parts[at - 1]?.value ?? '')?.[0] ?? ''
    const after = /^\p{L}*/u.exec(parts[at + 1]?.value ?? '')?.[0] ?? ''
    const written = parts[at]?.value ?? ''
    // Czech dates have numbers, but people write words.
    const name = /^\d+$/.test(written) ? alone.format(day) : written
    const word = { language, month, calendar, shape: shapeOf(parts) }
    for (const text of [name, `${before}${name}`, `${name}${after}`]) {
      const key = plainLetters(text).trim()
      const known = found.get(key) ?? []
      const is_known = known.some(
        other => other.language === language && other.month === month && other.calendar === calendar,
      )
      if (/^[\p{L}\p{M}]+(?: \d{1,2})?$/u.test(key) && !is_known) found.set(key, [...known, word])
    }
  }
}

/** The date in any month of this language: `5. lip 2024.` in Croatian and `5 lip 2024` in Polish. */
function shapeOf(parts: Intl.DateTimeFormatPart[]): RegExp {
  const written = plainLetters(
    parts
      .map(({ type, value }) => (type === 'literal' ? value : type === 'day' ? '1' : type === 'year' ? '2000' : 'x'))
      .join(''),
  )
  const pattern = written
    .trim()
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace('2000', '\\d{4}')
    .replace(/(?<!\d)1(?!\d)/, '\\d{1,2}')
    .replace('x', '[\\p{L}\\p{M}]+(?: \\d{1,2})?')
  return new RegExp(`^${pattern}(?![\\p{L}\\p{M}\\d.])`, 'u')
}

type HalfOfDay = 'am' | 'pm'

/** The half of the day that is named right before or behind a clock; undefined: none, or both in these languages. */
function halfNamed(before: string, after: string, among: string[]): HalfOfDay | undefined {
  const [left, right] = [before.trimEnd(), after.trimStart()]
  if (!/[\p{L}\p{M}]$/u.test(left) && !/^\p{L}/u.test(right)) return undefined
  const halves = new Set<HalfOfDay>()
  for (const language of ['en', ...(among.length > 0 ? among : languages)])
    for (const [word, half] of halvesIn(language))
      if (
        (left.endsWith(word) && !/[\p{L}\p{M}]$/u.test(left.slice(0, -word.length))) ||
        (right.startsWith(word) && !/^[\p{L}\p{M}]/u.test(right.slice(word.length)))
      )
        halves.add(half)
  const [half, other] = halves
  return other === undefined ? half : undefined
}

/** A word that is said at hours of both halves, such as `night`, is left out. */
const halvesIn = memoized((language: string): Map<string, HalfOfDay> => {
  const halves = new Map<string, Set<HalfOfDay>>()
  for (const style of [{ hour12: true }, { dayPeriod: 'short' }, { dayPeriod: 'long' }] as const) {
    const format = new Intl.DateTimeFormat(`${language}-u-nu-latn`, { hour: 'numeric', ...style, timeZone: 'UTC' })
    for (let hour = 0; hour < 24; hour++) {
      const part = format.formatToParts(Date.UTC(2023, 0, 1, hour)).find(({ type }) => type === 'dayPeriod')
      const word = plainLetters(part?.value ?? '').trim()
      if (word !== '') halves.set(word, (halves.get(word) ?? new Set()).add(hour < 12 ? 'am' : 'pm'))
    }
  }
  return new Map([...halves].flatMap(([word, [half, other]]) => (half && !other ? [[word, half] as const] : [])))
})
