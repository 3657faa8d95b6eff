/** The chapters of a video as links to their times. `player-chapters.js` marks them on the line of the player. */
import type { Chapter } from '../../schema/chapter.ts'
import type { Video } from '../../schema/video.ts'
import { timePieces } from './description.tsx'
import { durationWords, watchPath } from './words.ts'

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

/** Lines of the description that begin with a time, as long as the times rise from the start of the video. */
export function chaptersIn({
  description,
  duration_seconds,
}: Pick<Video, 'description' | 'duration_seconds'>): Chapter[] {
  const chapters: Chapter[] = []
  for (const line of (description ?? '').split('\n')) {
    const [before, time, ...after] = timePieces(line.slice(0, 300), duration_seconds)
    const start_seconds = time?.seconds
    if (start_seconds === undefined || /[\p{L}\p{N}]/u.test(before?.words ?? '')) continue
    const words = after.map(({ words }) => words).join('')
    const title = words
      .replace(/^[^\p{L}\p{N}]+/u, '')
      .slice(0, 200)
      .trim()
    const is_next =
      chapters.length === 0 ? start_seconds <= latest_first_s : start_seconds > (chapters.at(-1)?.start_seconds ?? 0)
    if (title === '' || !is_next) continue
    chapters.push({ start_seconds, title })
  }
  return chapters.length < fewest ? [] : chapters.slice(0, most)
}

/** A list of chapters begins at the start. */
const latest_first_s = 5
