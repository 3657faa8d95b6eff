/** Compares what SCALING.md says of tables, keys and triggers with the database. */
import { expect, it } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { account_tables, library_tables } from '../support/app/partitions.ts'
import { namesIn, rowsOf } from '../support/app/scaling.ts'

const { sql } = useDatabase()
const kinds = await rowsOf('Tables')
const [distributed = [], reference = [], local = []] = kinds.map(([, names = '']) => namesIn(names))

it('every table has one kind', async () => {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public'`
  const names = (list: string[]) => list.toSorted()
  expect(names([...distributed, ...reference, ...local])).toEqual(names(tables.map(({ name }) => name)))
  expect(distributed).toEqual(library_tables)
  expect(local).toEqual(expect.arrayContaining(account_tables))
})

it('foreign keys lead only where Citus allows it', async () => {
  const keys = await sql<{ from: string; to: string; columns: string[] }[]>`
    select conrelid::regclass::text as from, confrelid::regclass::text as to,
           array(select attname::text from pg_attribute where attrelid = conrelid and attnum = any(conkey)) as columns
    from   pg_constraint
    where  contype = 'f' and connamespace = 'public'::regnamespace`
  const kindOf = (table: string) =>
    distributed.includes(table) ? 'distributed' : reference.includes(table) ? 'reference' : 'local'
  const pairs = keys.map(({ from, to, columns }) => {
    const with_person = to !== 'users' && columns.includes('user_id') ? ' with the person' : ''
    return `${kindOf(from)} → ${to === 'users' ? to : kindOf(to)}${with_person}`
  })
  expect([...new Set(pairs)].toSorted()).toEqual([
    'distributed → distributed with the person',
    'distributed → users',
    'local → users',
    'reference → users',
  ])
})

it('every function of a trigger is named where it belongs', async () => {
  const functions = await sql<{ name: string; body: string; tables: string[] }[]>`
    select proname as name, prosrc as body, array_agg(distinct tgrelid::regclass::text) as tables
    from   pg_trigger
    join   pg_proc on pg_proc.oid = tgfoid
    where  not tgisinternal and pronamespace = 'public'::regnamespace
    group by proname, prosrc
    order by proname`
  const placeOf = (body: string, tables: string[]) => {
    if (tables.includes('users')) return 4
    if (body.includes('pg_notify')) return 3
    if (body.includes('graphile_worker.')) return 2
    return /\b(?:insert|update|delete|perform)\b/.test(body) ? 1 : 0
  }
  const expected: string[][] = [[], [], [], [], []]
  for (const { name, body, tables } of functions) expected[placeOf(body, tables)]?.push(name)
  const named = (await rowsOf('Triggers')).map(([names = '']) => namesIn(names).toSorted())
  expect(named).toEqual(expected)
})
