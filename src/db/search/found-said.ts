/**
 * Finds the next results of the last part of a search, newest first: videos in which the words are said within about thirty seconds, and
 * whose title and description do not match. As in `found.ts`, the newest are read one by one, and the index only where these do not
 * fill the page.
 */
import type { UserId } from '../../schema/values/user.ts'
import type { Piece, Queryable } from '../postgres/client.ts'
import type { Words } from '../words/words.ts'
import { newest, type Part } from './found.ts'

type Said = NonNullable<Words['said']>

/** A query for `id` and `sort_at` of at most `limit` rows, each video once. */
export function foundSaid(sql: Queryable, part: Omit<Part, 'where' | 'most_walked'>, said: Said): Piece {
  const { user_id, fits, after, limit } = part
  return sql`
    with spoken as materialized (
      select   entry.*
      from     (select * ${newest(sql, part)} limit ${most_passed}) entry
      where    exists (select from moments moment where moment.user_id = ${user_id} and moment.video_id = entry.video_id)
      order by entry.sort_at desc, entry.id desc
      limit    ${most_walked}
    ),
    walked as materialized (
      select   entry.id, entry.sort_at
      from     spoken entry
      where    exists (
                 select from ${momentsIn(sql, user_id, sql`entry`)} moment
                 where  ${said.match(sql`moment`)})
      and      ${belongs(sql, part, said)}
      order by entry.sort_at desc, entry.id desc
      limit    ${limit}
    ),
    is_short as materialized (
      select (select count(*) from walked) < ${limit}
             and ((select count(*) from spoken) = ${most_walked}
                  or exists (select ${newest(sql, part)} offset ${most_passed})) as answer
    ),
    matching as materialized (
      select distinct moment.video_id
      from   moments moment
      where  array[moment.user_id] @> array[${user_id}]::uuid[] and ${said.match(sql`moment`)}
    )
    (select * from walked where not (select answer from is_short))
    union all
    (select   place.id, place.sort_at
     from     (
       select   entry.id, entry.sort_at
       from     (select video_id from matching where (select answer from is_short)) found
       join     video_entries entry on entry.user_id = ${user_id} and entry.video_id = found.video_id
       where    ${after}
       order by sort_at desc, id desc
       offset   0
     ) place
     cross join lateral (
       select *
       from   video_entries
       where  user_id = ${user_id} and id = place.id
       offset 0
     ) entry
     where    ${fits(sql`entry`)} and ${belongs(sql, part, said)}
     order by place.sort_at desc, place.id desc
     limit    ${limit})`
}

/** The "offset 0" keeps the planner from searching the index for the words, once for each video. */
export const momentsIn = (sql: Queryable, user_id: UserId, video: Piece): Piece => sql`(
  select *
  from   moments
  where  user_id = ${user_id} and video_id = ${video}.video_id
  order by start_seconds
  offset 0)`

/** Of a library whose videos all have transcripts, this many are walked: six thousand moments, in about 10 ms. */
const most_walked = 50
/** Videos without a transcript are passed in a microsecond each. */
const most_passed = 1000

/** It is in no earlier part, and it is the newest row of its video. A count, because Postgres would make `not exists` a join of all rows. */
const belongs = (
  sql: Queryable,
  { user_id, words, fits }: Pick<Part, 'user_id' | 'words' | 'fits'>,
  said: Said,
): Piece => {
  const twin = sql`twin`
  return sql`
    not (${words.match(sql`entry`)}) and ${said.allows(sql`entry`)}
    and (
      select count(*)
      from   video_entries twin
      where  twin.user_id = ${user_id} and twin.video_id = entry.video_id and twin.id <> entry.id
      and    ${fits(twin)}
      and    ((twin.sort_at, twin.id) > (entry.sort_at, entry.id) or ${words.match(twin)})) = 0`
}
