/** The chapters of a video as links to their times. `player-chapters.js` marks them on the line of the player. */
import type { Chapter } from '../../schema/sources/chapter.ts'
import type { Video } from '../../schema/videos/video.ts'
import { watchPath } from '../ui/paths.ts'
import { durationWords } from '../ui/words.ts'
import { listedTimePieces } from './description.tsx'

type Described = Pick<Video, 'video_id' | 'duration_seconds' | 'description'>

/** `chapters`: as the site names them. Where it names none, the description may. */
export const Chapters = ({ video, chapters }: { video: Described; chapters: Chapter[] }) => {
  const shown = chapters.length > 0 ? chapters : chaptersIn(video)
  return shown.length < fewest ? null : (
    <nav class="chapters" aria-labelledby="chapters">
      <h2 id="chapters">Chapters</h2>
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
    </nav>
  )
}

/** A single time in a description is a remark. */
const fewest = 2
const most = 200

type Times = Pick<Video, 'description' | 'duration_seconds'>

/** Lines of the description that begin with a time, as long as the times rise from the start of the video; or those that end with one. */
export function chaptersIn({ description, duration_seconds }: Times): Chapter[] {
  const lines = (description ?? '').split('\n').map(line => listedTimePieces(line.slice(0, 300), duration_seconds))
  const chapters = risingFrom(latest_first_s, lines.map(beginningWithTime))
  return chapters.length < fewest ? risingFrom(0, lines.map(endingWithTime)) : chapters
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
  return chapters.length < fewest ? [] : chapters.slice(0, most)
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
