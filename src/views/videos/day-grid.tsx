/** Videos as cards under the names of their days, with a line where those of the last visit begin. */
import type { ListedVideo } from '../../schema/videos/video.ts'
import { Ago } from '../ui/times.tsx'
import { dayOf, headingsOf } from './days.ts'
import { VideoGrid } from './video-card.tsx'

/** What is above the first of these videos, on the page before. */
export type Above = { day?: string | undefined; is_new?: boolean }

type Props = {
  videos: ListedVideo[]
  now: Date
  time_zone: string
  new_since: Date | null
  above: Above
  id: string
  choose_for?: string | undefined
}

export const DayGrid = ({ videos, now, time_zone, new_since, above, id, choose_for }: Props) => (
  <VideoGrid
    id={id}
    videos={videos}
    now={now}
    choose_for={choose_for}
    heading="h3"
    above={above.day === undefined ? 0 : Number.POSITIVE_INFINITY}
    lines={linesOf(videos, { now, time_zone, new_since, above }).map(({ heading, is_last_visit }) => (
      <>
        {is_last_visit && new_since && (
          <p class="last-visit">
            <span>
              Your last visit, <Ago at={new_since} now={now} />
            </span>
          </p>
        )}
        {heading && <h2 class="day">{heading}</h2>}
      </>
    ))}
  />
)

type Line = { heading: string | undefined; is_last_visit: boolean }

/** For each video: its heading where one begins, and whether it is the first that is not new below new ones. */
export function linesOf(
  videos: ListedVideo[],
  { now, time_zone, new_since, above }: Pick<Props, 'now' | 'time_zone' | 'new_since' | 'above'>,
): Line[] {
  const headings = headingsOf(videos, now, time_zone, above.day)
  let is_below_new = above.is_new ?? false
  return videos.map((video, nth) => {
    const is_last_visit = is_below_new && !isNew(video, new_since)
    is_below_new = isNew(video, new_since) || (is_below_new && !is_last_visit)
    const goes_on = nth === 0 ? dayOf(video, now, time_zone) === above.day : headings[nth] === headings[nth - 1]
    return { heading: goes_on && !is_last_visit ? undefined : headings[nth], is_last_visit }
  })
}

export const isNew = ({ first_seen_at }: Pick<ListedVideo, 'first_seen_at'>, new_since: Date | null): boolean =>
  new_since !== null && first_seen_at > new_since
