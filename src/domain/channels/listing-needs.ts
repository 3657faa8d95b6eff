/**
 * Decides when a channel's listing replaces its feed, and which listed videos are new. A feed that has failed for hours is replaced
 * until it works again. A feed with more new videos than it holds is completed once. A playlist's feed has the first fifteen videos in
 * the order of the playlist, so its listing is read daily. Pure.
 */
import type { DueFeed } from '../../db/channels/everyone/feeds.ts'
import type { DueListing, ListingNeed } from '../../db/channels/everyone/listings.ts'
import type { Source } from '../../schema/sources/facts.ts'
import type { FeedEntry } from '../../schema/sources/feed.ts'
import { isListed, isPlaylist } from '../listings/lists-of-channel.ts'
import { full_feed_length } from '../saving/save-feed.ts'

const [hour_s, day_ms] = [3600, 24 * 3_600_000]

/**
 * Waits in seconds. `failing`: from the first failure to the first listing. `again`: between two listings while the feed fails. `refused`:
 * after a listing that the site refused. `daily`: between two listings of a playlist.
 */
export const listing_waits = { failing: 3 * hour_s, again: 4 * hour_s, refused: hour_s / 2, daily: 24 * hour_s }

/** A wait that is up to a fifth longer, so that the listings of one platform are not all read at once. `random`: from 0 up to 1. */
export const lengthened = (seconds: number, random: number): number => Math.round(seconds * (1 + random / 5))

/** How many entries of a list are read: five pages of a tab, ten of a playlist. */
export const max_listed_entries = { channel: 150, playlist: 1_000 }

type FetchOutcome = { kind: 'failed' } | { kind: 'unchanged' } | { kind: 'changed'; feed: { entries: FeedEntry[] } }

/** Whether a due feed needs its listing after a fetch; `undefined`: it does not. */
export function listingNeedAfter(
  fetched: FetchOutcome,
  { rss_url, page_url, posted, last_fetched_at }: Pick<DueFeed, 'rss_url' | 'page_url' | 'posted' | 'last_fetched_at'>,
  random: number,
): ListingNeed | undefined {
  if (!isListed(rss_url, page_url)) return undefined
  const newest = posted.length === 0 ? null : new Date(Math.max(...posted.map(Number)))
  // A video that the last fetch did not find was published after it.
  const since = last_fetched_at ?? newest
  if (fetched.kind === 'failed')
    return { rss_url, need: 'failing', after_s: lengthened(listing_waits.failing, random), since }
  const count = fetched.kind === 'changed' ? fetched.feed.entries.length : posted.length
  if (isPlaylist(rss_url)) {
    return count < full_feed_length
      ? undefined
      : { rss_url, need: 'daily', after_s: lengthened(listing_waits.daily, random), since }
  }
  const overflows = fetched.kind === 'changed' && newest !== null && areAllAfter(fetched.feed.entries, newest)
  // A refresh by hand may have been the last fetch, and had its videos for one person alone.
  return overflows ? { rss_url, need: 'overflow', after_s: 0, since: newest } : undefined
}

/** Whether the listing shows the picture of the channel. That of a playlist shows none. */
export const canShowPicture = (rss_url: string, page_url: string | null): boolean =>
  isListed(rss_url, page_url) && !isPlaylist(rss_url)

/** A feed that is not full has lost nothing. */
function areAllAfter(entries: FeedEntry[], since: Date): boolean {
  return (
    entries.length >= full_feed_length &&
    entries.every(({ published_at }) => published_at !== null && published_at > since)
  )
}

type News = { entries: FeedEntry[]; source: Source }

/**
 * The videos of a listing that are missing, for `listed` in its order. An approximate date may be a day too early, so a missing video
 * counts as published after the last fetch, which did not find it. A video without a date is as new as the one that is listed before
 * it. The first listing of a playlist only says what was there before.
 */
export function newsIn(listed: FeedEntry[], { rss_url, since, is_first, known }: DueListing): News {
  const is_playlist = isPlaylist(rss_url)
  const stored = new Set(known)
  const from = since === null ? Number.POSITIVE_INFINITY : since.getTime() - day_ms
  let last = Number.NEGATIVE_INFINITY
  const entries = listed.filter(entry => {
    last = entry.published_at?.getTime() ?? last
    const is_new = is_playlist || last >= from || isUpcomingOrLive(entry)
    return is_new && !stored.has(entry.video_id) && !isHidden(entry)
  })
  return {
    entries: is_playlist ? entries : entries.map(entry => notBefore(entry, since)),
    source: is_playlist && is_first ? 'listing' : 'feed',
  }
}

/** A millisecond later, because the database counts microseconds, and a rule takes no video from before its channel was followed. */
const notBefore = (entry: FeedEntry, since: Date | null): FeedEntry =>
  since && entry.published_precision === 'approximate' && entry.published_at && entry.published_at < since
    ? { ...entry, published_at: new Date(since.getTime() + 1) }
    : entry

const isUpcomingOrLive = ({ published_at, live_status }: FeedEntry) =>
  published_at === null && (live_status === 'upcoming' || live_status === 'live')

/** A private or removed video of a playlist, of which nothing is known. */
const isHidden = ({ availability }: FeedEntry) => availability === 'private' || availability === 'removed'
