/**
 * How the pools of a worker reach the queue and hear of jobs. They share connections, and one that listens; graphile-worker would open two
 * for each pool, and each of its workers would ask for jobs every two seconds and at each notification. Here one statement asks for all.
 */
import { EventEmitter } from 'node:events'
import pg from 'pg'
import type { Everyone } from '../../src/db/everyone.ts'
import { addressOfPools } from '../../src/db/postgres/client.ts'
import { listenForJobs, tasksDue } from '../../src/db/service/everyone/operations.ts'
import type { Log } from '../../src/runtime/log.ts'

export type Queue = {
  /** The connections of one pool with these tasks. `check_ms`: between two checks for jobs that no notification announces. */
  connectionsFor(tasks: string[], check_ms?: number): pg.Pool
  /** Whether such a job could be taken at the last check. */
  isDue(task: string): boolean
  /** Call it when all pools have stopped. */
  end(): Promise<void>
}

/**
 * Connections at once, as many as the largest pool runs jobs. Each is needed for the few milliseconds in which a job is taken or ends, and
 * is closed ten seconds later, except one. The end of a job may wait for a request that moves this job, so a kind of work could only block
 * another one with 48 such requests at the same time.
 */
const connections = { min: 1, max: 48 }

type QueueOptions = {
  /** Milliseconds between two checks that nothing causes. */
  usual_ms?: number
  /** Whether the jobs of this task wait, however many could be taken. */
  isHeld?(task: string): boolean
}

/** Checks for jobs at each notification, each time it begins to listen, and every `usual_ms`. */
export async function openQueue(
  sql: Everyone,
  database_url: string,
  log: Log,
  { usual_ms = 2000, isHeld = () => false }: QueueOptions = {},
): Promise<Queue> {
  const pool = new pg.Pool({ connectionString: addressOfPools(database_url), ...connections })
  pool.on('error', fault => log.warn({ err: fault }, 'a connection to the queue broke'))
  // A statement in progress fails with the same error.
  pool.on('connect', client => client.on('error', () => {}))
  const listeners = new Set<Listener>()
  // While the database is away, there is nothing to take.
  const readDue = async () => {
    const due = await tasksDue(sql).catch((): Due => [])
    return due.filter(({ task }) => !isHeld(task))
  }
  let due = await readDue()
  const checks = repeat(async () => {
    due = await readDue()
    return wakeFor(due, listeners, usual_ms)
  })
  const unlisten = await listenForJobs(sql, {
    onJobs: checks.now,
    onMigration: payload => listeners.forEach(listener => void listener.hear('worker:migrate', payload)),
  })

  return {
    connectionsFor(tasks, check_ms = usual_ms) {
      const listener = new Listener(tasks, check_ms)
      const hear = (give: GiveClient) => {
        listeners.add(listener)
        give(undefined, listener, () => listeners.delete(listener))
      }
      // graphile-worker asks with a callback for the connection that listens, and only for that one.
      const connect = (give?: GiveClient) => (give ? hear(give) : pool.connect())
      return Object.assign(Object.create(pool), { connect, query: pool.query.bind(pool) })
    },
    isDue: task => due.some(found => found.task === task),
    async end() {
      checks.end()
      await unlisten()
      await pool.end()
    },
  }
}

type GiveClient = (fault: undefined, client: Listener, release: () => void) => void

/** What one pool takes for its connection that listens. */
class Listener extends EventEmitter {
  readonly tasks: string[]
  readonly check_ms: number

  constructor(tasks: string[], check_ms: number) {
    super()
    this.tasks = tasks
    this.check_ms = check_ms
  }

  /** `LISTEN` and `UNLISTEN`, of which the shared connection takes care. */
  async query(): Promise<void> {}

  hear(channel: string, payload: string): void {
    this.emit('notification', { channel, payload })
  }
}

type Due = { task: string; jobs: number }[]

/** Makes idle workers look for the jobs that could be taken. Returns milliseconds until the next check. */
function wakeFor(due: Due, listeners: Set<Listener>, usual_ms: number): number {
  let next_ms = usual_ms
  for (const listener of listeners) {
    const count = due.reduce((sum, { task, jobs }) => sum + (listener.tasks.includes(task) ? jobs : 0), 0)
    if (count === 0) continue
    listener.hear('jobs:insert', JSON.stringify({ count }))
    next_ms = Math.min(next_ms, listener.check_ms)
  }
  return next_ms
}

/** Does the work now, again when it is wanted meanwhile, and again after as many milliseconds as it returns. */
function repeat(work: () => Promise<number>): { now(): void; end(): void } {
  let timer: NodeJS.Timeout | undefined
  const is = { working: false, wanted: false, ended: false }
  const now = async () => {
    is.wanted = true
    if (is.working || is.ended) return
    is.working = true
    let next_ms = 0
    for (; is.wanted && !is.ended; next_ms = await work()) is.wanted = false
    is.working = false
    clearTimeout(timer)
    if (!is.ended) timer = setTimeout(now, next_ms)
  }
  return {
    now: () => void now(),
    end() {
      is.ended = true
      clearTimeout(timer)
    },
  }
}
