/**
 * Two ways to find out whether a host still refuses. A check: a job asks the host itself, at most once in 3 minutes over all workers. A
 * probe: a person lets one download start before a pause ends.
 */
import type { DownloadJob } from '../../schema/service/jobs.ts'
import type { UserId } from '../../schema/values/user.ts'
import { hasAny, type Queryable, type Sql } from '../postgres/client.ts'
import { pauseHost } from './host-pauses.ts'

/** Seconds between two checks of a host, however many people it refuses. */
export const check_every_s = 180
/** One person's downloads may be refused by any number of hosts. */
const max_checks_per_person = 5

/** `user_id`: whose download or feed was refused. `rss_url`: the refused feed; absent for a download. */
type Refused = { user_id: UserId; rss_url?: string }

/**
 * Queues a check. `host`: as pauses name it, so with `feeds:` for a feed. `false`: the host was just checked, is already paused for
 * everyone, or too many checks for the same person wait.
 */
export async function requestHostCheck(tx: Queryable, host: string, { user_id, rss_url }: Refused): Promise<boolean> {
  const flag = `look:${user_id}`
  const is_begun = await hasAny(tx`
    insert into host_looks as known (host, rss_url)
    select ${host}, ${rss_url ?? null}::text
    where  not exists (select from host_pauses where host_pauses.host = ${host} and user_id is null and until > now())
    and    ${max_checks_per_person} > (
             select count(*) from graphile_worker.jobs
             where  task_identifier = 'look-at-host' and attempts < max_attempts and flags ? ${flag})
    on conflict (host) do update
    set    looked_at = now(), rss_url = excluded.rss_url
    where  known.looked_at < now() - ${check_every_s} * interval '1 second'`)
  if (!is_begun) return false
  await tx`
    select graphile_worker.add_job(
      'look-at-host',
      payload      := ${tx.json({ host })}::json,
      -- A check can take seconds, so over all workers one runs at a time.
      queue_name   := 'look-at-host',
      job_key      := ${`look:${host}`},
      max_attempts := 1,
      flags        := array[${flag}]::text[])`
  return true
}

/** `is_hosts`: a host refused, as far as words tell. `max_s`: the longest pause, however often this happens. */
export type PersonPause = { user_id: UserId; reason: string; is_hosts: boolean; max_s?: number }

/**
 * Pauses one kind of request (`prefix`) at this host for one person. Words decided that, and a site or an address can choose words: only
 * the check of the host that this requests can pause anything for everyone.
 */
export const pauseForPerson = (sql: Sql, prefix: string, host: string, pause: PersonPause): Promise<void> =>
  sql.begin(async tx => {
    await pauseHost(tx, prefix + host, pause)
    if (pause.is_hosts) await requestHostCheck(tx, host, pause)
  })

/**
 * Seconds between two probes of one host, over all people. A probe may run longer. Its download ignores pauses that began before the probe;
 * a refusal begins a new pause, so the refusal ends the probe.
 */
const probe_every_s = 60

/** `false`: the host was probed within the last minute. */
export async function beginProbe(tx: Queryable, host: string, { user_id, video_id }: DownloadJob): Promise<boolean> {
  // One at a time, so that two people who ask at the same moment do not both probe.
  await tx`select pg_advisory_xact_lock(hashtextextended(${`backlot probe ${host}`}, 0))`
  return hasAny(tx`
    insert into host_probes (host, user_id, video_id)
    select ${host}, ${user_id}::uuid, ${video_id}
    where  not exists (
             select from host_probes
             where  host = ${host} and probed_at > now() - ${probe_every_s} * interval '1 second')
    on conflict on constraint host_probes_pkey do update
    set    video_id = excluded.video_id, probed_at = excluded.probed_at`)
}

/** As a part of a query of `host_pauses`: this download waits for the pause. */
export const waitsForPause = (sql: Queryable, { user_id, video_id }: DownloadJob) => sql`
  not exists (
    select from host_probes probe
    where  probe.host = host_pauses.host and probe.user_id = ${user_id} and probe.video_id = ${video_id}
    and    probe.probed_at >= host_pauses.since)`

/** As a condition: this download is the probe of its host, and no pause of its person has begun since. */
export const isProbe = (sql: Queryable, host: string | null, { user_id, video_id }: DownloadJob) => sql`
  exists (
    select from host_probes probe
    where  probe.host = ${host} and probe.user_id = ${user_id} and probe.video_id = ${video_id}
    and    not exists (
             select from host_pauses pause
             where  pause.host = probe.host and (pause.user_id is null or pause.user_id = probe.user_id)
             and    pause.until > now() and pause.since > probe.probed_at))`

/** Ends the probe by this download; `false`: it was none. The minute until the next one is kept. */
export const endProbe = (tx: Queryable, host: string, { user_id, video_id }: DownloadJob): Promise<boolean> =>
  hasAny(tx`
    update host_probes
    set    video_id = null
    where  host = ${host} and user_id = ${user_id} and video_id = ${video_id}`)
