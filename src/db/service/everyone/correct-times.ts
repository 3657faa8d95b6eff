/**
 * Corrects times that a clock which was ahead has left. A time further ahead than its plan holds up work for as long as the clock was
 * ahead, without a warning. What people did keeps its time: a machine without a battery may start with a clock that is behind, and would
 * take it for wrong.
 */
import type { Everyone } from '../../everyone.ts'
import type { Piece } from '../../postgres/client.ts'
import { queue_beats, queue_plans, workerCrontabs } from '../../postgres/worker-tables.ts'

/** Columns that say when something is to be done. Too early is harmless: the work finds out that there is nothing to do. */
export const plans = [
  ...queue_plans,
  'backfills.next_attempt_at',
  'channel_rules.apply_at',
  'channels.list_at',
  'channels.next_fetch_at',
  'host_pauses.until',
  'import_lines.not_before',
  'media_servers.exchange_at',
  'messages.next_at',
  'pictures.fetch_at',
  'push_subscriptions.check_at',
  'push_subscriptions.lease_until',
  'push_subscriptions.next_attempt_at',
  'rule_holds.next_probe_at',
  'sounds.retry_at',
  'users.captions_at',
  'video_entries.download_next_attempt_at',
  'video_entries.look_at',
]

/**
 * Columns that say when the service last did something, which it does again after an interval. None is later than now, and too early is
 * harmless. The heartbeats come last, because they show that the clock was ahead.
 */
export const beats = [
  ...queue_beats,
  'backfills.requested_at',
  'channels.fetch_failed_at',
  'channels.last_fetched_at',
  'channels.list_since',
  'channels.listed_at',
  'channels.pictured_at',
  'channels.refresh_asked_at',
  'host_looks.looked_at',
  'host_pauses.since',
  'host_probes.probed_at',
  'media_servers.exchanged_at',
  'media_servers.failing_since',
  'media_servers.read_due_at',
  'media_service.guarded_at',
  'media_service.seen_at',
  'media_trees.checked_at',
  'picture_pass.started_at',
  'pictures.stored_at',
  'pictures.used_at',
  'push_subscriptions.active_since',
  'push_subscriptions.last_check_at',
  'push_subscriptions.last_push_at',
  'push_subscriptions.requested_at',
  'service_notices.since',
  'sign_in_failures.started_at',
  'site_cookies.refused_at',
  'tool_outcomes.ended_at',
  'transcripts.asked_at',
  'turns_given.given_at',
  'video_entries.download_turn_at',
  'video_entries.looked_at',
  'video_segments.fetched_at',
  'backfills.heartbeat_at',
  'video_entries.download_heartbeat_at',
  'workers.heartbeat_at',
]

/** Columns whose time would be lost if it were taken for wrong by mistake. They are corrected only after the clock was seen to go back. */
export const marks = [
  'channel_rules.also_since',
  'channel_rules.on_since',
  'channels.failing_since',
  'channels.imported_at',
  'imports.created_at',
  'messages.created_at',
  'notifications.created_at',
  'users.looked_at',
  'users.new_since',
]

/** Seconds that count as ahead. The crontab is recorded once a minute, by the clocks of machines, which may be minutes apart. */
const least_ahead_s = 60
const least_ahead_of_crontab_s = 3600

/**
 * Corrects times that a clock which was ahead has left. Returns `ahead_s`, the seconds by which it was ahead; 0: no such time was found.
 * `gap_s`: seconds since the last minute in which a worker ran. `machine_time`: of the clock that the crontab uses. `seen_ahead_s`: by how
 * much the caller saw the clock go back. One statement after the other, so that no row is locked for long; what shows that the clock was
 * ahead is corrected last.
 */
export async function correctTimes(
  sql: Everyone,
  machine_time: Date,
  seen_ahead_s = 0,
): Promise<{ ahead_s: number; gap_s: number }> {
  const [{ time, gap_s, ...found }] = await sql<[{ time: Date; ahead_s: number; gap_s: number }]>`
    with last as (
      select max(last_execution) - ${machine_time}::timestamptz as minute
      from   ${workerCrontabs(sql)}
    ),
    heard as (
      select greatest(
               (select max(heartbeat_at) from workers),
               (select max(heartbeat_at) from backfills),
               (select max(download_heartbeat_at) from video_entries where download_status = 'DOWNLOADING')) as at
    )
    select now() as time,
           coalesce(extract(epoch from greatest(
             case when minute > ${least_ahead_of_crontab_s} * interval '1 second' then minute end,
             heard.at - now())), 0)::float8 as ahead_s,
           coalesce(-extract(epoch from minute), 0)::float8 as gap_s
    from   last, heard`
  const ahead_s = Math.max(seen_ahead_s, found.ahead_s)
  const is_ahead = ahead_s >= least_ahead_s
  if (is_ahead) {
    const ahead = sql`${ahead_s} * interval '1 second'`
    for (const column of plans) await moveBack(sql, column, at => sql`greatest(${time}, ${at} - ${ahead})`)
    for (const column of [...(seen_ahead_s > 0 ? marks : []), ...beats]) await moveBack(sql, column, () => sql`${time}`)
  }
  // Otherwise the crontab waits for that minute.
  await sql`
    update ${workerCrontabs(sql)}
    set    last_execution = ${machine_time}
    where  last_execution > ${machine_time}::timestamptz + interval '1 minute'`
  return { ahead_s: is_ahead ? ahead_s : 0, gap_s }
}

/** Changes what is later than now. `timeFrom` gets the column. */
async function moveBack(sql: Everyone, column: string, timeFrom: (at: Piece) => Piece): Promise<void> {
  const [, table = '', name = ''] = /^(.+)\.(\w+)$/.exec(column) ?? []
  const at = sql`${sql(name)}`
  await sql`update ${sql(table)} set ${sql(name)} = ${timeFrom(at)} where ${at} > now()`
}
