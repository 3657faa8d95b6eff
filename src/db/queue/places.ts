/** The places of waiting downloads in the queue. */
import type { Download } from '../../schema/download.ts'
import type { UserId } from '../../schema/user.ts'
import type { Queryable } from '../postgres/client.ts'
import { downloadKey } from './queue.ts'

/**
 * The place of each of these downloads; 1: the next that a worker takes. Downloads that the workers skip for now are not counted,
 * unless the same flags hold back this one as well.
 */
export async function placesInQueue(
  sql: Queryable,
  user_id: UserId,
  video_ids: string[],
): Promise<Map<string, number>> {
  const keys = new Map(video_ids.map(video_id => [downloadKey({ user_id, video_id }), video_id]))
  const [{ passed } = { passed: [] }] = await sql<{ passed: string[] }[]>`
    select coalesce(array_agg(distinct flag), '{}') as passed
    from   workers, unnest(passed_over) as flag
    where  heartbeat_at > now() - interval '15 seconds'`
  // A few jobs are found by their keys; then the queue is read once for each set of flags that holds one of them back.
  const rows = await sql<{ key: string; place: number }[]>`
    with wanted as (
      select id, key, ${flagsPassedOver(sql, passed)} as flags_passed
      from   graphile_worker.jobs
      where  key = any(${[...keys.keys()]}) and ${isInQueue(sql)}
    )
    select wanted.key, counted.place
    from   (select flags_passed, array_agg(id) as ids from wanted group by flags_passed) same
    cross join lateral (
      select id, row_number() over (order by priority, run_at, id) as place
      from   graphile_worker.jobs
      where  ${isInQueue(sql)}
      ${passed.length === 0 ? sql`` : sql`and ((flags ?| ${passed}) is not true or ${flagsPassedOver(sql, passed)} <@ same.flags_passed)`}) counted
    join   wanted on wanted.id = counted.id and wanted.flags_passed = same.flags_passed`
  return new Map(rows.map(({ key, place }) => [keys.get(key) ?? '', place]))
}

const isInQueue = (sql: Queryable) => sql`
  task_identifier = 'download' and locked_at is null and run_at <= now() and attempts < max_attempts`

const flagsPassedOver = (sql: Queryable, passed: string[]) =>
  passed.length === 0
    ? sql`'{}'::text[]`
    : sql`array(select jsonb_object_keys(flags) intersect select unnest(${passed}::text[]) order by 1)`

export type Unplaced<T extends Download> = Omit<T, 'queue_position'>

/** Only waiting downloads have a place; without any, the queue is not read. */
export async function withPlaces<T extends Unplaced<Download>>(sql: Queryable, user_id: UserId, rows: T[]) {
  const waiting = rows.filter(({ queued }) => queued).map(({ video_id }) => video_id)
  const places = waiting.length === 0 ? new Map<string, number>() : await placesInQueue(sql, user_id, waiting)
  return rows.map(row => ({ ...row, queue_position: places.get(row.video_id) ?? null }))
}
