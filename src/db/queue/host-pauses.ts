/**
 * Pauses of hosts that refused us. A refusal of one person's download or import pauses the host for that person alone. A pause
 * without a person is for everyone, and is made only when the service itself has seen the host refuse.
 *
 * A pause lasts 5 minutes at first, then twice as long each time, a day at most. After a refusal the service requests the root of that
 * host, at most once in 3 minutes over all workers (`host-checks.ts`). That request pauses the host for everyone only if the host answers
 * it, without a redirect, with 429 or with 503 and `Retry-After`; the pictures of the host are also paused if it answers with a fault or
 * not at all. One more pause is for everyone: a second refused feed within 3 minutes pauses the feeds of the host for 5 minutes
 * (`db/channels/everyone/feeds.ts`). The text of an error never decides: messages of yt-dlp may contain words that a site or an address
 * chose.
 */
import type { FeedPause } from '../../schema/imports/import.ts'
import type { PausedWork } from '../../schema/service/health.ts'
import type { UserId } from '../../schema/values/user.ts'
import { eachValue, firstRow, onlyValue, type Piece, type Queryable, type Sql } from '../postgres/client.ts'
import { hostFlag, userFlag } from './flags.ts'

/** Feed fetches and downloads are paused separately: being rate-limited for one does not stop the other. */
export const feeds_prefix = 'feeds:'
/** Looks and the newest pages of listings are paused separately, because the words of a site decide about these pauses. */
export const looks_prefix = 'looks:'
/** Sites refuse captions long before they refuse pages. */
export const captions_prefix = 'captions:'
/** Pictures often come from hosts of their own. A refusal there says nothing about videos. */
export const pictures_prefix = 'pictures:'
/** A pause without such a prefix is one of downloads. */
const prefixed = `^(${[feeds_prefix, looks_prefix, captions_prefix, pictures_prefix].join('|')})`
/** Whether downloads wait for a pause, as a condition on its row. */
export const isOfDownloads = (sql: Queryable) => sql`host !~ ${prefixed}`
/** The name of the pause of feeds at the host of an address, as a part of a query. */
export const feedsAt = (sql: Queryable, address: string | Piece) =>
  sql`${feeds_prefix}::text || ${hostOf(sql, address)}`
/** The host of an address, with its port. Channels have an index of just this expression. */
export const hostOf = (sql: Queryable, address: string | Piece) =>
  sql`lower(substring(${address} from '^https?://(?:[^/?#]*@)?([^/?#]+)'))`

/** Seconds of a first pause. Each further refusal doubles it, up to what the host asks for, and up to a day. */
export const first_pause_s = 300
const longest_pause_s = 24 * 3600

export type Pause = {
  /** Absent: for everyone. */
  user_id?: UserId | undefined
  /** Seconds of the header `Retry-After`, which the pause does not exceed. Absent: the host did not say. */
  retry_after_s?: number | undefined
  /** An upper bound, however often the host refused. A pause with such a bound does not lengthen later ones. */
  max_s?: number | undefined
  /** A pause that has not ended becomes longer too. */
  extends?: boolean
  reason: string
}

/**
 * Pauses a host, or lengthens its next pause. A pause that has not ended changes only with `extends`: refusals of downloads that run at the
 * same time count once.
 */
export async function pauseHost(
  tx: Queryable,
  host: string,
  { user_id, retry_after_s, max_s, reason, ...pause }: Pause,
) {
  const longest_s = Math.min(retry_after_s ?? longest_pause_s, max_s ?? longest_pause_s, longest_pause_s)
  const until = (refusals: Piece) =>
    tx`now() + least(${first_pause_s} * power(2, ${refusals} - 1), ${longest_s}::int) * interval '1 second'`
  await tx`
    insert into host_pauses as known (host, user_id, until, reason)
    values (${host}, ${user_id ?? null}, ${until(tx`1`)}, ${reason})
    on conflict ${user_id ? tx`(user_id, host) where user_id is not null` : tx`(host) where user_id is null`} do update
    set    until    = ${until(tx`least(known.refusals + 1, 20)`)},
           since    = now(),
           refusals = ${max_s ? tx`known.refusals` : tx`least(known.refusals + 1, 20)`},
           reason   = excluded.reason
    where  known.until <= now() or ${pause.extends ?? false}`
}

/** Until when a host is paused for this person, as a part of another query; `null`: it is not. `and`: which pauses count. */
export const pausedUntil = (sql: Queryable, host: Piece, user_id: Piece | UserId, and = sql`true`) => sql`(
  select max(until)
  from   host_pauses
  where  host_pauses.host = ${host} and until > now()
  and    (host_pauses.user_id is null or host_pauses.user_id = ${user_id}) and ${and})`

/** The pause of a host that ends last for this person; undefined: there is none. */
export const pauseOf = (
  sql: Queryable,
  host: string,
  user_id: UserId,
): Promise<{ until: Date; reason: string } | undefined> =>
  firstRow(sql<{ until: Date; reason: string }[]>`
    select   until, reason
    from     host_pauses
    where    host = ${host} and until > now() and (user_id is null or user_id = ${user_id})
    order by until desc
    limit    1`)

/** Until when a host is paused for everyone; pauses of one person do not count. */
export const pausedForEveryoneUntil = (sql: Queryable, host: Piece) => sql`(
  select until
  from   host_pauses
  where  host_pauses.host = ${host} and until > now() and host_pauses.user_id is null)`

/** `host`: with the prefix of what waits; without one, of downloads. Pauses of one person do not count. */
export const isPausedForEveryone = (sql: Queryable, host: string): Promise<boolean> =>
  onlyValue<boolean>(sql`
    select ${pausedForEveryoneUntil(sql, sql`${host}::text`)} is not null as is_paused`)

/** The pauses of feeds that this person's imports wait for. */
export const pausedFeeds = (sql: Sql, user_id: UserId) => sql<FeedPause[]>`
  select distinct on (host) substr(host, length(${feeds_prefix}) + 1) as host, until, reason
  from   host_pauses
  where  starts_with(host, ${feeds_prefix}) and until > now() and (user_id is null or user_id = ${user_id})
  order by host, until desc`

/** Called when the host has answered: its next pause is a first one again. A pause that has not ended stays. */
export async function forgetRefusals(tx: Queryable, host: string, user_id?: UserId): Promise<void> {
  await tx`
    delete from host_pauses
    where  host = ${host} and until <= now() and user_id is not distinct from ${user_id ?? null}`
}

/**
 * Deletes pauses that have been over for their own length and for an hour at least, checks older than an hour, and probes older than a day.
 */
export async function forgetOldPauses(sql: Sql): Promise<void> {
  await sql`delete from host_pauses where until < now() - greatest(until - since, interval '1 hour')`
  await sql`delete from host_looks where looked_at < now() - interval '1 hour'`
  await sql`delete from host_probes where probed_at < now() - interval '1 day'`
}

export type ListedPause = {
  host: string
  what: PausedWork
  /** `null`: for everyone. */
  username: string | null
  reason: string
  since: Date
  until: Date
  refusals: number
}

/** The pauses that have not ended, as a part of a query, with what they are for. */
export const unendedPauses = (sql: Queryable) => sql`
  select regexp_replace(host, ${prefixed}, '') as host,
         coalesce(rtrim(substring(host from ${prefixed}), ':'), 'downloads') as what,
         user_id, reason, since, until, refusals
  from   host_pauses
  where  until > now()`

/** Every pause that has not ended; those for everyone first. */
export const listPauses = (sql: Sql, limit: number): Promise<ListedPause[]> => sql<ListedPause[]>`
  select   host, what, username, reason, since, until, refusals
  from     (${unendedPauses(sql)}) pause
  left join users on users.id = user_id
  order by user_id is not null, host, username
  limit    ${limit}`

/**
 * Ends all pauses of this host, whatever they are for, for everyone and for each person. Downloads that were put back until such a
 * pause ends run now. Returns how many pauses had not ended.
 */
export async function liftPauses(sql: Queryable, host: string): Promise<number> {
  const rows = await sql<{ is_on: boolean; until: Date }[]>`
    delete from host_pauses
    where  host in (${host}, ${feeds_prefix + host}, ${looks_prefix + host}, ${captions_prefix + host},
                     ${pictures_prefix + host})
    returning until > now() as is_on, until`
  const ends = rows.filter(({ is_on }) => is_on).map(({ until }) => until)
  await runAtOnce(sql, [hostFlag(host)], ends)
  return ends.length
}

/** Ends this person's pause of a host, because the host has answered. A pause for everyone stays. */
export async function liftOwnPause(tx: Queryable, host: string, user_id: UserId): Promise<void> {
  const ends = await eachValue<Date>(tx`
    delete from host_pauses where host = ${host} and user_id = ${user_id} returning until`)
  await runAtOnce(tx, [hostFlag(host), userFlag(user_id)], ends)
}

/** Runs now each download with these flags whose time is exactly the end of one of these pauses, to the millisecond. */
async function runAtOnce(sql: Queryable, flags: string[], pause_ends: Date[]): Promise<void> {
  const ends = pause_ends.map(until => until.toISOString())
  await sql`
    select count(*)
    from   graphile_worker.reschedule_jobs(
             array(select id
                   from   graphile_worker.jobs
                   where  locked_at is null and flags ?& ${flags}::text[] and run_at = any(${ends}::text[]::timestamptz[])),
             run_at := now())`
}
