/** A worker process: two pools of graphile-worker, a sign of life, the recovery of what dead workers held, a graceful stop. */
import { EventEmitter } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Logger, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import { beatWorker, forgetWorker } from '../src/db/operations.ts'
import { dead_after_s } from '../src/domain/recovery.ts'
import type { Log } from '../src/log.ts'
import { recover } from './housekeeping.ts'
import { type Parts, taskLists } from './parts.ts'

export type Worker = { stop(): Promise<void> }
type Options = {
  database_url: string
  /** Downloads at once. */
  concurrency: number
  /** A pool ended by itself. It cannot be mended from within: the process should end, and be started again. */
  onBroken(): void
}

/** Mostly feeds, which mostly wait for their hosts. */
const most_of_the_rest = 6

/**
 * How often a worker gives a sign of life and looks for the dead. It judges them only after it has been heard without a gap
 * itself for as long: after an outage of the database everybody looks dead at first.
 */
const beat_ms = 5000

export async function startWorker(parts: Parts, { database_url, concurrency, onBroken }: Options): Promise<Worker> {
  const { downloads, rest } = taskLists(parts)
  const pools = await Promise.all([
    startPool(parts.log, { database_url, concurrency, tasks: downloads, parsedCronItems: [] }),
    startPool(parts.log, { database_url, concurrency: most_of_the_rest, tasks: rest, crontabFile }),
  ])
  let stopping = false
  for (const { runner } of pools) {
    const ended = (fault?: unknown) => {
      if (stopping) return
      parts.log.error({ err: fault }, 'a worker pool broke')
      onBroken()
    }
    runner.promise.then(() => ended(), ended)
  }

  let here_since = Date.now()
  let last_beat = Date.now()
  const beat = async () => {
    try {
      await Promise.all(pools.map(({ id }) => beatWorker(parts.sql, id)))
      const now = Date.now()
      if (now - last_beat > 2 * beat_ms) here_since = now
      last_beat = now
      if (now - here_since > dead_after_s * 1000) await recover(parts)
    } catch (fault) {
      parts.log.warn({ err: fault }, 'could not give a sign of life')
    }
  }
  await beat()
  const timer = setInterval(beat, beat_ms)

  return {
    async stop() {
      stopping = true
      clearInterval(timer)
      await Promise.all(pools.map(({ runner }) => runner.stop()))
      await Promise.all(pools.map(({ id }) => forgetWorker(parts.sql, id)))
    },
  }
}

/** What runs when; the plain `graphile-worker` command reads the same file. */
export const crontabFile = fileURLToPath(new URL('crontab', import.meta.url))

/**
 * Both delays 0: otherwise a job that ends during a graceful stop stays locked for 4 hours. Jobs are told to stop
 * at once when the pool is; the default waits 5 seconds first.
 */
export const pool_options = { completeJobBatchDelay: 0, failJobBatchDelay: 0, gracefulShutdownAbortTimeout: 1 }

type Pool = { database_url: string; concurrency: number; tasks: TaskList; parsedCronItems?: []; crontabFile?: string }

async function startPool(log: Log, { database_url, concurrency, tasks, ...cron }: Pool) {
  const events: WorkerEvents = new EventEmitter()
  const named = new Promise<string>(resolve => events.once('pool:create', ({ workerPool }) => resolve(workerPool.id)))
  const runner: Runner = await run({
    connectionString: database_url,
    taskList: tasks,
    noHandleSignals: true,
    logger: loggerTo(log),
    events,
    ...cron,
    preset: { worker: { ...pool_options, concurrentJobs: concurrency, maxPoolSize: concurrency + 3 } },
  })
  return { id: await named, runner }
}

const loggerTo = (log: Log) =>
  new Logger(() => (level, message) => {
    if (level === 'error') log.error(message)
    else if (level === 'warning') log.warn(message)
    else log.debug(message)
  })
