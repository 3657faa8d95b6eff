/** The description of a video as plain text, with web addresses and times as links, and the chapters of the video. */

import { watchPath, webUrl } from '../../schema/http/paths.ts'
import type { Chapter } from '../../schema/sources/facts.ts'
import { withoutPunctuation, written_address } from '../../schema/values/address.ts'
import { asciiDigits } from '../../schema/values/digits.ts'
import { durationWords } from '../../schema/values/words.ts'
import type { Video } from '../../schema/videos/video.ts'
import { Icon } from '../ui/icon.tsx'

/** `can_seek`: there is a file to play, so times become links into it. */
type DescriptionProps = { text: string; video: Pick<Video, 'video_id' | 'duration_seconds'>; can_seek: boolean }

/** A long one is folded to the first lines of its text. */
export const Description = (props: DescriptionProps) =>
  isLong(props.text) ? (
    <details class="described">
      <summary>
        <span class="begins" dir="auto">
          {props.text.trim().slice(0, folded_letters).toWellFormed()}
        </span>
        <span class="more-words"></span>
      </summary>
      <Text {...props} />
    </details>
  ) : (
    <Text {...props} />
  )

/** Three lines of a wide screen. */
const folded_letters = 400
const isLong = (text: string): boolean => text.length > folded_letters || text.trim().split('\n').length > 3

const Text = ({ text, video, can_seek }: DescriptionProps) => (
  <section class="description" aria-label="Description" dir="auto">
    {linkPieces(text).flatMap(({ words, href }) =>
      href ? (
        <a href={href} rel="noreferrer nofollow ugc">
          {words}
        </a>
      ) : can_seek ? (
        timePieces(words, video.duration_seconds).map(piece =>
          piece.seconds === undefined ? piece.words : seekTo(video, piece.words, piece.seconds),
        )
      ) : (
        words
      ),
    )}
  </section>
)

const seekTo = (video: Pick<Video, 'video_id'>, words: string, seconds: number) => (
  <a class="seek" href={`${watchPath(video)}?t=${seconds}`} data-seek={seconds}>
    {words}
  </a>
)

/** Splits the text at web addresses and loses nothing. Punctuation after an address is not part of it. */
export function linkPieces(text: string): { words: string; href?: string }[] {
  const pieces: { words: string; href?: string }[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(written_address)) {
    const words = withoutPunctuation(found)
    const href = webUrl(/^www\./i.test(words) ? `https://${words}` : words)
    if (!href) continue
    pieces.push({ words: text.slice(end, index) }, { words, href })
    end = index + words.length
  }
  return [...pieces, { words: text.slice(end) }]
}

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

type Described = Pick<Video, 'video_id' | 'duration_seconds' | 'description'>

/**
 * The chapters of a video as links to their times; `player/chapters.js` marks them on the line of the player. `chapters`: as the site names
 * them. Where the site names none, the description may.
 */
export const Chapters = ({ video, chapters }: { video: Described; chapters: Chapter[] }) => {
  const shown = chapters.length > 0 ? chapters : chaptersIn(video)
  return shown.length < fewest_chapters ? (
    <NoChapters />
  ) : (
    <details id="chapters" class={isDescribed(video, shown) ? 'chapters described-too' : 'chapters'} name="companion">
      <summary>
        Chapters <span class="quiet">{shown.length}</span>
        <Icon name="chevron" />
      </summary>
      <ol>
        {shown.map(({ start_seconds, title }) => {
          const seconds = Math.floor(start_seconds)
          return (
            <li>
              <a href={`${watchPath(video)}?t=${seconds}`} data-seek={seconds}>
                <span class="quiet">{durationWords(seconds)}</span> <bdi>{title || 'Untitled'}</bdi>
              </a>
            </li>
          )
        })}
      </ol>
    </details>
  )
}

/** Whether the description lists the same times. */
const isDescribed = (video: Described, chapters: Chapter[]): boolean => timesOf(chaptersIn(video)) === timesOf(chapters)
const timesOf = (chapters: Chapter[]) => chapters.map(({ start_seconds }) => Math.floor(start_seconds)).join()

/** Keeps their place, because they come with the file. */
export const NoChapters = () => <div id="chapters" hidden></div>

/** A single time in a description is a remark. */
const fewest_chapters = 2
const max_chapters = 200

type Times = Pick<Video, 'description' | 'duration_seconds'>

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
