/**
 * Saves feeds for everyone who follows them: one statement for several feeds and all their followers. The
 * statement is that of `saving/saving.ts`, which also saves one person's channel.
 */
import type { Follower } from '../../../schema/service/jobs.ts'
import type { Source } from '../../../schema/sources/facts.ts'
import type { Feed, FeedEntry, Saved } from '../../../schema/sources/feed.ts'
import type { Everyone } from '../../everyone.ts'
import { isAway, type Sql } from '../../postgres/client.ts'
import { noteFeeds } from '../../queue/known-feeds.ts'
import type { FeedFetchState } from '../../rows/fetch-state.ts'
import { feedRowOf, listChannels, noteNoRoom, updateChannels } from '../../saving/channel-writes.ts'
import { saveFeeds } from '../../saving/saving.ts'

/** What a fetch of `rss_url` found, and who follows it. */
export type FeedUpdate = FeedFetchState & { feed: Feed; followers: Follower[] }

/** `has_rule`: videos of the channel download automatically. `fault`: the database refused this follower's save, and no other. */
export type SavedFor = Follower & ({ saved: Saved; has_rule: boolean } | { fault: unknown })

/** Followers times entries that one statement saves. Up to this many rows are sorted in memory (`work_mem` 4 MB); more go to disk. */
const max_rows = 2_000

/**
 * Statements at once of one call: a feed of many people is saved on two processors. Two statements that save feeds of one person at the
 * same time do not see each other's new videos, so that the person may get more than `max_videos`.
 */
const at_once = 2

/**
 * The results of each update, in the order of the updates. A follower who has unfollowed the channel, or switched to another feed,
 * has no result. Throws only when the database is away.
 */
export async function saveForFollowers(
  sql: Everyone,
  updates: FeedUpdate[],
  max_videos: number,
): Promise<SavedFor[][]> {
  const results = new Map<FeedUpdate, SavedFor[]>(updates.map(update => [update, []]))
  const parts = partsOf(updates).values()
  const saveParts = async () => {
    for (const part of parts)
      for (const [update, result] of await savePart(sql, part, max_videos)) results.get(update)?.push(result)
  }
  // The caller may save again after an error, so no part may still be saved then.
  const lanes = await Promise.allSettled(Array.from({ length: at_once }, saveParts))
  for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason
  await noteFeeds(sql, updates, { on_schedule: true })
  return updates.map(update => results.get(update) ?? [])
}

/** One follower of one feed. */
type Pair = { update: FeedUpdate; follower: Follower }

function partsOf(updates: FeedUpdate[]): Pair[][] {
  const parts: Pair[][] = []
  let rows = max_rows
  for (const update of updates)
    for (const follower of update.followers) {
      const { length } = update.feed.entries
      if (rows + length > max_rows) {
        parts.push([])
        rows = 0
      }
      parts.at(-1)?.push({ update, follower })
      rows += length
    }
  return parts
}

/** If the database refuses the statement, each half is saved alone, and so on, until only the pair that it refuses is left out. */
async function savePart(sql: Sql, pairs: Pair[], max_videos: number): Promise<[FeedUpdate, SavedFor][]> {
  try {
    return await saveTogether(sql, pairs, max_videos)
  } catch (fault) {
    if (isAway(fault)) throw fault
    const [first] = pairs
    if (!first) return []
    if (pairs.length === 1) return [[first.update, { ...first.follower, fault }]]
    const half = Math.ceil(pairs.length / 2)
    return [
      ...(await savePart(sql, pairs.slice(0, half), max_videos)),
      ...(await savePart(sql, pairs.slice(half), max_videos)),
    ]
  }
}

async function saveTogether(sql: Sql, pairs: Pair[], max_videos: number): Promise<[FeedUpdate, SavedFor][]> {
  const updates = [...new Set(pairs.map(({ update }) => update))]
  const places = new Map(updates.map((update, feed) => [update, feed]))
  const results = await saveFeeds(sql, {
    feeds: updates.map(update => ({ row: feedRowOf(update.feed, update), entries: update.feed.entries })),
    targets: pairs.map(({ update, follower: { user_id, channel_id } }) => ({
      user_id,
      channel_id,
      feed: places.get(update) ?? 0,
    })),
    channels: updateChannels(sql),
    max_videos,
  })
  await noteNoRoom(sql, results, max_videos)
  return results.flatMap(result => {
    const update = updates[result.feed]
    return update ? [[update, result]] : []
  })
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

/** Saves the missing videos for all followers, with the state of the listing. Known videos keep what they have. */
export async function saveListingForFollowers(
  sql: Everyone,
  listing: SavedListing,
  max_videos: number,
): Promise<SavedFor[]> {
  const { followers, entries } = listing
  const most = Math.max(1, Math.floor(max_rows / Math.max(entries.length, 1)))
  const results: SavedFor[] = []
  for (let at = 0; at < followers.length; at += most)
    results.push(...(await saveListing(sql, { ...listing, followers: followers.slice(at, at + most) }, max_videos)))
  return results
}

async function saveListing(sql: Sql, listing: SavedListing, max_videos: number): Promise<SavedFor[]> {
  const { rss_url, followers, entries, source, list_at, list_since, is_read } = listing
  const row = { ...feedRowOf({ title: '' }), rss_url, list_at, list_since, is_read }
  try {
    const results = await saveFeeds(sql, {
      feeds: [{ row, entries }],
      targets: followers.map(({ user_id, channel_id }) => ({ user_id, channel_id, feed: 0 })),
      channels: listChannels(sql),
      ...{ max_videos, source, merge: 'fill' },
    })
    await noteNoRoom(sql, results, max_videos)
    return results
  } catch (fault) {
    if (isAway(fault)) throw fault
    const [first] = followers
    if (!first) return []
    if (followers.length === 1) return [{ ...first, fault }]
    const half = Math.ceil(followers.length / 2)
    return [
      ...(await saveListing(sql, { ...listing, followers: followers.slice(0, half) }, max_videos)),
      ...(await saveListing(sql, { ...listing, followers: followers.slice(half) }, max_videos)),
    ]
  }
}
