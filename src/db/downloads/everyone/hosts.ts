/**
 * How many downloads run from each host, and which hosts are paused, over all people.
 *
 * A busy host, or one that is paused for everyone, is skipped by a flag of graphile-worker on its jobs, so that no job is taken and put
 * back. The claim checks once more, under a lock per host, because two workers may take jobs at the same moment; and it puts back the
 * jobs of a person for whom alone the host is paused. Hosts in `ALLOWED_ADDRESSES` belong to the administrator and have no limits.
 * A copy of another person's file requests no host, so it is not counted.
 */
import type { DownloadJob } from '../../../schema/service/jobs.ts'
import type { Everyone } from '../../everyone.ts'
import { onlyValue, type Queryable } from '../../postgres/client.ts'
import { hostFlag } from '../../queue/flags.ts'
import { waitsForPause } from '../../queue/host-checks.ts'
import { isOfDownloads, pausedUntil } from '../../queue/host-pauses.ts'

export type HostLimits = {
  /** Downloads that run from one host at once, over all workers. */
  host_concurrency: number
  /** Seconds between two downloads of one host; 0: none. */
  host_pause_seconds: number
  /** Whether the host is the operator's own: it has neither limit, but its own requests to wait are honoured. */
  isOurs(host: string): boolean
}

/** Without such a pause, sites take the requests of one service for an attack. */
export const usual_pause_seconds = 5

/**
 * When a download from this host may start; `undefined`: now. The lock is held until the caller's transaction ends, so that two
 * workers never take the same last place.
 */
export const hostFreeAt =
  ({ host_concurrency, host_pause_seconds, isOurs }: HostLimits) =>
  async (tx: Everyone<Queryable>, host: string, job: DownloadJob): Promise<Date | undefined> => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`backlot host ${host}`}, 0))`
    const most = isOurs(host) ? null : host_concurrency
    const pause = isOurs(host) ? 0 : host_pause_seconds
    const free_at = await onlyValue<Date | null>(tx`
      with running as (
        select count(distinct (user_id, video_id)) as count,
               max(download_started_at) filter (where download_started_at <= now()) as started_at
        from   video_entries
        where  video_host = ${host} and download_status = 'DOWNLOADING' and not download_copied
      ),
      ended as (
        select max(download_completed_at) as ended_at
        from   video_entries
        where  video_host = ${host} and download_completed_at between now() - ${pause} * interval '1 second' and now()
        and    not download_copied
      )
      select nullif(greatest(
               case when running.count >= ${most}::int then now() + ${retry_full_host_s} * interval '1 second' end,
               case when ${pause}::int > 0 then greatest(started_at, ended_at) + ${pause} * interval '1 second' end,
               ${pausedUntil(tx, tx`${host}::text`, job.user_id, waitsForPause(tx, job))},
               now()), now()) as free_at
      from   running, ended`)
    return free_at ?? undefined
  }

/** The end of a download cannot be known, so the host is tried again after this time. */
const retry_full_host_s = 5

/**
 * The flags of jobs that would only be put back, because their host is busy, or paused for everyone.
 * One statement, so that a host whose only download just failed is seen as busy or as paused, never as neither.
 */
export async function blockedFlags(
  sql: Everyone,
  { host_concurrency, host_pause_seconds, isOurs }: HostLimits,
): Promise<string[]> {
  const rows = await sql<{ host: string; is_paused: boolean }[]>`
    select   video_host as host, false as is_paused
    from     video_entries
    where    download_status = 'DOWNLOADING' and video_host is not null and not download_copied
    group by video_host
    having   count(distinct (user_id, video_id)) >= ${host_concurrency}
    or       max(download_started_at) filter (where download_started_at <= now())
             > now() - ${host_pause_seconds} * interval '1 second'
    union
    select   video_host, false
    from     video_entries
    where    download_completed_at between now() - ${host_pause_seconds} * interval '1 second' and now()
    and      video_host is not null and not download_copied
    union
    select   host, true
    from     host_pauses
    where    user_id is null and until > now() and ${isOfDownloads(sql)}`
  const blocked = rows.filter(({ host, is_paused }) => is_paused || !isOurs(host))
  return [...new Set(blocked.map(({ host }) => hostFlag(host)))]
}
