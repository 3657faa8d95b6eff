/**
 * Reads a date as Google Takeout writes it in HTML: in the language of the account, with the month as a number or a word. The names of
 * time zones are not read, so a time can be half a day off. Pure.
 */

/** Milliseconds since 1970; undefined: not understood. */
export function writtenDate(text: string): number | undefined {
  const line = text.slice(0, 200).normalize('NFKC').toLowerCase()
  const numbers = year_first.exec(line) ?? year_last.exec(line)
  const rest = numbers ? line.replace(numbers[0], ' ') : line
  const clock = /(\d{1,2})(?:[:.]|\s?[時时시点]\s?)(\d{2})(?:(?:[:.]|\s?[分분]\s?)(\d{2}))?/.exec(rest)
  const day = numbers ? dayOfNumbers(numbers) : dayOfWords(clock ? rest.replace(clock[0], ' ') : rest)
  if (!day) return undefined
  const { year, month, date } = day
  const hours = clock ? hoursOf(Number(clock[1]), rest) : 0
  const is_valid = month >= 1 && month <= 12 && date >= 1 && date <= 31 && year >= 2000 && year < 2200
  return is_valid ? Date.UTC(year, month - 1, date, hours, Number(clock?.[2] ?? 0), Number(clock?.[3] ?? 0)) : undefined
}

type Day = { year: number; month: number; date: number }

const year_first = /(?<year>\d{4})\s*[-/.年년]\s*(?<a>\d{1,2})\s*[-/.月월]\s*(?<b>\d{1,2})/
const year_last = /(?<a>\d{1,2})\s*[-/.]\s*(?<b>\d{1,2})\s*[-/.]\s*(?<year>\d{4})/

/** The day is first in every language that writes the year last, except American English, whose history has words. */
function dayOfNumbers({ groups: { a, b, year } = {}, 0: text }: RegExpExecArray): Day {
  const is_month_first = /^\d{4}/.test(text) || Number(b) > 12
  return is_month_first ? dayOf(year, a, b) : dayOf(year, b, a)
}

function dayOfWords(line: string): Day | undefined {
  const month = monthIn(line)
  const numbers = [...line.matchAll(/\d+/g)].map(([digits]) => digits)
  const year = numbers.find(digits => digits.length === 4)
  const date = numbers.find(digits => digits.length <= 2)
  return month && year && date ? dayOf(year, month, date) : undefined
}

const dayOf = (year: unknown, month: unknown, date: unknown): Day => ({
  year: Number(year),
  month: Number(month),
  date: Number(date),
})

function hoursOf(hours: number, line: string): number {
  const is_afternoon = /(?<![a-z])p\.?\s?m\.?(?![a-z])|午後|下午|오후|μ\.?μ/.test(line)
  const is_morning = /(?<![a-z])a\.?\s?m\.?(?![a-z])|午前|上午|오전|π\.?μ/.test(line)
  if (is_afternoon && hours < 12) return hours + 12
  return is_morning && hours === 12 ? 0 : hours
}

/** The languages of Google's accounts, as far as the runtime knows them. */
const languages =
  'en de fr es it pt nl pl ru uk cs sk hu ro bg el tr sv da nb fi et lv lt hr sr sl id ms vi th ar he fa hi ca eu gl is af sw fil ka hy az kk mk sq bs'

let known_months: Map<string, number> | undefined

/** The word that names a month, in any of the languages. */
function monthIn(line: string): number | undefined {
  known_months ??= monthNames()
  for (const [word] of line.matchAll(/[\p{L}\p{M}]+/gu)) {
    const month = known_months.get(word) ?? known_months.get(word.slice(0, 3))
    if (month !== undefined) return month
  }
  return undefined
}

function monthNames(): Map<string, number> {
  const names = new Map<string, number>()
  for (const language of languages.split(' '))
    for (const style of ['short', 'long'] as const) {
      const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, {
        day: 'numeric',
        month: style,
        timeZone: 'UTC',
      })
      for (let month = 1; month <= 12; month++) {
        const parts = format.formatToParts(Date.UTC(2023, month - 1, 15))
        const word = parts
          .find(({ type }) => type === 'month')
          ?.value.normalize('NFKC')
          .toLowerCase()
          .replace(/\.$/, '')
        // A word that names different months in two languages is decided by the first, the more common one.
        if (word && /^[\p{L}\p{M}]+$/u.test(word) && !names.has(word)) names.set(word, month)
      }
    }
  return names
}
