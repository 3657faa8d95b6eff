/** How Postgres reads the states of downloads. */
import { expect, it } from 'vitest'
import { libraryOf } from '../../../src/db/library.ts'
import type { Sql } from '../../../src/db/postgres/client.ts'
import { useDatabase } from '../../support/app/database.ts'
import { personWith } from '../../support/app/people.ts'
import { statementsOf } from '../../support/app/statements.ts'

const { sql } = useDatabase()

it('Postgres plans the status of one download once for each connection, not for each request', async () => {
  // With many people, a plan for one of them looks cheaper than a plan for any of them.
  const [alice] = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      personWith(
        sql,
        'alice',
        `c${n}`,
        Array.from({ length: 50 }, (_, v) => `v${v}`),
      ),
    ),
  )
  await sql`analyze video_entries`

  const plans = await sql.begin(async tx => {
    const library = libraryOf(tx as unknown as Sql, alice?.user.user_id ?? ('' as never))
    for (let request = 0; request < 12; request++) await library.videos.status('v7')
    return tx<{ generic_plans: number }[]>`
      select generic_plans
      from   pg_prepared_statements
      -- Of this transaction: the connection has others from before.
      where  statement like '%video_entries entry%' and prepare_time >= now() and custom_plans + generic_plans >= 12`
  })

  expect(plans).toEqual([{ generic_plans: 12 }])
})

it('the version of a poll depends on every column that the downloads are read from', async () => {
  const alice = await personWith(sql, 'alice', 'c', ['v1'])
  const [sent = ''] = await statementsOf(sql, () => alice.library.videos.changed(['v1'], []))
  const [, hash = '', columns = ''] =
    /hash_record_extended\(row\((.*?)\), 0\).* left join lateral (.*)/.exec(sent) ?? []
  const [read, hashed] = [columns, hash].map(text => new Set(text.match(/entry\.\w+/g))) as [Set<string>, Set<string>]

  read.delete('entry.id')
  expect([...read].filter(column => !hashed.has(column))).toEqual([])
  expect(read.size).toBeGreaterThan(10)
})
