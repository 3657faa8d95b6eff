/** Messages through real workers that are killed while they send, to a hook over HTTP. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, expect, it, vi } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { follows, personWith } from '../support/app/people.ts'
import { start } from '../support/process/processes.ts'
import { letSilencePass } from '../support/process/service.ts'
import { environmentIn } from '../support/process/tools.ts'
import { newFolder } from '../support/run/new-folder.ts'

const { sql, url: database_url } = useDatabase()
const folder = newFolder()

/** A hook that notes what it gets, and answers nothing while `hangs`. */
async function openHook() {
  const hook = { hangs: true, told: [] as { id: string; title: string }[], address: '' }
  const server = createServer(async (request, response) => {
    hook.told.push(JSON.parse(await text(request)))
    if (!hook.hangs) response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  hook.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return hook
}

it('a worker that is killed while it sends loses no message, and what is told twice has the same id', async () => {
  const hook = await openHook()
  const env = {
    ...(await environmentIn(folder)),
    DATABASE_URL: database_url,
    ALLOWED_ADDRESSES: new URL(hook.address).host,
  }
  const alice = await personWith(sql, 'alice', 'bread', ['b1'])
  await follows(alice, 'tea', ['t1'])
  const events = ['new_video' as const, 'download_failed' as const]
  await alice.library.targets.add({ kind: 'webhook', address: hook.address, token_or_key: null, events })
  await alice.library.channels.setBell('bread', true)
  await follows(alice, 'bread', ['b2'])
  await alice.library.downloads.request(['t1'])
  const claim = crypto.randomUUID()
  await alice.library.downloads.start('t1', claim)
  await alice.library.downloads.fail('t1', claim, { download_error: 'It is gone.', next_attempt_at: null })
  const until = (reached: () => unknown) =>
    vi.waitFor(
      async () => {
        await sql`update notifications set created_at = now() - interval '2 minutes'`
        await sql`update messages set next_at = now() where next_at is not null and next_at > now() + interval '20 seconds'`
        await sql`select graphile_worker.add_job('housekeeping', job_key := 'housekeeping of the test')`
        await reached()
      },
      { timeout: 100_000, interval: 500 },
    )

  const killed = await start('worker', { env })
  await until(() => expect(hook.told.length).toBeGreaterThan(0))
  await killed.stop('SIGKILL')
  await letSilencePass(sql)
  const [first] = hook.told
  hook.hangs = false
  const next = await start('worker', { env })
  await until(async () => expect(await sql`select from messages where next_at is null`).toHaveLength(2))
  await next.stop()

  const ids = Map.groupBy(hook.told, ({ title }) => title)
  expect([...ids.keys()].toSorted()).toEqual(['Not downloaded: Video t1', 'Video b2'])
  for (const told of ids.values()) expect(new Set(told.map(({ id }) => id)).size).toBe(1)
  expect(ids.get(first?.title ?? '')?.length).toBeGreaterThan(1)
  expect(await sql`select from notifications`).toEqual([])
})
