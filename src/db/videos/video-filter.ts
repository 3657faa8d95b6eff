/** Which videos of a person a list shows, as conditions on rows named `entry` and `viewing`, and in which order. */
import type { DownloadStatus } from '../../schema/downloads/download.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { VideoSort } from '../../schema/videos/video-api.ts'
import type { Piece, Queryable } from '../postgres/client.ts'
import type { SortKey } from '../rows/cursor.ts'
import { likely, once } from '../rows/video-columns.ts'

/** Of a filter, an absent field excludes nothing. */
export type VideoFilter = {
  channel_id?: string | undefined
  /** Only of the channels in this group. */
  group?: string | undefined
  status?: DownloadStatus | undefined
  on_disk?: boolean | undefined
  /** `watched` says the same. */
  seen?: boolean | undefined
  watched?: boolean | undefined
  /** Whether it is on Watch later. */
  later?: boolean | undefined
  /** Whether it was hidden. */
  dismissed?: boolean | undefined
  /** Inclusive. A video of unknown length fits neither bound. */
  min_seconds?: number | undefined
  max_seconds?: number | undefined
  /** Whether it was ever a live stream, or is announced as one. */
  live?: boolean | undefined
  /** `false`: without Shorts. */
  shorts?: false | undefined
  /** `false`: without videos that were found when older videos were loaded. */
  older?: boolean | undefined
  /** The words of a search. */
  q?: string | undefined
  /** Absent: newest first. */
  sort?: VideoSort | undefined
  /** Where the list begins: "2025-04" or "2025". */
  month?: string | undefined
  limit: number
  /** Where the page before this one ended. */
  cursor?: string | undefined
}

/** All conditions but those of the search and the cursor. */
export function matching(sql: Queryable, user_id: UserId, filter: VideoFilter) {
  const { status, on_disk, later, dismissed, live, shorts, older } = filter
  const was_live = wasLive(sql, sql`entry`)
  return sql`
    ${ofChannels(sql, user_id, filter)}
    ${status === undefined ? sql`` : sql`and entry.download_status = ${status.toUpperCase()}`}
    ${on_disk === undefined ? sql`` : sql`and entry.standing ${on_disk ? sql`=` : sql`is distinct from`} 'done'`}
    ${older === false ? sql`and entry.source <> 'listing'` : sql``}
    ${live === undefined ? sql`` : sql`and ${live ? was_live : sql`(${was_live}) is not true`}`}
    ${shorts === false ? sql`and not ${isShort(sql, sql`entry`)}` : sql``}
    ${isSet(sql, 'seen_at', filter.seen)}
    ${isSet(sql, 'seen_at', filter.watched)}
    ${isLater(sql, later)}
    ${isSet(sql, 'not_for_me_at', dismissed)}
    ${ofLength(sql, filter)}`
}

/** Whether only videos with a certain mark are shown: then their viewings are read first. */
export const isOfMarked = ({ seen, watched, later, dismissed }: VideoFilter): boolean =>
  [seen, watched, later, dismissed].includes(true)

/** Whether the viewing has this time. `undefined`: either way. */
export function isSet(sql: Queryable, column: 'seen_at' | 'not_for_me_at', is_set: boolean | undefined) {
  if (is_set === undefined) return sql``
  const time = sql`viewing.${sql(column)}`
  return is_set ? sql`and ${time} is not null` : sql`and ${likely(sql, sql`${time} is null`)}`
}

/** A video that is not for this person keeps its place on Watch later, but is not there. */
function isLater(sql: Queryable, later: boolean | undefined) {
  if (later === undefined) return sql``
  return later
    ? sql`and viewing.later_at is not null and viewing.not_for_me_at is null`
    : sql`and (viewing.later_at is null or viewing.not_for_me_at is not null)`
}

/** Of several channels, a video that is in more than one of them is listed once. */
function ofChannels(sql: Queryable, user_id: UserId, { channel_id, group }: VideoFilter) {
  if (channel_id !== undefined) return sql`entry.channel_id = ${channel_id}`
  if (group === undefined) return once(sql)
  const of_group = anyOfGroup(sql, user_id, group)
  return sql`
    entry.channel_id = ${of_group}
    and not exists (
      select from video_entries twin
      where  twin.user_id = ${user_id} and twin.video_id = entry.video_id and twin.id < entry.id
      and    twin.channel_id = ${of_group}
      offset 0)`
}

/** What the channel of a row must equal to be in the group. */
export const anyOfGroup = (sql: Queryable, user_id: UserId, group: string) => sql`
  any(array(select channel_id from channel_groups where user_id = ${user_id} and group_id = ${group}))`

function ofLength(sql: Queryable, { min_seconds, max_seconds }: VideoFilter) {
  if (min_seconds === undefined && max_seconds === undefined) return sql``
  const range = sql`between ${min_seconds ?? 0} and ${max_seconds ?? 2 ** 31 - 1}`
  // The first line can be checked before the viewing is read.
  return sql`
    and ${likely(sql, sql`entry.duration_seconds is null or entry.duration_seconds ${range}`)}
    and ${likely(sql, sql`coalesce(entry.duration_seconds, viewing.duration_seconds) ${range}`)}`
}

type Order = { keys: SortKey[]; direction: 'asc' | 'desc' }

/** The order of a list, for `cursor.ts`. A video without the sorted value comes last. */
export function orderBy(sql: Queryable, sort: VideoSort): Order {
  const id: SortKey = { by: sql`entry.id`, type: 'integer' }
  const by = (key: SortKey, direction: Order['direction']): Order => ({ keys: [key, id], direction })
  switch (sort) {
    case 'newest':
      return by({ by: sql`entry.sort_at`, type: 'time' }, 'desc')
    case 'oldest':
      return by({ by: sql`entry.sort_at`, type: 'time' }, 'asc')
    case 'longest':
      return by({ by: sql`coalesce(entry.duration_seconds, -1)`, type: 'integer' }, 'desc')
    case 'shortest':
      return by({ by: sql`coalesce(entry.duration_seconds, 2147483647)`, type: 'integer' }, 'asc')
    case 'largest':
      return by({ by: sql`coalesce(entry.file_size, -1)`, type: 'integer' }, 'desc')
  }
}

/**
 * A list by date begins with this month or year and goes on beyond it; in another order it has only this month or year. They begin in
 * UTC, so that an address shows the same list to everyone.
 */
export function fromMonth(sql: Queryable, month: string | undefined, sort: VideoSort): Piece {
  if (month === undefined) return sql`true`
  const [start, end] = spanOf(month)
  switch (sort) {
    case 'newest':
      return sql`entry.sort_at < ${end}`
    case 'oldest':
      return sql`entry.sort_at >= ${start}`
    case 'longest':
    case 'shortest':
    case 'largest':
      return sql`entry.sort_at >= ${start} and entry.sort_at < ${end}`
  }
}

/** `month`: "2025-04", or "2025" for the whole year. */
function spanOf(month: string): [Date, Date] {
  const [year = 0, nth] = month.split('-').map(Number)
  return nth === undefined
    ? [new Date(Date.UTC(year, 0)), new Date(Date.UTC(year + 1, 0))]
    : [new Date(Date.UTC(year, nth - 1)), new Date(Date.UTC(year, nth))]
}

/** Whether a video was ever a live stream, or is announced as one; null: unknown. The index of live videos has this condition. */
export const wasLive = (sql: Queryable, row: Piece) => sql`${row}.live_status in ('upcoming', 'live', 'was_live')`

/** Whether a video is a Short, by its address and its title. A test compares this with `isShort` of rules. */
export const isShort = (sql: Queryable, row: Piece) => sql`
  (${row}.video_url ~* '^https?://[^/?#]+/shorts/' or ${row}.title ~* '(^|\\s)#shorts?(?![[:alnum:]_])')`
