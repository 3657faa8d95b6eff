/** Downloads to a small disk that is full, nearly full, read-only or away. Only root can mount one. */

import { appendFile, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { useOperator } from '../support/process/operator.ts'
import type { Running } from '../support/process/processes.ts'
import { hasBytes, isDone, leftAside, stopwatch, useService } from '../support/process/service.ts'
import { newFolder } from '../support/run/new-folder.ts'

const db = useDatabase()
const disk = await mkdtemp(join(tmpdir(), 'backlot-disk-'))
const mounted =
  (await execa('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk], { reject: false })).exitCode === 0
if (!mounted) console.warn('Left out: a full disk; only root can mount a small one here.')
const resize = (size: string) => execa('mount', ['-o', `remount,size=${size}`, disk])
const elsewhere = newFolder()
const remount = (options: string) => execa('mount', ['-o', `remount,${options}`, disk])
/** Leaves the file that shows that the disk is mounted. */
const empty = async () => {
  const names = (await readdir(disk)).filter(name => name !== '.backlot')
  for (const name of names) await rm(join(disk, name), { recursive: true })
}

afterAll(async () => {
  if (mounted) await execa('umount', ['-l', disk])
  await rm(disk, { recursive: true, force: true })
})

/** Metrics are shared for some seconds. */
const patiently = { timeout: 90_000, interval: 500 }

const failed = ({ download_status }: { download_status: string }) => download_status === 'failed'

describe.skipIf(!mounted)('a small disk', () => {
  const service = useService(db, { env: () => ({ DOWNLOADS_DIR: disk }) })
  const told = useOperator(service)
  beforeEach(empty)

  describe('with one worker', () => {
    let worker: Running
    beforeAll(async () => {
      worker = await service.worker()
    })
    afterAll(async () => expect(await worker.stop()).toBe(0))

    it('on a full disk a download fails with that reason, leaves nothing behind, and the worker continues', async () => {
      await resize('64k')
      const { ask, video_id, until } = await service.wants('filler', '/plain.mp4?for=filler')

      const status = await until(failed)
      expect(status).toMatchObject({
        queued: false,
        attempts: 1,
        download_error: expect.stringMatching(/space left on the disk.*Delete/),
      })
      await vi.waitFor(async () => expect(await leftAside(disk)).toEqual([]))
      await vi.waitFor(async () => {
        const { warnings, metrics } = await told()
        expect(warnings).toContain('The downloads disk is almost full. Delete some videos or add space.')
        expect(metrics.backlot_disk_size_bytes).toBe(65_536)
        expect(metrics['backlot_downloads_failed_last_hour{cause="machine"}']).toBeGreaterThan(0)
      }, patiently)

      await resize('8m')
      await ask(`/api/download/${video_id}`, { method: 'POST' })
      expect(await until(isDone)).toMatchObject({ download_error: null })
    })

    it.each([
      ['read-only', 'DOWNLOADS_DIR is read-only', () => remount('ro'), () => remount('rw')],
      [
        'away',
        'The disk of DOWNLOADS_DIR is away',
        () => execa('mount', ['--move', disk, elsewhere]),
        () => execa('mount', ['--move', elsewhere, disk]),
      ],
    ] as const)(
      'while the disk is %s, downloads wait, health and metrics say so, and they are completed when it is back',
      async (what, words, lose, giveBack) => {
        await resize('8m')
        await lose()
        const { ask, video_id, until } = await service.wants(what, `/plain.mp4?for=${what}`)
        expect(await until(({ download_error }) => download_error !== null)).toMatchObject({ queued: true })
        await vi.waitFor(async () => {
          const said = await told()
          expect(said).toMatchObject({ ready: 200, status: 200, workers: 1, metrics: { backlot_storage_up: 0 } })
          expect(said.warnings).toContainEqual(expect.stringContaining(words))
          expect(said.metrics['backlot_workers_in_trouble{lack="storage"}']).toBe(1)
        }, patiently)
        if (what === 'away') expect(await readdir(disk)).toEqual([])
        await giveBack()
        // The next attempt is planned for five minutes later. A person need not wait for it.
        await ask(`/api/download/${video_id}`, { method: 'POST' })

        expect(await until(isDone, 150_000)).toMatchObject({ download_error: null })
        await vi.waitFor(async () => {
          const said = await told()
          expect(said.metrics).toMatchObject({ backlot_storage_up: 1, 'backlot_workers_in_trouble{lack="storage"}': 0 })
          expect(said.warnings).not.toContainEqual(expect.stringContaining(words))
        }, patiently)
      },
    )
  })

  it('below MIN_FREE_MB no download starts, and a running one stops', async () => {
    await resize('8m')
    const { until } = await service.wants('runner', '/plain.mp4?drip=4000&for=runner')
    const worker = await service.worker({ MIN_FREE_MB: '4' })
    await until(hasBytes)

    await writeFile(join(disk, 'ballast'), Buffer.alloc(5_000_000))
    const stopped = stopwatch('disk filled up to the floor: stopped after')
    const status = await until(failed)
    stopped()
    expect(status).toMatchObject({
      queued: false,
      download_error: expect.stringContaining('not enough space left on the disk'),
    })
    await vi.waitFor(async () => expect(await leftAside(disk)).toEqual([]))

    const asked_before = service.media.requests.length
    const second = await service.wants('second', '/plain.mp4?for=second')
    expect(await second.until(failed)).toMatchObject({ download_error: expect.stringContaining('not enough space') })
    expect(service.media.requests.slice(asked_before).filter(({ search }) => search.includes('for=second'))).toEqual([])

    await rm(join(disk, 'ballast'))
    await second.ask('/downloads/retry', { method: 'POST', headers: { origin: service.web.url } })
    expect(await second.until(isDone)).toMatchObject({ download_error: null })
    await worker.stop()
  })

  it.each([
    ['4', '4 MB are to stay free', 4_500_000],
    ['0', 'it may fill up, and the run is tried again', 16_000_000],
  ])(
    'with MIN_FREE_MB=%s a full disk empties the bin, and the download completes: %s',
    async (MIN_FREE_MB, _, bytes) => {
      await resize('8m')
      const worker = await service.worker({ MIN_FREE_MB })
      const deleted = await service.wants(`deleter${MIN_FREE_MB}`, `/plain.mp4?for=deleter${MIN_FREE_MB}`)
      await deleted.until(isDone)
      await deleted.ask(`/api/download/${deleted.video_id}`, { method: 'DELETE' })
      const in_bin = (await readdir(join(disk, '.bin'), { recursive: true })).find(name => name.endsWith('.mp4')) ?? ''
      const file = join(disk, '.bin', in_bin)
      await appendFile(file, Buffer.alloc(bytes)).catch((fault: NodeJS.ErrnoException) =>
        expect(fault.code).toBe('ENOSPC'),
      )

      const { until } = await service.wants(`successor${MIN_FREE_MB}`, `/plain.mp4?for=successor${MIN_FREE_MB}`)

      expect(await until(status => isDone(status) || failed(status))).toMatchObject({
        download_status: 'completed',
        attempts: 1,
        download_error: null,
      })
      await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' })
      await worker.stop()
    },
  )

  it('a download stops at the quota of its person', async () => {
    await resize('8m')
    const mine = await service.wants('hoarder', '/plain.mp4?for=hoarder')
    const worker = await service.worker({ USER_QUOTA_GB: '0.00002' })
    expect(await mine.until(failed)).toMatchObject({
      download_error: expect.stringMatching(/more than the 0.00002 GB/),
    })
    await worker.stop()
  })
})
