/** Between which dates a feed shows all videos of its channel. Pure. */
import type { Shown } from '../../db/across/missing-videos.ts'
import { platformVideoIdOf } from '../../feed/platforms/by-address.ts'
import type { FeedEntry } from '../../schema/feed.ts'
import { isPlaylist } from './second-source.ts'

/** `undefined`: the feed does not tell, because it is a playlist's, or not that of a platform we know. */
export function shownByFeed(rss_url: string, entries: FeedEntry[]): Shown | undefined {
  const [first] = entries
  if (!first || platformVideoIdOf(first.video_url) !== first.video_id || isPlaylist(rss_url)) return undefined
  const dates = entries.flatMap(({ published_at }) => published_at?.getTime() ?? [])
  if (dates.length < few) return undefined
  const [from, to] = [new Date(Math.min(...dates)), new Date(Math.max(...dates))]
  return { rss_url, from, to, video_ids: entries.map(({ video_id }) => video_id) }
}

/** Fewer entries have no inside. */
const few = 3
