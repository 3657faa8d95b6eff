/** Lists the pictures of what a save has written, so that they are planned: once for a feed, not once for each follower. */
import type { Source } from '../../schema/sources/facts.ts'
import type { FeedEntry, Saved } from '../../schema/sources/feed.ts'
import type { PlannedPicture } from '../queue/picture-plans.ts'
import type { FeedRow } from './channel-writes.ts'

type SavedFeed = { row: Pick<FeedRow, 'image_url'>; entries: Pick<FeedEntry, 'thumbnail_url'>[] }
/** `feed`: its place in the list. */
type Result = { feed: number; created: boolean; saved: Saved }

/** Pages show the newest videos of a new channel first, so the pictures of further ones can wait. */
const most_wanted = 60

/** A feed that changed nothing is left out: its pictures are planned already. */
export function picturesOf(feeds: SavedFeed[], results: Result[], source: Source): PlannedPicture[] {
  const changed = new Set(
    results.flatMap(({ feed, created, saved }) => (created || saved.inserted + saved.updated > 0 ? [feed] : [])),
  )
  return [...changed].flatMap(feed => {
    const { row, entries } = feeds[feed] ?? { row: { image_url: null }, entries: [] }
    const channel = row.image_url === null ? [] : [{ kind: 'channel' as const, url: row.image_url, is_wanted: true }]
    const videos = entries.flatMap(({ thumbnail_url }, at) =>
      thumbnail_url == null
        ? []
        : [{ kind: 'video' as const, url: thumbnail_url, is_wanted: source !== 'listing' && at < most_wanted }],
    )
    return [...channel, ...videos]
  })
}
