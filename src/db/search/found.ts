/**
 * Finds the next results of one part of a search, newest first: those whose title matches, or the others. It reads the newest videos
 * one by one, and the index only where these do not fill the page. A common word fills it soon, and has very many rows in the
 * index; a rare word has few.
 */
import type { UserId } from '../../schema/user.ts'
import type { Piece, Queryable } from '../postgres/client.ts'
import type { Words } from './words.ts'

export type Part = {
  user_id: UserId
  words: Words
  /** Whether the title alone matches, or only the title and the description together. */
  in_title: boolean
  /** The condition on `sort_at` and `id` of a row that belongs to the rest of the list. */
  after: Piece
  limit: number
  /** How many of the newest videos are read before the index. */
  most_walked: number
}

/** A query for `id` and `sort_at` of at most `limit` rows, each video once. */
export function found(sql: Queryable, part: Part): Piece {
  const { user_id, words, in_title, after, limit } = part
  const most_walked = words.is_indexed ? part.most_walked : words.reach[in_title ? 'title' : 'elsewhere']
  const newest = sql`
    from     video_entries
    where    user_id = ${user_id} and ${after}
    order by sort_at desc, id desc`
  const walked = sql`
    select   entry.id, entry.sort_at
    from     (select * ${newest} limit ${most_walked}) entry
    where    ${belongs(sql, part, sql`entry`)} and ${isShown(sql, part)}
    order by entry.sort_at desc, entry.id desc
    limit    ${limit}`
  if (!words.is_indexed) return walked
  const theirs = sql`array[entry.user_id] @> array[${user_id}]::uuid[]`
  return sql`
    with walked as materialized (${walked}),
    is_short as materialized (
      select (select count(*) from walked) < ${limit} and exists (select ${newest} offset ${most_walked}) as answer
    ),
    -- Only conditions that the index answers: with others, the planner may read all videos of the person instead.
    in_titles as materialized (
      select entry.id, entry.user_id, entry.video_id, entry.sort_at
      from   video_entries entry
      where  ${theirs} and ${words.inTitle(sql`entry`)}
    ),
    anywhere as materialized (
      select entry.id, entry.user_id, entry.video_id, entry.sort_at
      from   video_entries entry
      where  ${theirs} and ${words.match(sql`entry`)}
    )
    select id, sort_at
    from   walked
    where  not (select answer from is_short)
    union all
    (select   entry.id, entry.sort_at
     from     (select   *
               from     ${in_title ? sql`in_titles` : sql`anywhere`}
               where    (select answer from is_short) and user_id = ${user_id} and ${after}
               ${in_title ? sql`` : sql`and id not in (select id from in_titles)`}
               order by sort_at desc, id desc
               -- Keeps the condition below out of this query, so that it is checked for the first rows only.
               offset   0) entry
     where    ${isShown(sql, part)}
     order by entry.sort_at desc, entry.id desc
     limit    ${limit})`
}

const belongs = (sql: Queryable, { words, in_title }: Part, row: Piece): Piece =>
  in_title ? words.inTitle(row) : sql`${words.match(row)} and not (${words.inTitle(row)})`

/** A video may be in several channels; its best row is shown. A count, because Postgres would make `not exists` a join of all rows. */
const isShown = (sql: Queryable, { user_id, words, in_title }: Part): Piece => {
  const twin = sql`twin`
  const is_newer = sql`(twin.sort_at, twin.id) > (entry.sort_at, entry.id)`
  return sql`(
    select count(*)
    from   video_entries twin
    where  twin.user_id = ${user_id} and twin.video_id = entry.video_id and twin.id <> entry.id
    and    ${
      in_title
        ? sql`${words.inTitle(twin)} and ${is_newer}`
        : sql`${words.match(twin)} and (${is_newer} or ${words.inTitle(twin)})`
    }) = 0`
}
