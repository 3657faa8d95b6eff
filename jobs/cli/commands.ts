/** The commands of `npm run jobs`. `inspect.ts` reads the command line. */
import type { Everyone } from '../../src/db/everyone.ts'
import { libraryOf } from '../../src/db/library.ts'
import { listPauses } from '../../src/db/queue/host-pauses.ts'
import type { JobState } from '../../src/db/service/everyone/figures.ts'
import {
  backfillOf,
  downloadOf,
  findJob,
  type JobFilter,
  listHosts,
  listJobs,
  type QueuedJob,
  removeJob,
  rescheduleJob,
} from '../../src/db/service/everyone/inspection.ts'
import { unlockDeadWorkers } from '../../src/db/service/everyone/operations.ts'
import { serviceIn } from '../../src/db/service/service.ts'
import { listPictureHosts } from '../../src/db/videos/everyone/due-pictures.ts'
import { checkTools, endPauses, retryForAll } from '../../src/domain/admin/repairs.ts'
import { cancelDownload } from '../../src/domain/downloads/downloads.ts'
import { dead_after_s } from '../../src/domain/downloads/recovery.ts'
import type { Files } from '../../src/store/files.ts'
import { deskOfCommandLine } from './people-commands.ts'
import type { Answer } from './program.ts'

export const states: JobState[] = ['waiting', 'later', 'running', 'over']
export type JobArguments = JobFilter & { id: string; limit: number }
type Service = { sql: Everyone; files: Files }

export const commands: Record<string, (service: Service, given: JobArguments) => Promise<Answer>> = {
  async list({ sql }, given) {
    const jobs = await listJobs(sql, given, given.limit)
    const nothing = given.task || given.state ? 'There is no such job.' : 'The queue is empty.'
    return listed(jobs.map(summary), nothing)
  },

  counts: async ({ sql }) => listed(await serviceIn(sql).jobs(), 'The queue is empty.'),

  hosts: async ({ sql }, { limit }) => listed(await listHosts(sql, limit), 'No download runs, waits or has failed.'),

  pictures: async ({ sql }, { limit }) => listed(await listPictureHosts(sql, limit), 'No picture was planned.'),

  async show({ sql }, { id }) {
    return { rows: [await getJob(sql, id)], text: '' }
  },

  async retry({ sql }, { id }) {
    const { task } = await getJob(sql, id)
    if (!(await rescheduleJob(sql, id))) throw lockedJob(id)
    return { rows: [], text: `Job ${id} (${task}) runs now.` }
  },

  async 'retry-failed'({ sql, files }) {
    const rows = await retryForAll(deskOfCommandLine(sql).service, user_id => libraryOf(sql, user_id), files)
    const again = rows.filter(({ result }) => result === 'queued').length
    return { rows, text: again === 0 ? 'No download has failed.' : `${again} downloads queued again.` }
  },

  async cancel({ sql, files }, { id }) {
    const job = await getJob(sql, id)
    const download = downloadOf(job)
    const backfill = backfillOf(job)
    const stopped =
      (download && (await cancelDownload(libraryOf(sql, download.user_id), files, download.video_id))) ||
      (backfill && (await libraryOf(sql, backfill.user_id).backfills.cancel(backfill.channel_id)))
    if (!stopped && !(await removeJob(sql, id))) throw lockedJob(id)
    return { rows: [], text: `Job ${id} (${job.task}) is cancelled.` }
  },

  async pauses({ sql }, { limit }) {
    const pauses = await listPauses(sql, limit)
    const rows = pauses.map(({ username, since, until, ...pause }) => ({
      ...pause,
      who: username ?? 'everyone',
      since: since.toISOString(),
      until: until.toISOString(),
    }))
    return { rows, text: rows.length === 0 ? 'No host is paused.' : 'End a pause with `npm run jobs -- lift <host>`.' }
  },

  async lift({ sql }, { id }) {
    const host = id.toLowerCase()
    if (host === '') throw new Error('Name the host, as `npm run jobs -- pauses` lists it.')
    const lifted = await endPauses(deskOfCommandLine(sql).service, host).catch((fault: unknown) => {
      throw new Error(`${host} is not paused. List all pauses with \`npm run jobs -- pauses\`.`, { cause: fault })
    })
    return { rows: [{ host, lifted }], text: `All pauses of ${host} have ended.` }
  },

  async 'check-ytdlp'({ sql }) {
    await checkTools(deskOfCommandLine(sql).service, serviceIn(sql))
    return { rows: [], text: 'The workers look for a newer yt-dlp now.' }
  },

  async unlock({ sql }) {
    const dead = await unlockDeadWorkers(sql, dead_after_s)
    const text = dead.length === 0 ? 'No dead worker holds a job.' : `Freed the jobs of ${dead.join(', ')}.`
    return { rows: dead.map(worker => ({ worker })), text }
  },
}

/** `nothing`: a sentence for an empty list. */
const listed = (rows: object[], nothing: string): Answer => ({ rows, text: rows.length === 0 ? nothing : '' })

const lockedJob = (id: string) => new Error(`A worker is running job ${id}. Try again when it has ended.`)

async function getJob(sql: Everyone, id: string): Promise<QueuedJob> {
  const job = /^\d{1,18}$/.test(id) ? await findJob(sql, id) : undefined
  if (!job) throw new Error(`There is no job ${id || 'without a number'}. See them all with \`npm run jobs\`.`)
  return job
}

const summary = ({ id, task, about, key, state, run_at, attempts, max_attempts, last_error }: QueuedJob) => ({
  id,
  task,
  about: about ?? '',
  key: key ?? '',
  state,
  run_at: run_at.toISOString(),
  attempts: `${attempts} of ${max_attempts}`,
  last_error: last_error?.slice(0, 80) ?? '',
})
