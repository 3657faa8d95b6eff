/** Keeps one runner of graphile-worker open. It breaks when the database is away at the moment a job ends; another one then replaces it. */
import { EventEmitter } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { Logger, type RunnerOptions, run, type WorkerEvents } from 'graphile-worker'
import { addressOfPools } from '../../src/db/postgres/client.ts'
import type { Log } from '../../src/runtime/log.ts'

export type KeptRunner = Awaited<ReturnType<typeof keepRunner>>

type KeptOptions = Pick<RunnerOptions, 'taskList' | 'parsedCronItems' | 'crontabFile' | 'forbiddenFlags'> & {
  database_url: string
  concurrency: number
  /** Milliseconds between two looks for jobs whose time has come. A new job is announced. */
  poll_ms: number
  log: Log
  /** Called with the id of each runner before it takes a job, so that its jobs can be found if this process dies. */
  onOpen(id: string): void
}

/**
 * With any delay, a job that ends during a graceful stop would stay locked for 4 hours. Jobs are aborted as soon as the runner
 * stops; the default waits 5 seconds first.
 */
export const runner_options = { completeJobBatchDelay: 0, failJobBatchDelay: 0, gracefulShutdownAbortTimeout: 1 }

/** Opens a runner, and another one whenever it breaks, until it is stopped. Rejects when the first one cannot be opened. */
export async function keepRunner(options: KeptOptions) {
  const stopping = new AbortController()
  let open = await openRunner(options)
  let is_replaced = false
  const kept = keep()
  return {
    /** As in `locked_by`; changes when the runner is replaced. */
    id: () => open.id,
    /** Whether it runs a job. */
    isBusy: () => open.running.size > 0,
    /** Opens another runner in its place where it has a crontab: graphile-worker would make up each minute of a jump of time, or wait. */
    readCrontabAgain() {
      if (!options.crontabFile) return
      is_replaced = true
      open.runner.stop().catch(() => {})
    },
    async stop() {
      stopping.abort()
      // A runner that just broke has stopped already.
      await open.runner.stop().catch(() => {})
      await kept
    },
  }

  async function keep(): Promise<void> {
    while (!stopping.signal.aborted) {
      await open.runner.promise.catch(() => {})
      if (stopping.signal.aborted) return
      options.log.warn(is_replaced ? 'the time jumped; the crontab begins again' : 'a runner broke; opening another')
      is_replaced = false
      open = await openAnother()
    }
    await open.runner.stop().catch(() => {})
  }

  async function openAnother(): Promise<typeof open> {
    for (;;) {
      const another = await openRunner(options).catch(() => undefined)
      if (another || stopping.signal.aborted) return another ?? open
      await setTimeout(retry_ms)
    }
  }
}

/** Milliseconds between two tries to open another runner. */
const retry_ms = 1000

async function openRunner({ database_url, concurrency, poll_ms, log, onOpen, ...tasks }: KeptOptions) {
  const events: WorkerEvents = new EventEmitter()
  let id = ''
  events.once('pool:create', ({ workerPool }) => {
    id = workerPool.id
    onOpen(id)
  })
  const running = new Set<string>()
  events.on('job:start', ({ job }) => running.add(job.id))
  events.on('job:complete', ({ job }) => running.delete(job.id))
  const takes_many = !tasks.forbiddenFlags
  const runner = await run({
    ...tasks,
    connectionString: addressOfPools(database_url),
    noHandleSignals: true,
    logger: loggerTo(log),
    events,
    preset: {
      worker: {
        ...runner_options,
        pollInterval: poll_ms,
        concurrentJobs: concurrency,
        // One for each job that ends and waits for a request that moves it, and one that listens.
        maxPoolSize: concurrency + 1,
        ...(takes_many && { localQueue: { size: concurrency } }),
      },
    },
  })
  return { id, runner, running }
}

const loggerTo = (log: Log) =>
  new Logger(() => (level, message) => {
    if (level === 'error') log.error(message)
    else if (level === 'warning') log.warn(message)
    else log.debug(message)
  })
