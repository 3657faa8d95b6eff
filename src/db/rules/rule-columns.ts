/** The columns of a rule in `channel_rules`: one table, from which all lists of columns in the statements about rules derive. */
import { condition_fields, type Rule, rule_off } from '../../schema/rules/rule.ts'
import type { Piece, Queryable } from '../postgres/client.ts'
import { commaList, recordOf } from '../postgres/column-lists.ts'

/**
 * Each column with its type, as `pg_type` names it. `auto_download` is missing, because it is stored as `on_since`; so is `playlist_id`,
 * which is stored only if the person has the playlist.
 */
const types = {
  title_words: '_text',
  without_words: '_text',
  title_pattern: 'text',
  skip_shorts: 'bool',
  min_seconds: 'int4',
  max_seconds: 'int4',
  live: 'text',
  also_days: 'int4',
  include_older: 'bool',
  most_per_day: 'int4',
  keep_newest: 'int4',
  keep_days: 'int4',
  delete_watched_days: 'int4',
  keep_newest_watched: 'int4',
} satisfies Record<Exclude<keyof Rule, 'auto_download' | 'playlist_id'>, string>

export const rule_columns = Object.keys(types) as (keyof typeof types)[]

/** A change of one of these makes a rule begin anew. */
export const renewing_fields = [...condition_fields, 'also_days', 'include_older'] as const

const listed = (sql: Queryable, piece: (name: keyof typeof types, type: Piece) => Piece): Piece =>
  commaList(
    sql,
    rule_columns.map(name => piece(name, sql`${sql(types[name])}`)),
  )

/** The names of the columns; `of`: with the name of their row. */
export const ruleColumns = (sql: Queryable, of?: string): Piece =>
  listed(sql, name => sql`${sql(of === undefined ? name : `${of}.${name}`)}`)

/** The columns with their types, as the definition of a JSON record. */
export const ruleRecord = (sql: Queryable): Piece => recordOf(sql, types)

/** The values of a rule that a person gives. */
export const givenValues = (sql: Queryable, rule: Rule): Piece =>
  listed(sql, (name, type) => sql`${rule[name]}::${type} as ${sql(name)}`)

/** The stored values. A channel without a rule has those of a rule that is off. */
export const storedValues = (sql: Queryable): Piece =>
  listed(sql, (name, type) => sql`coalesce(${sql(name)}, ${rule_off[name]}::${type}) as ${sql(name)}`)
