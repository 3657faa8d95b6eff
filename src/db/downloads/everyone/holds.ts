/** The rules' downloads that are on hold, over all people; and which are tried again with a new yt-dlp. */
import type { DownloadJob } from '../../../schema/service/jobs.ts'
import type { UserId } from '../../../schema/values/user.ts'
import type { Everyone } from '../../everyone.ts'
import { firstValue, type Queryable } from '../../postgres/client.ts'
import { ruleFlag } from '../../queue/flags.ts'
import { downloadKey } from '../../queue/queue.ts'
import { runNow } from '../holds.ts'

type HeldHost = { user_id: UserId; host: string }

/** `is_probed`: one of the downloads is trying now. */
const holding = (sql: Queryable) => sql`
  select user_id, host, next_probe_at,
         exists (
           select from (
             select user_id, video_host
             from   video_entries
             where  download_status = 'DOWNLOADING' and download_by_rule
             offset 0) run
           where  run.user_id = hold.user_id and hold.host in ('', run.video_host)) as is_probed
  from   rule_holds hold`

/** Every waiting job is compared with every flag. A job whose flag was left out is taken once, and put back until its time. */
const max_held = 200

/** The flags of jobs on hold: they wait while a download of the same rules tries, or until one may try. */
export async function heldFlags(sql: Everyone<Queryable>): Promise<string[]> {
  const rows = await sql<HeldHost[]>`
    select   user_id, host
    from     (${holding(sql)}) hold
    where    next_probe_at > now() or is_probed
    order by host <> '', next_probe_at desc
    limit    ${max_held}`
  return rows.map(({ user_id, host }) => ruleFlag(user_id, host))
}

/** When a rule's download from this host may start; `undefined`: now. */
export const heldUntil = (tx: Everyone<Queryable>, user_id: UserId, host: string): Promise<Date | undefined> =>
  firstValue<Date>(tx`
    select max(greatest(next_probe_at, case when is_probed then now() + interval '15 seconds' end)) as until
    from   (${holding(tx)}) held
    where  user_id = ${user_id} and host in (${host}, '') and (next_probe_at > now() or is_probed)
    having count(*) > 0`)

/** A host that had no attempt for so long starts without failures. */
const kept_days = 7
export const forgetOldHolds = (sql: Everyone) =>
  sql`delete from rule_holds where next_probe_at < now() - ${kept_days} * interval '1 day'`

/**
 * Records the version of yt-dlp that the workers have now. When it has changed, downloads that failed because of the old one are
 * tried again. Returns whether there was an old one.
 */
export async function recordToolVersion(sql: Everyone, seconds: number): Promise<boolean> {
  const is_newer = await firstValue<boolean>(sql`
    insert into tool_versions as known (tool, version)
    select 'yt-dlp', max(report ->> 'ytdlp_version')
    from   workers
    where  heartbeat_at > now() - ${seconds} * interval '1 second'
    having max(report ->> 'ytdlp_version') is not null
    on conflict (tool) do update set version = excluded.version where known.version <> excluded.version
    returning xmax <> 0`)
  if (is_newer === undefined) return false
  await sql`update rule_holds set next_probe_at = now() where reason = any(${tool_reasons})`
  const again = await sql<DownloadJob[]>`
    with again as materialized (
      select   user_id, id
      from     video_entries
      where    standing = 'waiting' and download_status = 'FAILED' and download_by_rule
      and      download_next_attempt_at > now() and download_reason = any(${tool_reasons})
      order by user_id, video_id, id
      for update
    )
    update video_entries entry
    set    download_next_attempt_at = now()
    from   again
    where  (entry.user_id, entry.id) = (again.user_id, again.id)
    returning entry.user_id, entry.video_id`
  await runNow(sql, again.map(downloadKey))
  return is_newer
}

const tool_reasons = ['tools', 'extraction']
