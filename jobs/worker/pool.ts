/**
 * Keeps one pool of graphile-worker open. A pool breaks when the database is away at the moment a job ends; another pool then
 * replaces it.
 */
import { EventEmitter } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { Logger, type RunnerOptions, run, type WorkerEvents } from 'graphile-worker'
import type { Log } from '../../src/runtime/log.ts'
import type { PoolPlan } from './pools.ts'
import type { Queue } from './queue.ts'

export type Pool = {
  /** As in `locked_by`; changes when the pool is replaced. */
  id(): string
  /** Whether it runs a job. */
  isBusy(): boolean
  /** Opens another pool in its place where it has a crontab, because graphile-worker would make up each minute of a jump, or wait. */
  readCrontabAgain(): void
  stop(): Promise<void>
}

type PoolOptions = Pick<RunnerOptions, 'taskList' | 'parsedCronItems' | 'crontabFile' | 'forbiddenFlags'> &
  Pick<PoolPlan, 'takes_many' | 'check_ms'> & {
    queue: Queue
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
  let is_replaced = false
  const kept = keep()
  return {
    id: () => open.id,
    isBusy: () => open.running.size > 0,
    readCrontabAgain() {
      if (!options.crontabFile) return
      is_replaced = true
      open.runner.stop().catch(() => {})
    },
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
      options.log.warn(
        is_replaced ? 'the time jumped; the crontab begins again' : 'a worker pool broke; opening another',
      )
      is_replaced = false
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

/** Milliseconds between two looks for jobs without a cause. `queue.ts` gives the causes. */
const rarely_ms = 300_000

async function openPool(options: PoolOptions) {
  const { queue, concurrency, takes_many, log, onOpen, check_ms, ...tasks } = options
  const events: WorkerEvents = new EventEmitter()
  waitForReturnedJobs(events)
  let id = ''
  events.once('pool:create', ({ workerPool }) => {
    id = workerPool.id
    onOpen(id)
  })
  const running = new Set<string>()
  events.on('job:start', ({ job }) => running.add(job.id))
  events.on('job:complete', ({ job }) => running.delete(job.id))
  const runner = await run({
    ...tasks,
    pgPool: queue.connectionsFor(Object.keys(options.taskList ?? {}), check_ms),
    noHandleSignals: true,
    logger: loggerTo(log),
    events,
    preset: {
      worker: {
        ...pool_options,
        pollInterval: rarely_ms,
        concurrentJobs: concurrency,
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
