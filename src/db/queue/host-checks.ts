/** Queues the jobs that check whether a host refuses the service itself: at most one per host in 3 minutes, over all workers. */
import type { UserId } from '../../schema/values/user.ts'
import type { Queryable, Sql } from '../postgres/client.ts'
import { pauseHost } from './host-pauses.ts'

/** Seconds between two checks of a host, however many people it refuses. */
export const check_every_s = 180
/** After housekeeping, which runs in the same pool. */
const priority = 10

/** A check can take seconds, and one person's downloads may be refused by any number of hosts. */
const max_checks_per_person = 5

/** `user_id`: whose download or feed was refused. `rss_url`: the refused feed; absent for a download. */
type Refused = { user_id: UserId; rss_url?: string }

/** `false`: the host was just checked, is already paused for everyone, or too many checks for the same person wait. */
export async function requestHostCheck(tx: Queryable, host: string, { user_id, rss_url }: Refused): Promise<boolean> {
  const flag = `look:${user_id}`
  const rows = await tx`
    insert into host_looks as known (host, rss_url)
    select ${host}, ${rss_url ?? null}::text
    where  not exists (select from host_pauses where host_pauses.host = ${host} and user_id is null and until > now())
    and    ${max_checks_per_person} > (
             select count(*) from graphile_worker.jobs
             where  task_identifier = 'look-at-host' and attempts < max_attempts and flags ? ${flag})
    on conflict (host) do update
    set    looked_at = now(), rss_url = excluded.rss_url
    where  known.looked_at < now() - ${check_every_s} * interval '1 second'
    returning host`
  if (rows.length === 0) return false
  await tx`
    select graphile_worker.add_job(
      'look-at-host',
      payload      := ${tx.json({ host })}::json,
      job_key      := ${`look:${host}`},
      max_attempts := 1,
      flags        := array[${flag}]::text[],
      priority     := ${priority})`
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
