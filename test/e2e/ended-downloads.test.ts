/** Ends downloads while they run, and gives workers a yt-dlp that hangs: no process is left. The log says how long each end took. */
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { deskOf } from '../../src/db/admin/desk.ts'
import { useDatabase } from '../support/app/database.ts'
import { administrator } from '../support/app/people.ts'
import { useOperator } from '../support/process/operator.ts'
import { type Running, start } from '../support/process/processes.ts'
import { hasBytes, leftAside, living, stopwatch, useService } from '../support/process/service.ts'

const db = useDatabase()
const service = useService(db)
const told = useOperator(service)

const running = () => living(join(service.env.DOWNLOADS_DIR ?? '', '.work'))

describe('processes of downloads', () => {
  let worker: Running
  beforeAll(async () => {
    worker = await service.worker()
  })
  afterAll(() => worker.stop())

  it('a cancelled download leaves no process', async () => {
    const { ask, video_id, until, status } = await service.wants('sorry', '/plain.mp4?drip=5000&for=sorry')
    await until(hasBytes)
    expect((await running()).length).toBeGreaterThan(0)

    const gone = stopwatch('cancelled: gone after')
    await ask(`/api/download/${video_id}`, { method: 'DELETE' })
    await vi.waitFor(async () => expect(await running()).toEqual([]), { interval: 50 })
    gone()

    expect(await status()).toMatchObject({ download_status: 'pending', queued: false, attempts: expect.any(Number) })
    await vi.waitFor(async () => expect(await leftAside(service.env.DOWNLOADS_DIR ?? '')).toEqual([]))
  })

  it('a download of a locked person leaves no process, keeps what it has, and goes on after the unlocking', async () => {
    // The only administrator cannot be locked.
    await administrator(db.sql, 'admin')
    const { video_id, until } = await service.wants('locked', '/plain.mp4?drip=5000&for=locked')
    await until(hasBytes)
    const row = async () => {
      const [found] = await db.sql<{ standing: string; attempts: number }[]>`
        select standing, download_attempts as attempts
        from   video_entries
        where  video_id = ${video_id}`
      if (!found) throw new Error('the video is gone')
      return found
    }
    const { people } = deskOf(db.sql, { user_id: null, name: 'a test' })

    const gone = stopwatch('locked: gone after')
    expect(await people.change('locked', { locked: true })).toMatchObject({ locked_at: expect.any(Date) })
    await vi.waitFor(async () => expect(await running()).toEqual([]), { interval: 50 })
    gone()

    await vi.waitFor(async () => expect(await row()).toMatchObject({ standing: 'waiting', attempts: 0 }))
    expect(await leftAside(service.env.DOWNLOADS_DIR ?? '')).not.toEqual([])
    await people.change('locked', { locked: false })
    await vi.waitFor(async () => expect(await row()).toMatchObject({ standing: 'running', attempts: 1 }))
    await people.remove('locked')
    await vi.waitFor(async () => expect(await running()).toEqual([]), { interval: 50 })
    await vi.waitFor(async () => expect(await leftAside(service.env.DOWNLOADS_DIR ?? '')).toEqual([]))
  })

  it('a download whose channel is deleted leaves no process', async () => {
    const { ask, channel_id, until } = await service.wants('leaver', '/plain.mp4?drip=5000&for=leaver')
    await until(hasBytes)

    const gone = stopwatch('channel deleted: gone after')
    expect((await ask(`/api/channels/${channel_id}`, { method: 'DELETE' })).status).toBe(204)
    await vi.waitFor(async () => expect(await running()).toEqual([]), { interval: 50 })
    gone()

    await vi.waitFor(async () => expect(await leftAside(service.env.DOWNLOADS_DIR ?? '')).toEqual([]))
  })
})

describe('a hanging yt-dlp', () => {
  it('a hanging yt-dlp is stopped with all its children, and its attempt counts', async () => {
    const YTDLP_PATH = join(service.folder, 'hanging-yt-dlp')
    await writeFile(
      YTDLP_PATH,
      '#!/bin/sh\ncase " $* " in *" --version "*) echo 2026.08.19; exit ;; esac\ntrap "" TERM\nsh -c "sleep 333; true" child-of-hung & wait\nsleep 333\n',
    )
    await chmod(YTDLP_PATH, 0o755)
    const { ask, video_id, until } = await service.wants('hung', '/plain.mp4?for=hung')
    const entry = 'test/support/process/impatient-role.ts'
    const worker = await start('worker', { env: { ...service.env, YTDLP_PATH, SILENCE_S: '2' }, entry })
    await until(({ download_status }) => download_status === 'downloading')

    const stopped = stopwatch('hanging, limit 2 s: stopped after')
    const status = await until(({ download_status }) => download_status === 'failed')
    stopped()

    expect(status).toMatchObject({
      attempts: 1,
      queued: true,
      download_error: expect.stringContaining('stopped sending'),
    })
    await vi.waitFor(
      async () => {
        const { ready, metrics } = await told()
        expect(ready).toBe(200)
        expect(metrics['backlot_downloads_failed_last_hour{cause="broken_off"}']).toBeGreaterThan(0)
        expect(metrics['backlot_downloads{state="waiting"}']).toBeGreaterThan(0)
      },
      { timeout: 90_000, interval: 500 },
    )
    await vi.waitFor(async () => expect(await living('hanging-yt-dlp', 'for=hung')).toEqual([]))
    await vi.waitFor(async () => expect(await living('child-of-hung')).toEqual([]))

    await ask(`/api/download/${video_id}`, { method: 'POST' })
    await until(({ download_status }) => download_status === 'downloading')
    await vi.waitFor(async () => expect(await living('child-of-hung')).not.toEqual([]), { interval: 20 })
    const gone = stopwatch('SIGTERM, with a yt-dlp that does not listen: exit after')
    expect(await worker.stop()).toBe(0)
    gone()
    expect(await until(({ queued }) => queued)).toMatchObject({ download_status: 'pending', attempts: 0 })
    await vi.waitFor(async () => expect(await living('child-of-hung')).toEqual([]))
  })
})
