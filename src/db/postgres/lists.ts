/** Lists in statements that derive from a table of columns. */
import type { Piece, Queryable } from './client.ts'

/** At least one piece, with commas between. */
export const listOf = (sql: Queryable, pieces: Piece[]): Piece => pieces.reduce((list, next) => sql`${list}, ${next}`)

type Values = Record<string, Piece>

/** The assignments of an update: what each column becomes. */
export const assigned = (sql: Queryable, values: Values): Piece =>
  listOf(
    sql,
    Object.entries(values).map(([name, value]) => sql`${sql(name)} = ${value}`),
  )

/** Whether these assignments change the row that the statement calls `row`. */
export const areChanges = (sql: Queryable, row: string, values: Values): Piece => {
  const stored = Object.keys(values).map(name => sql`${sql(`${row}.${name}`)}`)
  return sql`((${listOf(sql, stored)}) is distinct from (${listOf(sql, Object.values(values))}))`
}
