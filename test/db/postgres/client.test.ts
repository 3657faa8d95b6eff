/** The settings of each connection. */
import { expect, it, onTestFinished } from 'vitest'
import { connect } from '../../../src/db/postgres/client.ts'
import { useDatabase } from '../../support/app/database.ts'

const db = useDatabase()
const { sql } = db

it('a statement that reads many rows is not shared with further processes', async () => {
  await sql`create table numbers as select n, repeat('x', 100) as text from generate_series(1, 200000) as n`
  await sql`analyze numbers`
  const plan = await sql<{ 'QUERY PLAN': string }[]>`explain select count(*) from numbers where text <> 'y'`
  expect(plan.map(row => row['QUERY PLAN']).join('\n')).toContain('Seq Scan on numbers')
  expect(plan.map(row => row['QUERY PLAN']).join('\n')).not.toContain('Gather')
})

it('a transaction that is sent behind 100 statements has a connection to itself', async () => {
  const busy = connect(db.url, { max: 2 })
  onTestFinished(() => busy.end())
  await Promise.all([busy`select pg_sleep(0.01)`, busy`select pg_sleep(0.01)`])
  const statements = Promise.all(Array.from({ length: 200 }, () => busy`select 1`.execute()))
  const transactions = [1, 2].map(n => busy.begin(async tx => (await tx`select ${n}::int as n`)[0]?.n))

  expect(await Promise.all(transactions)).toEqual([1, 2])
  await statements
})
