/**
 * Videos as cards under the names of their days, with a line where those of the last visit begin. A heading names a day of the last
 * week or a week before, in the reader's time zone.
 */
import type { ListedVideo } from '../../schema/videos/video.ts'
import { Ago } from '../ui/times.tsx'
import { type GridProps, VideoGrid } from './video-grid.tsx'

/** What is above the first of these videos, on the page before. */
export type Above = { day?: string | undefined; is_new?: boolean }

type LinesProps = { now: Date; time_zone: string; new_since: Date | null; above: Above }
type Props = LinesProps & Pick<GridProps, 'videos' | 'id' | 'choose_for'>

export const DayGrid = ({ time_zone, new_since, above, ...grid }: Props) => (
  <VideoGrid
    {...grid}
    heading="h3"
    above={above.day === undefined ? 0 : Number.POSITIVE_INFINITY}
    lines={linesOf(grid.videos, { now: grid.now, time_zone, new_since, above }).map(({ heading, is_last_visit }) => (
      <>
        {is_last_visit && new_since && (
          <p class="last-visit">
            <span>
              Your last visit, <Ago at={new_since} now={grid.now} />
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
function linesOf(videos: ListedVideo[], { now, time_zone, new_since, above }: LinesProps): Line[] {
  const headings = headingsOf(videos, now, time_zone, above.day)
  let is_below_new = above.is_new ?? false
  return videos.map((video, nth) => {
    const is_last_visit = is_below_new && !isNew(video, new_since)
    is_below_new = isNew(video, new_since) || (is_below_new && !is_last_visit)
    const goes_on =
      nth === 0 ? lastDayOf([video], now, time_zone, above.day) === above.day : headings[nth] === headings[nth - 1]
    return { heading: goes_on && !is_last_visit ? undefined : headings[nth], is_last_visit }
  })
}

export const isNew = ({ first_seen_at }: Pick<ListedVideo, 'first_seen_at'>, new_since: Date | null): boolean =>
  new_since !== null && first_seen_at > new_since

type Dated = Pick<ListedVideo, 'published_at' | 'first_seen_at'>

/**
 * The heading of each video. Each heading begins a line of cards, so days of the last week with few videos share one.
 * `day_above`: the first day under the heading above these videos, under which a video of the same days continues.
 */
export const headingsOf = (videos: Dated[], now: Date, time_zone: string, day_above?: string): string[] =>
  spansOf(videos, now, time_zone, day_above).flatMap(({ day, is_shared, count }) =>
    Array<string>(count).fill(is_shared ? 'Earlier this week' : dayWords(day, now, time_zone)),
  )

/** The first day under the heading of the last of these videos, for the page after them. */
export const lastDayOf = (videos: Dated[], now: Date, time_zone: string, day_above?: string): string | undefined =>
  spansOf(videos, now, time_zone, day_above).at(-1)?.day

/** So many videos with one heading, the last of them of `day` or later. */
type Span = { day: string; count: number; is_shared: boolean }

/** A day of the last week with fewer videos shares its heading with the days next to it, and with those of the week before them. */
const fewest_under_own_heading = 4

function spansOf(videos: Dated[], now: Date, time_zone: string, day_above?: string): Span[] {
  const today = dateIn(time_zone).format(now)
  const ago = (day: string) => daysBetween(day, today)
  const isFew = ({ day, count }: Span) => count < fewest_under_own_heading && ago(day) > 1 && day !== day_above
  const first_of_week = dayBefore(today, 6)
  const spans: Span[] = []
  for (const [day, { length: count }] of Map.groupBy(videos, video => dayOf(video, now, time_zone, today))) {
    const newer = spans.at(-1)
    const span = { day, count, is_shared: false }
    const goes_on = newer ? newer.is_shared : day_above !== undefined && day_above === first_of_week
    if (ago(day) > 6) spans.push(span)
    else if (newer && (goes_on || (isFew(newer) && isFew(span))))
      spans[spans.length - 1] = { day: first_of_week, count: newer.count + count, is_shared: true }
    else spans.push(goes_on ? { ...span, day: first_of_week, is_shared: true } : span)
  }
  return spans
}

/** `2026-11-20`, the first day under the heading of the video: its own day, or the Monday of its week. */
export function dayOf(
  { published_at, first_seen_at }: Dated,
  now: Date,
  time_zone: string,
  today = dateIn(time_zone).format(now),
): string {
  const at = published_at && published_at < first_seen_at ? published_at : first_seen_at
  const day = dateIn(time_zone).format(at)
  return daysBetween(day, today) < 7 ? day : mondayOf(day)
}

/** "Today", "Yesterday", "Friday", "Week of 9 November", "Week of 24 November 2025". */
export function dayWords(day: string, now: Date, time_zone: string): string {
  const today = dateIn(time_zone).format(now)
  const days_ago = daysBetween(day, today)
  if (days_ago <= 0) return 'Today'
  if (days_ago === 1) return 'Yesterday'
  if (days_ago < 7) return week_day.format(new Date(day))
  const format = day.slice(0, 4) === today.slice(0, 4) ? day_and_month : day_month_year
  return `Week of ${format.format(new Date(day))}`
}

const a_day_ms = 86_400_000

const daysBetween = (earlier: string, later: string) => Math.round((Date.parse(later) - Date.parse(earlier)) / a_day_ms)

const dayBefore = (day: string, days: number) => new Date(Date.parse(day) - days * a_day_ms).toISOString().slice(0, 10)

const mondayOf = (day: string) => dayBefore(day, (new Date(day).getUTCDay() + 6) % 7)

const inUtc = (parts: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: 'UTC' })
const week_day = inUtc({ weekday: 'long' })
const day_and_month = inUtc({ day: 'numeric', month: 'long' })
const day_month_year = inUtc({ day: 'numeric', month: 'long', year: 'numeric' })

/** To build a format takes a hundred times as long as to use it. */
const formats = new Map<string, Intl.DateTimeFormat>()
const max_formats_kept = 500

/** Swedish writes dates as ISO 8601 does. */
function dateIn(time_zone: string): Intl.DateTimeFormat {
  const known = formats.get(time_zone)
  if (known) return known
  if (formats.size >= max_formats_kept) formats.clear()
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone })
  formats.set(time_zone, format)
  return format
}
