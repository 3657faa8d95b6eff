/** What ends a run because of the operator's hours and rate, and what does not. */
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { performDownload, type RunParts } from '../../../src/domain/downloads/perform-download.ts'
import { preparing } from '../../../src/domain/downloads/watch-run.ts'
import type { Progress } from '../../../src/schema/downloads/download.ts'
import { filesIn } from '../../../src/store/local-files.ts'
import type { Downloader } from '../../../src/ytdlp/fetch/download.ts'
import { useDatabase } from '../../support/app/database.ts'
import { type Person, personWith } from '../../support/app/people.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const { sql } = useDatabase()
const stopping = new AbortController().signal
const folder = newFolder()
let alice: Person
let has_begun = false
beforeEach(async () => {
  alice = await personWith(sql, 'alice', 'kitchen', ['v1'])
  await alice.library.downloads.request(['v1'])
})

const work = (download: Downloader, parts: Partial<RunParts>) => {
  has_begun = false
  return performDownload(
    { library: alice.library, files: filesIn(folder), download, stopping, check_ms: 5, ...parts },
    'v1',
  )
}

/** Has this much, and then waits until it is aborted, or until `done`. */
const stays =
  (progress: Partial<Progress>, done: Promise<unknown> = new Promise(() => {})): Downloader =>
  async ({ folder, signal, onProgress }) => {
    await writeFile(join(folder, 'video.mp4.part'), 'half')
    onProgress({ ...preparing, ...progress })
    has_begun = true
    signal.throwIfAborted()
    const aborted = new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    await Promise.race([done, aborted])
    const file = join(folder, 'video.mp4')
    await writeFile(file, 'whole')
    return { file, file_size: 5 }
  }
const half = { phase: 'downloading', downloaded_bytes: 5_000_000 } as const

/** `enough` resolves when it has been asked so often since the download began. */
function asked<T>(answer: T, times: number) {
  const enough = Promise.withResolvers<void>()
  let count = 0
  const ask = () => {
    if (has_begun) count += 1
    if (count === times) enough.resolve()
    return answer
  }
  return { ask, enough: enough.promise }
}

it('a run that only joins or converts ends after the hours', async () => {
  const { ask: shareNow, enough } = asked(undefined, 5)
  const converts = stays({ phase: 'converting' }, enough)
  expect(await work(converts, { isOutsideHours: () => has_begun, shareNow })).toBe('completed')
})

it('a run that our own rate slows down goes on in another one before it takes too long', async () => {
  const limits = { shareNow: () => (has_begun ? 20_000 : undefined), longest_paced_ms: 0 }
  expect(await work(stays(half), limits)).toBe('handed_back')
  expect(await alice.library.videos.status('v1')).toMatchObject({ queued: true, attempts: 0, download_error: null })

  expect(await work(stays({ ...half, downloaded_bytes: 9_000_000 }), limits)).toBe('handed_back')
  const [work_folder = ''] = (await readdir(join(folder, '.work'), { recursive: true })).filter(name =>
    name.endsWith('.part'),
  )
  expect(work_folder).toContain('video.mp4.part')
})

it('it fails where the site sends the file from its start again, because no run would get to its end', async () => {
  const limits = { shareNow: () => (has_begun ? 20_000 : undefined), longest_paced_ms: 0 }
  expect(await work(stays(half), limits)).toBe('handed_back')
  expect(await work(stays({ ...half, downloaded_bytes: 10 }), limits)).toBe('failed')
  expect(await alice.library.videos.status('v1')).toMatchObject({ download_reason: 'too_long', queued: false })
})

it('without a rate, a run takes its time', async () => {
  const { ask: shareNow, enough } = asked(undefined, 5)
  expect(await work(stays(half, enough), { shareNow, longest_paced_ms: 0 })).toBe('completed')
})
