/** Rows serialized as JSON from bytes are the same as `JSON.stringify` of the rows as objects. */
import { expect, it } from 'vitest'
import { type Piece, sharedPiece } from '../../../src/db/postgres/client.ts'
import { serializedRows } from '../../../src/db/rows/serialized-rows.ts'
import { useDatabase } from '../../support/app/database.ts'

const { sql } = useDatabase()

const values = sharedPiece(
  sql => sql`
  true as yes, false as no, null::boolean as unknown,
  -7::int2 as small, 42 as whole, 9007199254740991::int8 as large, null::int as none,
  '{"percent": 42.60, "phase": "x\\"y", "of": [1, null]}'::jsonb as progress,
  ${'Brot “大” 😀 é \\ " / \u007f \u2028 \n\t\u0001'}::text as title, ''::text as empty,
  '{}'::text[] as no_languages, '{de,"pt BR","q\\"ü"}'::text[] as languages,
  '2026-11-20 09:00:00+00'::timestamptz as at, '2026-11-20 09:00:00.1+00'::timestamptz as tenth,
  '2026-11-20 09:00:00.123999+00'::timestamptz as micro, '12026-11-20 09:00:00+00'::timestamptz as far,
  '0044-03-15 12:00:00+00 BC'::timestamptz as ides, 'infinity'::timestamptz as never,
  gen_random_uuid() is not null as has_id, 'row' as "a ""name"""`,
)

const serialized = async (query: () => Piece) => {
  const { rows, fieldsOf } = await serializedRows(query(), ['hidden'])
  return rows.map(row => Buffer.from(`{${fieldsOf(row)}}`, 'latin1').toString())
}

it('every type of value is written as JSON.stringify writes it', async () => {
  const rows = await sql`select ${values(sql)}`
  const [json = ''] = await serialized(() => sql`select ${values(sql)}`)
  const same = (text: string) => text.replace('42.60', '42.6').replaceAll(': ', ':').replaceAll(', ', ',')
  expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(rows[0])))
  expect(same(json)).toBe(same(JSON.stringify(rows[0])))
})

it('a hidden column is not written, also as the first, and can be read', async () => {
  const { rows, fieldsOf, textOf } = await serializedRows(
    sql`select 'ü' as hidden, 1 as shown from generate_series(1, 2)`,
    ['hidden'],
  )
  expect(rows.map(fieldsOf)).toEqual(['"shown":1', '"shown":1'])
  expect(rows.map(row => textOf(row, 'hidden'))).toEqual(['ü', 'ü'])
})

it('no rows are an empty list', async () => {
  expect(await serialized(() => sql`select 1 as one where false`)).toEqual([])
})

it('a column of a type that JSON.stringify would write in another way is refused', async () => {
  await expect(serialized(() => sql`select 1.5::float8 as rating`)).rejects.toThrow('No writer for the type 701')
  await expect(serialized(() => sql`select '2026-11-20'::date as day`)).rejects.toThrow('No writer for the type 1082')
})
