/** Lists in statements that derive from a table of columns. */
import type { Piece, Queryable } from './client.ts'

/** At least one piece, with commas between. */
export const commaList = (sql: Queryable, pieces: Piece[]): Piece =>
  pieces.reduce((list, next) => sql`${list}, ${next}`)

/** The definition of a JSON record. `types`: the type of each column, as `pg_type` names it. */
export const recordOf = (sql: Queryable, types: Record<string, string>): Piece =>
  commaList(
    sql,
    Object.entries(types).map(([name, type]) => sql`${sql(name)} ${sql(type)}`),
  )

type Values = Record<string, Piece>

/** The assignments of an update: what each column becomes. */
export const assigned = (sql: Queryable, values: Values): Piece =>
  commaList(
    sql,
    Object.entries(values).map(([name, value]) => sql`${sql(name)} = ${value}`),
  )

/** Whether these assignments change the row that the statement calls `row`. */
export const areChanges = (sql: Queryable, row: string, values: Values): Piece => {
  const stored = Object.keys(values).map(name => sql`${sql(`${row}.${name}`)}`)
  return sql`((${commaList(sql, stored)}) is distinct from (${commaList(sql, Object.values(values))}))`
}
