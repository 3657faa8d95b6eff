/** `npm run jobs`: a look into the queue, and a hand where something hangs. Every answer also comes as `--json`. */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { readConfig } from '../src/config.ts'
import { connect, type Sql } from '../src/db/client.ts'
import { findDatabase } from '../src/db/database.ts'
import { downloadOf, findJob, listJobs, type QueuedJob, removeJob, rescheduleJob } from '../src/db/inspection.ts'
import { libraryOf } from '../src/db/library.ts'
import { unlockDeadWorkers } from '../src/db/operations.ts'
import { cancelDownload } from '../src/domain/downloads.ts'
import { type Files, filesIn } from '../src/domain/files.ts'
import { dead_after_s } from '../src/domain/recovery.ts'

const usage = `Usage: npm run jobs -- [command] [--json]
  list          what waits and runs, the next first (the default)
  show <id>     one job in full
  retry <id>    run it now, with all its attempts
  cancel <id>   take it out of the queue; a download is stopped as well
  unlock        set free what dead workers hold`

type Answer = { rows: object[]; sentence: string }
type Queue = { sql: Sql; files: Files }

const commands: Record<string, (queue: Queue, id: string) => Promise<Answer>> = {
  async list({ sql }) {
    const jobs = await listJobs(sql, 200)
    return { rows: jobs.map(summary), sentence: jobs.length === 0 ? 'The queue is empty.' : '' }
  },

  async show({ sql }, id) {
    return { rows: [await getJob(sql, id)], sentence: '' }
  },

  async retry({ sql }, id) {
    const { task } = await getJob(sql, id)
    if (!(await rescheduleJob(sql, id))) throw new Error(`A worker holds job ${id}. Try again when it is over.`)
    return { rows: [], sentence: `Job ${id} (${task}) runs now.` }
  },

  async cancel({ sql, files }, id) {
    const job = await getJob(sql, id)
    const download = downloadOf(job)
    const stopped = download && (await cancelDownload(libraryOf(sql, download.user_id), files, download.video_id))
    if (!stopped && !(await removeJob(sql, id))) throw new Error(`A worker holds job ${id}. Try again when it is over.`)
    return { rows: [], sentence: `Job ${id} (${job.task}) is cancelled.` }
  },

  async unlock({ sql }) {
    const dead = await unlockDeadWorkers(sql, dead_after_s)
    const sentence = dead.length === 0 ? 'No dead worker holds anything.' : `Set free what ${dead.join(', ')} held.`
    return { rows: dead.map(worker => ({ worker })), sentence }
  },
}

async function getJob(sql: Sql, id: string): Promise<QueuedJob> {
  const job = /^\d{1,18}$/.test(id) ? await findJob(sql, id) : undefined
  if (!job) throw new Error(`There is no job ${id || 'without a number'}. See them all with \`npm run jobs\`.`)
  return job
}

const summary = ({ id, task, key, attempts, max_attempts, run_at, locked_by, last_error }: QueuedJob) => ({
  id,
  task,
  key: key ?? '',
  state: locked_by ? 'running' : run_at > new Date() ? `waits until ${run_at.toISOString()}` : 'waiting',
  attempts: `${attempts} of ${max_attempts}`,
  last_error: last_error?.slice(0, 80) ?? '',
})

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } })
  const [name = 'list', id = ''] = positionals
  const command = commands[name]
  if (!command) throw new Error(usage)

  const config = readConfig(process.env)
  const sql = connect(await findDatabase(config), { max: 2 })
  try {
    const answer = await command({ sql, files: filesIn(config.DOWNLOADS_DIR) }, id)
    if (values.json) console.log(JSON.stringify(answer.rows, null, 2))
    else if (answer.rows.length > 0) console.table(answer.rows)
    if (!values.json && answer.sentence) console.log(answer.sentence)
  } finally {
    await sql.end()
  }
}

await main().catch((fault: unknown) => {
  console.error(fault instanceof Error ? fault.message : fault)
  process.exitCode = 1
})
