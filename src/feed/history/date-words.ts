/** The words of dates in the languages of Google's accounts, as the runtime writes them. Pure. */
import { memoized } from '../../runtime/memoized.ts'

/** A month that a word means in a language. `shape`: how this language writes a date with the word. */
export type MonthWord = { language: string; month: number; calendar: 'gregory' | 'persian'; shape: RegExp }

/** Those of Google's accounts, with the regions whose months or clocks are written in another way. */
export const languages =
  'en en-GB en-CA en-AU en-IN de de-AT fr fr-CA es es-MX it pt pt-PT nl pl ru uk be cs sk hu ro bg el tr sv da nb fi et lv lt hr sr sr-Latn bs sl mk sq id ms fil vi th lo km my ar ar-EG ar-MA fa he ur hi bn mr ne ta te kn ml gu pa si or as ca eu gl is af sw zu az uz ka hy kk ky am ja ko zh zh-TW'.split(
    ' ',
  )

/** A text in the letters and digits that all words here have: `25 dic 2024, 3:05 pm`. */
export const plainLetters = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Nd}/gu, digit => digits().get(digit) ?? digit)
    // Signs of abbreviation: `dec.`, `p.m.`, `ธ.ค.`, `דצמ׳`, `दिस॰`.
    .replace(/(?<=[\p{L}\p{M}])[.॰׳״'’]/gu, '')
    .replace(/\s/g, ' ')

const scripts = 'arab arabext beng deva gujr guru khmr knda laoo mlym mymr orya sinh tamldec telu thai tibt'.split(' ')

const digits = once(() => {
  const found = new Map<string, string>()
  for (const script of scripts) {
    const format = new Intl.NumberFormat(`en-u-nu-${script}`, { useGrouping: false })
    for (let digit = 0; digit < 10; digit++) found.set(format.format(digit), String(digit))
  }
  return found
})

/** The words that name a month, and numbered months such as `thg 12`. */
export const monthWords = once(() => {
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
export function halfNamed(before: string, after: string, among: string[]): HalfOfDay | undefined {
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

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
