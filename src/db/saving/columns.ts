/**
 * The columns of a stored video that a save writes: one table, from which all lists of columns in the statements of saves derive. The
 * texts have no values in them, so the statements stay the same from save to save.
 */
import type { Piece, Queryable } from '../postgres/client.ts'

/**
 * What a save does with a known video. `replace`: the texts of a feed replace the stored ones. `fill`: a listing adds only what is
 * missing, because its texts may be shortened or translated.
 */
export type Merge = 'replace' | 'fill'

/** The names of two rows in a statement: an entry, and the stored video that it belongs to. */
type Rows = { entry: string; stored: string }

/** What a column of the stored video becomes. */
type Change = (column: string, rows: Rows) => string

const ofEntry: Change = (column, { entry }) => `${entry}.${column}`
const ofStored: Change = (column, { stored }) => `${stored}.${column}`
const entryFirst: Change = (column, { entry, stored }) => `coalesce(${entry}.${column}, ${stored}.${column})`
const storedFirst: Change = (column, { entry, stored }) => `coalesce(${stored}.${column}, ${entry}.${column})`

/** An entry without a title has its identifier as title; the title that the video had is better. */
const titleOfEntry: Change = (_, { entry, stored }) =>
  `case when ${entry}.title = ${entry}.video_id then ${stored}.title else ${entry}.title end`
const titleIfMissing: Change = (_, { entry, stored }) =>
  `case when ${stored}.title = ${entry}.video_id then ${entry}.title else ${stored}.title end`

/** A feed that lists an older video makes it an ordinary one. A video that a person added by its address stays such a video. */
const surerSource: Change = (_, { entry, stored }) =>
  `case when ${stored}.source = 'listing' or ${entry}.source = 'address' then ${entry}.source else ${stored}.source end`

/**
 * The later word in the alphabet is the better date: approximate, day, exact. The date of an announced video is the time at which it
 * begins, as a look found out; its feed gives the day of the announcement.
 */
const betterDate =
  (is_better: '>=' | '>'): Change =>
  (column, { entry, stored }) =>
    `
    case when ${entry}.published_at is not null
          and not coalesce(coalesce(${entry}.live_status, ${stored}.live_status) = 'upcoming'
                           and ${stored}.published_at > now() and ${entry}.published_at <= now(), false)
          and (${stored}.published_at is null or ${entry}.published_precision ${is_better} ${stored}.published_precision)
         then ${entry}.${column} else ${stored}.${column} end`

/**
 * `added`: what a new row gets, from `item` (the entry), `given` (the entry after the matching) or `twin` (the row of the same video in
 * another channel). `replace` and `fill`: what a known row becomes. `type`: in Postgres; absent: `text`.
 */
type Column = { added: string; type?: string } & Record<Merge, Change>

const columns: Record<string, Column> = {
  video_url: { added: 'item.video_url', replace: ofEntry, fill: ofStored },
  title: {
    added: 'case when has_own_title then item.title else given.video_id end',
    replace: titleOfEntry,
    fill: titleIfMissing,
  },
  thumbnail_url: { added: 'item.thumbnail_url', replace: entryFirst, fill: storedFirst },
  description: { added: 'item.description', replace: entryFirst, fill: storedFirst },
  guid: { added: 'given.guid', replace: entryFirst, fill: ofStored },
  moved_id: { added: 'given.moved_id', replace: ofEntry, fill: ofStored },
  published_at: { added: 'given.published_at', replace: betterDate('>='), fill: betterDate('>'), type: 'timestamptz' },
  published_precision: { added: 'item.published_precision', replace: betterDate('>='), fill: betterDate('>') },
  duration_seconds: {
    added: 'coalesce(item.duration_seconds, twin.duration_seconds)',
    replace: entryFirst,
    fill: entryFirst,
    type: 'int',
  },
  live_status: { added: 'coalesce(item.live_status, twin.live_status)', replace: entryFirst, fill: entryFirst },
  availability: { added: 'coalesce(item.availability, twin.availability)', replace: entryFirst, fill: entryFirst },
  source: { added: 'item.source', replace: surerSource, fill: surerSource },
}

const names = Object.keys(columns)
/** The matching decides these columns: the guid or the title of an entry can belong to another video. */
const of_matching = ['title', 'guid', 'moved_id', 'published_at']

const listOf = (parts: string[]): string => parts.join(', ')
const of = (row: string, some = names): string => listOf(some.map(name => `${row}.${name}`))
const changes = (merge: Merge, rows: Rows): [string, string][] =>
  Object.entries(columns).map(([name, column]) => [name, column[merge](name, rows)])

/** The columns with their types, as the definition of a JSON record. */
export const recordColumns = (sql: Queryable): Piece =>
  sql.unsafe(listOf(Object.entries(columns).map(([name, { type = 'text' }]) => `${name} ${type}`)))
export const savedColumns = (sql: Queryable): Piece => sql.unsafe(listOf(names))
/** What a new row gets for the `savedColumns`. */
export const addedColumns = (sql: Queryable): Piece =>
  sql.unsafe(listOf(Object.values(columns).map(({ added }) => added)))
/** The columns that the matching leaves to the entry. */
export const unmatchedColumns = (sql: Queryable, row: string): Piece => {
  const unmatched = names.filter(name => !of_matching.includes(name))
  return sql.unsafe(of(row, unmatched))
}

/** Assigns what the stored video becomes by the entry. What the entry leaves out stays. */
export const mergedColumns = (sql: Queryable, merge: Merge, rows: Rows): Piece =>
  sql.unsafe(listOf(changes(merge, rows).map(([name, value]) => `${name} = ${value}`)))

/** Whether `mergedColumns` would change anything. */
export const isChanged = (sql: Queryable, merge: Merge, rows: Rows): Piece =>
  sql.unsafe(`((${of(rows.stored)}) is distinct from (${listOf(changes(merge, rows).map(([, value]) => value))}))`)

/**
 * A video may be in several channels of a person. It has one download, so a new row copies these columns of the existing row; the value
 * is that of a video without another row.
 */
const copied: Record<string, string> = {
  download_status: `'PENDING'`,
  download_path: 'null',
  download_started_at: 'null',
  download_completed_at: 'null',
  download_error: 'null',
  file_size: 'null',
  download_requested_at: 'null',
  download_attempts: '0',
  download_next_attempt_at: 'null',
  download_claim: 'null',
  download_heartbeat_at: 'null',
  download_progress: 'null',
  download_asked_by: 'null',
  pinned: 'false',
  subtitles: `'{}'`,
  download_quality: 'null',
  address_hash: 'null',
  words_hash: 'null',
  site_facts: 'null',
  chapters: 'null',
  download_copied: 'false',
}

export const copiedColumns = (sql: Queryable): Piece => sql.unsafe(listOf(Object.keys(copied)))

/** From `twin`, the row of the same video in another channel. */
export const copiedFromTwin = (sql: Queryable): Piece =>
  sql.unsafe(listOf(Object.entries(copied).map(([name, otherwise]) => `coalesce(twin.${name}, ${otherwise})`)))
