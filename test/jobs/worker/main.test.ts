/** A whole worker with a downloader of our own: its host_limits and what it says of itself. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { startWorker, type Worker } from '../../../jobs/worker/main.ts'
import { everyoneIn } from '../../../src/db/everyone.ts'
import { connect } from '../../../src/db/postgres/client.ts'
import { serviceIn } from '../../../src/db/service/service.ts'
import { filesIn } from '../../../src/store/local-files.ts'
import { failureOf } from '../../../src/ytdlp/failures/read-error.ts'
import type { Downloader } from '../../../src/ytdlp/fetch/download.ts'
import { useDatabase } from '../../support/app/database.ts'
import { idleParts } from '../../support/app/parts.ts'
import { entry, type Person, person } from '../../support/app/people.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const used = useDatabase()
const unused = useDatabase()
const { sql } = used
const folder = newFolder()
let worker: Worker | undefined
afterEach(async () => {
  await worker?.stop()
  worker = undefined
})

const start = async (download: Downloader, host_concurrency = 2, database = used) => {
  worker = await startWorker(
    {
      ...idleParts(database.sql),
      files: filesIn(folder),
      downloadVideo: download,
      host_limits: { host_concurrency, host_pause_seconds: 0, isOurs: () => false },
    },
    { database_url: database.url, concurrency: 4 },
  )
}

async function waitsFor(who: Person, host: string, count: number): Promise<string[]> {
  const video_ids = Array.from({ length: count }, (_, n) => `${host}-${n}`)
  const videos = video_ids.map(id => entry(id, { video_url: `https://${host}/${id}` }))
  await who.library.channels.save({ channel_id: host, title: host, rss_url: `https://${host}/feed` }, videos)
  await who.library.downloads.request(video_ids)
  return video_ids
}

const statusesOf = async (who: Person, video_ids: string[]) =>
  (await who.library.videos.statuses(video_ids)).map(({ download_status }) => download_status)

it('a worker runs no more downloads of one host at once than allowed, and completes them all', async () => {
  const alice = await person(sql, 'alice')
  const video_ids = await waitsFor(alice, 'busy.example', 6)
  let [running, most] = [0, 0]
  const two_run = Promise.withResolvers<void>()
  const download: Downloader = async ({ folder }) => {
    most = Math.max(most, ++running)
    const file = join(folder, 'video.mp4')
    await writeFile(file, 'a video')
    if (running === 2) two_run.resolve()
    await two_run.promise
    running -= 1
    return { file, file_size: 7 }
  }

  await start(download)

  await vi.waitFor(async () => expect(await statusesOf(alice, video_ids)).toEqual(video_ids.map(() => 'completed')), {
    timeout: 20_000,
  })
  expect(most).toBe(2)
  expect((await alice.library.videos.statuses(video_ids)).map(({ attempts }) => attempts)).toEqual(
    video_ids.map(() => 1),
  )
})

it('a worker requests a site that asks to slow down once, and pauses its other downloads', async () => {
  const alice = await person(sql, 'alice')
  const video_ids = await waitsFor(alice, 'strict.example', 10)
  const [other = ''] = await waitsFor(alice, 'free.example', 1)
  let asked = 0
  const download: Downloader = async ({ url, folder }) => {
    if (url.includes('strict')) {
      asked += 1
      return {
        failure: failureOf({ said: 'ERROR: [x] 1: HTTP Error 429: Too Many Requests' }),
      }
    }
    const file = join(folder, 'video.mp4')
    await writeFile(file, 'a video')
    return { file, file_size: 7 }
  }

  await start(download, 1)

  await vi.waitFor(async () => expect(await statusesOf(alice, [other])).toEqual(['completed']))
  expect(asked).toBe(1)
  const all = await alice.library.videos.statuses(video_ids)
  const rests = all.map(({ site_rests_until }) => (site_rests_until?.getTime() ?? 0) - Date.now())
  expect(Math.min(...rests)).toBeGreaterThan(4 * 60_000)
  expect(Math.max(...rests)).toBeLessThan(6 * 60_000)
  expect(all.map(({ queued }) => queued)).toEqual(all.map(() => true))
  expect(all.map(({ attempts }) => attempts).toSorted()).toEqual([...all.slice(1).map(() => 0), 1])
})

it('a worker reports its tools', async () => {
  await start(async () => ({ failure: failureOf({ said: '' }) }))

  await vi.waitFor(async () =>
    expect(await serviceIn(sql).workers(20)).toEqual([
      expect.objectContaining({ ytdlp_version: '2026.08.19', slots: 4 }),
    ]),
  )
  await worker?.stop()
  worker = undefined
  expect(await serviceIn(sql).workers(20)).toEqual([])
})

it('a worker without a due download opens no connection for downloads', async () => {
  const work = everyoneIn(connect(unused.url, { name: 'work' }))
  await start(async () => ({ failure: failureOf({ said: '' }) }), 2, { sql: work, url: unused.url })

  await vi.waitFor(async () => expect(await serviceIn(unused.sql).workers(20)).toHaveLength(1))
  expect(await unused.sql`select query from pg_stat_activity where application_name = 'work'`).toEqual([])
  await work.end()
})
