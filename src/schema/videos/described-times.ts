/** Times in a description, and the chapters that it lists by their times. Pure. */
import type { Chapter } from '../sources/facts.ts'
import { asciiDigits } from '../values/digits.ts'
import type { Video } from './video.ts'

type TimePiece = { words: string; seconds?: number }

/**
 * Splits the text at times such as `1:02:03` and `75:30`, loses nothing, and gives each time in seconds. Times of day,
 * scores, dates and times beyond the end of the video are left as text.
 */
export const timePieces = (text: string, duration_seconds: number | null): TimePiece[] =>
  piecesAt(a_time, text, duration_seconds)

/** In a list of chapters, words that may belong to a time of day are those of a title. */
const listedTimePieces = (text: string, duration_seconds: number | null): TimePiece[] =>
  piecesAt(a_listed_time, text, duration_seconds)

const piecesAt = (time: RegExp, text: string, duration_seconds: number | null): TimePiece[] =>
  text.split(time).map((words, index) => {
    const seconds = index % 2 === 1 ? secondsIn(words) : undefined
    return seconds === undefined || seconds > (duration_seconds ?? Number.POSITIVE_INFINITY)
      ? { words }
      : { words, seconds }
  })

/** Digits of any script, and colons of East Asian keyboards and of mathematics. */
const [digit, colon] = ['\\p{Nd}', '[:：∶]']
/**
 * A time ends in two digits of seconds and is not part of a longer number, date or time of day; several dots may lead to the time. Behind
 * a hyphen the time is the end of a stretch, if a time is before that.
 */
const any_time = `(?<!${digit}|${colon}|(?<![.])[.]|[,/+\\p{L}]|(?<!${colon}${digit}{2})-)((?:${digit}{1,2}${colon}${digit}{2}|${digit}{1,3})${colon}${digit}{2})`
const not_longer = `(?!${digit}|${colon}${digit}|/|[.,]${digit})`
const a_listed_time = new RegExp(`${any_time}(?:[.,]${digit}{1,3})?${not_longer}`, 'u')
const a_time = new RegExp(
  `${any_time}${not_longer}(?!\\s?(?:am|pm|a\\.m|p\\.m|uhr|h|utc|gmt|cet|cest|est|edt|pst|pdt|bst)\\b)`,
  'iu',
)

/** Undefined for more than 59 seconds, or minutes of an hour. */
function secondsIn(time: string): number | undefined {
  const [first = 0, ...parts] = time.split(new RegExp(colon, 'u')).map(part => Number(asciiDigits(part)))
  return parts.some(part => part > 59) ? undefined : parts.reduce((seconds, part) => seconds * 60 + part, first)
}

/** A single time in a description is a remark. */
export const fewest_chapters = 2
const max_chapters = 200

type Times = Pick<Video, 'description' | 'duration_seconds'>

/** `chapters`: as the site names them. Where the site names none, the description may. */
export const shownChapters = ({ chapters, ...video }: Times & { chapters: Chapter[] | null }): Chapter[] =>
  chapters && chapters.length > 0 ? chapters : chaptersIn(video)

/**
 * Lines with a time, as long as the times rise from the start of the video. What is left of a line is the title. Lines that begin with
 * their time are more likely a list than others, so they may begin a little late.
 */
export function chaptersIn({ description, duration_seconds }: Times): Chapter[] {
  const lines = (description ?? '')
    .split(/[\n\v\f\r\u0085\u2028\u2029]|<br\s*\/?>/i)
    .values()
    .map(line => timedLine(listedTimePieces(line.slice(0, 300), duration_seconds)))
    .filter(line => line !== undefined)
    .take(2 * max_chapters)
    .toArray()
  const all = chaptersOf(0, lines)
  const [first, ...others] = chaptersOf(
    latest_first_s,
    lines.filter(({ before }) => before === ''),
  )
  // A heading may be before the first time.
  return first === undefined || (all[0] && all[0].start_seconds < first.start_seconds) ? all : [first, ...others]
}

/** A line around its time. */
type TimedLine = { start_seconds: number; before: string; after: string }

/** Undefined for a line without a time or without words. */
function timedLine([first, time, ...rest]: TimePiece[]): TimedLine | undefined {
  if (time?.seconds === undefined) return undefined
  const [between, end] = rest
  const is_stretch = end?.seconds !== undefined && a_stretch.test(between?.words ?? '')
  const before = titleOf((first?.words ?? '').replace(a_number, '')).replace(/[\s\p{Ps}]+$/u, '')
  const behind = titleOf(wordsOf(is_stretch ? rest.slice(2) : rest))
  // The word in `0:00 Song (3:45)` is the title, because the line has no other.
  const after = before || behind || !/\p{L}/u.test(between?.words ?? '') ? behind : titleOf(wordsOf(rest))
  return before || after ? { start_seconds: time.seconds, before, after } : undefined
}

const wordsOf = (pieces: TimePiece[]): string => pieces.map(({ words }) => words).join('')

/** The words between the two times of `1:30 - 2:40 Intro` and `1:30 to 2:40 Intro`. */
const a_stretch = /^[\s\p{Pe}]*(?:[\p{Pd}~～〜→]+|[\p{Ll}\p{Lo}]{1,4})[\s\p{Ps}]*$/u
/** Signs before a time, with `1.`, `①`, `a)` or `II.` among them. */
const a_number = /^[^\p{L}\p{N}]*(?:\p{N}+|(?:\p{L}|[ivxlc]+)[.)\]:])?[^\p{L}\p{N}]*$/iu

function chaptersOf(latest_first_s: number, lines: TimedLine[]): Chapter[] {
  const rising = longestRising(latest_first_s, lines).slice(0, max_chapters)
  if (rising.length < fewest_chapters) return []
  const [first, second] = rising
  // Words before the first time alone are the heading of the list.
  const has_heading = first?.after !== '' && second?.before === ''
  return rising.map(({ start_seconds, before, after }, at) => {
    const alone = before.replace(/[\s\p{P}\p{Sm}]+$/u, '')
    const whole = at === 0 && has_heading ? after : `${before} ${after}`.trim()
    return { start_seconds, title: after === '' ? alone : whole }
  })
}

/** The most lines of which each is later than the one before, so that a wrong time alone is left out; of equally many the first. */
function longestRising(latest_first_s: number, lines: TimedLine[]): TimedLine[] {
  const from: TimedLine[][] = []
  const longest = (later: TimedLine[][]) =>
    later.reduce<TimedLine[]>((best, one) => (one.length > best.length ? one : best), [])
  for (const line of lines.toReversed())
    from.unshift([line, ...longest(from.filter(([next]) => next && next.start_seconds > line.start_seconds))])
  return longest(from.filter(([first]) => first && first.start_seconds <= latest_first_s))
}

/** Without signs before it, unless it consists of emoji. */
function titleOf(words: string): string {
  const title = words.replace(/^[^\p{L}\p{N}]+/u, '') || words.replace(/^[\s\p{P}\p{Sm}\p{Cf}]+/u, '')
  return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(title) ? title.slice(0, 200).toWellFormed().trim() : ''
}

/** A list of chapters begins at the start. */
const latest_first_s = 5
