/** The description of a video as plain text, with web addresses and times as links, and the chapters of the video. */
import { watchPath, webUrl } from '../../schema/http/paths.ts'
import type { Chapter } from '../../schema/sources/facts.ts'
import { withoutPunctuation, written_address } from '../../schema/values/address.ts'
import { durationWords } from '../../schema/values/words.ts'
import { chaptersIn, fewest_chapters, shownChapters, timePieces } from '../../schema/videos/described-times.ts'
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

type Described = Pick<Video, 'video_id' | 'duration_seconds' | 'description'>

/**
 * The chapters of a video as links to their times; `player/chapters.js` marks them on the line of the player. `chapters`: as the site names
 * them.
 */
export const Chapters = ({ video, chapters }: { video: Described; chapters: Chapter[] }) => {
  const shown = shownChapters({ ...video, chapters })
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
