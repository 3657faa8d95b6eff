import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { staleDownloads } from '../../../src/db/service/everyone/operations.ts'
import { dropDownload } from '../../../src/domain/downloads/downloads.ts'
import { performDownload } from '../../../src/domain/downloads/perform-download.ts'
import { dead_after_s, recoverDownload } from '../../../src/domain/downloads/recovery.ts'
import type { Files } from '../../../src/store/files.ts'
import { failures } from '../../../src/ytdlp/failures/failure.ts'
import type { Downloader } from '../../../src/ytdlp/fetch/download.ts'
import type { Step } from '../../support/app/bucket.ts'
import { useDatabase } from '../../support/app/database.ts'
import { no_bin } from '../../support/app/files.ts'
import { follows, type Person, person } from '../../support/app/people.ts'
import { openTestStorage, storage_kinds, type TestStorage } from '../../support/app/storages.ts'

const { sql } = useDatabase()

let alice: Person
beforeEach(async () => {
  alice = await aliceWaitsFor('v1')
})

let storage: TestStorage
let files: Files

const never = new AbortController().signal
const nothing = async () => {}
const no_progress = {
  phase: 'downloading',
  percent: null,
  downloaded_bytes: null,
  total_bytes: null,
  speed: null,
  eta_seconds: null,
} as const

async function aliceWaitsFor(video_id: string): Promise<Person> {
  const alice = await person(sql, 'alice')
  await follows(alice, 'kitchen', [video_id])
  await alice.library.downloads.request([video_id])
  return alice
}

const writes =
  (text: string): Downloader =>
  async ({ folder }) => {
    const file = join(folder, 'video.mp4')
    await writeFile(file, text)
    return { file, file_size: text.length }
  }

/** Completes a download of which half was there. */
const resumes: Downloader = async request => {
  expect(await readFile(join(request.folder, 'video.mp4.part'), 'utf8')).toBe('half')
  return writes('a video')(request)
}

const fails =
  (kind: 'permanent' | 'transient'): Downloader =>
  async () => ({ failure: { kind, reason: 'unknown', sentence: 'This video is private.', detail: 'ERROR: private' } })

/** Runs until it is told to stop, like yt-dlp. `running` resolves once it does. */
function hangs() {
  const started = Promise.withResolvers<string>()
  const download: Downloader = ({ folder, signal, onProgress }) => {
    onProgress({ phase: 'downloading', percent: 5, downloaded_bytes: 5, total_bytes: 100, speed: 1, eta_seconds: 95 })
    started.resolve(folder)
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  return { download, running: started.promise }
}

/** The video of alice, with the state of its download. */
const hers = () => alice.library.videos.find('v1')
const work = (alice: Person, download: Downloader, stopping = never) =>
  performDownload({ library: alice.library, files, download, stopping }, 'v1')

const waitingJobs = (alice: Person) => sql`
  select run_at > now() as later from graphile_worker.jobs
  where  key = ${`download:${alice.user.user_id}:v1`} and locked_at is null`

/** The text of a stored file. */
const textAt = async (download_path: string | null | undefined) =>
  Buffer.from((await files.read(download_path ?? '')) ?? []).toString()

function useStorage(kind: (typeof storage_kinds)[number]) {
  beforeAll(async () => {
    storage = await openTestStorage(kind)
    files = storage.files
  })
  afterAll(() => storage.close())
}

describe.each(storage_kinds)('with %s', kind => {
  useStorage(kind)
  const work_folder = () => join(storage.folder, kind === 'a bucket' ? 'work/.work' : '.work')

  describe('a download', () => {
    it('a download stores what it found out about its video, and no look is planned any longer', async () => {
      const day = new Date('2026-05-01T00:00:00Z')
      await sql`
      update video_entries
      set    published_at = ${day}, published_precision = 'day', availability = 'members_only', look_at = now()
      where  user_id = ${alice.user.user_id}`
      const published_at = new Date('2026-05-01T18:30:00Z')
      const channel = { platform_id: null, title: null, page_url: null, image_url: null }
      const facts = {
        video_url: 'https://videos.example/v1',
        title: 'Other',
        thumbnail_url: null,
        description: null,
        starts_at: null,
        channel,
        duration_seconds: 63,
        live_status: 'was_live',
        availability: null,
        published_at,
        published_precision: 'exact',
      } as const

      expect(await work(alice, async request => ({ ...(await writes('a video')(request)), facts }) as never)).toBe(
        'completed',
      )

      expect(await hers()).toMatchObject({
        title: 'Video v1',
        duration_seconds: 63,
        live_status: 'was_live',
        availability: null,
        published_at,
        published_precision: 'exact',
      })
      expect(await sql`select look_at, sort_at from video_entries where user_id = ${alice.user.user_id}`).toEqual([
        { look_at: null, sort_at: published_at },
      ])
    })

    it('a run knows whether to take a recording that its site still processes', async () => {
      const asked: unknown[] = []
      const download: Downloader = async ({ takes_unfinished }) => {
        asked.push(takes_unfinished)
        return { failure: failures.recording }
      }

      await work(alice, download)
      await sql`update video_entries set download_failures = 48 where user_id = ${alice.user.user_id}`
      await work(alice, download)

      expect(asked).toEqual([false, true])
    })

    it('a download ends completed, with its file in place and no work folder left', async () => {
      expect(await work(alice, writes('a video'))).toBe('completed')

      const video = await hers()
      expect(video).toMatchObject({
        download_status: 'completed',
        queued: false,
        file_size: 7,
        attempts: 1,
        download_error: null,
        progress: null,
        download_path: `${alice.user.user_id}/kitchen/v1.mp4`,
      })
      expect(video?.download_started_at?.getTime()).toBeLessThanOrEqual(video?.download_completed_at?.getTime() ?? 0)
      expect(await textAt(video?.download_path)).toBe('a video')
      expect(await readdir(join(work_folder(), alice.user.user_id)).catch(() => [])).toEqual([])
    })

    it('a download is run by only one of many workers that claim it at once', async () => {
      let runs = 0
      const counting: Downloader = request => {
        runs += 1
        return writes('a video')(request)
      }
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => work(alice, counting)))
      expect(outcomes.filter(outcome => outcome === 'completed')).toHaveLength(1)
      expect(runs).toBe(1)
    })

    it('a cancelled download is not run', async () => {
      await dropDownload(alice.library, { files, bin: no_bin }, 'v1')
      expect(await work(alice, writes('a video'))).toBe('not_wanted')
      expect(await hers()).toMatchObject({ download_status: 'pending', queued: false })
    })

    it('a download is tried three times in all when time can help', async () => {
      const seen = []
      for (let attempt = 1; attempt <= 3; attempt++) {
        expect(await work(alice, fails('transient'))).toBe('failed')
        const { attempts, queued, next_attempt_at } = (await hers()) ?? {}
        seen.push({ attempts, queued, planned: next_attempt_at !== null, jobs: (await waitingJobs(alice)).length })
      }
      expect(seen).toEqual([
        { attempts: 1, queued: true, planned: true, jobs: 1 },
        { attempts: 2, queued: true, planned: true, jobs: 1 },
        // Its own retries have replaced the job each time; here no worker has taken the last one out.
        { attempts: 3, queued: false, planned: false, jobs: 1 },
      ])
      expect(await work(alice, writes('a video'))).toBe('not_wanted')
    })

    it('a tool that says that the storage is away is not believed while the storage answers', async () => {
      const says: Downloader = async () => ({ failure: { ...failures.storage_away, detail: 'Stale file handle' } })
      for (let attempt = 1; attempt <= 3; attempt++) expect(await work(alice, says)).toBe('failed')
      expect(await hers()).toMatchObject({ attempts: 3, queued: false })
    })

    it('a permanent failure ends a download at once, and it can be requested again', async () => {
      await work(alice, fails('permanent'))
      expect(await hers()).toMatchObject({
        download_status: 'failed',
        download_error: 'This video is private.',
        queued: false,
        next_attempt_at: null,
      })
      await alice.library.downloads.request(['v1'])
      expect(await hers()).toMatchObject({
        download_status: 'pending',
        queued: true,
        attempts: 0,
        download_error: null,
      })
    })

    it('a download that met a full disk returns to the queue without losing an attempt if the bins could be emptied, and then fails', async () => {
      const meetsFullDisk: Downloader = async ({ folder, onProgress }) => {
        onProgress({ ...no_progress, downloaded_bytes: 5 })
        await writeFile(join(folder, 'video.part'), 'a part')
        throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
      }
      const in_bins = [7]
      const makeRoom = async (hasRoom: () => Promise<boolean>) => ({
        has_room: await hasRoom(),
        is_emptied: in_bins.pop() !== undefined,
      })
      const parts = { library: alice.library, files, download: meetsFullDisk, makeRoom, stopping: never }

      expect(await performDownload(parts, 'v1')).toBe('handed_back')
      expect(await hers()).toMatchObject({ queued: true, attempts: 0, download_error: null })
      expect(await waitingJobs(alice)).toEqual([{ later: false }])

      expect(await performDownload(parts, 'v1')).toBe('failed')
      expect(await hers()).toMatchObject({
        queued: false,
        download_error: expect.stringContaining('not enough space left on the disk'),
      })
    })

    it('a download returns to the queue without losing an attempt when the worker stops', async () => {
      const { download, running } = hangs()
      const stopping = new AbortController()
      const outcome = work(alice, download, stopping.signal)
      await writeFile(join(await running, 'video.mp4.part'), 'half')
      stopping.abort()

      expect(await outcome).toBe('handed_back')
      expect(await hers()).toMatchObject({ download_status: 'pending', queued: true, attempts: 0 })
      expect(await waitingJobs(alice)).toEqual([{ later: false }])
      expect(await work(alice, resumes)).toBe('completed')
    })

    it('a paused download stops soon without losing an attempt, has no job, and resumes from its partial file', async () => {
      const { download, running } = hangs()
      const outcome = work(alice, download)
      await writeFile(join(await running, 'video.mp4.part'), 'half')
      await alice.library.downloads.pause(['v1'])

      expect(await outcome).toBe('handed_back')
      expect(await hers()).toMatchObject({
        download_status: 'pending',
        queued: true,
        attempts: 0,
        paused_at: expect.any(Date),
      })
      expect(await waitingJobs(alice)).toEqual([])
      expect(await work(alice, download)).toBe('not_wanted')

      await alice.library.downloads.resume(['v1'])
      expect(await waitingJobs(alice)).toEqual([{ later: false }])
      expect(await work(alice, resumes)).toBe('completed')
    })

    it('a cancelled download stops soon and leaves no file', async () => {
      const { download, running } = hangs()
      const outcome = work(alice, download)
      const aside = await running
      await dropDownload(alice.library, { files, bin: no_bin }, 'v1')
      expect(await outcome).toBe('lost')
      await expect(readdir(aside)).rejects.toThrow('ENOENT')
      expect(await hers()).toMatchObject({ download_status: 'pending', queued: false, progress: null })
    })

    it('a download stops and leaves no file when its channel is unfollowed', async () => {
      const removes: Downloader = async request => {
        await alice.library.channels.remove('kitchen')
        return writes('a video')(request)
      }
      expect(await work(alice, removes)).toBe('lost')
      await expect(readdir(join(storage.folder, alice.user.user_id))).rejects.toThrow('ENOENT')
    })
  })

  describe('a download whose worker died', () => {
    /** As if the process were gone: no more signs of life. */
    const silence = (alice: Person) => sql`
    update video_entries
    set    download_heartbeat_at = now() - ${dead_after_s + 1} * interval '1 second'
    where  user_id = ${alice.user.user_id}`
    const stale = async (alice: Person) =>
      (await staleDownloads(sql, dead_after_s)).filter(({ user_id }) => user_id === alice.user.user_id)

    it('a download whose worker died is queued again once, and the attempt counts', async () => {
      await alice.library.downloads.start('v1', crypto.randomUUID())
      expect(await stale(alice)).toEqual([])
      await silence(alice)
      const [dead] = await stale(alice)
      if (!dead) throw new Error('the dead run was not found')

      await Promise.all([recoverDownload(alice.library, files, dead), recoverDownload(alice.library, files, dead)])

      expect(await hers()).toMatchObject({ download_status: 'pending', queued: true, attempts: 1 })
      expect(await waitingJobs(alice)).toHaveLength(1)
      expect(await work(alice, writes('a video'))).toBe('completed')
    })

    it('a run that sent a heartbeat after all is not recovered', async () => {
      const claim = crypto.randomUUID()
      await alice.library.downloads.start('v1', claim)
      await silence(alice)
      const [dead] = await stale(alice)
      await alice.library.downloads.beat('v1', claim, { ...no_progress, percent: 50 })
      if (dead) await recoverDownload(alice.library, files, dead)
      expect(await hers()).toMatchObject({ download_status: 'downloading', progress: { percent: 50 } })
    })

    it('a run that was given up cannot finish its download', async () => {
      const claim = crypto.randomUUID()
      await alice.library.downloads.start('v1', claim)
      await silence(alice)
      const [dead] = await stale(alice)
      if (dead) await recoverDownload(alice.library, files, dead)
      expect(
        await alice.library.downloads.finish('v1', claim, { download_path: 'x', file_size: 1 }, nothing, nothing),
      ).toBe(false)
    })

    it('a download that killed three workers ends as failed', async () => {
      for (let crash = 1; crash <= 3; crash++) {
        await alice.library.downloads.start('v1', crypto.randomUUID())
        await silence(alice)
        for (const dead of await stale(alice)) await recoverDownload(alice.library, files, dead)
      }
      expect(await hers()).toMatchObject({ download_status: 'failed', queued: false, attempts: 3 })
    })
  })

  it('a run that ends late does not touch the file of a later run', async () => {
    const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const late: Downloader = async request => {
      begun.resolve()
      await goOn.promise
      return writes('the late one')(request)
    }
    const first = work(alice, late)
    await begun.promise
    await dropDownload(alice.library, { files, bin: no_bin }, 'v1')
    await alice.library.downloads.request(['v1'])
    expect(await work(alice, writes('the right one'))).toBe('completed')
    goOn.resolve()

    expect(await first).toBe('lost')
    const { download_path } = (await hers()) ?? {}
    expect(await textAt(download_path)).toBe('the right one')
  })

  it('two channels with the same video share one download', async () => {
    await follows(alice, 'playlist', ['v1'])
    await work(alice, writes('a video'))
    const rows = await sql`
    select channel_id, download_status, file_size from video_entries
    where  user_id = ${alice.user.user_id} order by channel_id`
    expect(rows).toEqual([
      { channel_id: 'kitchen', download_status: 'COMPLETED', file_size: 7 },
      { channel_id: 'playlist', download_status: 'COMPLETED', file_size: 7 },
    ])
    await follows(alice, 'third', ['v1'])
    expect(await alice.library.videos.list({ channel_id: 'third', limit: 1 })).toMatchObject({
      entries: [{ download_status: 'completed' }],
    })
  })
})

describe('with a folder only', () => {
  useStorage('a folder')

  /** The disk of the downloads is unmounted: its mount point is left. */
  async function unmount() {
    await rename(storage.folder, `${storage.folder}-unmounted`)
    await mkdir(storage.folder)
  }
  async function mount() {
    await rm(storage.folder, { recursive: true })
    await rename(`${storage.folder}-unmounted`, storage.folder)
  }
  const loses: Downloader = async request => {
    await unmount()
    return fails('permanent')(request)
  }

  it('a download waits while its disk is away, without losing an attempt, and completes when the disk is back', async () => {
    await files.requireWritable()
    expect(await work(alice, loses)).toBe('failed')
    for (let attempt = 2; attempt <= 4; attempt++) expect(await work(alice, writes('a video'))).toBe('failed')

    expect(await readdir(storage.folder)).toEqual([])
    expect(await hers()).toMatchObject({
      attempts: 0,
      queued: true,
      next_attempt_at: expect.any(Date),
      download_error: expect.stringContaining('The storage of the downloads does not answer.'),
    })
    await mount()
    expect(await work(alice, writes('a video'))).toBe('completed')
  })

  it('a run is stopped soon after its disk is lost', async () => {
    const { download, running } = hangs()
    const run = performDownload({ library: alice.library, files, download, stopping: never, check_ms: 10 }, 'v1')
    await running
    await unmount()
    expect(await run).toBe('failed')
    expect(await readdir(storage.folder)).toEqual([])
    await mount()
  })
})

describe('with a bucket only', () => {
  useStorage('a bucket')

  it('a download whose worker stops during the upload returns to the queue, and no part of it is left', async () => {
    const stopping = new AbortController()
    const { bucket } = storage
    if (!bucket) throw new Error('there is no bucket')
    bucket.before = (c, next) => {
      if (!c.query.partNumber) return next()
      stopping.abort()
      return new Promise(() => {})
    }
    expect(await work(alice, writes('a video'), stopping.signal)).toBe('handed_back')
    bucket.before = undefined

    expect(await bucket.uploads()).toEqual([])
    expect(await hers()).toMatchObject({ download_status: 'pending', attempts: 0 })
    expect(await waitingJobs(alice)).toEqual([{ later: false }])
    expect(await work(alice, writes('a video'))).toBe('completed')
  })

  const answers =
    (status: number, code: string): Step =>
    async c => {
      c.status = status
      c.type = 'application/xml'
      c.body = `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`
    }

  it.each([
    ['does not answer', answers(503, 'ServiceUnavailable'), 'The storage of the downloads does not answer.'],
    ['has another time', answers(403, 'RequestTimeTooSkewed'), 'because its clock and ours differ'],
  ])('while the bucket %s, a download waits and loses no attempt', async (_, step, sentence) => {
    const { bucket } = storage
    if (!bucket) throw new Error('there is no bucket')
    bucket.before = step
    onTestFinished(() => {
      bucket.before = undefined
    })
    for (let attempt = 1; attempt <= 4; attempt++) expect(await work(alice, writes('a video'))).toBe('failed')
    bucket.before = undefined

    expect(await hers()).toMatchObject({
      attempts: 0,
      queued: true,
      next_attempt_at: expect.any(Date),
      download_error: expect.stringContaining(sentence),
    })
    expect(await work(alice, writes('a video'))).toBe('completed')
  })

  it('an error inside an answer of 200 is no failure when the next answer has none', async () => {
    const { bucket } = storage
    if (!bucket) throw new Error('there is no bucket')
    let completions = 0
    onTestFinished(() => {
      bucket.before = undefined
    })
    bucket.before = (c, next) =>
      c.method === 'POST' && c.query.uploadId && completions++ === 0 ? answers(200, 'InternalError')(c, next) : next()
    expect(await work(alice, writes('a video'))).toBe('completed')
    expect(completions).toBe(2)
  })
})

describe('when the database is away for a moment', () => {
  useStorage('a folder')

  /** The library, whose call of this number after the start of a run fails as while Postgres starts. `calls`: how many there were. */
  function failingAt(number: number, library: Person['library']) {
    const made = { calls: 0 }
    const failing = <T extends object>(part: T): T =>
      new Proxy(part, {
        get(target, name) {
          const value = Reflect.get(target, name) as unknown
          if (typeof value === 'object' && value !== null) return failing(value)
          if (typeof value !== 'function' || name === 'start') return value
          return (...args: unknown[]) => {
            made.calls += 1
            if (made.calls !== number) return (value as (...args: unknown[]) => unknown).apply(target, args)
            return Promise.reject(Object.assign(new Error('not yet accepting connections'), { code: '57P03' }))
          }
        },
      })
    return { library: failing(library), made }
  }

  it('whichever of its questions fails, a download uses up no attempt', async () => {
    const ends: string[] = []
    for (let number = 1; ; number++) {
      const alice = await aliceWaitsFor('v1')
      const { library, made } = failingAt(number, alice.library)
      await performDownload({ library, files, download: writes('a video'), stopping: never }, 'v1')
      if (made.calls < number) break
      const { download_status, queued, attempts } = (await alice.library.videos.find('v1')) ?? {}
      ends.push(`${download_status}, ${queued ? 'in the queue' : 'out of it'}, ${attempts} attempts`)
    }
    expect(ends.length).toBeGreaterThan(3)
    expect(new Set(ends)).toEqual(new Set(['pending, in the queue, 0 attempts', 'completed, out of it, 1 attempts']))
  })
})
