/** Between which dates a feed, or the newest page of a listing, shows all videos of its channel. Pure. */
import type { ShownList } from '../../db/videos/everyone/look-plans.ts'
import { platformVideoIdOf } from '../../feed/platforms/by-address.ts'
import type { FeedEntry } from '../../schema/sources/feed.ts'
import { batch_size, type ListedEntry } from '../../schema/sources/listing.ts'
import { isPlaylist } from '../listings/lists-of-channel.ts'

/** `undefined`: the feed does not tell, because it is the feed of a playlist, or of a platform that we do not know. */
export function coverageOfFeed(rss_url: string, entries: FeedEntry[]): ShownList | undefined {
  const [first] = entries
  if (!first || platformVideoIdOf(first.video_url) !== first.video_id || isPlaylist(rss_url)) return undefined
  const dates = entries.flatMap(({ published_at }) => published_at?.getTime() ?? [])
  if (dates.length < min_dated_entries) return undefined
  const [from, to] = [new Date(Math.min(...dates)), new Date(Math.max(...dates))]
  return { rss_url, from, to, video_ids: entries.map(({ video_id }) => video_id) }
}

/** Between fewer dates there is no range. */
const min_dated_entries = 3

/**
 * The coverage of one page of each tab of a channel, read without a fault. The page that reaches back least counts. An approximate
 * date may be wrong by its unit. `undefined`: a playlist, or a page without dates.
 */
export function coverageOfPages(rss_url: string, pages: ListedEntry[][], now: Date): ShownList | undefined {
  const full_pages = pages.filter(({ length }) => length >= batch_size)
  const oldest = full_pages.map(page =>
    Math.min(...page.map(({ published_at }) => published_at?.getTime() ?? Infinity)),
  )
  if (full_pages.length === 0 || isPlaylist(rss_url) || !oldest.every(Number.isFinite)) return undefined
  const reaches_ms = Math.max(...oldest)
  const age_ms = now.getTime() - reaches_ms
  const wrong_ms = age_ms < 14 * day_ms ? day_ms : age_ms < 60 * day_ms ? 7 * day_ms : 31 * day_ms
  const video_ids = pages.flat().flatMap(({ video_url }) => platformVideoIdOf(video_url) ?? [])
  // A new video may reach the listing later than the feed.
  return { rss_url, from: new Date(reaches_ms + wrong_ms), to: new Date(now.getTime() - day_ms), video_ids }
}

const day_ms = 24 * 3_600_000
