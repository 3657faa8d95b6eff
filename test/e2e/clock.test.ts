/** The clock of the machine is ahead for a while, and is set back, under a running service and before a start. */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connect, type Sql } from '../../src/db/postgres/client.ts'
import { type MediaServer, openMediaServer } from '../support/media/media.ts'
import { client, followAndRequest, publishFeed, register, signIn } from '../support/process/journey.ts'
import { operatorOf } from '../support/process/operator.ts'
import { type Cluster, openCluster } from '../support/process/postgres.ts'
import { type Running, start } from '../support/process/processes.ts'
import { downloadOf, hasBytes, isDone } from '../support/process/service.ts'
import { environmentIn } from '../support/process/tools.ts'
import { newFolder } from '../support/run/new-folder.ts'

/** The package `faketime` of Debian. It changes the time of a process, and not the clock that measures how long something takes. */
const library = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketime.so.1`
const is_here = existsSync(library)
if (!is_here) console.warn('Left out: another time for a service; faketime is not installed.')

const patiently = { timeout: 90_000, interval: 300 }

describe.skipIf(!is_here)('a clock', () => {
  const folder = newFolder()
  const file = join(folder, 'time')
  const set = (offset: string) => writeFile(file, offset)
  const faked = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  let cluster: Cluster
  let env: Record<string, string>
  let all: Running
  let media: MediaServer
  let sql: Sql
  const wants = async (username: string, path: string) => {
    const ask = client(all.url)
    await register(ask, username)
    const [video_id = ''] = await followAndRequest(ask, publishFeed(media, { [username]: path }, `/${username}.xml`))
    return downloadOf(ask, video_id)
  }
  beforeAll(async () => {
    media = await openMediaServer()
    await set('+0')
    // Elsewhere, the temporary folders of other tests would seem old.
    const TMPDIR = join(folder, 'temporary')
    await mkdir(TMPDIR)
    env = { ...(await environmentIn(folder)), ...faked, TMPDIR, MIN_FREE_MB: '0', REFRESH_INTERVAL_MINUTES: '1' }
    const words = Object.entries(faked).map(pair => pair.join('='))
    cluster = await openCluster(folder, { words: ['env', ...words] })
    env.DATABASE_URL = cluster.url
    sql = connect(cluster.url, { max: 1 })
    all = await start('all', { env })
  })
  afterAll(async () => {
    await sql?.end()
    await all?.stop()
    await media?.close()
    await cluster?.stop()
  })

  it('is ahead by a year for a while: nothing is deleted, and nothing waits for that time when it is right again', async () => {
    const told = await operatorOf(all.url)
    const running = await wants('before', '/plain.mp4?drip=20000&for=before')
    await running.until(hasBytes)
    await set('+366d')
    await vi.waitFor(() => expect(all.said()).toContain('the time jumped; the crontab begins again'), patiently)
    const meanwhile = await wants('meanwhile', '/plain.mp4?for=meanwhile')
    expect(await meanwhile.until(isDone)).toMatchObject({ download_error: null })
    // Planned by housekeeping, in the next minute.
    await vi.waitFor(async () => {
      const [plan] = await sql`select max(next_fetch_at) > now() as exists from channels`
      expect(plan?.exists).toBe(true)
    }, patiently)

    await set('+0')
    await vi.waitFor(
      () => expect(all.said()).toContain('the clock was ahead; times from the future were corrected'),
      patiently,
    )
    expect(await running.until(isDone)).toMatchObject({ attempts: 1, download_error: null })
    const [left] = await sql`
      select (select max(next_fetch_at) < now() + interval '5 minutes' from channels) as feeds,
             (select coalesce(max(run_at) < now() + interval '5 minutes', true) from graphile_worker._private_jobs) as jobs,
             (select max(heartbeat_at) <= now() from workers) as workers`
    expect(left).toEqual({ feeds: true, jobs: true, workers: true })
    // The session of the operator, which had expired, is still there.
    const warning = expect.stringMatching(/^The clock was ahead by 366 days/)
    await vi.waitFor(
      async () => expect(await told()).toMatchObject({ ready: 200, warnings: expect.arrayContaining([warning]) }),
      patiently,
    )
    const after = await wants('after', '/plain.mp4?for=after')
    await after.until(isDone)
  })

  it('was ahead by a day when the service was killed: its download goes on after the start', async () => {
    await set('+1d')
    const { until, video_id } = await wants('killed', '/plain.mp4?drip=20000&for=killed')
    await until(hasBytes)
    await all.stop('SIGKILL')
    await set('+0')
    all = await start('all', { env })
    const ask = client(all.url)
    await signIn(ask, 'killed')
    expect(await downloadOf(ask, video_id).until(isDone)).toMatchObject({ attempts: 2, download_error: null })
    expect(all.said()).toContain('the clock was ahead; times from the future were corrected')
  })
})
