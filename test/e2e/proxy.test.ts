/** The service with DOWNLOAD_PROXY and FEED_PROXY, while its proxy comes and goes. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { smallChannel } from '../support/media/small-youtube.ts'
import { json } from '../support/process/journey.ts'
import { useOperator } from '../support/process/operator.ts'
import { password, proxies_are_here, startProxy, type TestProxy, tapOf } from '../support/process/proxies.ts'
import { processesWith } from '../support/process/running.ts'
import { downloadOf, isDone, type Service, useService, useYoutube } from '../support/process/service.ts'
import { newFolder } from '../support/run/new-folder.ts'

const db = useDatabase()
const channel = smallChannel('proxied', { videos: 2 })
const folder = newFolder()
const patiently = { timeout: 90_000, interval: 500 }
/** A new person who follows the channel. */
async function follower(service: Service, name: string) {
  const ask = await service.person(name)
  const feed = `https://www.youtube.com/feeds/videos.xml?channel_id=${channel.channel_id}`
  const followed = await ask('/api/channels', json({ url: feed }))
  expect(followed.status).toBe(201)
  const { channel_id } = (await followed.json()) as { channel_id: string }
  const history = await ask(`/api/history/${channel_id}`)
  const { entries } = (await history.json()) as { entries: { video_id: string }[] }
  const [first, second] = entries.map(({ video_id }) => downloadOf(ask, video_id))
  return { ask, channel_id, first: first ?? expect.unreachable(), second: second ?? expect.unreachable() }
}

describe.skipIf(!proxies_are_here)('with a proxy', () => {
  const youtube = useYoutube(channel)
  let proxy: TestProxy
  let tap: Awaited<ReturnType<typeof tapOf>>
  beforeAll(async () => {
    proxy = await startProxy('tinyproxy')
    tap = await tapOf(proxy)
    await writeFile(join(folder, 'proxy'), `${tap.url}\n`)
  })
  afterAll(async () => {
    await tap.close()
    await proxy.stop()
  })
  const more = { DOWNLOAD_PROXY_FILE: join(folder, 'proxy'), FEED_PROXY: 'on', LOG_LEVEL: 'trace', SHARE_FILES: 'off' }
  const service = useService(db, { env: () => more, youtube })
  const told = useOperator(service)

  it('feeds and videos come through it, and downloads wait while it is away, without losing attempts', async () => {
    const worker = await service.worker()
    onTestFinished(() => worker.stop().then(() => {}))
    const { ask, channel_id, first, second } = await follower(service, 'waiter')
    const free = youtube.hold('/videoplayback')
    await ask(`/api/download/${first.video_id}`, { method: 'POST' })
    const is_fetching = () => youtube.requests.some(({ path }) => path === '/videoplayback')
    await vi.waitFor(() => expect(is_fetching()).toBe(true), patiently)
    const running = (await processesWith()).filter(({ args }) => !args.startsWith('microsocks'))
    expect(running.filter(({ args }) => args.includes('yt-dlp'))).not.toEqual([])
    expect(running.filter(({ args }) => args.includes(password))).toEqual([])
    free()
    expect(await first.until(isDone)).toMatchObject({ download_error: null })
    expect(youtube.requests.length).toBeGreaterThan(2)
    // Nothing but the proxy connects to the site: each of its connections has a handshake.
    expect(tap.sent().match(/CONNECT 127\.0\.0\.1:/g)?.length).toBeGreaterThan(1)
    expect(await proxy.log()).not.toMatch(/youtube|googlevideo/)
    await vi.waitFor(async () => expect((await told()).warnings).toEqual([]), patiently)
    // A look that is still due would wait for the proxy in a pause of its own.
    await vi.waitFor(async () => expect(await looksLeft()).toEqual([]), patiently)

    await proxy.stop()
    const before = youtube.requests.length
    await ask(`/api/download/${second.video_id}`, { method: 'POST' })
    const waiting = await second.until(({ download_error }) => download_error !== null)
    expect(waiting).toMatchObject({
      queued: true,
      attempts: 0,
      download_error: 'The proxy of this service does not answer. We try again until it does.',
    })
    const refreshed = await ask(`/api/channels/${channel_id}/refresh`, { method: 'POST' })
    expect(await refreshed.text()).toContain('The proxy of this service does not answer.')
    await vi.waitFor(async () => {
      const { warnings, metrics } = await told()
      expect(warnings).toContainEqual(expect.stringMatching(/^The proxy of DOWNLOAD_PROXY does not answer.* Start it/))
      expect(metrics['backlot_workers_in_trouble{lack="proxy"}']).toBe(1)
    }, patiently)
    expect(youtube.requests.length).toBe(before)
    expect(await db.sql`select host from host_pauses`).toEqual([])
    expect(await db.sql`select host from host_looks`).toEqual([])

    proxy = await startProxy('tinyproxy', { at: proxy })
    // The next attempt is planned for a minute later. A person need not wait for it.
    await ask(`/api/download/${second.video_id}`, { method: 'POST' })
    expect(await second.until(isDone)).toMatchObject({ download_error: null, attempts: 1 })
    await vi.waitFor(async () => expect((await told()).warnings).toEqual([]), patiently)
  })

  it('its password is in no log, page and table', async () => {
    const wrong = 'hunter3-of-no-proxy'
    await writeFile(join(folder, 'wrong'), tap.url.replace(password, wrong))
    const worker = await service.worker({ DOWNLOAD_PROXY_FILE: join(folder, 'wrong') })
    onTestFinished(() => worker.stop().then(() => {}))
    const { ask, first } = await follower(service, 'outsider')
    await ask(`/api/download/${first.video_id}`, { method: 'POST' })

    const { download_error } = await first.until(shown => shown.download_error !== null || isDone(shown))
    const pages = await Promise.all(['/downloads', '/status', '/channels', '/api/downloads'].map(path => ask(path)))
    const shown = [
      ...(await Promise.all(pages.map(page => page.text()))),
      ...[worker.said(), service.web.said(), String(download_error), JSON.stringify(await told())],
      ...(await everythingStored()),
    ].join('\n')
    for (const secret of [password, wrong, tap.url.replace(/.*@/, '')]) expect(shown).not.toContain(secret)
    await vi.waitFor(async () => {
      expect((await told()).warnings).toContainEqual(expect.stringMatching(/refuses our user or password/))
    }, patiently)
  })
})

const looksLeft = () => db.sql`
  select video_id from video_entries where look_at <= now()
  union all
  select key from graphile_worker.jobs where task_identifier = 'look-at-videos'`

/** Every row of every table, as text. */
async function everythingStored(): Promise<string[]> {
  const tables = await db.sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where  schemaname in ('public', 'graphile_worker')`
  const rows = await Promise.all(tables.map(({ name }) => db.sql.unsafe(`select t::text as row from ${name} t`)))
  return rows.flat().map(({ row }) => String(row))
}
