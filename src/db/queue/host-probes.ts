/**
 * Probes of hosts that are paused: a person lets one download start before the pause ends. All people together probe a host once a
 * minute at most; each has a probe of their own, which may run longer. The download passes pauses that began before the probe, so a
 * refusal, which begins a new pause, ends it.
 */
import type { DownloadJob } from '../../schema/service/jobs.ts'
import type { Queryable } from '../postgres/client.ts'

const probe_every_s = 60

/** `false`: the host was probed within the last minute. */
export async function beginProbe(tx: Queryable, host: string, { user_id, video_id }: DownloadJob): Promise<boolean> {
  // One at a time, so that two people who ask at the same moment do not both probe.
  await tx`select pg_advisory_xact_lock(hashtextextended(${`backlot probe ${host}`}, 0))`
  const rows = await tx`
    insert into host_probes (host, user_id, video_id)
    select ${host}, ${user_id}::uuid, ${video_id}
    where  not exists (
             select from host_probes
             where  host = ${host} and probed_at > now() - ${probe_every_s} * interval '1 second')
    on conflict on constraint host_probes_pkey do update
    set    video_id = excluded.video_id, probed_at = excluded.probed_at
    returning host`
  return rows.length > 0
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
export async function endProbe(tx: Queryable, host: string, { user_id, video_id }: DownloadJob): Promise<boolean> {
  const rows = await tx`
    update host_probes
    set    video_id = null
    where  host = ${host} and user_id = ${user_id} and video_id = ${video_id}
    returning host`
  return rows.length > 0
}
