/** Claims about every date that a feed may contain. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { dateOf, dateReaderFor } from '../../src/feed/dates/dates.ts'
import { languages as account_languages, writtenDate } from '../../src/feed/history/written-date.ts'
import { expectQuick } from '../support/app/quick.ts'
import { anyText, claim, few_runs, madeOf } from './claims.ts'

const two = (number: number) => String(number).padStart(2, '0')
const day_ms = 86_400_000

/** Whole seconds in the years of video feeds, which every format can express. */
const anyMoment = fc
  .integer({ min: Date.UTC(1990, 0) / 1000, max: Date.UTC(2060, 0) / 1000 })
  .map(seconds => new Date(seconds * 1000))

const recentMoment = fc
  .integer({ min: Date.UTC(2005, 0) / 1000, max: Date.UTC(2060, 0) / 1000 })
  .map(seconds => new Date(seconds * 1000))

const parts = (date: Date) => ({
  y: date.getUTCFullYear(),
  m: date.getUTCMonth() + 1,
  d: date.getUTCDate(),
  h: date.getUTCHours(),
  min: two(date.getUTCMinutes()),
  s: two(date.getUTCSeconds()),
  half: date.getUTCHours() < 12 ? 'AM' : 'PM',
  twelve: date.getUTCHours() % 12 || 12,
  weekday: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][date.getUTCDay()],
  name: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'][date.getUTCMonth()],
})
type Parts = ReturnType<typeof parts>

const formats: ((of: Parts) => string)[] = [
  ({ y, m, d, h, min, s }) => `${y}-${two(m)}-${two(d)}T${two(h)}:${min}:${s}`,
  ({ y, m, d, h, min, s }) => `${y}${two(m)}${two(d)}T${two(h)}${min}${s}`,
  ({ y, m, d, h, min, s }) => `${y}${two(m)}${two(d)}${two(h)}${min}${s}`,
  ({ y, m, d, h, min, s }) => `${y}/${m}/${d} ${h}:${min}:${s}`,
  ({ y, m, d, h, min, s }) => `${d}.${m}.${y} ${h}:${min}:${s}`,
  ({ y, m, d, h, min, s }) => `${d}. ${m}. ${y}, ${h}:${min}:${s}`,
  ({ y, m, d, twelve, min, s, half }) => `${m}/${d}/${y} ${twelve}:${min}:${s} ${half}`,
  ({ y, m, d, h, min, s, weekday }) => `${weekday}, ${two(m)}/${two(d)}/${y} - ${two(h)}:${min}:${s}`,
  ({ y, name, d, h, min, s, weekday }) => `${weekday}, ${two(d)} ${name} ${y} ${two(h)}:${min}:${s}`,
  ({ y, name, d, h, min, s, weekday }) => `${weekday}, ${d}-${name}-${y} ${h}:${min}:${s}`,
  ({ y, name, d, twelve, min, s, half }) =>
    `${name}. ${d}, ${y}, ${twelve}:${min}:${s} ${half === 'AM' ? 'a.m.' : 'p.m.'}`,
  ({ y, name, d, twelve, min, s, half }) => `${name} ${d}, ${y} at ${twelve}:${min}:${s}${half.toLowerCase()}`,
  ({ y, m, d, twelve, min, s, half }) =>
    `${y}년 ${m}월 ${d}일 ${half === 'AM' ? '오전' : '오후'} ${twelve}시 ${min}분 ${s}초`,
  ({ y, m, d, twelve, min, s, half }) => `${y}年${m}月${d}日 ${half === 'AM' ? '上午' : '下午'}${twelve}:${min}:${s}`,
]

/** Time zones, with their minutes east of Greenwich. */
const zones: [string, number][] = [
  ['', 0],
  [' GMT', 0],
  [' EST', -300],
  [' MESZ', 120],
  [' SGT', 480],
  [' GMT+0100 (CET)', 60],
  [' GMT-07:00', -420],
  [' UTC+5', 300],
  [' +0530', 330],
  [' -03:30', -210],
  [' \u22120330', -210],
  [' +200', 120],
  [' +2', 120],
  [' Asia/Kolkata', 330],
]

claim(
  'a time in any format and any zone is read correctly',
  fc.property(anyMoment, fc.constantFrom(...formats), fc.constantFrom(...zones), (moment, format, [zone, minutes]) => {
    const local = new Date(moment.getTime() + minutes * 60_000)
    expect(dateOf(`${format(parts(local))}${zone}`)).toEqual(moment)
  }),
)

const languages =
  'en en-GB pt es fr de it nl ru pl sv da nb fi cs sk hu ro bg uk sr sl el tr et lv lt ca hi ar he ko ja zh vi'.split(
    ' ',
  )

claim(
  'a time in the words of any language is read correctly',
  fc.property(
    anyMoment,
    fc.constantFrom(...languages),
    fc.constantFrom('full', 'long'),
    fc.constantFrom('medium', 'long'),
    (moment, language, dateStyle, timeStyle) => {
      const text = moment.toLocaleString(`${language}-u-ca-gregory-nu-latn`, { dateStyle, timeStyle, timeZone: 'UTC' })
      expect({ text, date: dateOf(text) }).toEqual({ text, date: moment })
    },
  ),
)

claim(
  'a date of a history is read in every language, with its digits, calendar and clock',
  fc.property(recentMoment, fc.constantFrom(...account_languages), (moment, language) => {
    const format = { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' } as const
    const text = `${moment.toLocaleString(language, format)} UTC`
    expect({ text, date: writtenDate(text) }).toEqual({ text, date: moment.getTime() })
  }),
)

claim(
  'any text is read as a date with a four-digit year or as none, the same each time, 500 within 200 ms',
  fc.property(
    fc.oneof(
      anyText,
      madeOf([
        '2026',
        '11',
        '5',
        '/',
        '-',
        '.',
        ' ',
        ':',
        '10:00',
        'T',
        'Z',
        'PM',
        'Nov',
        'Mar',
        'lip',
        '+01',
        'GMT',
        '年',
        '오후',
        ',',
        '(',
        '20',
        'Fri, ',
        '+99:99',
        '99',
        '0000',
        '１',
      ]),
    ),
    text => {
      const date = dateOf(text)
      if (date) expect(date.toISOString()).toMatch(/^\d{4}-/)
      expect(dateOf(text)).toEqual(date)
      expect(dateReaderFor([text])(text)?.toISOString()).toBe(date?.toISOString())
      expectQuick(200, () => Array.from({ length: 500 }, () => dateOf(text)))
    },
  ),
  few_runs,
)

claim(
  'a date without a time is read as its day, whatever words surround it',
  fc.property(
    anyMoment,
    fc.constantFrom('', 'Posted ', 'on the '),
    fc.constantFrom(...formats.slice(8, 11)),
    (moment, lead, format) => {
      const midnight = new Date(Math.floor(moment.getTime() / day_ms) * day_ms)
      const text = `${lead}${format(parts(midnight)).replace(/,? \d+:.*$/, '')}`
      expect(dateOf(text)).toEqual(midnight)
    },
  ),
)
