/** The names of months, weekdays, AM and PM in many languages, from Intl. Pure. */
import { once } from '../../runtime/cache.ts'

/**
 * If two languages use one name for different months (`lip` is July in Polish and June in Croatian), both are returned. Deno lacks
 * some of these languages and returns English names, which is harmless.
 */
const languages = (
  'en pt es fr de it nl ru pl sv da nb fi cs sk hu ro bg uk be sr sr-Latn hr sl mk el tr et lv lt ca gl id ms hi ar he ko ja zh ' +
  'zh-Hant vi'
).split(' ')

/** Short forms that feeds use and Intl does not have. */
const more_months: Record<string, number> = { mrz: 3, maa: 3, kwie: 4, czer: 6, jui: 7, sept: 9, сен: 9, ноя: 11 }

/**
 * The months, 1–12, that a word may mean; empty when there are none. `has_point`: only in languages that write a point after the
 * day (`5. lipnja`), or only in the others.
 */
export function monthsOf(word: string, has_point?: boolean): number[] {
  const name = folded(word)
  const known = english.get(name)
  if (known !== undefined) return known
  const { months, beginnings } = namesKnown()
  const bits = months.get(name) ?? beginnings.get(name) ?? 0
  const chosen = has_point === undefined ? bits | (bits >> pointed) : has_point ? bits >> pointed : bits
  return numbersIn(chosen)
}

/** The days of the week, 0 for Sunday, that a word may mean. */
export const weekdaysOf = (word: string): number[] => numbersIn(namesKnown().weekdays.get(folded(word)) ?? 0)

/** AM or PM in any language; `is_vague` for words such as "evening". Undefined for other words. */
export function halfOf(word: string): { is_pm: boolean; is_vague: boolean } | undefined {
  const name = folded(word)
  const { exact, vague } = halvesKnown()
  const found = exact.get(name) ?? vague.get(name)
  return found === 1 || found === 2 ? { is_pm: found === 2, is_vague: !exact.has(name) } : undefined
}

/** The word without case, accents, and points inside. */
const folded = (word: string): string =>
  word
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[łıøđæß]/g, letter => plain_letters[letter] ?? letter)
    .replace(/[.\s’'](?=.)/gu, '')

const plain_letters: Record<string, string> = { ł: 'l', ı: 'i', ø: 'o', đ: 'd', æ: 'ae', ß: 'ss' }

/** Feeds in English do not need the tables, which take about 50 ms to make. */
const english = new Map<string, number[]>([
  ...'january february march april may june july august september october november december'
    .split(' ')
    .flatMap((name, index): [string, number[]][] => [
      [name, [index + 1]],
      [name.slice(0, 3), [index + 1]],
    ]),
  ...'sunday monday tuesday wednesday thursday friday saturday sun mon tue wed thu fri sat at of the t st nd rd th z gmt utc'
    .split(' ')
    .map((word): [string, number[]] => [word, []]),
])

/** The bits of languages that write a point after the day begin here. */
const pointed = 14

type Names = {
  /** Name → one bit for each month it may be. */
  months: Map<string, number>
  /** The first letters of a name, three or more → one bit for each month that the name may be. */
  beginnings: Map<string, number>
  weekdays: Map<string, number>
}

const namesKnown = once(() => {
  const made: Names = { months: new Map(), beginnings: new Map(), weekdays: new Map() }
  for (const language of languages) addNames(made, language)
  for (const [name, month] of Object.entries(more_months)) made.months.set(name, 1 << month)
  return made
})

function addNames({ months, beginnings, weekdays }: Names, language: string): void {
  let has_point = false
  // With and without a day, because many languages inflect the name, as in "20 listopada".
  for (const length of ['long', 'short'] as const) {
    const full = formatIn(language, { weekday: length, month: length, day: 'numeric' })
    const alone = formatIn(language, { month: length })
    for (let month = 1; month <= 12; month++) {
      // A different weekday in each month, so that all of them occur.
      const tenth = new Date(Date.UTC(2026, month - 1, 10)).getUTCDay()
      const time = Date.UTC(2026, month - 1, 10 + ((month - tenth + 7) % 7))
      const parts = full.formatToParts(time)
      has_point ||= parts.some(({ type }, index) => type === 'day' && parts[index + 1]?.value.startsWith('.') === true)
      for (const part of [...parts, ...alone.formatToParts(time)]) {
        if (part.type === 'weekday') add(weekdays, withoutPoint(part.value), 1 << new Date(time).getUTCDay())
        if (part.type === 'month')
          addMonth({ months, beginnings }, part.value, 1 << (month + (has_point ? pointed : 0)))
      }
    }
  }
}

function addMonth({ months, beginnings }: Omit<Names, 'weekdays'>, given: string, bit: number): void {
  // Catalan includes the word "of".
  const name = withoutPoint(given.replace(/^(de\s|d['’])/, ''))
  add(months, name, bit)
  // In Hebrew the word "in" is a letter in front of the name.
  if (/^[א-ת]/.test(name)) add(months, `ב${name}`, bit)
  for (let length = 3; length < name.length; length++) add(beginnings, name.slice(0, length), bit)
}

/** Name → 1 for the first half of the day, 2 for the second, 3 for a word that is used in both. */
const halvesKnown = once(() => {
  const made = { exact: new Map<string, number>(), vague: new Map<string, number>() }
  for (const language of languages) {
    const exact = formatIn(language, { hour: 'numeric', hour12: true })
    const vague = formatIn(language, { hour: 'numeric', hour12: true, dayPeriod: 'long' })
    for (let hour = 0; hour < 24; hour++) {
      addHalf(made.exact, exact, hour)
      addHalf(made.vague, vague, hour)
    }
  }
  return made
})

function addHalf(to: Map<string, number>, format: Intl.DateTimeFormat, hour: number): void {
  const part = format.formatToParts(Date.UTC(2026, 10, 1, hour)).find(({ type }) => type === 'dayPeriod')
  const name = folded(part?.value ?? '')
  // Hungarian `de.` keeps its point, because `de` is a common word in many languages.
  add(to, name.length > 3 ? withoutPoint(name) : name, hour < 12 ? 1 : 2)
}

const formatIn = (language: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, { timeZone: 'UTC', ...options })

/** Names with digits are ignored. */
function add(to: Map<string, number>, name: string, bit: number): void {
  if (/^\p{L}[^\d]*$/u.test(name)) to.set(name, (to.get(name) ?? 0) | bit)
}

const withoutPoint = (name: string) => folded(name).replace(/[.॰׳]$/, '')

const numbersIn = (bits: number): number[] => Array.from({ length: 13 }, (_, n) => n).filter(n => bits & (1 << n))
