/** Kills a worker in the middle of all that it does. The log says how long each recovery took. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { kill } from 'node:process'
import { describe, expect, it, vi } from 'vitest'
import { deskOf } from '../../src/db/admin/desk.ts'
import { useDatabase } from '../support/app/database.ts'
import { administrator } from '../support/app/people.ts'
import { useOperator } from '../support/process/operator.ts'
import {
  hasBytes,
  isDone,
  leftAside,
  letSilencePass,
  living,
  stopwatch,
  useService,
  type Wanted,
} from '../support/process/service.ts'
import { patientFfmpeg } from '../support/process/tools.ts'
import { exists } from '../support/run/made-once.ts'

const db = useDatabase()
const service = useService(db)
const told = useOperator(service)

describe('a killed worker', () => {
  it('another worker completes all five downloads of a killed worker, whatever their state', async () => {
    const { media, wants, folder, env } = service
    const { FFMPEG_PATH, hold, held } = await patientFfmpeg(folder, '.webm')
    const answer = media.hold('for=preparing')
    const relent = media.refuse('for=waiting')
    const sendRest = media.holdAfter(50_000, 'for=downloading')
    const sendLast = media.holdAfter(50_000, 'for=finishing')
    const preparing = await wants('preparing', '/plain.mp4?for=preparing')
    const downloading = await wants('downloading', '/plain.mp4?for=downloading')
    const processing = await wants('processing', '/vp9.webm?for=processing')
    const finishing = await wants('finishing', '/plain.mp4?for=finishing')
    const waiting = await wants('waiting', '/plain.mp4?for=waiting')
    const doomed = await service.worker({ WORKER_CONCURRENCY: '5', FFMPEG_PATH })

    await preparing.until(({ progress }) => progress?.phase === 'preparing')
    await waiting.until(({ download_status, queued }) => download_status === 'failed' && queued)
    await vi.waitFor(async () => expect(await exists(held)).toBe(true), { timeout: 30_000 })
    await finishing.until(hasBytes)
    const [entry] =
      await db.sql`select id, user_id from video_entries where video_id = ${finishing.video_id} and title = 'finishing'`
    const reserved = await db.sql.reserve()
    await reserved`begin`
    await reserved`select from video_entries where id = ${entry?.id} for update`
    sendLast()
    const aside = join(env.DOWNLOADS_DIR ?? '', '.work', String(entry?.user_id))
    await vi.waitFor(
      async () =>
        expect(await readdir(aside, { recursive: true })).toContainEqual(expect.stringMatching(/ready\.mp4$/)),
      {
        timeout: 10_000,
        interval: 20,
      },
    )
    await downloading.until(hasBytes)
    expect([(await processing.status()).download_status, (await finishing.status()).download_status]).toEqual([
      'downloading',
      'downloading',
    ])
    const asked_before = media.requests.length

    expect(await doomed.stop('SIGKILL')).toBe('SIGKILL')
    const children_gone = stopwatch('killed: its children are gone after')
    const watches = { preparing, downloading, processing, finishing, waiting }
    const completed = Object.entries(watches).map(([moment, wanted]) => {
      const seconds = stopwatch(`killed while ${moment}: completed after`)
      return wanted.until(isDone, 200_000).then(status => {
        seconds()
        return { moment, status }
      })
    })
    await vi.waitFor(async () => expect(await living(join(env.DOWNLOADS_DIR ?? '', '.work'))).toEqual([]), {
      timeout: 20_000,
      interval: 50,
    })
    children_gone()
    // Postgres might still run the last query of the dead worker. The test cancels it, so that it is lost with the worker.
    await db.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where  datname = current_database() and wait_event_type = 'Lock'`
    await reserved`rollback`
    reserved.release()
    await letSilencePass(db.sql)
    await rm(hold)
    answer()
    sendRest()
    relent()
    // Its next attempt is planned for later.
    await db.sql`update graphile_worker._private_jobs set run_at = now() where key like ${`%:${waiting.video_id}`}`
    const other = await service.worker({ WORKER_CONCURRENCY: '5', FFMPEG_PATH })

    for (const { moment, status } of await Promise.all(completed)) {
      expect([moment, status.download_error]).toEqual([moment, null])
    }
    const resumed = media.requests.slice(asked_before).filter(({ search }) => search.includes('for=downloading'))
    expect(resumed.map(({ range }) => range)).toContainEqual(expect.stringMatching(/^bytes=[1-9]\d*-$/))
    // A run records its file before it removes its folder, so the folders are gone only once the worker has stopped.
    await other.stop()
    expect(await leftAside(env.DOWNLOADS_DIR ?? '')).toEqual([])
  })

  it('a worker that is killed while its people are locked leaves nothing: unlocked, their downloads are continued', async () => {
    const { media, wants, env } = service
    const sendRest = media.holdAfter(50_000, 'of-locked')
    await administrator(db.sql, 'admin')
    const { people } = deskOf(db.sql, { user_id: null, name: 'a test' })
    const soon = await wants('unlocked-soon', '/plain.mp4?of-locked=soon')
    const late = await wants('unlocked-late', '/plain.mp4?of-locked=late')
    const doomed = await service.worker({ WORKER_CONCURRENCY: '2' })
    await soon.until(hasBytes)
    await late.until(hasBytes)

    // It is stopped first, so that it does not notice the lock.
    kill(doomed.pid, 'SIGSTOP')
    for (const name of ['unlocked-soon', 'unlocked-late']) await people.change(name, { locked: true })
    expect(await doomed.stop('SIGKILL')).toBe('SIGKILL')
    const asked_before = media.requests.length
    await people.change('unlocked-soon', { locked: false })
    await letSilencePass(db.sql)
    sendRest()
    const other = await service.worker({ WORKER_CONCURRENCY: '2' })

    const rowOf = async ({ video_id }: Wanted) => {
      const [row] = await db.sql`
        select standing, file_size is not null as has_file, download_attempts as attempts,
               exists (select from graphile_worker.jobs where key like ${`%:${video_id}`}) as has_job
        from   video_entries
        where  video_id = ${video_id}`
      return row
    }
    await vi.waitFor(async () => expect(await rowOf(soon)).toMatchObject({ standing: 'done' }), { timeout: 60_000 })
    await vi.waitFor(async () => expect(await rowOf(late)).toMatchObject({ standing: 'waiting', has_job: false }))
    await people.change('unlocked-late', { locked: false })
    await vi.waitFor(async () => expect(await rowOf(late)).toMatchObject({ standing: 'done' }), { timeout: 60_000 })

    for (const who of ['soon', 'late']) {
      const resumed = media.requests.slice(asked_before).filter(({ search }) => search.endsWith(`of-locked=${who}`))
      expect(resumed.map(({ range }) => range)).toContainEqual(expect.stringMatching(/^bytes=[1-9]\d*-$/))
    }
    await other.stop()
    expect(await leftAside(env.DOWNLOADS_DIR ?? '')).toEqual([])
  })
})

/** Metrics are shared for some seconds. */
const patiently = { timeout: 90_000, interval: 500 }

it('health and metrics miss a worker after SIGKILL and one after SIGSTOP, and another completes their downloads, once', async () => {
  const { media, wants, env } = service
  const sendRest = media.holdAfter(50_000, 'until=silence')
  const startOne = async (who: string) => {
    const wanted = await wants(who, `/plain.mp4?for=${who}&until=silence`)
    const worker = await service.worker({ WORKER_CONCURRENCY: '1' })
    await wanted.until(hasBytes)
    return { ...wanted, worker }
  }
  const killed = await startOne('after-sigkill')
  const stopped = await startOne('after-sigstop')
  await vi.waitFor(async () => expect((await told()).metrics).toMatchObject({ backlot_workers: 2 }), patiently)

  // Here the silence is waited for, and not dated back.
  const gone = stopwatch('SIGKILL and SIGSTOP: health misses the workers after')
  kill(killed.worker.pid, 'SIGKILL')
  kill(stopped.worker.pid, 'SIGSTOP')
  await vi.waitFor(async () => {
    const said = await told()
    expect(said).toMatchObject({ ready: 200, workers: 0, metrics: { backlot_workers: 0 } })
    expect(said.warnings[0]).toContain('No worker is running')
    expect(said.metrics.backlot_worker_last_beat_seconds).toBeGreaterThan(14)
  }, patiently)
  gone()
  const other = await service.worker()
  await vi.waitFor(async () => expect((await told()).metrics).toMatchObject({ backlot_workers: 1 }), patiently)
  sendRest()

  const done = await Promise.all([killed, stopped].map(({ until }) => until(isDone, 120_000)))
  expect(done).toMatchObject([{ download_error: null }, { download_error: null }])
  // It has lost its claim, so it changes nothing when it goes on, and works as before.
  kill(stopped.worker.pid, 'SIGCONT')
  await vi.waitFor(async () => expect((await told()).metrics).toMatchObject({ backlot_workers: 2 }), patiently)
  expect(await stopped.worker.stop()).toBe(0)
  expect(await stopped.until(isDone)).toEqual(done[1])
  await other.stop()
  expect(await leftAside(env.DOWNLOADS_DIR ?? '')).toEqual([])
})
