/** Turns the entries of a listing into entries to save: which video each one is, and its place in the list of its channel. Pure. */
import type { StartedBackfill } from '../../db/channels/backfills.ts'
import type { EntryToSave } from '../../db/saving/saving.ts'
import { distinct, identityOf } from '../../feed/formats/identity.ts'
import type { FeedEntry } from '../../schema/sources/feed.ts'
import type { ListedEntry } from '../../schema/sources/listing.ts'

/** With the ids that the same videos have in a feed, each video once. */
export const feedEntriesOf = (listed: ListedEntry[]): FeedEntry[] =>
  distinct(
    listed.map(({ title, ...entry }) => {
      const { video_id, aliases } = identityOf(entry.video_url, { page: entry.video_url })
      return { ...entry, video_id, title: title ?? video_id, description: null, ...(aliases && { aliases }) }
    }),
  )

type Sorted = { older: EntryToSave[]; news: EntryToSave[] }

/**
 * Sorts the batches of one listing, in their order. `known`: the places of stored videos.
 *
 * A listed video without a date comes right after the one that is listed before it. An approximate date comes after that one
 * too, as far as it can be wrong: YouTube gives "3 days ago" to videos whose order it knows.
 */
export function sorter({
  followed_at,
  newest_at,
  oldest_at,
}: Pick<StartedBackfill, 'followed_at' | 'newest_at' | 'oldest_at'>) {
  /** The place of the entry before, in the list. */
  let last: Date | null = null

  const placed = (entry: FeedEntry, now: Date): EntryToSave => {
    const { published_at, published_precision, live_status } = entry
    if (published_at) {
      const is_after = published_precision === 'approximate' && last !== null && mayBeBefore(published_at, last, now)
      last = is_after && last ? before(last, 1000) : published_at
      return { ...entry, published_at: last }
    }
    // An announced stream has no date, and is listed first.
    if (live_status === 'upcoming' || live_status === 'live') return entry
    last = before(last ?? oldest_at ?? now, 1)
    return { ...entry, place_at: last }
  }

  /** Published since the person follows the channel, and after all that the feed has listed: the feed will list it too. */
  const isNews = ({ published_at }: FeedEntry) =>
    published_at != null && published_at >= followed_at && (newest_at === null || published_at > newest_at)

  return (entries: FeedEntry[], known: Map<string, Date>, now: Date): Sorted => {
    const sorted: Sorted = { older: [], news: [] }
    for (const entry of entries) {
      const place = known.get(entry.video_id)
      if (place) last = place
      else if (isHidden(entry)) continue
      const to_save = place ? entry : placed(entry, now)
      sorted[!place && isNews(to_save) ? 'news' : 'older'].push(to_save)
    }
    return sorted
  }
}

/** A private or removed video of a playlist. Nothing of it is known, so only what was stored before is updated. */
const isHidden = ({ title, video_id, availability }: FeedEntry) =>
  title === video_id && (availability === 'private' || availability === 'removed')

const before = (date: Date, ms: number) => new Date(date.getTime() - ms)

/** Whether a video with the approximate date `at` may be older than `last`. */
function mayBeBefore(at: Date, last: Date, now: Date): boolean {
  const later_ms = at.getTime() - last.getTime()
  return later_ms >= 0 && later_ms <= unitOf(at, now)
}

const day_ms = 86_400_000

/** Milliseconds of the unit that a site uses for a date this long ago. An approximate date is wrong by one unit at most. */
function unitOf(at: Date, now: Date): number {
  const days = (now.getTime() - at.getTime()) / day_ms
  return day_ms * (days < 14 ? 1 : days < 62 ? 7 : days < 730 ? 31 : 366)
}
