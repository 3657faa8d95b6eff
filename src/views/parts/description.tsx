/** The description of a video as plain text, with web addresses and times as links. */
import type { Video } from '../../schema/video.ts'
import { watchPath, webUrl } from './words.ts'

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
  return text.split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}])/i).map((words, index) => {
    const href = index % 2 === 1 ? webUrl(words) : undefined
    return href ? { words, href } : { words }
  })
}

/**
 * Splits the text at times such as `1:02:03` and `75:30`, loses nothing, and gives each time in seconds. Times of day,
 * scores, dates and times beyond the end of the video are left as text.
 */
export function timePieces(text: string, duration_seconds: number | null): { words: string; seconds?: number }[] {
  return text.split(a_time).map((words, index) => {
    const seconds = index % 2 === 1 ? secondsIn(words) : undefined
    return seconds === undefined || seconds > (duration_seconds ?? Number.POSITIVE_INFINITY)
      ? { words }
      : { words, seconds }
  })
}

/** A time ends in two digits of seconds and is not part of a longer number, date or time of day. */
const a_time =
  /(?<![\d:.,/+\p{L}-])((?:\d{1,2}:[0-5]\d|\d{1,3}):[0-5]\d)(?![\d:/]|[.,]\d|\s?(?:am|pm|a\.m|p\.m|uhr|h|utc|gmt|cet|cest|est|edt|pst|pdt|bst)\b)/giu

const secondsIn = (time: string) => time.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0)
