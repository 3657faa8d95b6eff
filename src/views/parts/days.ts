/** The days of a list of videos, in the reader's time zone. */
import type { ListedVideo } from '../../schema/video.ts'

/** `2026-11-20`, the day on which a list places the video. */
export function dayOf(
  { published_at, first_seen_at }: Pick<ListedVideo, 'published_at' | 'first_seen_at'>,
  time_zone: string,
): string {
  const at = published_at && published_at < first_seen_at ? published_at : first_seen_at
  return dateIn(time_zone).format(at)
}

/** "Today", "Yesterday", "Friday", "12 November", "12 November 2025". */
export function dayWords(day: string, now: Date, time_zone: string): string {
  const today = dateIn(time_zone).format(now)
  const days_ago = Math.round((Date.parse(today) - Date.parse(day)) / a_day_ms)
  if (days_ago <= 0) return 'Today'
  if (days_ago === 1) return 'Yesterday'
  if (days_ago < 7) return week_day.format(new Date(day))
  return (day.slice(0, 4) === today.slice(0, 4) ? day_and_month : day_month_year).format(new Date(day))
}

const a_day_ms = 86_400_000

const inUtc = (parts: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: 'UTC' })
const week_day = inUtc({ weekday: 'long' })
const day_and_month = inUtc({ day: 'numeric', month: 'long' })
const day_month_year = inUtc({ day: 'numeric', month: 'long', year: 'numeric' })

/** To build a format takes a hundred times as long as to use it. */
const formats = new Map<string, Intl.DateTimeFormat>()
const most_formats = 500

/** Swedish writes dates as ISO 8601 does. */
function dateIn(time_zone: string): Intl.DateTimeFormat {
  const known = formats.get(time_zone)
  if (known) return known
  if (formats.size >= most_formats) formats.clear()
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone })
  formats.set(time_zone, format)
  return format
}
