/** The queries of every minute about subscriptions at hubs, on many subscriptions. */
import { beforeAll, expect, it } from 'vitest'
import type { Everyone } from '../../../../src/db/everyone.ts'
import {
  endUnfollowed,
  queueHubRequests,
  requestWithNewCallbacks,
  restorePace,
} from '../../../../src/db/push/everyone/push-plans.ts'
import { noteRefusedRequest } from '../../../../src/db/push/everyone/push-subscriptions.ts'
import { useDatabase } from '../../../support/app/database.ts'
import { person } from '../../../support/app/people.ts'

const { sql } = useDatabase()
const callbacks = 'https://tv.example.org/push/'
const many = 20_000

beforeAll(async () => {
  const { user } = await person(sql, 'alice')
  await sql`
    insert into channels (user_id, channel_id, title, rss_url, next_fetch_at)
    select ${user.user_id}, 'c' || nth, 'c', 'https://h.example/' || nth, now() + interval '1 hour'
    from   generate_series(1, ${many}::int) nth`
  await sql`
    insert into push_subscriptions (push_id, rss_url, hub, topic, secret, state, callback, lease_until, next_attempt_at)
    select push_id, rss_url, 'https://hub' || number % 100 || '.example/', rss_url, 's', 'active', ${callbacks}::text || push_id,
           now() + interval '5 days', now() + interval '2 days'
    from   (select lpad(number::text, 32, 'x') as push_id, 'https://h.example/' || number as rss_url, number
            from   generate_series(1, ${many}::int) number) made`
  await sql`analyze push_subscriptions`
  await sql`analyze channels`
})

/** How many subscriptions the work reads. A transaction of the work is a part of one that counts. */
async function rowsRead(work: (sql: Everyone) => Promise<unknown>): Promise<number> {
  return sql.begin(async tx => {
    const count = async () => {
      const [found] = await tx<{ rows: number }[]>`
        select seq_tup_read + idx_tup_fetch as rows from pg_stat_xact_user_tables where relname = 'push_subscriptions'`
      return found?.rows ?? Number.NaN
    }
    // The count also includes earlier transactions of this connection.
    const before = await count()
    await work(Object.assign(tx, { begin: tx.savepoint }) as unknown as Everyone)
    return (await count()) - before
  })
}

it.each([
  ['the requests that are due', (tx: Everyone) => queueHubRequests(tx, { max_requests: 60, apart_ms: 1, in_all: 300 })],
  ['the subscriptions with another callback', (tx: Everyone) => requestWithNewCallbacks(tx, callbacks)],
  ['the subscriptions that have just ended', (tx: Everyone) => restorePace(tx, 30)],
])('%s are found without reading the others', async (_, work) => {
  expect(await rowsRead(work)).toBeLessThan(100)
})

it('feeds that no one follows are looked for among a bounded number of subscriptions', async () => {
  expect(await rowsRead(endUnfollowed)).toBeLessThan(many / 2)
})

it('the refusal of one hub reads the subscriptions of that hub only', async () => {
  const push_id = '7'.padStart(32, 'x')
  expect(await rowsRead(tx => noteRefusedRequest(tx, push_id, 7200))).toBeLessThan(1000)
})
