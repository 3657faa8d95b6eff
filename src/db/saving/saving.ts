/**
 * Saves feeds, for any number of followers by one statement, which is in `save-statement.ts`. Only `db/channels/channel-feeds.ts`, for one
 * person, and `db/channels/everyone/save-for-followers.ts`, for all followers of a feed, may use it.
 */
import { jsonOf, jsonText } from '../../runtime/json.ts'
import type { Follower } from '../../schema/service/jobs.ts'
import type { Source } from '../../schema/sources/facts.ts'
import type { FeedEntry, Saved } from '../../schema/sources/feed.ts'
import type { Piece, Queryable, Sql } from '../postgres/client.ts'
import { type PlannedPicture, planPictures } from '../queue/picture-plans.ts'
import type { FeedRow } from './channel-writes.ts'
import type { Merge } from './columns.ts'
import { recordAdded } from './first-statistics.ts'
import { saveStatement } from './save-statement.ts'

/** `feed`: the index of its feed in `feeds`. */
type Target = Follower & { feed: number }

export type ToSave = {
  feeds: { row: FeedRow; entries: EntryToSave[] }[]
  /** Each channel once. */
  targets: Target[]
  /**
   * The part of the statement that writes the rows of the channels, from `target` and `feed`, and returns `user_id`, `channel_id` and
   * `created`. For a channel that it does not write, no entry is saved and there is no result.
   */
  channels: Piece
  /** How new videos were found; absent: in their feed. */
  source?: Source
  /** What happens to known videos; absent: `replace`. */
  merge?: Merge
}

/**
 * `place_at`: the place of an entry without a date in the list of its channel; absent: the time of the save. `wants_look`: its facts are
 * looked up, if the video is new and the entry gives none.
 */
export type EntryToSave = FeedEntry & { place_at?: Date; wants_look?: boolean }

/**
 * `left_out`: how many new videos, the oldest, exceeded the limit of the person. `has_rule`: videos of the channel download automatically.
 * `renamed`: from the id of an entry to the id under which its video is stored, where the two differ.
 */
export type SaveResult = Target & {
  created: boolean
  /** Whether a video was added or written. */
  is_written: boolean
  saved: Saved
  left_out: number
  has_rule: boolean
  renamed: Record<string, string>
}

/**
 * Saves these feeds for their targets by one statement, then plans their pictures. Unchanged entries are not written, and the results are
 * in no order. `within` runs the save, for example in a transaction.
 */
export async function saveFeeds(
  sql: Sql,
  { feeds, targets, channels, source = 'feed', merge = 'replace' }: ToSave,
  within: Within = saving => saving(sql),
): Promise<SaveResult[]> {
  const entries = feeds.flatMap(({ entries }, feed) => entries.map((entry, at) => ({ feed, at, source, ...entry })))
  const statement = saveStatement(
    sql,
    {
      feeds: jsonText(feeds.map(({ row }, feed) => ({ feed, ...row }))),
      targets: jsonText(targets.map((target, at) => ({ at, ...target }))),
      entries: await jsonOf(entries, asRow),
    },
    channels,
    merge,
  )
  const saving: Saving = async on => (await on<Row[]>`${statement}`).map(resultOf)
  const results = await within(saving).catch((fault: unknown) => {
    // Another save has just added a video with the same guid under another address. The repeated save sees that video.
    if (!isDuplicate(fault)) throw fault
    return within(saving)
  })
  await recordAdded(
    sql,
    results.reduce((sum, { saved }) => sum + saved.inserted, 0),
  )
  // After the save, so that it neither waits nor fails because of pictures. A pass plans what a crash in between leaves out.
  await planPictures(sql, picturesOf(feeds, results, source))
  return results
}

type Saving = (on: Queryable) => Promise<SaveResult[]>
/** Runs the save, for example in a transaction together with other statements. It is called again if the save is repeated. */
export type Within = (saving: Saving) => Promise<SaveResult[]>
type Row = Omit<SaveResult, 'saved' | 'renamed'> & Saved & { renamed: Record<string, string> | null }

const resultOf = ({ inserted, updated, unchanged, renamed, ...result }: Row): SaveResult => ({
  ...result,
  saved: { inserted, updated, unchanged },
  renamed: renamed ?? {},
})

const isDuplicate = (fault: unknown) => fault instanceof Error && 'code' in fault && fault.code === unique_violation
const unique_violation = '23505'

type PlacedEntry = EntryToSave & { feed: number; at: number; source: Source }

const asRow = ({ published_at, aliases = {}, ...entry }: PlacedEntry) => ({
  ...entry,
  published_precision: entry.published_precision ?? 'exact',
  given_address_id: aliases.address_id,
  spare_id: aliases.spare_id,
  former_id: aliases.former_id,
  published_at: published_at?.toISOString() ?? null,
})

// Lists the pictures of what a save has written, so that they are planned: once for a feed, not once for each follower.

type SavedFeed = { row: Pick<FeedRow, 'image_url'>; entries: Pick<FeedEntry, 'thumbnail_url'>[] }
/** `feed`: its place in the list. */
type Result = Pick<SaveResult, 'feed' | 'created' | 'is_written'>

/** Pages show the newest videos of a new channel first, so the pictures of further ones can wait. */
const most_wanted = 60

/** A feed of which nothing was written is left out: its pictures are planned already. */
export function picturesOf(feeds: SavedFeed[], results: Result[], source: Source): PlannedPicture[] {
  const changed = new Set(results.flatMap(({ feed, created, is_written }) => (created || is_written ? [feed] : [])))
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
