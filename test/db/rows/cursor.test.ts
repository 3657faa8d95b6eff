/** Cursors, and the parts of queries that they lead to. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { decodeCursor, encodeCursor, pageOf, paging, type SortKey } from '../../../src/db/rows/cursor.ts'
import { useDatabase } from '../../support/app/database.ts'

const { sql } = useDatabase()

const keys: SortKey[] = [
  { by: sql`at`, type: 'time' },
  { by: sql`id`, type: 'integer' },
]

/** Two rows of each second, and of each microsecond in between. */
async function read(direction: 'asc' | 'desc', limit: number, cursor?: string) {
  const { place, after, order } = paging(sql, keys, direction, cursor)
  const rows = await sql<{ id: number; place: string }[]>`
    select   id, ${place} as place
    from     (select n as id, timestamptz '2026-01-01 00:00:00+00' + (n / 2) * interval '1 microsecond' as at
              from   generate_series(1, 7) n) row
    where    ${after}
    order by ${order}
    limit    ${limit + 1}`
  const page = pageOf(rows, limit)
  return { ids: page.rows.map(({ id }) => id), next_cursor: page.next_cursor ?? undefined }
}

it.each(['asc', 'desc'] as const)('a list by cursor has every row once, page by page, in %s order', async direction => {
  const ids: number[] = []
  let cursor: string | undefined
  do {
    const page = await read(direction, 2, cursor)
    ids.push(...page.ids)
    cursor = page.next_cursor
  } while (cursor !== undefined)
  const all = [1, 2, 3, 4, 5, 6, 7]
  expect(ids).toEqual(direction === 'asc' ? all : all.toReversed())
})

describe('a cursor', () => {
  it('a cursor decodes to the parts it was made of', () => {
    const Place = z.tuple([z.enum(['words', 'letters']), z.string().transform(Number)])
    expect(decodeCursor(encodeCursor(['words', 450]), Place)).toEqual(['words', 450])
  })

  it.each([
    ['without parts', ''],
    ['of too few parts', '2026-01-01 00:00:00+00'],
    ['of too many parts', '2026-01-01 00:00:00+00|1|1'],
    ['of parts in another order', '1|2026-01-01 00:00:00+00'],
    ['of the 30th of February', '2026-02-30 00:00:00+00|1'],
    ['of the year 0', '0000-01-01 00:00:00+00|1'],
    ['in another time zone', '2026-01-01 00:00:00+23|1'],
    ['of a number beyond bigint', `2026-01-01 00:00:00+00|${'9'.repeat(19)}`],
    ['with a line break at its end', '2026-01-01 00:00:00+00|1\n'],
  ])('a cursor is refused before Postgres sees it: %s', (_, place) => {
    expect(() => paging(sql, keys, 'desc', encodeCursor([place]))).toThrow('not a place in this list')
  })
})
