/** In this process: people who have the same video, and a worker's tasks for it that run when a test says so. */
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { downloadTask } from '../../../jobs/tasks/downloads.ts'
import { shareEndedTask, shareRequestedTask } from '../../../jobs/tasks/sharing.ts'
import type { TaskParts } from '../../../jobs/tasks/task-parts.ts'
import type { Sql } from '../../../src/db/postgres/client.ts'
import type { FeedEntry } from '../../../src/schema/sources/feed.ts'
import { filesIn } from '../../../src/store/local-files.ts'
import type { Downloaded, Downloader } from '../../../src/ytdlp/fetch/download.ts'
import { newFolder } from '../run/new-folder.ts'
import { idleParts } from './parts.ts'
import { entry, type Person, person } from './people.ts'

export const watch = 'https://www.youtube.com/watch?v=a-b_c1D2e3F'
const tasks = { download: downloadTask, 'share-requested': shareRequestedTask, 'share-ended': shareEndedTask }
type TaskName = keyof typeof tasks

const says_nothing: NonNullable<Downloaded['facts']> = {
  title: null,
  video_url: watch,
  thumbnail_url: null,
  description: null,
  published_at: null,
  starts_at: null,
  duration_seconds: null,
  live_status: null,
  availability: null,
  published_precision: null,
  channel: { platform_id: null, title: null, page_url: null, image_url: null },
}

/** Writes the address into the file, after `held` resolves. Counts the requests for each address. */
export function site() {
  const requests: string[] = []
  let held: Promise<unknown> = Promise.resolve()
  let words_hash: string | undefined
  let facts: Downloaded['facts']
  let asked = Promise.withResolvers<void>()
  const download: Downloader = async ({ url, folder, signal }) => {
    requests.push(url)
    asked.resolve()
    const aborted = new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    await Promise.race([held, aborted])
    const file = join(folder, 'video.mp4')
    await writeFile(file, `video at ${url}`)
    return { file, file_size: `video at ${url}`.length, words_hash, facts }
  }
  return {
    requests,
    download,
    /** Holds all requests back until the function that is returned is called; with `fault`, they fail then. */
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      asked = Promise.withResolvers<void>()
      return resolve
    },
    asked: () => asked.promise,
    says: (more: Partial<Downloaded['facts']>) => {
      facts = { ...says_nothing, ...more }
    },
    writesWords: (hash: string) => {
      words_hash = hash
    },
  }
}

export function useSharing(sql: Sql) {
  const folder = newFolder()
  let parts: TaskParts = idleParts(sql)
  let youtube = site()

  const run = async (
    task: TaskName,
    payload: unknown,
    more: Partial<TaskParts> = {},
    stopping = new AbortController(),
  ) => {
    await Reflect.apply(tasks[task]({ ...parts, ...more }), undefined, [payload, { abortSignal: stopping.signal }])
  }
  return {
    folder: () => folder,
    site: () => youtube,
    parts: () => parts,
    run,
    /** Call before each test. */
    async begin() {
      await sql`delete from channels`
      await sql`truncate graphile_worker._private_jobs, workers, host_pauses, rule_holds`
      youtube = site()
      parts = { ...idleParts(sql), files: filesIn(folder), downloadVideo: youtube.download }
    },
    /** A new person who requests this video. Its words are the same for all. */
    async wants(name: string, video_url = watch, more: Partial<FeedEntry> = {}): Promise<Person> {
      const made = await person(sql, name)
      const channel = { channel_id: 'channel', title: 'Channel', rss_url: `https://feeds.example/${name}.xml` }
      await made.library.channels.save(channel, [entry('v1', { video_url, ...more })])
      await made.library.downloads.request(['v1'])
      return made
    },
    download: (who: Person, more: Partial<TaskParts> = {}, stopping?: AbortController) =>
      run('download', { user_id: who.user.user_id, video_id: 'v1' }, more, stopping),
    /** Runs the waiting jobs of this task, and those that they add. */
    async runJobs(task: TaskName, more: Partial<TaskParts> = {}): Promise<void> {
      for (;;) {
        const jobs = await sql<{ payload: unknown }[]>`
          delete from graphile_worker._private_jobs
          where  task_id = (select id from graphile_worker._private_tasks where identifier = ${task}) and run_at <= now()
          returning payload`
        if (jobs.length === 0) return
        for (const { payload } of jobs) await run(task, payload, more)
      }
    },
    status: async ({ library }: Person) => (await library.videos.find('v1'))?.download_status,
    fileOf: async ({ library }: Person) => {
      const { download_path } = (await library.videos.find('v1')) ?? {}
      return download_path ? stat(join(folder, download_path)) : undefined
    },
    /** Whether the download of each person may run now, or waits for a time or for the run of another one. */
    async queue() {
      const rows = await sql<{ user_id: string; is_due: boolean }[]>`
        select split_part(key, ':', 2) as user_id, run_at <= now() as is_due
        from   graphile_worker.jobs
        where  task_identifier = 'download' and locked_at is null
        order by id`
      return new Map(rows.map(({ user_id, is_due }) => [user_id, is_due]))
    },
  }
}
