/** The state of the service itself, without anyone's videos: its workers and its queue. */
import { type QueueState, WorkerReport } from '../../schema/health.ts'
import type { Sql } from '../postgres/client.ts'

export type Service = {
  /** The workers that sent a heartbeat within `seconds`. */
  workers(seconds: number): Promise<WorkerReport[]>
  queue(): Promise<QueueState>
  /** The feeds whose new videos a hub announces. */
  pushedFeeds(): Promise<number>
}

export const serviceIn = (sql: Sql): Service => ({
  async workers(seconds) {
    const rows = await sql<{ report: unknown }[]>`
      select report
      from   workers
      where  report is not null and heartbeat_at > now() - ${seconds} * interval '1 second'`
    return rows.flatMap(({ report }) => WorkerReport.safeParse(report).data ?? [])
  },

  async queue() {
    const [queue] = await sql<QueueState[]>`
      select count(*) filter (where locked_at is null)      as waiting,
             count(*) filter (where locked_at is not null)  as running,
             extract(epoch from now() - min(run_at) filter (where locked_at is null and run_at <= now()))::int
                                                            as oldest_waiting_seconds
      from   graphile_worker.jobs
      where  task_identifier = 'download' and attempts < max_attempts`
    if (!queue) throw new Error('a count without a row')
    return queue
  },

  async pushedFeeds() {
    const [counted] = await sql<{ feeds: number }[]>`
      select count(*) as feeds from push_subscriptions where state = 'active' and lease_until > now()`
    return counted?.feeds ?? 0
  },
})
