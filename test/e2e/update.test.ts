/** Puts a newer version in the place of this one, process by process, while people use both; then goes back. */

import { beforeAll, expect, it, vi } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { client, followAndRequest, publishFeed, register, settled } from '../support/process/journey.ts'
import { startLoad } from '../support/process/load.ts'
import { later_task, newerCheckout } from '../support/process/newer.ts'
import { runRole, start } from '../support/process/processes.ts'
import { useService } from '../support/process/service.ts'
import { newFolder } from '../support/run/new-folder.ts'

const db = useDatabase({ empty: true })
const folder = newFolder()
let newer: string
beforeAll(async () => {
  newer = await newerCheckout(folder)
  expect((await runRole('migrate', { DATABASE_URL: db.url })).code).toBe(0)
})
const service = useService(db)

type Ask = ReturnType<typeof client>
const pages = ['/', '/channels', '/downloads', '/settings', '/api/channels']
const requests = pages.map(path => ({ path }))

/** Follows a new feed and waits for its video. */
async function download(ask: Ask, name: string): Promise<string> {
  const feed = publishFeed(service.media, { [name]: `/plain.mp4?for=${name}` }, `/${name}.xml`)
  const [video_id = ''] = await followAndRequest(ask, feed)
  return (await settled(ask, video_id)).download_status
}

/** The stylesheet, scripts and icons of the page, as its addresses name them. */
async function assetsOf(ask: Ask): Promise<string[]> {
  const page = await (await ask('/channels')).text()
  return [...new Set([...page.matchAll(/\/static\/[\w./-]+\?v=[\w-]+/g)].map(([address]) => address))]
}

const statusesOf = async (base: string, addresses: string[]) => {
  const answers = await Promise.all(addresses.map(address => fetch(base + address)))
  return answers.map(({ status, headers }) => ({ status, kept: headers.get('cache-control')?.includes('immutable') }))
}

const jobOfLater = async () => {
  const [job] = await db.sql`select attempts from graphile_worker.jobs where task_identifier = ${later_task}`
  return job
}

it('a newer version takes the place of this one and goes back, and no request, download or job fails', async () => {
  const { env, web } = service
  let worker = await service.worker()
  const alice = await service.person('alice')
  const load = startLoad([{ ask: alice, requests }])
  expect(await download(alice, 'before')).toBe('completed')

  // The newer version migrates under load, beside the older processes.
  expect(await runRole('migrate', env, { cwd: newer })).toMatchObject({ code: 0 })
  await db.sql`select graphile_worker.add_job(${later_task})`
  expect(await download(alice, 'by-the-older-worker')).toBe('completed')
  expect(await jobOfLater()).toEqual({ attempts: 0 })

  // An older process may be started again.
  await worker.stop()
  worker = await service.worker()
  const newer_web = await start('web', { env, cwd: newer })
  const newer_worker = await start('worker', { env, cwd: newer })
  await vi.waitFor(async () => expect(await jobOfLater()).toBeUndefined(), { timeout: 60_000 })
  const bob = client(newer_web.url)
  await register(bob, 'bob')
  const newer_load = startLoad([{ ask: bob, requests }])
  const finished = await Promise.all([download(alice, 'by-either'), download(bob, 'by-either-too')])
  expect(finished).toEqual(['completed', 'completed'])

  // A page of one version finds its files at the other, which does not let the browser keep what differs.
  for (const [ask, other] of [
    [alice, newer_web.url],
    [bob, web.url],
  ] as const) {
    const statuses = await statusesOf(other, await assetsOf(ask))
    expect(statuses.length).toBeGreaterThan(3)
    expect(statuses.filter(({ status }) => status !== 200)).toEqual([])
    expect(statuses.filter(({ kept }) => !kept)).toHaveLength(1)
  }

  // The way back: the newer processes end, and the older ones go on with the newer schema.
  const newer_faults = await newer_load.stop()
  await Promise.all([newer_web.stop(), newer_worker.stop()])
  expect(await download(alice, 'after')).toBe('completed')
  const again = await start('web', { env })
  expect((await client(again.url)('/login')).status).toBe(200)
  const { faults } = await load.stop()
  expect([...newer_faults.faults, ...faults]).toEqual([])
  expect(
    await db.sql`select task_identifier, last_error from graphile_worker.jobs where last_error is not null`,
  ).toEqual([])
  await Promise.all([again.stop(), worker.stop()])
})
