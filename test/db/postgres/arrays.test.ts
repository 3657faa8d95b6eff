/** Arrays on their way to Postgres and back, of each type whose arrays are declared. */
import { describe, expect, it } from 'vitest'
import { array_types } from '../../../src/db/postgres/arrays.ts'
import { useDatabase } from '../../support/app/database.ts'

const { sql } = useDatabase()

it('knows the types by the numbers that Postgres gives them', async () => {
  const found = await sql<{ oid: number; typarray: number }[]>`
    select oid::int, typarray::int from pg_type where oid = any(${Object.keys(array_types).map(Number)}::int[])`
  expect(Object.fromEntries(found.map(({ oid, typarray }) => [oid, typarray]))).toEqual(array_types)
})

it('declares the arrays of every column', async () => {
  const found = await sql<{ oid: number; place: string }[]>`
    select atttypid::int as oid, attrelid::regclass || '.' || attname as place
    from   pg_attribute join pg_type on pg_type.oid = atttypid
    where  attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r')
    and    attnum > 0 and typelem <> 0 and typcategory = 'A'`
  const known = new Set(Object.values(array_types))
  expect(found.filter(({ oid }) => !known.has(oid)).map(({ place }) => place)).toEqual([])
})

// `null` first where the driver would take the type of an element for that of the array.
describe('arrays come back as they were sent', () => {
  it.each([
    ['text', ['a', 'with "quotes"', 'back\\slash', 'comma, {brace}', '', 'null', 'NULL', ' edge ', 'ünïcode\n', null]],
    ['text', []],
    ['int', [1, -2, null]],
    ['bigint', [2 ** 40, null]],
    ['smallint', [1]],
    ['real', [1.5]],
    ['oid', [25]],
    ['date', [null, new Date('2026-11-29')]],
    ['json', [null, { a: '"b"' }]],
    ['float8', [1.25, -0.5, null]],
    ['boolean', [null, true, false]],
    ['uuid', ['3f2b8a52-0c6e-4b5e-9f0a-1f6b8c0f0a11']],
    ['timestamptz', [null, new Date('2026-11-29T01:02:03.456Z')]],
    ['bytea', [null, Buffer.from([0, 92, 34, 255])]],
    ['jsonb', [{ a: 'it\'s "so", {yes} \\' }, null]],
    [
      'text',
      [
        ['a', 'b,'],
        ['"c"', null],
      ],
    ],
  ] as const)('%s %j', async (type, values) => {
    const [row] = await sql`select ${values as never}::${sql.unsafe(type)}[] as it`
    expect(row?.it).toEqual(values)
  })
})

it('refuses a value that is undefined', async () => {
  await expect(sql`select ${[undefined] as never}::text[]`).rejects.toThrow('undefined')
})
