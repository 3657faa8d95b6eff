/** The description of a video as plain text, with web addresses and times as links. */
import { withoutPunctuation, written_address } from '../../schema/values/written-address.ts'
import type { Video } from '../../schema/videos/video.ts'
import { watchPath, webUrl } from '../ui/paths.ts'

/** `can_seek`: there is a file to play, so times become links into it. */
type DescriptionProps = { text: string; video: Pick<Video, 'video_id' | 'duration_seconds'>; can_seek: boolean }

export const Description = ({ text, video, can_seek }: DescriptionProps) => (
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
    const words = withoutPunctuation(found).replace(/^feed:/i, '')
    const href = webUrl(words)
    if (!href) continue
    const at = text.indexOf(words, index)
    pieces.push({ words: text.slice(end, at) }, { words, href })
    end = at + words.length
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
export const listedTimePieces = (text: string, duration_seconds: number | null): TimePiece[] =>
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
