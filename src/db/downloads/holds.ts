/** Holds: while a site fails a person's rules, or the disk is full, one download tries and the others wait. */
import type { Reason } from '../../schema/downloads/run.ts'
import type { UserId } from '../../schema/values/user.ts'
import { eachValue, type Queryable, type Sql } from '../postgres/client.ts'
import { downloadKey } from '../queue/queue.ts'
import type { Hold } from './run-types.ts'

/** Records that a rule's download failed. `holds` absent: only the video is to blame, so the next download may try at once. */
export async function recordRuleFailure(
  tx: Queryable,
  user_id: UserId,
  host: string,
  { holds, reason }: { holds: Hold | undefined; reason: Reason | null },
): Promise<void> {
  // The site has answered, so there is room on the disk, and the tools work.
  if (holds?.of !== 'everything') await tx`delete from rule_holds where user_id = ${user_id} and host = ''`
  if (!holds || reason === null) {
    await tx`update rule_holds set next_probe_at = now() where user_id = ${user_id} and host = ${host}`
    return
  }
  const waits = tx`${holds.waits_s.map(String)}::text[]::float[]`
  await tx`
    insert into rule_holds as known (user_id, host, reason, failures, next_probe_at)
    values (${user_id}, ${holds.of === 'site' ? host : ''}, ${reason}, 1, now() + (${waits})[1] * interval '1 second')
    on conflict on constraint rule_holds_pkey do update
    set    reason        = excluded.reason,
           failures      = least(known.failures + 1, 1000),
           next_probe_at = now() + (${waits})[least(known.failures + 1, cardinality(${waits}))] * interval '1 second'`
}

/**
 * Ends the holds after a download from this host has succeeded. Failed downloads that wait for their next attempt are tried at
 * once, unless they have failed so often that the site cannot be the reason.
 */
export async function endHolds(sql: Sql, user_id: UserId, host: string): Promise<void> {
  const ended = await eachValue<number>(sql`
    delete from rule_holds where user_id = ${user_id} and host in (${host}, '') returning failures`)
  // A single failure may be due to the video; several in a row were due to the site.
  if (!ended.some(failures => failures > 1)) return
  const again = await eachValue<string>(sql`
    update video_entries
    set    download_next_attempt_at = now()
    where  user_id = ${user_id} and id = any(array(
             select id
             from   video_entries
             where  user_id = ${user_id} and standing = 'waiting' and download_status = 'FAILED'
             and    download_by_rule and download_next_attempt_at > now() and download_failures <= ${own_fault}
             and    (video_host = ${host} and download_reason = any(${site_reasons}) or download_reason = any(${room_reasons}))
             order by video_id, id
             for update))
    returning video_id`)
  const keys = again.map(video_id => downloadKey({ user_id, video_id }))
  await runNow(sql, keys)
}

const site_reasons = ['site_trouble', 'silent', 'rate_limited', 'bot_check', 'fingerprint', 'extraction']
const room_reasons = ['no_room', 'quota', 'tools', 'storage', 'proxy']
const own_fault = 5

/** Makes waiting jobs run now. */
export const runNow = (sql: Queryable, keys: string[]) => sql`
  select count(*)
  from   graphile_worker.reschedule_jobs(
           array(select id from graphile_worker.jobs where key = any(${keys}) and locked_at is null), run_at := now())`
