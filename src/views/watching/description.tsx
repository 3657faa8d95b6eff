/** The description of a video as plain text, with web addresses and times as links, and the chapters of the video. */

import { watchPath, webUrl } from '../../schema/http/paths.ts'
import type { Chapter } from '../../schema/sources/facts.ts'
import { withoutPunctuation, written_address } from '../../schema/values/address.ts'
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

/** Digits and colons of East Asian keyboards too. */
const [digit, colon] = ['[\\d０-９]', '[:：]']
/**
 * A time ends in two digits of seconds and is not part of a longer number, date or time of day. Behind a hyphen it is the end of a
 * stretch, if a time is before that.
 */
const listed_time = `(?<!${digit}|${colon}|[.,/+\\p{L}]|(?<!${colon}${digit}{2})-)((?:${digit}{1,2}${colon}[0-5０-５]${digit}|${digit}{1,3})${colon}[0-5０-５]${digit})(?!${digit}|${colon}${digit}|/|[.,]${digit})`
const a_listed_time = new RegExp(listed_time, 'u')
const a_time = new RegExp(
  `${listed_time}(?!\\s?(?:am|pm|a\\.m|p\\.m|uhr|h|utc|gmt|cet|cest|est|edt|pst|pdt|bst)\\b)`,
  'iu',
)

const secondsIn = (time: string) =>
  time
    .normalize('NFKC')
    .split(':')
    .reduce((seconds, part) => seconds * 60 + Number(part), 0)

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

/** Lines of the description that begin with a time, as long as the times rise from the start of the video; or those that end with one. */
export function chaptersIn({ description, duration_seconds }: Times): Chapter[] {
  const lines = (description ?? '').split('\n').map(line => listedTimePieces(line.slice(0, 300), duration_seconds))
  const chapters = risingFrom(latest_first_s, lines.map(beginningWithTime))
  return chapters.length < fewest_chapters ? risingFrom(0, lines.map(endingWithTime)) : chapters
}

type Line = ReturnType<typeof listedTimePieces>

function risingFrom(latest_first_s: number, lines: (Chapter | undefined)[]): Chapter[] {
  const chapters: Chapter[] = []
  for (const chapter of lines) {
    if (chapter === undefined || chapter.title === '') continue
    const before = chapters.at(-1)
    const is_next = before ? chapter.start_seconds > before.start_seconds : chapter.start_seconds <= latest_first_s
    if (is_next) chapters.push(chapter)
  }
  return chapters.length < fewest_chapters ? [] : chapters.slice(0, max_chapters)
}

/** `1:30 Intro`, `1. 1:30 Intro` and `1:30 - 2:40 Intro`. */
function beginningWithTime([before, time, ...after]: Line): Chapter | undefined {
  if (time?.seconds === undefined || /[\p{L}\p{N}]/u.test(before?.words.replace(/^\W*\d{1,3}[.)]/, '') ?? ''))
    return undefined
  const [between, end] = after
  const is_stretch = end?.seconds !== undefined && /^[\s\])}]*[-‐-―~～→]+[\s[({]*$/u.test(between?.words ?? '')
  const words = (is_stretch ? after.slice(2) : after).map(({ words }) => words).join('')
  return { start_seconds: time.seconds, title: titleOf(words) }
}

/** `Intro 1:30`. */
function endingWithTime([before, time, ...after]: Line): Chapter | undefined {
  const has_more = after.some(({ words }) => /[\p{L}\p{N}]/u.test(words))
  if (time?.seconds === undefined || has_more) return undefined
  return { start_seconds: time.seconds, title: titleOf(before?.words ?? '').replace(/[\s\p{P}]+$/u, '') }
}

/** Without signs before it, unless it consists of emoji. */
function titleOf(words: string): string {
  const title = words.replace(/^[^\p{L}\p{N}]+/u, '') || words.replace(/^[\s\p{P}\p{Sm}\p{Cf}]+/u, '')
  return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(title) ? title.slice(0, 200).toWellFormed().trim() : ''
}

/** A list of chapters begins at the start. */
const latest_first_s = 5
