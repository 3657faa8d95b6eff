/** Five people and one video, with real workers and the real yt-dlp: what their site, their disk and each of them sees. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { client, followAndRequest, publishFeed, register, type Status } from '../support/process/journey.ts'
import { letSilencePass, openService, type Service } from '../support/process/service.ts'

const db = useDatabase()
let service: Service
beforeAll(async () => {
  service = await openService(db.url)
})
afterAll(() => service.close())

type Someone = { ask: ReturnType<typeof client>; video_id: string; status(): Promise<Status> }

/** A new person who follows the feed of this name and has requested its video. */
async function requests(name: string, feed: string): Promise<Someone> {
  const ask = client(service.web.url)
  await register(ask, name)
  const [video_id = ''] = await followAndRequest(ask, feed)
  const status = async () => (await (await ask(`/api/download/status/${video_id}`)).json()) as Status
  return { ask, video_id, status }
}

const feedOf = (name: string, drip = 0) =>
  publishFeed(service.media, { 'One film': `/plain.mp4?film=${name}&drip=${drip}` }, `/${name}.xml`)
const requestsFor = (name: string) => service.media.requests.filter(({ search }) => search.includes(`film=${name}&`))
const people = (name: string, feed: string) =>
  Promise.all(['one', 'two', 'three', 'four', 'five'].map(who => requests(`${name}-${who}`, feed)))
const fileOf = async (who: Someone) => join(service.env.DOWNLOADS_DIR ?? '', (await who.status()).download_path ?? '?')
const inodes = async (who: Someone[]) =>
  new Set(await Promise.all(who.map(async one => (await stat(await fileOf(one))).ino)))
const diskBytes = async () => {
  const { stdout } = await execa('du', ['-s', '--block-size=1', '--exclude=.work', service.env.DOWNLOADS_DIR ?? ''])
  return Number.parseInt(stdout, 10)
}

const allDone = (who: Someone[]) =>
  vi.waitFor(
    async () => {
      const found = await Promise.all(who.map(one => one.status()))
      expect(found.map(({ download_status, download_error }) => download_error ?? download_status)).toEqual(
        who.map(() => 'completed'),
      )
    },
    { timeout: 90_000, interval: 300 },
  )
const isFetching = (name: string) =>
  vi.waitFor(() => expect(requestsFor(name).length).toBeGreaterThan(0), { timeout: 30_000, interval: 20 })

it('five people who request one video have five independent files, by one request and stored once', {
  timeout: 240_000,
}, async () => {
  const workers = [await service.worker(), await service.worker()]
  const alone = await requests('alone', feedOf('alone'))
  await allDone([alone])
  const once = requestsFor('alone').length
  const before = await diskBytes()

  const all = await people('shared', feedOf('shared', 60_000))
  await isFetching('shared')
  // A person who requests it while it is being fetched.
  all.push(await requests('shared-late', `${service.media.url}/shared.xml`))
  await allDone(all)

  expect(requestsFor('shared')).toHaveLength(once)
  expect((await inodes(all)).size).toBe(1)
  const { size } = await stat(await fileOf(all[0] ?? alone))
  expect((await diskBytes()) - before).toBeLessThan(2 * size)
  const [first, ...others] = all
  const gone = first && (await fileOf(first))
  expect((await first?.ask(`/api/download/${first.video_id}`, { method: 'DELETE' }))?.status).toBe(200)
  await expect(stat(gone ?? '')).rejects.toThrow('ENOENT')
  for (const who of others) {
    const answer = await who.ask(`/stream/${who.video_id}`)
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, size])
  }
  await Promise.all(workers.map(worker => worker.stop()))
})

it('five people have one video although the worker that fetches it is killed: the next run resumes its file', {
  timeout: 240_000,
}, async () => {
  const doomed = await service.worker({ WORKER_CONCURRENCY: '5' })
  const free = service.media.holdAfter(50_000, 'film=killed')
  const all = await people('killed', feedOf('killed'))
  await vi.waitFor(
    async () => {
      const found = await Promise.all(all.map(one => one.status()))
      expect(found.some(({ progress }) => (progress?.percent ?? 0) > 5)).toBe(true)
    },
    { timeout: 60_000, interval: 300 },
  )
  const before = requestsFor('killed').length
  expect(await doomed.stop('SIGKILL')).toBe('SIGKILL')
  await letSilencePass(db.sql)
  free()
  const other = await service.worker({ WORKER_CONCURRENCY: '5' })

  await allDone(all)

  const after = requestsFor('killed').slice(before)
  expect(after.length).toBeLessThanOrEqual(before)
  expect((await inodes(all)).size).toBe(1)
  await other.stop()
})

it('with SHARE_FILES=off five people make five requests and have five files', { timeout: 240_000 }, async () => {
  const worker = await service.worker({ SHARE_FILES: 'off', WORKER_CONCURRENCY: '2' })
  const once = requestsFor('alone').length
  const all = await people('apart', feedOf('apart'))
  await allDone(all)
  expect(requestsFor('apart')).toHaveLength(5 * once)
  expect((await inodes(all)).size).toBe(5)
  await worker.stop()
})
