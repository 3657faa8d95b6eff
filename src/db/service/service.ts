/** The state of the service itself: its workers, its queue and its storage. */
import { max_counted_pictures, type PictureState, type QueueState, WorkerReport } from '../../schema/service/health.ts'
import type { Sql } from '../postgres/client.ts'

export type Service = {
  /** Resolves when the database answers. */
  ping(): Promise<unknown>
  /** The workers that sent a heartbeat within `seconds`. */
  workers(seconds: number): Promise<WorkerReport[]>
  queue(): Promise<QueueState>
  /** The feeds whose new videos a hub announces. */
  pushedFeeds(): Promise<number>
  /** Pictures that are not stored yet, and that were given up. Counting ends at `max_counted_pictures`. */
  pictures(): Promise<PictureState>
  /** Links of MEDIA_DIR that were missing at once in one tree, within the last day, so that no file was deleted; 0: none. */
  guardedLinks(): Promise<number>
  /** Paths of some stored files; empty: there are none. */
  someFiles(): Promise<string[]>
}

export const serviceIn = (sql: Sql): Service => ({
  ping: () => sql`select`,

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

  async pictures() {
    const [pictures] = await sql<PictureState[]>`
      select (select count(*) from (
                select from pictures where fetch_at is not null and stored_at is null limit ${max_counted_pictures}) due) as waiting,
             (select count(*) from (
                select from pictures where fetch_at is null and stored_at is null limit ${max_counted_pictures}) over) as given_up`
    return pictures ?? { waiting: 0, given_up: 0 }
  },

  async pushedFeeds() {
    const [counted] = await sql<{ feeds: number }[]>`
      select count(*) as feeds from push_subscriptions where state = 'active' and lease_until > now()`
    return counted?.feeds ?? 0
  },

  async guardedLinks() {
    const [guarded] = await sql<{ guarded_links: number }[]>`
      select guarded_links from media_service where guarded_at > now() - interval '1 day'`
    return guarded?.guarded_links ?? 0
  },

  async someFiles() {
    const rows = await sql<{ download_path: string }[]>`
      select distinct download_path
      from   (select download_path from video_entries where standing = 'done' limit 20) file`
    return rows.map(({ download_path }) => download_path)
  },
})
