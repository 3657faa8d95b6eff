/** The settings of each connection. */
import { expect, it } from 'vitest'
import { useDatabase } from '../../support/app/database.ts'

const { sql } = useDatabase()

it('a statement that reads many rows is not shared with further processes', async () => {
  await sql`create table numbers as select n, repeat('x', 100) as text from generate_series(1, 200000) as n`
  await sql`analyze numbers`
  const plan = await sql<{ 'QUERY PLAN': string }[]>`explain select count(*) from numbers where text <> 'y'`
  expect(plan.map(row => row['QUERY PLAN']).join('\n')).toContain('Seq Scan on numbers')
  expect(plan.map(row => row['QUERY PLAN']).join('\n')).not.toContain('Gather')
})
