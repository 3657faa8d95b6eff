/**
 * Saves feeds for everyone who follows them: one statement for several feeds and all their followers. The
 * statement is that of `saving/saving.ts`, which also saves one person's channel.
 */
import type { Follower } from '../../../schema/service/jobs.ts'
import type { Source } from '../../../schema/sources/facts.ts'
import type { Feed, FeedEntry, Saved } from '../../../schema/sources/feed.ts'
import type { Everyone } from '../../everyone.ts'
import { isAway, type Sql } from '../../postgres/client.ts'
import { recordFeeds } from '../../queue/known-feeds.ts'
import type { FeedFetchState } from '../../rows/channel-columns.ts'
import { feedRowOf, recordListings, recordNoRoom, updateFollowed } from '../../saving/channel-writes.ts'
import { saveFeeds, type ToSave } from '../../saving/saving.ts'

/** What a fetch of `rss_url` found, and who follows it. */
export type FeedUpdate = FeedFetchState & { feed: Feed; followers: Follower[] }

/** `has_rule`: videos of the channel download automatically. `fault`: the database refused this follower's save, and no other. */
export type SavedFor = Follower & ({ saved: Saved; has_rule: boolean } | { fault: unknown })

/** Followers times entries that one statement saves. Up to this many rows are sorted in memory (`work_mem` 4 MB); more go to disk. */
const max_rows = 2_000

/**
 * Statements at once of one call: a feed of many people is saved on two processors. Two statements that save feeds of one person at the
 * same time do not see each other's new videos, so that the person may get more than the limit.
 */
const statements_at_once = 2

/**
 * The results of each update, in the order of the updates. A follower who has unfollowed the channel, or switched to another feed,
 * has no result. Throws only when the database is away.
 */
export async function saveForFollowers(sql: Everyone, updates: FeedUpdate[]): Promise<SavedFor[][]> {
  const feeds = updates.map(update => ({
    ...update,
    row: feedRowOf(update.feed, update),
    entries: update.feed.entries,
  }))
  const results = await saveParts(sql, feeds, { channels: updateFollowed(sql) })
  await recordFeeds(sql, updates, { on_schedule: true })
  return results
}

/** What a listing found in place of a feed. `list_at`: when it is read next; null: not again. `is_read`: it was read to its end. */
export type SavedListing = {
  rss_url: string
  followers: Follower[]
  entries: FeedEntry[]
  source: Source
  list_at: Date | null
  list_since: Date | null
  is_read: boolean
}

/**
 * Saves the missing videos for all followers, with the state of the listing, as `saveForFollowers` does. Known videos keep what they have.
 */
export async function saveListingForFollowers(
  sql: Everyone,
  { followers, entries, source, ...state }: SavedListing,
): Promise<SavedFor[]> {
  const feed = { row: { ...feedRowOf({ title: '' }), ...state }, entries, followers }
  const [results = []] = await saveParts(sql, [feed], {
    channels: recordListings(sql),
    source,
    merge: 'fill',
  })
  return results
}

type FeedToSave = ToSave['feeds'][number] & { followers: Follower[] }
type HowToSave = Omit<ToSave, 'feeds' | 'targets'>

/** The results of each feed, in the order of the feeds. */
async function saveParts(sql: Sql, feeds: FeedToSave[], how: HowToSave): Promise<SavedFor[][]> {
  const results = feeds.map((): SavedFor[] => [])
  const parts = partsOf(feeds).values()
  const saveNext = async () => {
    for (const part of parts)
      for (const [feed, result] of await savePart(sql, feeds, part, how)) results[feed]?.push(result)
  }
  // The caller may save again after an error, so no part may still be saved then.
  const lanes = await Promise.allSettled(Array.from({ length: statements_at_once }, saveNext))
  for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason
  return results
}

/** One follower of one feed. */
type Target = ToSave['targets'][number]

function partsOf(feeds: FeedToSave[]): Target[][] {
  const parts: Target[][] = []
  let rows = Number.POSITIVE_INFINITY
  for (const [feed, { followers, entries }] of feeds.entries())
    for (const { user_id, channel_id } of followers) {
      if (rows + entries.length > max_rows) {
        parts.push([])
        rows = 0
      }
      parts.at(-1)?.push({ user_id, channel_id, feed })
      rows += entries.length
    }
  return parts
}

/**
 * Saves all by one statement. If the database refuses it, each half is saved alone, and so on, until only what it refuses is left out.
 * Throws only when the database is away.
 */
async function savePart(
  sql: Sql,
  feeds: FeedToSave[],
  targets: Target[],
  how: HowToSave,
): Promise<[feed: number, SavedFor][]> {
  const has_target = new Set(targets.map(({ feed }) => feed))
  const sent = feeds.map((feed, nth) => (has_target.has(nth) ? feed : { ...feed, entries: [] }))
  try {
    const results = await saveFeeds(sql, { ...how, feeds: sent, targets })
    await recordNoRoom(sql, results)
    return results.map(result => [result.feed, result])
  } catch (fault) {
    if (isAway(fault)) throw fault
    const [first, ...others] = targets
    if (!first || others.length === 0) return targets.map(({ feed, ...follower }) => [feed, { ...follower, fault }])
    const half = Math.ceil(targets.length / 2)
    const saved = await savePart(sql, feeds, targets.slice(0, half), how)
    return [...saved, ...(await savePart(sql, feeds, targets.slice(half), how))]
  }
}
