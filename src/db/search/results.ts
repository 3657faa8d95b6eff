/**
 * Finds the next results of one part of a search, newest first: videos whose title matches, the others, or either; and as the last part
 * videos in which the words are said. Each query reads the newest videos that fit the filters one by one, and the index only where these do
 * not fill the page. A common word fills the page soon, and has very many rows in the index; a rare word has few. If few videos fit the
 * filters, or the index has few with the words, only these are read.
 */
import type { UserId } from '../../schema/values/user.ts'
import { onlyRow, type Piece, type Queryable } from '../postgres/client.ts'
import type { Words } from '../words/words.ts'
import type { Fits } from './filters.ts'

export type SearchScope = {
  user_id: UserId
  words: Words
  fits: Fits
  /** The ids of all rows that fit; `undefined`: these are many. */
  few?: number[] | undefined
  /**
   * How many of the newest videos are read first. If they fill at least an eighth of the page, ten times as many are read before the
   * index.
   */
  max_walked: number
}

/** The rest of one list of results. `after`: the condition on `sort_at` and `id` of a row that belongs to the rest. */
export type Rest = SearchScope & { after: Piece; limit: number }

/** The ids of all rows with the words in their texts, and of all with the words in their transcripts; null: these may be many. */
export type Rare = { written: number[] | null; said: number[] | null }
export const unknown_rare: Rare = { written: null, said: null }

/**
 * Asks the index for the rows with the words, unless one of the newest videos has them: of a common word, the index reads all rows before
 * it answers.
 */
export async function rareRows(
  sql: Queryable,
  { user_id, words }: Pick<SearchScope, 'user_id' | 'words'>,
  { max_newest, max_rare }: { max_newest: number; max_rare: number },
): Promise<Rare> {
  const { indexed, said } = words
  // Of a phrase, the index gives all rows that have its words in any order, and each is then read.
  if (!indexed || !said || said.query.includes('<->')) return unknown_rare
  return onlyRow(sql<Rare[]>`
    with is_new as materialized (
      select exists (
        select
        from   (select * from video_entries where user_id = ${user_id} order by sort_at desc, id desc limit ${max_newest}) entry
        where  ${words.match(sql`entry`)}) as answer
    ),
    written as materialized (
      select array(${matching(sql, user_id, indexed.match, sql`id`)} limit ${max_rare + 1}) as ids
      where  not (select answer from is_new)
    ),
    spoken as materialized (
      select array(${speaking(sql, user_id, said)} limit ${max_rare + 1}) as video_ids
      from   written
      where  cardinality(ids) <= ${max_rare}
    )
    select (select ids from written where cardinality(ids) <= ${max_rare}) as written,
           (select array(select id from video_entries where user_id = ${user_id} and video_id = any(video_ids))
            from   spoken
            where  cardinality(video_ids) <= ${max_rare}) as said`)
}

/** Limits a search to the rows with these ids. null: it has no limit. */
export const among = <Scope extends SearchScope>(sql: Queryable, scope: Scope, ids: number[] | null): Scope =>
  ids === null ? scope : { ...scope, few: ids, fits: row => sql`${row}.id = any(${ids}) and ${scope.fits(row)}` }

/** A query for `id` and `sort_at` of all rows that match. A video may have several. */
export const allWritten = (sql: Queryable, { user_id, words, fits }: SearchScope): Piece => sql`
  select id, sort_at
  from   video_entries entry
  where  user_id = ${user_id} and ${fits(sql`entry`)} and ${words.match(sql`entry`)}`

type WrittenRest = Rest & {
  /**
   * Whether the title alone matches (`titles`), in the letters that were typed (`exact`) or only in others (`folded`), or only the title
   * and the description together (`elsewhere`), or any of these (`either`).
   */
  where: 'titles' | 'exact' | 'folded' | 'elsewhere' | 'either'
}

/** A query for `id` and `sort_at` of at most `limit` rows, each video once. */
export function writtenResults(sql: Queryable, rest: WrittenRest): Piece {
  const { words, where, limit, max_walked, few } = rest
  if (few) return walked(sql, rest, sql``)
  if (!words.indexed) return walked(sql, rest, sql`limit ${words.reach[where === 'elsewhere' ? 'elsewhere' : 'title']}`)
  const is_promising = sql`(select count(*) from walked) between ${Math.ceil(limit / 8)} and ${limit - 1}`
  return sql`
    with walked as materialized (${walked(sql, rest, sql`limit ${max_walked}`)}),
    walked_on as materialized (
      ${walked(sql, rest, sql`offset ${max_walked} limit case when ${is_promising} then ${9 * max_walked}::int else 0 end`)}
    ),
    is_too_few as materialized (
      select (select count(*) from walked) + (select count(*) from walked_on) < ${limit}
             and exists (select ${newest(sql, rest)} offset ${max_walked}) as answer
    ),
    matching as materialized (
      ${matching(sql, rest.user_id, isOfTitle(where) ? words.indexed.inTitle : words.indexed.match, sql`id, sort_at`)}
    )
    (select *
     from   (select * from walked union all select * from walked_on) newest
     where  not (select answer from is_too_few)
     order by sort_at desc, id desc
     limit  ${limit})
    union all
    (${checked(
      sql,
      rest,
      sql`select * from matching where (select answer from is_too_few) and ${rest.after}`,
      sql`${belongs(sql, rest)} and ${isShown(sql, rest)}`,
    )})`
}

/** The rest of the videos that fit. The "offset 0" keeps the planner from reading all videos in their order for the few. */
const newest = (sql: Queryable, { user_id, fits, few, after }: Rest): Piece => {
  const fitting = sql`select * from video_entries where user_id = ${user_id} and ${fits(sql`video_entries`)}`
  return sql`
    from     (${fitting} ${few ? sql`offset 0` : sql``}) video_entries
    where    ${after}
    order by sort_at desc, id desc`
}

/** Reads the videos that `which` chooses of the newest, one by one. */
const walked = (sql: Queryable, rest: WrittenRest, which: Piece): Piece => sql`
  select   entry.id, entry.sort_at
  from     (select * ${newest(sql, rest)} ${which}) entry
  where    ${belongs(sql, rest)} and ${isShown(sql, rest)}
  order by entry.sort_at desc, entry.id desc
  limit    ${rest.limit}`

/** Reads the index. It has only conditions that the index answers: with others, the planner may read all videos of the person instead. */
const matching = (sql: Queryable, user_id: UserId, has: Fits, columns: Piece): Piece => sql`
  select ${columns}
  from   video_entries entry
  where  array[entry.user_id] @> array[${user_id}]::uuid[] and ${has(sql`entry`)}`

/** As `matching`, for what is said. */
const speaking = (sql: Queryable, user_id: UserId, said: Said): Piece => sql`
  select video_id
  from   moments moment
  where  array[moment.user_id] @> array[${user_id}]::uuid[] and ${said.match(sql`moment`)}`

const isOfTitle = (where: WrittenRest['where']) => where !== 'elsewhere' && where !== 'either'

/**
 * Checks by `condition` the rows of `places` (`id`, `sort_at`) one by one, the newest first, until the page is full. Each "offset 0" keeps
 * the planner from checking all.
 */
const checked = (sql: Queryable, { user_id, fits, limit }: Rest, places: Piece, condition: Piece): Piece => sql`
    select   place.id, place.sort_at
    from     (${places} order by sort_at desc, id desc offset 0) place
    cross join lateral (
      select *
      from   video_entries
      where  user_id = ${user_id} and id = place.id
      offset 0
    ) entry
    where    ${fits(sql`entry`)} and ${condition}
    order by place.sort_at desc, place.id desc
    limit    ${limit}`

const belongs = (sql: Queryable, { words, where }: WrittenRest): Piece => {
  const row = sql`entry`
  switch (where) {
    case 'titles':
      return words.inTitle(row)
    case 'exact':
      return sql`${words.isExact(row)} and ${words.inTitle(row)}`
    case 'folded':
      return sql`not (${words.isExact(row)}) and ${words.inTitle(row)}`
    case 'elsewhere':
      return sql`${words.match(row)} and not (${words.inTitle(row)})`
    case 'either':
      return words.match(row)
  }
}

/** A video may be in several channels; its best row is shown. A count, because Postgres would make `not exists` a join of all rows. */
const isShown = (sql: Queryable, { user_id, words, fits, where }: WrittenRest): Piece => {
  const twin = sql`twin`
  const is_newer = sql`(twin.sort_at, twin.id) > (entry.sort_at, entry.id)`
  const is_better = {
    titles: sql`${words.inTitle(twin)} and ((${words.isExact(twin)}), twin.sort_at, twin.id) > ((${words.isExact(sql`entry`)}), entry.sort_at, entry.id)`,
    exact: sql`${words.inTitle(twin)} and ${words.isExact(twin)} and ${is_newer}`,
    folded: sql`${words.inTitle(twin)} and (${is_newer} or ${words.isExact(twin)})`,
    elsewhere: sql`${words.match(twin)} and (${is_newer} or ${words.inTitle(twin)})`,
    either: sql`${words.match(twin)} and ${is_newer}`,
  }
  return sql`(
    select count(*)
    from   video_entries twin
    where  twin.user_id = ${user_id} and twin.video_id = entry.video_id and twin.id <> entry.id
    and    ${fits(twin)} and ${is_better[where]}) = 0`
}

type Said = NonNullable<Words['said']>

/**
 * Finds videos in which the words are said within about thirty seconds, and whose title and description do not match. A query for `id` and
 * `sort_at` of at most `limit` rows, each video once.
 */
export function spokenResults(sql: Queryable, rest: Rest, said: Said): Piece {
  const { user_id, after, limit } = rest
  return sql`
    with spoken as materialized (
      select   entry.*
      from     (select * ${newest(sql, rest)} limit ${max_passed_videos}) entry
      where    exists (select from moments moment where moment.user_id = ${user_id} and moment.video_id = entry.video_id)
      order by entry.sort_at desc, entry.id desc
      limit    ${max_spoken_videos}
    ),
    walked as materialized (
      select   entry.id, entry.sort_at
      from     spoken entry
      where    exists (
                 select from ${momentsIn(sql, user_id, sql`entry`)} moment
                 where  ${said.match(sql`moment`)})
      and      ${isOnlySaid(sql, rest, said)}
      order by entry.sort_at desc, entry.id desc
      limit    ${limit}
    ),
    is_too_few as materialized (
      select (select count(*) from walked) < ${limit}
             and ((select count(*) from spoken) = ${max_spoken_videos}
                  or exists (select ${newest(sql, rest)} offset ${max_passed_videos})) as answer
    ),
    matching as materialized (
      select distinct video_id from (${speaking(sql, user_id, said)}) moment
    )
    (select * from walked where not (select answer from is_too_few))
    union all
    (${checked(
      sql,
      rest,
      sql`
      select entry.id, entry.sort_at
      from   (select video_id from matching where (select answer from is_too_few)) found
      join   video_entries entry on entry.user_id = ${user_id} and entry.video_id = found.video_id
      where  ${after}`,
      isOnlySaid(sql, rest, said),
    )})`
}

/** The "offset 0" keeps the planner from searching the index for the words, once for each video. */
export const momentsIn = (sql: Queryable, user_id: UserId, video: Piece): Piece => sql`(
  select *
  from   moments
  where  user_id = ${user_id} and video_id = ${video}.video_id
  order by start_seconds
  offset 0)`

/** In a library whose videos all have transcripts, these have six thousand moments, which are read in about 10 ms. */
const max_spoken_videos = 50
/** A video without a transcript is passed in a microsecond. */
const max_passed_videos = 1000

/**
 * A row that is in no earlier part, and is the newest row of its video. A count, because Postgres would make `not exists` a join of all
 * rows.
 */
const isOnlySaid = (sql: Queryable, { user_id, words, fits }: Rest, said: Said): Piece => {
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
