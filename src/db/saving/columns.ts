/**
 * The columns of a stored video that a save writes: one table, from which all lists of columns in the statements of saves derive. The
 * lists have no values in them, so the statements stay the same from save to save.
 */
import { type Piece, type Queryable, sharedPiece } from '../postgres/client.ts'
import { areChanges, assigned, commaList, recordOf } from '../postgres/column-lists.ts'

/**
 * What a save does with a known video. `replace`: the texts of a feed replace the stored ones. `fill`: a listing adds only what is
 * missing, because its texts may be shortened or translated.
 */
export type Merge = 'replace' | 'fill'

/** Two rows of a statement: an entry, and the stored video that it belongs to. */
type Rows = { entry(column: string): Piece; stored(column: string): Piece }

/** What a column of the stored video becomes. */
type Change = (sql: Queryable, column: string, rows: Rows) => Piece

const ofEntry: Change = (_, column, { entry }) => entry(column)
const ofStored: Change = (_, column, { stored }) => stored(column)
const entryFirst: Change = (sql, column, { entry, stored }) => sql`coalesce(${entry(column)}, ${stored(column)})`
const storedFirst: Change = (sql, column, { entry, stored }) => sql`coalesce(${stored(column)}, ${entry(column)})`

/** An entry without a title has its identifier as title; the title that the video had is better. */
const titleOfEntry: Change = (sql, title, { entry, stored }) =>
  sql`case when ${entry(title)} = ${entry('video_id')} then ${stored(title)} else ${entry(title)} end`
const titleIfMissing: Change = (sql, title, { entry, stored }) =>
  sql`case when ${stored(title)} = ${entry('video_id')} then ${entry(title)} else ${stored(title)} end`

/** A feed that lists an older video makes it an ordinary one. A video that a person added by its address stays such a video. */
const surerSource: Change = (sql, source, { entry, stored }) => sql`
  case when ${stored(source)} = 'listing' or ${entry(source)} = 'address' then ${entry(source)} else ${stored(source)} end`

/**
 * The later word in the alphabet is the better date: approximate, day, exact. The date of an announced video is the time at which it
 * begins, as a look found out; its feed gives the day of the announcement. `same_is_better`: so is a date as exact as the stored one.
 */
const betterDate =
  ({ same_is_better }: { same_is_better: boolean }): Change =>
  (sql, column, { entry, stored }) =>
    sql`
    case when ${entry('published_at')} is not null
          and not coalesce(coalesce(${entry('live_status')}, ${stored('live_status')}) = 'upcoming'
                           and ${stored('published_at')} > now() and ${entry('published_at')} <= now(), false)
          and (${stored('published_at')} is null
               or ${entry('published_precision')} ${same_is_better ? sql`>=` : sql`>`} ${stored('published_precision')})
         then ${entry(column)} else ${stored(column)} end`

/**
 * `added`: what a new row gets, from `item` (the entry), `given` (the entry after the matching) or `twin` (the row of the same video in
 * another channel). `replace` and `fill`: what a known row becomes. `type`: in Postgres; absent: `text`. `volatile`: some feeds have
 * another value at each fetch, so the value is written, and the video does not count as updated.
 */
type Column = { added: (sql: Queryable) => Piece; type?: string; volatile?: true } & Record<Merge, Change>

const columns: Record<string, Column> = {
  video_url: { added: sql => sql`item.video_url`, replace: ofEntry, fill: ofStored },
  title: {
    added: sql => sql`case when has_own_title then item.title else given.video_id end`,
    replace: titleOfEntry,
    fill: titleIfMissing,
  },
  // Addresses of pictures are signed with a time on some sites.
  thumbnail_url: { added: sql => sql`item.thumbnail_url`, replace: entryFirst, fill: storedFirst, volatile: true },
  description: { added: sql => sql`item.description`, replace: entryFirst, fill: storedFirst },
  guid: { added: sql => sql`given.guid`, replace: entryFirst, fill: ofStored },
  moved_id: { added: sql => sql`given.moved_id`, replace: ofEntry, fill: ofStored },
  published_at: {
    added: sql => sql`given.published_at`,
    replace: betterDate({ same_is_better: true }),
    fill: betterDate({ same_is_better: false }),
    type: 'timestamptz',
  },
  published_precision: {
    added: sql => sql`item.published_precision`,
    replace: betterDate({ same_is_better: true }),
    fill: betterDate({ same_is_better: false }),
  },
  duration_seconds: {
    added: sql => sql`coalesce(item.duration_seconds, twin.duration_seconds)`,
    replace: entryFirst,
    fill: entryFirst,
    type: 'int4',
  },
  live_status: {
    added: sql => sql`coalesce(item.live_status, twin.live_status)`,
    replace: entryFirst,
    fill: entryFirst,
  },
  availability: {
    added: sql => sql`coalesce(item.availability, twin.availability)`,
    replace: entryFirst,
    fill: entryFirst,
  },
  source: { added: sql => sql`item.source`, replace: surerSource, fill: surerSource },
}

const names = Object.keys(columns)
/** The matching decides these columns: the guid or the title of an entry can belong to another video. */
const of_matching = ['title', 'guid', 'moved_id', 'published_at']

/** A column of the row that the statement calls `row`. */
const columnIn = (sql: Queryable, row: string) => (column: string) => sql`${sql(`${row}.${column}`)}`

/** The type of each column, as `pg_type` names it. */
export const saved_types = Object.fromEntries(Object.entries(columns).map(([name, { type = 'text' }]) => [name, type]))
/** The columns as the definition of a JSON record. */
export const recordColumns = sharedPiece(sql => recordOf(sql, saved_types))
/** The names of the columns, as a list. */
export const savedColumns = sharedPiece(sql => sql`${sql(names)}`)
/** The `savedColumns` of `row`; `otherwise`: columns with another value. */
export const savedFrom = (sql: Queryable, row: string, otherwise: Record<string, Piece>): Piece =>
  commaList(
    sql,
    names.map(name => otherwise[name] ?? columnIn(sql, row)(name)),
  )
/** What a new row gets for the `savedColumns`. */
export const addedColumns = sharedPiece(sql =>
  commaList(
    sql,
    Object.values(columns).map(({ added }) => added(sql)),
  ),
)
/** The columns of an `item` that the matching does not decide. */
export const columnsOfItem = sharedPiece(sql =>
  commaList(sql, names.filter(name => !of_matching.includes(name)).map(columnIn(sql, 'item'))),
)

const eachMerge = (make: (sql: Queryable, merge: Merge) => Piece) => ({
  replace: sharedPiece(sql => make(sql, 'replace')),
  fill: sharedPiece(sql => make(sql, 'fill')),
})

/** What these columns of the stored video become. */
const merged = (
  sql: Queryable,
  merge: Merge,
  names_of_rows: Record<keyof Rows, string>,
  of = Object.entries(columns),
) => {
  const rows = { entry: columnIn(sql, names_of_rows.entry), stored: columnIn(sql, names_of_rows.stored) }
  return Object.fromEntries(of.map(([name, column]) => [name, column[merge](sql, name, rows)]))
}
const on_conflict = { entry: 'excluded', stored: 'known' }
const [steady = [], volatile = []] = [false, true].map(is_volatile =>
  Object.entries(columns).filter(([, column]) => (column.volatile ?? false) === is_volatile),
)

/** What `entry` does to `stored`: 'updated', 'rewritten' where only volatile columns change, or null where nothing changes. */
export const changeOf = eachMerge((sql, merge) => {
  const areChanged = (of: typeof steady) =>
    areChanges(sql, 'stored', merged(sql, merge, { entry: 'entry', stored: 'stored' }, of))
  return sql`case when ${areChanged(steady)} then 'updated' when ${areChanged(volatile)} then 'rewritten' end`
})
/** Whether `excluded` changes `known`, in an insert that finds the row there. */
export const isChangedOnConflict = eachMerge((sql, merge) => areChanges(sql, 'known', merged(sql, merge, on_conflict)))

/** The assignments of an insert that finds the row there: what `known` becomes by `excluded`. What the entry leaves out stays. */
export const mergedOnConflict = eachMerge((sql, merge) => assigned(sql, merged(sql, merge, on_conflict)))

/**
 * A video may be in several channels of a person, and has one download. So a new row copies these columns from `twin`, the row of the same
 * video in another channel. The value here is used where there is no such row; null: none.
 */
const copied: Record<string, ((sql: Queryable) => Piece) | null> = {
  download_status: sql => sql`'PENDING'`,
  download_path: null,
  download_started_at: null,
  download_completed_at: null,
  download_error: null,
  file_size: null,
  download_requested_at: null,
  download_turn_at: null,
  download_attempts: sql => sql`0`,
  download_next_attempt_at: null,
  download_reason: null,
  download_detail: null,
  download_failures: sql => sql`0`,
  download_restarts: sql => sql`0`,
  download_kept_bytes: null,
  download_paused_at: null,
  download_cancelled_at: null,
  download_claim: null,
  download_heartbeat_at: null,
  download_progress: null,
  download_asked_by: null,
  download_by_rule: sql => sql`false`,
  pinned: sql => sql`false`,
  subtitles: sql => sql`'{}'`,
  download_quality: null,
  address_hash: null,
  words_hash: null,
  site_facts: null,
  chapters: null,
  file_streams: null,
  file_is_read: sql => sql`false`,
  wanted_quality: null,
  download_copied: sql => sql`false`,
}

export const copied_columns = Object.keys(copied)
/** The names of the copied columns, as a list. */
export const copiedColumns = sharedPiece(sql => sql`${sql(copied_columns)}`)

export const copiedFromTwin = sharedPiece(sql => {
  const ofTwin = columnIn(sql, 'twin')
  const values = Object.entries(copied).map(([name, otherwise]) =>
    otherwise === null ? ofTwin(name) : sql`coalesce(${ofTwin(name)}, ${otherwise(sql)})`,
  )
  return commaList(sql, values)
})
