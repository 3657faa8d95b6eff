/** Asks for looks of the service's own at hosts that refused something: few, over all workers, each as a job. */
import type { Queryable, Sql } from './client.ts'
import { feeds_prefix, first_pause_s, pauseHost } from './host-pauses.ts'

/** One look at a host in so many seconds, whoever was refused. */
const look_every_s = 180
/** Behind housekeeping, whose pool this shares. */
const priority = 10

/** `false`: it was looked at a moment ago, or rests for everyone already. `rss_url`: the feed that was refused. */
export async function askForLook(tx: Queryable, host: string, rss_url: string | null = null): Promise<boolean> {
  const rows = await tx`
    insert into host_looks as known (host, rss_url)
    select ${host}, ${rss_url}::text
    where  not exists (select from host_pauses where host_pauses.host = ${host} and user_id is null and until > now())
    on conflict (host) do update
    set    looked_at = now(), rss_url = excluded.rss_url
    where  known.looked_at < now() - ${look_every_s} * interval '1 second'
    returning host`
  if (rows.length === 0) return false
  await tx`
    select graphile_worker.add_job(
      'look-at-host',
      payload      := ${tx.json({ host })}::json,
      job_key      := ${`look:${host}`},
      max_attempts := 1,
      priority     := ${priority})`
  return true
}

export type RefusedFeed = { rss_url: string; host: string; asked_s?: number | undefined; reason: string }

/**
 * A visit for everyone was refused by `host`. A person can choose feeds that always refuse, so neither one feed nor several of
 * one person make a pause. A second feed within minutes, followed by another person, makes a first, short one. Only the root
 * of the host makes it longer.
 */
export const noteRefusedFeed = (sql: Sql, { rss_url, host, asked_s, reason }: RefusedFeed): Promise<void> =>
  sql.begin(async tx => {
    const feeds = feeds_prefix + host
    if (await askForLook(tx, feeds, rss_url)) return
    const [other] = await tx`
      select from host_looks look
      where  host = ${feeds} and rss_url <> ${rss_url} and looked_at >= now() - ${look_every_s} * interval '1 second'
      and    exists (
               select from channels one
               join   channels other on other.user_id <> one.user_id
               where  one.rss_url = ${rss_url} and other.rss_url = look.rss_url)`
    if (other) await pauseHost(tx, feeds, { asked_s, most_s: first_pause_s, reason })
  })
