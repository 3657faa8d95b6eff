/**
 * Pauses of hosts that refused us. One that a person's download or import met holds for that person alone; one without a
 * person holds for everyone, and is made only where the service itself saw the host refuse.
 */

import type { PendingQuery, Row } from 'postgres'
import type { FeedPause } from '../../schema/import.ts'
import type { UserId } from '../../schema/user.ts'
import type { Queryable, Sql } from '../postgres/client.ts'
import { hostFlag } from './queue.ts'

/** A piece of a query. */
type Piece = PendingQuery<Row[]>

/** Feeds rest apart from downloads: a site that is asked too often for the ones may still give the others. */
export const feeds_prefix = 'feeds:'
export const feedsAt = (sql: Queryable, rss_url: string | Piece) =>
  sql`${feeds_prefix}::text || lower(substring(${rss_url} from '^https?://(?:[^/?#]*@)?([^/?#]+)'))`

/** Seconds of a first pause. Each further refusal doubles it, up to what the host asks for, and to a day. */
export const first_pause_s = 300
const longest_pause_s = 24 * 3600

export type Pause = {
  /** Not given: everyone's. */
  user_id?: UserId | undefined
  /** `Retry-After`, as a header said it. Not given: the host did not say. */
  asked_s?: number | undefined
  /** However often it refuses; such a pause makes later ones no longer either. */
  most_s?: number | undefined
  reason: string
}

/** A pause that lasts stays as it is: downloads that ran side by side are refused side by side, which counts once. */
export async function pauseHost(tx: Queryable, host: string, { user_id, asked_s, most_s, reason }: Pause) {
  const most = Math.min(asked_s ?? longest_pause_s, most_s ?? longest_pause_s, longest_pause_s)
  const until = (refusals: Piece) =>
    tx`now() + least(${first_pause_s} * power(2, ${refusals} - 1), ${most}::int) * interval '1 second'`
  await tx`
    insert into host_pauses as known (host, user_id, until, reason)
    values (${host}, ${user_id ?? null}, ${until(tx`1`)}, ${reason})
    on conflict ${user_id ? tx`(user_id, host) where user_id is not null` : tx`(host) where user_id is null`} do update
    set    until    = ${until(tx`least(known.refusals + 1, 20)`)},
           since    = now(),
           refusals = ${most_s ? tx`known.refusals` : tx`least(known.refusals + 1, 20)`},
           reason   = excluded.reason
    where  known.until <= now()`
}

/** Until when a host rests for this person; as a piece of another query, and `null` where it does not. */
export const pausedUntil = (sql: Queryable, host: Piece, user_id: Piece | UserId) => sql`(
  select max(until)
  from   host_pauses
  where  host_pauses.host = ${host} and until > now()
  and    (host_pauses.user_id is null or host_pauses.user_id = ${user_id}))`

/** Until when it rests for everyone; no person's own pause counts. */
export const pausedForEveryoneUntil = (sql: Queryable, host: Piece) => sql`(
  select until
  from   host_pauses
  where  host_pauses.host = ${host} and until > now() and host_pauses.user_id is null)`

/** Hosts whose feeds rest for this person's imports. */
export const pausedFeeds = (sql: Sql, user_id: UserId) => sql<FeedPause[]>`
  select distinct on (host) substring(host from '^feeds:(.*)') as host, until, reason
  from   host_pauses
  where  host like 'feeds:%' and until > now() and (user_id is null or user_id = ${user_id})
  order by host, until desc`

/** The host does not refuse, or no longer: its next pause is short again. What still lasts stays. */
export async function forgetRefusals(tx: Queryable, host: string, user_id?: UserId): Promise<void> {
  await tx`
    delete from host_pauses
    where  host = ${host} and until <= now() and user_id is not distinct from ${user_id ?? null}`
}

/** What is long over need not be remembered: after its own length, but an hour at least, a host starts afresh. */
export async function forgetOldPauses(sql: Sql): Promise<void> {
  await sql`delete from host_pauses where until < now() - greatest(until - since, interval '1 hour')`
  await sql`delete from host_looks where looked_at < now() - interval '1 hour'`
}

export type ListedPause = {
  host: string
  what: 'downloads' | 'feeds'
  /** `null`: everyone. */
  username: string | null
  reason: string
  since: Date
  until: Date
  refusals: number
}

/** Every pause that lasts, everyone's first. */
export const listPauses = (sql: Sql, limit: number): Promise<ListedPause[]> => sql<ListedPause[]>`
  select   regexp_replace(host, '^feeds:', '') as host,
           case when host like 'feeds:%' then 'feeds' else 'downloads' end as what,
           username, reason, since, until, refusals
  from     host_pauses
  left join users on users.id = user_id
  where    until > now()
  order by user_id is not null, host, username
  limit    ${limit}`

/**
 * Ends all pauses of this host, for downloads and feeds, everyone's and each person's. Downloads that were put back until the
 * end of one run now. Returns how many lasted.
 */
export async function liftPauses(sql: Sql, host: string): Promise<number> {
  const rows = await sql<{ lasted: boolean; until: Date }[]>`
    delete from host_pauses
    where  host in (${host}, ${feeds_prefix + host})
    returning until > now() as lasted, until`
  const ends = rows.filter(({ lasted }) => lasted).map(({ until }) => until.toISOString())
  // What was put back has that very time, in milliseconds.
  await sql`
    select count(*)
    from   graphile_worker.reschedule_jobs(
             array(select id
                   from   graphile_worker.jobs
                   where  locked_at is null and flags ? ${hostFlag(host)} and run_at = any(${ends}::text[]::timestamptz[])),
             run_at := now())`
  return ends.length
}
