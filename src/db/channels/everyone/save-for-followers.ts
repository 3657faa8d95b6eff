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
import type { FeedFetchState } from '../../rows/channel-columns.ts'
import { feedRowOf, noteListings, noteNoRoom, updateFollowed } from '../../saving/channel-writes.ts'
import { saveFeeds } from '../../saving/saving.ts'

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
  const results = new Map<FeedUpdate, SavedFor[]>(updates.map(update => [update, []]))
  const parts = partsOf(updates).values()
  const saveParts = async () => {
    for (const part of parts)
      for (const [update, result] of await savePart(sql, part)) results.get(update)?.push(result)
  }
  // The caller may save again after an error, so no part may still be saved then.
  const lanes = await Promise.allSettled(Array.from({ length: statements_at_once }, saveParts))
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

/**
 * Saves all by one statement. If the database refuses it, each half is saved alone, and so on, until only what it refuses is left out.
 * Throws only when the database is away.
 */
async function saveHalving<T, R>(
  all: T[],
  save: (some: T[]) => Promise<R[]>,
  refused: (one: T, fault: unknown) => R,
): Promise<R[]> {
  try {
    return await save(all)
  } catch (fault) {
    if (isAway(fault)) throw fault
    if (all.length <= 1) return all.map(one => refused(one, fault))
    const half = Math.ceil(all.length / 2)
    const first = await saveHalving(all.slice(0, half), save, refused)
    return [...first, ...(await saveHalving(all.slice(half), save, refused))]
  }
}

const savePart = (sql: Sql, part: Pair[]): Promise<[FeedUpdate, SavedFor][]> =>
  saveHalving(
    part,
    pairs => savePairs(sql, pairs),
    ({ update, follower }, fault) => [update, { ...follower, fault }],
  )

async function savePairs(sql: Sql, pairs: Pair[]): Promise<[FeedUpdate, SavedFor][]> {
  const updates = [...new Set(pairs.map(({ update }) => update))]
  const places = new Map(updates.map((update, feed) => [update, feed]))
  const results = await saveFeeds(sql, {
    feeds: updates.map(update => ({ row: feedRowOf(update.feed, update), entries: update.feed.entries })),
    targets: pairs.map(({ update, follower: { user_id, channel_id } }) => ({
      user_id,
      channel_id,
      feed: places.get(update) ?? 0,
    })),
    channels: updateFollowed(sql),
  })
  await noteNoRoom(sql, results)
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
export async function saveListingForFollowers(sql: Everyone, listing: SavedListing): Promise<SavedFor[]> {
  const { rss_url, followers, entries, source, list_at, list_since, is_read } = listing
  const row = { ...feedRowOf({ title: '' }), rss_url, list_at, list_since, is_read }
  const save = async (some: Follower[]): Promise<SavedFor[]> => {
    const results = await saveFeeds(sql, {
      feeds: [{ row, entries }],
      targets: some.map(({ user_id, channel_id }) => ({ user_id, channel_id, feed: 0 })),
      channels: noteListings(sql),
      source,
      merge: 'fill',
    })
    await noteNoRoom(sql, results)
    return results
  }
  const followers_at_once = Math.max(1, Math.floor(max_rows / Math.max(entries.length, 1)))
  const results: SavedFor[] = []
  for (let at = 0; at < followers.length; at += followers_at_once) {
    const some = followers.slice(at, at + followers_at_once)
    results.push(...(await saveHalving(some, save, (follower, fault) => ({ ...follower, fault }))))
  }
  return results
}
