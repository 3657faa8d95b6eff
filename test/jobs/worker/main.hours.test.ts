/** A whole worker outside of DOWNLOAD_HOURS, and when they begin and end. The downloader and the hours are the test's. */
import { appendFile, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startWorker, type Worker } from '../../../jobs/worker/main.ts'
import { watchNow } from '../../../src/domain/downloads/arriving.ts'
import { preparing } from '../../../src/domain/downloads/watch-run.ts'
import { filesIn } from '../../../src/store/local-files.ts'
import type { Downloader } from '../../../src/ytdlp/fetch/download.ts'
import { useDatabase } from '../../support/app/database.ts'
import { idleParts } from '../../support/app/parts.ts'
import { type Person, personWith } from '../../support/app/people.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const database = useDatabase()
const { sql } = database
const folder = newFolder()
let worker: Worker | undefined
let begin_at: Date | undefined
/** The videos that were requested from the site, in their order. */
let requested: string[]
/** Resolves when a download may end, by its video. */
let held: Map<string, PromiseWithResolvers<void>>

const openHours = () => {
  begin_at = undefined
}
const closeHours = () => {
  begin_at = new Date(Date.now() + 8 * 3_600_000)
}

beforeEach(async () => {
  await sql`delete from video_entries`
  await sql`truncate graphile_worker._private_jobs`
  requested = []
  held = new Map()
  worker = await startWorker(
    { ...idleParts(sql), files: filesIn(folder), downloadVideo: download, hoursBeginAt: () => begin_at },
    { database_url: database.url, concurrency: 2 },
  )
})
afterEach(async () => {
  for (const { resolve } of held.values()) resolve()
  await worker?.stop()
})

/** Adds one line to the partial file at each run. */
const download: Downloader = async ({ url, folder, signal, onProgress }) => {
  const video_id = url.split('/').at(-1) ?? ''
  requested.push(video_id)
  await appendFile(join(folder, 'video.part'), `${video_id}\n`)
  onProgress({ ...preparing, phase: 'downloading', percent: 10 })
  const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  await Promise.race([held.get(video_id)?.promise, aborted])
  const file = join(folder, 'video.mp4')
  await rename(join(folder, 'video.part'), file)
  return { file, file_size: (await readFile(file)).length }
}

const hold = (video_id: string) => held.set(video_id, Promise.withResolvers<void>())
const release = (video_id: string) => held.get(video_id)?.resolve()
const statusOf = async (who: Person, video_id: string) =>
  (await who.library.videos.find(video_id))?.download_status ?? 'missing'
const becomes = (who: Person, video_id: string, status: string) =>
  vi.waitFor(async () => expect([video_id, await statusOf(who, video_id)]).toEqual([video_id, status]), 20_000)

/** How many downloads wait in the queue as they were put there. */
const untouched = async () => {
  const [counted] = await sql<{ count: number }[]>`
    select count(*)::int as count
    from   graphile_worker.jobs
    where  key like 'download:%' and attempts = 0 and locked_at is null and run_at <= now()`
  return counted?.count
}

it('outside of the hours no download is taken; a watched one and a copy are', async () => {
  openHours()
  const bob = await personWith(sql, 'bob', 'channel', ['shared'])
  await bob.library.downloads.request(['shared'])
  await becomes(bob, 'shared', 'completed')
  closeHours()
  const many = Array.from({ length: 300 }, (_, n) => `many-${n}`)
  const alice = await personWith(sql, 'alice', 'channel', [...many, 'watched', 'shared'])
  await alice.library.downloads.request(many)

  await alice.library.downloads.request(['shared'])
  await watchNow(alice.library, filesIn(folder), 'watched', true)

  await Promise.all([becomes(alice, 'shared', 'completed'), becomes(alice, 'watched', 'completed')])
  expect(requested).toEqual(['shared', 'watched'])
  // None was taken and put back.
  expect(await untouched()).toBe(300)

  // Two run at once, in either order, and no third while they run.
  for (const video_id of ['many-0', 'many-1']) hold(video_id)
  openHours()
  await vi.waitFor(() => expect(requested.slice(2).toSorted()).toEqual(['many-0', 'many-1']), 20_000)
})

it('when the hours end, a run is handed back without an attempt, and goes on with its partial file when they begin', async () => {
  openHours()
  const alice = await personWith(sql, 'alice', 'channel', ['long', 'watched'])
  for (const video_id of ['long', 'watched']) hold(video_id)
  await alice.library.downloads.request(['long', 'watched'])
  await vi.waitFor(() => expect(requested.toSorted()).toEqual(['long', 'watched']), 20_000)
  // A person opens the player while it is downloaded in its turn.
  await watchNow(alice.library, filesIn(folder), 'watched', true)
  await vi.waitFor(async () => expect((await alice.library.videos.find('watched'))?.progress?.percent).toBe(10))

  closeHours()

  await becomes(alice, 'long', 'pending')
  expect(await alice.library.videos.status('long')).toMatchObject({ queued: true, attempts: 0, download_error: null })
  expect(await statusOf(alice, 'watched')).toBe('downloading')
  release('watched')
  await becomes(alice, 'watched', 'completed')
  expect(requested).toHaveLength(2)

  release('long')
  openHours()

  await becomes(alice, 'long', 'completed')
  expect(await alice.library.videos.status('long')).toMatchObject({ attempts: 1, file_size: 'long\nlong\n'.length })
})

it('a download that an older release queued is put back once, until the hours begin', async () => {
  closeHours()
  const alice = await personWith(sql, 'alice', 'channel', ['old'])
  await alice.library.downloads.request(['old'])
  await sql`update graphile_worker._private_jobs set flags = flags - 'download' where key like 'download:%'`

  // A worker looks for jobs when it starts.
  await worker?.stop()
  worker = await startWorker(
    { ...idleParts(sql), files: filesIn(folder), downloadVideo: download, hoursBeginAt: () => begin_at },
    { database_url: database.url, concurrency: 2 },
  )

  await vi.waitFor(async () => {
    const [job] = await sql<{ flags: Record<string, true>; is_later: boolean }[]>`
      select flags, run_at > now() as is_later from graphile_worker.jobs where key like 'download:%'`
    expect(job).toMatchObject({ flags: { download: true }, is_later: true })
  })
  expect(requested).toEqual([])
  expect(await alice.library.videos.status('old')).toMatchObject({ queued: true, attempts: 0 })
})
