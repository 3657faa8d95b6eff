/**
 * Keeps one pool of graphile-worker open. A pool breaks when the database is away at the moment a job ends; another pool then
 * replaces it.
 */
import { EventEmitter } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { Logger, type RunnerOptions, run, type WorkerEvents } from 'graphile-worker'
import { addressOfPools } from '../../src/db/postgres/client.ts'
import type { Log } from '../../src/runtime/log.ts'
import type { PoolPlan } from './pools.ts'

type Pool = {
  /** As in `locked_by`; changes when the pool is replaced. */
  id(): string
  stop(): Promise<void>
}

type PoolOptions = Pick<RunnerOptions, 'taskList' | 'parsedCronItems' | 'crontabFile' | 'forbiddenFlags'> &
  Pick<PoolPlan, 'takes_many' | 'poll_ms'> & {
    database_url: string
    concurrency: number
    log: Log
    /** Called with the id of each pool before it takes a job, so that its jobs can be found if this process dies. */
    onOpen(id: string): void
  }

/**
 * With any delay, a job that ends during a graceful stop would stay locked for 4 hours. Jobs are aborted as soon as the pool
 * stops; the default waits 5 seconds first.
 */
export const pool_options = { completeJobBatchDelay: 0, failJobBatchDelay: 0, gracefulShutdownAbortTimeout: 1 }

/** Opens a pool, and another one whenever it breaks, until it is stopped. Rejects when the first pool cannot be opened. */
export async function keepPool(options: PoolOptions): Promise<Pool> {
  const stopping = new AbortController()
  let open = await openPool(options)
  const kept = keep()
  return {
    id: () => open.id,
    async stop() {
      stopping.abort()
      // A pool that just broke has stopped already.
      await open.runner.stop().catch(() => {})
      await kept
    },
  }

  async function keep(): Promise<void> {
    while (!stopping.signal.aborted) {
      await open.runner.promise.catch(() => {})
      if (stopping.signal.aborted) return
      options.log.warn('a worker pool broke; opening another')
      open = await openAnother()
    }
    await open.runner.stop().catch(() => {})
  }

  async function openAnother(): Promise<typeof open> {
    for (;;) {
      const another = await openPool(options).catch(() => undefined)
      if (another || stopping.signal.aborted) return another ?? open
      await setTimeout(retry_ms)
    }
  }
}

/** Milliseconds between two tries to open another pool. */
const retry_ms = 1000

/** One connection listens. A job needs another only when it is taken and when it ends. A worker has many pools, so each one counts. */
const fewest_connections = 2

async function openPool(options: PoolOptions) {
  const { database_url, concurrency, takes_many, log, onOpen, poll_ms = 2000, ...tasks } = options
  const events: WorkerEvents = new EventEmitter()
  waitForReturnedJobs(events)
  let id = ''
  events.once('pool:create', ({ workerPool }) => {
    id = workerPool.id
    onOpen(id)
  })
  const runner = await run({
    ...tasks,
    connectionString: addressOfPools(database_url),
    noHandleSignals: true,
    logger: loggerTo(log),
    events,
    preset: {
      worker: {
        ...pool_options,
        pollInterval: poll_ms,
        concurrentJobs: concurrency,
        maxPoolSize: Math.max(fewest_connections, concurrency),
        ...(takes_many && { localQueue: { size: concurrency } }),
      },
    },
  })
  return { id, runner }
}

const loggerTo = (log: Log) =>
  new Logger(() => (level, message) => {
    if (level === 'error') log.error(message)
    else if (level === 'warning') log.warn(message)
    else log.debug(message)
  })

/**
 * Call before the pool is opened. The local queue then has work in progress when it is released, and waits until its jobs are returned.
 *
 * Works around a fault of graphile-worker 0.18.0: a local queue that is released while it has jobs and no query in progress starts to
 * return its jobs and throws ("Cannot background something when the queue is already released"). The pool stops without waiting for that
 * statement, so the jobs may stay locked for 4 hours, and the connections of the pool stay open.
 */
function waitForReturnedJobs(events: WorkerEvents): void {
  events.once('localQueue:init', ({ localQueue }) => {
    // The pool releases the queue right after this event, before the promise counts as settled.
    // biome-ignore lint/complexity/useLiteralKeys: the method is private.
    events.once('pool:gracefulShutdown', () => localQueue['background'](Promise.resolve()))
  })
}
