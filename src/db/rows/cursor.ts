/**
 * Reading a list page by page. A cursor is the place where a page ended: the sort keys of its last row, joined by `|`, as
 * base64url. It comes back from the client, so each part is checked: Postgres never gets a value that it could not compare.
 */
import { z } from 'zod'
import { DomainError } from '../../errors.ts'
import type { Piece, Queryable } from '../postgres/client.ts'

export const encodeCursor = (place: (string | number)[]): string => Buffer.from(place.join('|')).toString('base64url')

/** Throws `invalid` unless the parts of the cursor are what `place` describes. */
export function decodeCursor<Place extends z.ZodType>(cursor: string, place: Place): z.infer<Place> {
  const found = place.safeParse(Buffer.from(cursor, 'base64url').toString().split('|'))
  if (found.success) return found.data
  throw new DomainError('invalid', 'This is not a place in this list. Start from its first page.', {
    fields: { cursor: 'Use the next_cursor of the page before.' },
  })
}

/** Which page is wanted. `cursor`: where the page before ended. Absent: the first page. */
export type PageWanted = { limit: number; cursor?: string | undefined }

/** A sort key: an expression that is never null, and its type. */
export type SortKey = { by: Piece; type: 'integer' | 'time' | 'name' }

/**
 * The parts of a query that reads the page after `cursor`, or the first one. `place` is to be selected as text, for `pageOf`.
 * The last key must tell any two rows apart.
 */
export function paging(sql: Queryable, keys: SortKey[], direction: 'asc' | 'desc', cursor: string | undefined) {
  const list = (pieces: Piece[]) => pieces.reduce((before, piece) => sql`${before}, ${piece}`)
  const names = list(keys.map(({ by }) => by))
  const way = direction === 'asc' ? sql`asc` : sql`desc`
  const order = list(keys.map(({ by }) => sql`${by} ${way}`))
  const place = sql`concat_ws('|', ${names})`
  if (cursor === undefined) return { place, order, after: sql`true` }
  const values = decodeCursor(cursor, placeOf(keys)).map((value, nth) => keyValue(sql, keys[nth]?.type, value))
  return { place, order, after: sql`(${names}) ${direction === 'asc' ? sql`>` : sql`<`} (${list(values)})` }
}

/** As text, because the driver keeps no more than the milliseconds of a time. */
function keyValue(sql: Queryable, type: SortKey['type'] | undefined, value: string): Piece {
  if (type === 'time') return sql`${value}::text::timestamptz`
  return type === 'name' ? sql`${value}::text` : sql`${value}::text::bigint`
}

/**
 * How many rows to read for a page of `limit`: at least one more, to see whether there is a next page. The number is part of the
 * query's text, because Postgres takes an unknown limit for a tenth of all rows, and would sort them. There are few such numbers,
 * because each connection keeps a plan for each.
 */
export function rowsFor(sql: Queryable, limit: number): Piece {
  if (limit <= 10) return sql`11`
  if (limit <= 24) return sql`25`
  if (limit <= 40) return sql`41`
  if (limit <= 50) return sql`51`
  if (limit <= 100) return sql`101`
  if (limit <= 200) return sql`201`
  return sql`${limit + 1}`
}

/** A page of `limit` rows of those that `rowsFor` asked for. Select `place` last: it is removed, which is quick for a last field. */
export function pageOf<Row extends { place: string }>(rows: Row[], limit: number) {
  const shown: (Omit<Row, 'place'> & { place?: string })[] = rows.slice(0, limit)
  const end = rows.length > limit ? rows[limit - 1]?.place : undefined
  for (const row of shown) delete row.place
  return { rows: shown as Omit<Row, 'place'>[], next_cursor: end === undefined ? null : encodeCursor([end]) }
}

const placeOf = (keys: SortKey[]) => z.tuple(keys.map(({ type }) => types[type]) as [z.ZodString])

const types = {
  integer: z.string().regex(/^-?\d{1,18}$/),
  /** A username in lower case. */
  name: z.string().regex(/^[\w.-]{1,32}$/),
  /** As Postgres writes it in UTC. It knows no year 0 and no 30th of February. */
  time: z
    .string()
    .regex(/^(?!0000)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/)
    .refine(time => isPossible(time.slice(0, 19).replace(' ', 'T'))),
}

function isPossible(second: string): boolean {
  const time = new Date(`${second}Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(second)
}
