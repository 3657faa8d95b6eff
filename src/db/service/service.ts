/**
 * The state of the service itself: its workers, its storage, and numbers over all people. It names no one, so administrators and the owner
 * of METRICS_TOKEN may see it.
 */
import { max_counted_pictures, type PictureState, WorkerReport } from '../../schema/service/health.ts'
import { everyoneIn } from '../everyone.ts'
import { eachValue, firstValue, onlyRow, onlyValue, type Sql } from '../postgres/client.ts'
import { figuresIn } from './everyone/figures.ts'

export type { EndedRuns } from './everyone/figures.ts'

export type Service = ReturnType<typeof serviceIn>

export const serviceIn = (sql: Sql) => ({
  ...figuresIn(everyoneIn(sql)),

  /** Whether the database takes no changes, as a standby does. Rejects when the database is away. */
  isReadOnly: (): Promise<boolean> =>
    onlyValue<boolean>(sql`select current_setting('transaction_read_only')::boolean as is`),

  /** The workers that sent a heartbeat within `seconds`. */
  async workers(seconds: number): Promise<WorkerReport[]> {
    const reports = await eachValue<unknown>(sql`
      select report
      from   workers
      where  report is not null and heartbeat_at > now() - ${seconds} * interval '1 second'`)
    return reports.flatMap(report => WorkerReport.safeParse(report).data ?? [])
  },

  /** Pictures that are not stored yet, and that were given up. Counting ends at `max_counted_pictures`. */
  pictures: (): Promise<PictureState> =>
    onlyRow(sql<PictureState[]>`
      select (select count(*) from (
                select from pictures where fetch_at is not null and stored_at is null limit ${max_counted_pictures}) due) as waiting,
             (select count(*) from (
                select from pictures where fetch_at is null and stored_at is null limit ${max_counted_pictures}) over) as given_up`),

  /** The feeds whose new videos a hub announces. */
  pushedFeeds: (): Promise<number> =>
    onlyValue<number>(sql`
      select count(*) as feeds from push_subscriptions where lease_until > now()`),

  /** Links of MEDIA_DIR that were missing at once in one tree, within the last day, so that no file was deleted; 0: none. */
  async guardedLinks(): Promise<number> {
    const links = await firstValue<number>(sql`
      select guarded_links from media_service where guarded_at > now() - interval '1 day'`)
    return links ?? 0
  },

  /** Paths of some stored files; empty: there are none. */
  someFiles: (): Promise<string[]> =>
    eachValue<string>(sql`
      select distinct download_path
      from   (select download_path from video_entries where standing = 'done' limit 20) file`),
})
