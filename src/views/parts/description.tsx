/** A description as its author broke it into lines, with its web addresses and times as links and nothing else alive. */
import type { Video } from '../../schema/video.ts'
import { watchPath, webUrl } from './words.ts'

/** `can_seek`: there is something to play, so that a time is a place in it. */
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

/** The text in pieces, in order and nothing lost. A full stop or bracket after an address is not part of it. */
export function linkPieces(text: string): { words: string; href?: string }[] {
  return text.split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}])/i).map((words, index) => {
    const href = index % 2 === 1 ? webUrl(words) : undefined
    return href ? { words, href } : { words }
  })
}

/**
 * The text in pieces, in order and nothing lost, with the second that each time in it means: `1:02:03`, `75:30`. A time of
 * day, a score or a date is none, nor is what lies beyond the end.
 */
export function timePieces(text: string, duration_seconds: number | null): { words: string; seconds?: number }[] {
  return text.split(a_time).map((words, index) => {
    const seconds = index % 2 === 1 ? secondsIn(words) : undefined
    return seconds === undefined || seconds > (duration_seconds ?? Number.POSITIVE_INFINITY)
      ? { words }
      : { words, seconds }
  })
}

/** Two digits of seconds, with nothing before or behind that makes it part of something longer. */
const a_time =
  /(?<![\d:.,/+\p{L}-])((?:\d{1,2}:[0-5]\d|\d{1,3}):[0-5]\d)(?![\d:/]|[.,]\d|\s?(?:am|pm|a\.m|p\.m|uhr|h|utc|gmt|cet|cest|est|edt|pst|pdt|bst)\b)/giu

const secondsIn = (time: string) => time.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0)
