/** The filters of a search as a condition on rows of `video_entries`. */
import type { SearchFilter, SearchState } from '../../schema/search/search-filters.ts'
import type { UserId } from '../../schema/values/user.ts'
import { eachValue, hasAny, type Piece, type Queryable } from '../postgres/client.ts'
import { isShort, wasLive } from '../videos/video-filter.ts'
import { folded } from '../words/folded.ts'
import { isNamed } from '../words/letter-conditions.ts'

/** The condition on the row that `row` names. */
export type Fits = (row: Piece) => Piece

type NameFilter = Extract<SearchFilter, { key: 'channel' | 'group' }>
type OtherFilter = Exclude<SearchFilter, NameFilter>

const isNameFilter = (filter: SearchFilter): filter is NameFilter => filter.key === 'channel' || filter.key === 'group'

export function fitting(sql: Queryable, user_id: UserId, filters: SearchFilter[]): Fits {
  const of_names = filters.filter(isNameFilter)
  const excluded = of_names.filter(({ is_excluded }) => is_excluded)
  const wanted = [
    ...Map.groupBy(
      of_names.filter(({ is_excluded }) => !is_excluded),
      ({ key }) => key,
    ).values(),
  ]
  const others = filters.filter((filter): filter is OtherFilter => !isNameFilter(filter))
  return row =>
    [
      ...wanted.map(alternatives => sql`${row}.channel_id = any(array(${channelsOf(sql, user_id, alternatives)}))`),
      ...excluded.map(filter => sql`${row}.channel_id <> all(array(${channelsOf(sql, user_id, [filter])}))`),
      ...others.map(filter => conditionOf({ sql, user_id, row }, filter)),
    ].reduce((all, one) => sql`${all} and ${one}`, sql`true`)
}

/** The ids of all rows that fit; `undefined`: there are more than `most`. */
export async function idsOfFew(
  sql: Queryable,
  user_id: UserId,
  fits: Fits,
  most: number,
): Promise<number[] | undefined> {
  const ids = await eachValue<number>(sql`
    select   id
    from     video_entries
    where    user_id = ${user_id} and ${fits(sql`video_entries`)}
    order by sort_at desc, id desc
    limit    ${most + 1}`)
  return ids.length > most ? undefined : ids
}

/** The filters that name no channel and no group of this person. */
export async function namingNone(sql: Queryable, user_id: UserId, filters: SearchFilter[]): Promise<SearchFilter[]> {
  const none: SearchFilter[] = []
  for (const filter of filters.filter(isNameFilter))
    if (!(await hasAny(sql`${named(sql, user_id, [filter])} limit 1`))) none.push(filter)
  return none
}

/** The ids of all channels of these, or of the groups. */
const channelsOf = (sql: Queryable, user_id: UserId, filters: NameFilter[]): Piece =>
  filters[0]?.key === 'group'
    ? sql`select channel_id from channel_groups
          where  user_id = ${user_id} and group_id = any(array(${named(sql, user_id, filters)}))`
    : named(sql, user_id, filters)

/** The ids of the channels, or of the groups, with any of the names. */
const named = (sql: Queryable, user_id: UserId, filters: NameFilter[]): Piece => {
  const ids = filters.map(({ name }) => name)
  const isOne = (name: Piece) =>
    ids.map(id => isNamed(sql, name, folded(id))).reduce((any, one) => sql`${any} or ${one}`)
  return filters[0]?.key === 'group'
    ? sql`select group_id from groups
          where  user_id = ${user_id} and deleted_at is null and (group_id::text = any(${ids}) or ${isOne(sql`name`)})`
    : sql`select channel_id from channels
          where  user_id = ${user_id} and (channel_id = any(${ids}) or ${isOne(sql`title`)})`
}

type Row = { sql: Queryable; user_id: UserId; row: Piece }

/** A length is compared as it is: one that is unknown is on neither side. Anything else that is unknown is not so. */
const conditionOf = (entry: Row, filter: OtherFilter): Piece => {
  const { sql } = entry
  const fits = fitsFilter(entry, filter)
  const is_length = filter.key === 'longer' || filter.key === 'shorter'
  if (!filter.is_excluded) return fits
  return is_length ? sql`not (${fits})` : sql`(${fits}) is not true`
}

function fitsFilter(entry: Row, filter: OtherFilter): Piece {
  const { sql, row } = entry
  switch (filter.key) {
    case 'before':
      return sql`${row}.sort_at < ${filter.at}`
    case 'after':
      return sql`${row}.sort_at >= ${filter.at}`
    case 'longer':
      return sql`${lengthOf(entry)} > ${filter.seconds}`
    case 'shorter':
      return sql`${lengthOf(entry)} < ${filter.seconds}`
    case 'is':
      return isInState(entry, filter.state)
  }
}

/** As it is shown: the player knows the length better than the site. */
const lengthOf = (entry: Row) => {
  const { sql, row } = entry
  return sql`coalesce((${viewingOf(entry, sql`duration_seconds`)}), ${row}.duration_seconds)`
}

function isInState(entry: Row, state: SearchState): Piece {
  const { sql, row } = entry
  const has = (condition: Piece) => sql`(${viewingOf(entry, condition)})`
  switch (state) {
    case 'on_disk':
      return sql`${row}.standing = 'done'`
    case 'queued':
      return sql`${row}.standing = 'waiting'`
    case 'downloading':
      return sql`${row}.standing = 'running'`
    case 'failed':
      return sql`${row}.standing = 'failed'`
    case 'watched':
      return has(sql`seen_at is not null`)
    case 'started':
      return has(sql`seen_at is null and position_seconds > 0 and forgotten_at is null`)
    case 'later':
      return has(sql`later_at is not null and not_for_me_at is null`)
    case 'dismissed':
      return has(sql`not_for_me_at is not null`)
    case 'live':
      return wasLive(sql, row)
    case 'short':
      return isShort(sql, row)
  }
}

/** One value of the viewing of a row; null: it was never viewed. */
const viewingOf = ({ sql, user_id, row }: Row, value: Piece): Piece => sql`
  select ${value} from viewings where viewings.user_id = ${user_id} and viewings.video_id = ${row}.video_id`
