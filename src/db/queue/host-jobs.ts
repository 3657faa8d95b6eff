/** Jobs that ask one host about videos, one request after the other: looks, and captions. */
import { jsonText } from '../../runtime/json.ts'
import { onlyValue, type Piece, type Queryable, type Sql } from '../postgres/client.ts'
import { hasNoJob, planAlone } from './jobs.ts'

/**
 * Hosts of platforms that we know wait for no others. Anyone can name any number of other hosts, so those take turns between people, and
 * wait in one queue.
 */
export type KnownHosts = { isKnownHost(host: string): boolean }

type Kind = 'looks' | 'captions'
const tasks = { looks: 'look-at-videos', captions: 'fetch-captions' }
/** Priorities at known hosts. Looks and captions share workers, and captions can wait. */
const priorities = { looks: 0, captions: 10 }

/** The queue of all other hosts. Over all workers one job of this queue runs at a time, so that slow sites leave room for platforms. */
const slow_queue = 'slow looks'
/** The lowest priority; all turns from this one on share it. */
const last_turn = 100

/** `turn`: the place of the host among those of one person, from 1; platforms have no turns. */
const jobAt = (kind: Kind, host: string, turn: number, { isKnownHost }: KnownHosts) => ({
  host,
  task: tasks[kind],
  key: `${kind}:${host}`,
  ...(isKnownHost(host)
    ? { queue: null, priority: priorities[kind] }
    : { queue: slow_queue, priority: Math.min(turn, last_turn) }),
})

/** Queues a job for each host, unless one waits or runs. Returns how many were queued. */
export function queueAtHosts(sql: Sql, kind: Kind, due: { host: string; turn: number }[], known: KnownHosts) {
  const jobs = due.map(({ host, turn }) => jobAt(kind, host, turn, known))
  return planAlone(sql, tx => queued(tx, jobs, 0, hasNoJob(tx, tx`due.key`)))
}

/**
 * Queues the next job of this host, after a pause, while the present job still runs. At a slow host, only if no job of another slow host is
 * queued; otherwise housekeeping chooses the next host.
 */
export const queueNextAtHost = (sql: Sql, kind: Kind, host: string, pause_s: number, known: KnownHosts) =>
  queued(
    sql,
    [jobAt(kind, host, 1, known)],
    pause_s,
    sql`
    (due.queue is null or not exists (
      select from graphile_worker.jobs job where job.queue_name = due.queue and job.key <> due.key))`,
  )

const queued = (sql: Queryable, jobs: ReturnType<typeof jobAt>[], pause_s: number, condition: Piece): Promise<number> =>
  onlyValue<number>(sql`
    select count(*) as count
    from   graphile_worker.add_jobs(array(
             select (task, json_build_object('host', host), queue, now() + ${pause_s} * interval '1 second', 1, key, priority, null)::graphile_worker.job_spec
             from   json_to_recordset(${jsonText(jobs)}::text::json) as due (host text, task text, key text, queue text, priority int2)
             where  ${condition}))`)
