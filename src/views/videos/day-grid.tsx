/**
 * Videos as cards under the names of their days, with a line where those of the last visit begin. A heading names a day of the last
 * week or a week before, in the reader's time zone.
 */
import type { ListedVideo } from '../../schema/videos/video.ts'
import { Ago } from '../ui/times.tsx'
import { VideoGrid } from './video-lists.tsx'

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
function linesOf(
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

type Dated = Pick<ListedVideo, 'published_at' | 'first_seen_at'>

/**
 * The heading of each video. Each heading begins a line of cards, so days with few videos share one: "Thursday to Saturday".
 * `day_above`: of the last video before these, under whose heading a video of the same day continues.
 */
export function headingsOf(videos: Dated[], now: Date, time_zone: string, day_above?: string): string[] {
  const spans: Span[] = []
  for (const day of videos.map(video => dayOf(video, now, time_zone))) {
    const last = spans.at(-1)
    if (last?.day === day) last.count++
    else spans.push({ day, newest: day, count: 1 })
  }
  const is_begun = spans[0]?.day === day_above
  const merged = is_begun
    ? [...spans.slice(0, 1), ...shared(spans.slice(1), now, time_zone)]
    : shared(spans, now, time_zone)
  return merged.flatMap(({ day, newest, count }) => {
    const [from, to] = [dayWords(day, now, time_zone), dayWords(newest, now, time_zone)]
    return Array<string>(count).fill(from === to ? to : `${from} to ${to}`)
  })
}

/** So many videos with one heading, from `day` to `newest`. */
type Span = { day: string; newest: string; count: number }

/** A day of the last week with fewer videos shares its heading with the days next to it. */
const fewest_under_own_heading = 4

function shared(spans: Span[], now: Date, time_zone: string): Span[] {
  const today = dateIn(time_zone).format(now)
  const isFew = ({ day, count }: Span) =>
    count < fewest_under_own_heading && daysBetween(day, today) > 1 && daysBetween(day, today) < 7
  const merged: Span[] = []
  for (const span of spans) {
    const newer = merged.at(-1)
    if (newer && isFew(newer) && isFew(span))
      merged[merged.length - 1] = { ...span, newest: newer.newest, count: newer.count + span.count }
    else merged.push(span)
  }
  return merged
}

/** `2026-11-20`, the first day under the heading of the video: its own day, or the Monday of its week. */
export function dayOf({ published_at, first_seen_at }: Dated, now: Date, time_zone: string): string {
  const at = published_at && published_at < first_seen_at ? published_at : first_seen_at
  const day = dateIn(time_zone).format(at)
  return daysBetween(day, dateIn(time_zone).format(now)) < 7 ? day : mondayOf(day)
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

function mondayOf(day: string): string {
  const at = Date.parse(day)
  const since_monday = (new Date(at).getUTCDay() + 6) % 7
  return new Date(at - since_monday * a_day_ms).toISOString().slice(0, 10)
}

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
