/** As processes: web and workers on one database, for tests of crashes. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import type { Sql } from '../../../src/db/postgres/client.ts'
import { metrics_token } from '../app/metrics.ts'
import { type MediaServer, openMediaServer } from '../media/media.ts'
import { openSmallYoutube, type SmallYoutube, small_youtube_ca, type smallChannel } from '../media/small-youtube.ts'
import { client, followAndRequest, json, publishFeed, register, type Status } from './journey.ts'
import { type Running, start } from './processes.ts'
import { processesWith } from './running.ts'
import { environmentIn } from './tools.ts'

export type Service = {
  folder: string
  media: MediaServer
  env: Record<string, string>
  web: Running
  worker(more?: Record<string, string>): Promise<Running>
  /** What a new person asks with. */
  person(username: string): Promise<ReturnType<typeof client>>
  /** A new person who has requested one video, served at `file`. The settings are chosen first, because a worker may be running. */
  wants(username: string, file: string, settings?: object): Promise<Wanted>
  close(): Promise<void>
}

export type Wanted = Download & { channel_id: string }
type Download = {
  ask: ReturnType<typeof client>
  video_id: string
  status(): Promise<Shown>
  /** Resolves once the status matches. */
  until(reached: (status: Shown) => boolean, timeout?: number): Promise<Shown>
}
export type Shown = Status & {
  attempts: number
  progress: { phase: string; percent: number | null; downloaded_bytes: number | null } | null
}

type Wish = {
  /** More variables of its processes. Called in a hook, after those that the file registered before `useService`. */
  env?: () => Record<string, string>
  youtube?: SmallYoutube
  /** Otherwise its tests start their workers. */
  has_worker?: boolean
}

/** For the tests of one file. Use it in hooks and tests only. */
export function useService(db: { url: string }, { env, youtube, has_worker = false }: Wish = {}): Service {
  const service = {} as Service
  beforeAll(async () => {
    Object.assign(service, await openService(db.url, env?.(), youtube))
    if (has_worker) await service.worker()
  })
  afterAll(() => service.close?.())
  return service
}

/** For the tests of one file. Call it before `useService`, so that it ends last. */
export function useYoutube(...channels: ReturnType<typeof smallChannel>[]): SmallYoutube {
  const youtube = {} as SmallYoutube
  beforeAll(async () => {
    Object.assign(youtube, await openSmallYoutube(...channels))
  })
  afterAll(() => youtube.close?.())
  return youtube
}

/** `youtube`: the one that its processes take for the real one. */
export async function openService(
  database_url: string,
  more: Record<string, string> = {},
  youtube?: SmallYoutube,
): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-service-'))
  const media = await openMediaServer()
  const env = {
    DATABASE_URL: database_url,
    ...(await environmentIn(folder, youtube && { SSL_CERT_FILE: small_youtube_ca })),
    MIN_FREE_MB: '0',
    METRICS_TOKEN: metrics_token,
    ...youtube?.env,
    ...more,
  }
  const entry = youtube ? 'test/support/process/role-with-youtube.ts' : 'src/main.ts'
  const web = await start('web', { env, entry })
  const workers: Running[] = []

  const person: Service['person'] = async username => {
    const ask = client(web.url)
    await register(ask, username)
    return ask
  }
  const wants: Service['wants'] = async (username, file, settings) => {
    const ask = await person(username)
    if (settings) expect((await ask('/api/settings', { ...json(settings), method: 'PUT' })).status).toBe(200)
    const feed = publishFeed(media, { [username]: file }, `/${username}.xml`)
    const [video_id = ''] = await followAndRequest(ask, feed)
    const { channels } = (await (await ask('/api/channels')).json()) as { channels: { channel_id: string }[] }
    return { ...downloadOf(ask, video_id), channel_id: channels[0]?.channel_id ?? '' }
  }

  return {
    folder,
    media,
    env,
    web,
    async worker(extra = {}) {
      const worker = await start('worker', { env: { ...env, ...extra }, entry })
      workers.push(worker)
      return worker
    },
    person,
    wants,
    async close() {
      await Promise.all([...workers, web].map(running => running.stop('SIGKILL')))
      await media.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A download of one person. */
export function downloadOf(ask: ReturnType<typeof client>, video_id: string): Download {
  const status = async () => (await (await ask(`/api/download/status/${video_id}`)).json()) as Shown
  const until: Download['until'] = (reached, timeout = 100_000) =>
    vi.waitFor(
      async () => {
        const shown = await status()
        if (!reached(shown)) throw new Error(`not yet: ${JSON.stringify(shown)}`)
        return shown
      },
      { timeout, interval: 300 },
    )
  return { ask, video_id, status, until }
}

export const isDone = (status: Shown): boolean => status.download_status === 'completed'
export const hasBytes = (status: Shown): boolean => (status.progress?.downloaded_bytes ?? 0) > 0

/**
 * Dates back the last heartbeats, so that a test need not wait until killed workers count as dead. Call it when all of them are killed.
 * `test/e2e/faults.test.ts` waits for real.
 */
export const letSilencePass = (sql: Sql) => sql`
  with pools as (
    update workers set heartbeat_at = heartbeat_at - interval '1 minute'
  )
  update video_entries
  set    download_heartbeat_at = download_heartbeat_at - interval '1 minute'
  where  download_status = 'DOWNLOADING'`

/** The command lines of running processes that contain all of these words. */
export const living = async (...words: string[]): Promise<string[]> =>
  (await processesWith(...words)).map(({ args }) => args)

/** The files in the folder of unfinished downloads. */
export const leftAside = (downloads: string): Promise<string[]> =>
  readdir(join(downloads, '.work'), { recursive: true }).then(
    names => names.filter(name => name.split(sep).length > 2),
    () => [],
  )

/** Logs the seconds, because people read these tests for their figures. */
export function stopwatch(what: string) {
  const began = performance.now()
  return () => {
    const seconds = (performance.now() - began) / 1000
    console.log(`${what}: ${seconds.toFixed(1)} s`)
    return seconds
  }
}
