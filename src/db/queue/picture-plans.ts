/**
 * Plans pictures and queues the jobs that fetch them. A picture is planned once, however many people have it. Saves plan the pictures
 * of what they have written, and pages wish for those that they miss; `db/videos/everyone/due-pictures.ts` plans the others.
 */
import { gathered } from '../../runtime/gather.ts'
import { jsonText } from '../../runtime/json.ts'
import type { PictureKind } from '../../schema/values/picture.ts'
import { onlyValue, type Piece, type Queryable, type Sql } from '../postgres/client.ts'
import { sourceHash } from '../postgres/stored-pictures.ts'
import { hostOf, pausedForEveryoneUntil, pictures_prefix } from './host-pauses.ts'
import { hasNoJob, lane } from './jobs.ts'

/** `is_wanted`: it is fetched before those that are not. */
export type PlannedPicture = { kind: PictureKind; url: string; is_wanted: boolean }

/**
 * `used_at` is written when it is older than this. Pictures are deleted when it is much older (`db/videos/everyone/due-pictures.ts`), so
 * one that is planned again is safe.
 */
const used_again_days = 3

/** Adds the pictures that are not planned. Addresses that cannot be fetched are left out. */
export async function planPictures(sql: Queryable, pictures: PlannedPicture[]): Promise<void> {
  if (pictures.length === 0) return
  await sql`
    with given as materialized (${picturesWithKeys(sql, pictures)}),
    again as (
      select   picture_id
      from     pictures
      join     given using (source_hash, kind)
      where    used_at < now() - ${used_again_days} * interval '1 day'
      order by picture_id
      -- Another save or a job is writing to the others, and so uses them.
      for update of pictures skip locked
    ),
    used as (update pictures set used_at = now() where picture_id in (select picture_id from again))
    insert into pictures (kind, source_hash, url, host, is_wanted, fetch_at)
    -- The pictures of channels come before all others: few, and on every page. A page that misses one still puts it first (\`isUntried\`).
    select   kind, source_hash, url, host, is_wanted,
             case when is_wanted and kind = 'channel' then timestamptz 'epoch' + interval '1 second' else now() end
    from     given
    -- So that no two plans wait for each other.
    order by source_hash, kind
    on conflict do nothing`
}

/** The pictures of a list with their keys and hosts, each once. */
const picturesWithKeys = (sql: Queryable, pictures: PlannedPicture[]): Piece => sql`
  select   distinct on (source_hash, kind) *
  from     (
    select kind, url, is_wanted, ${sourceHash(sql, sql`url`)} as source_hash, ${hostOf(sql, sql`url`)} as host
    from   json_to_recordset(${jsonText(pictures)}::text::json) as picture (kind text, url text, is_wanted boolean)
    where  ${isAddress(sql, sql`url`)}
  ) picture
  where    host is not null and length(host) <= 260
  order by source_hash, kind, is_wanted desc`

/** Whether an address can be fetched. */
export const isAddress = (sql: Queryable, url: Piece): Piece => sql`
  (${url} ~ '^https?://' and length(${url}) <= 2048)`

/**
 * Queues a job for each of these hosts that has due pictures, unless one waits or runs, or the host is paused. One of a host runs at a
 * time. Returns how many were queued.
 */
export const queuePictures = (sql: Queryable, hosts: Piece): Promise<number> =>
  onlyValue<number>(sql`
    select count(*) as count
    from   graphile_worker.add_jobs(array(
             select ('fetch-pictures', json_build_object('host', host), ${lane(sql, 'pictures', sql`host`)}, now(), 1,
                     'pictures:' || host, case when ${hasFailed(sql, sql`due.host`)} then 1 else 0 end::int2,
                     null)::graphile_worker.job_spec
             from   (${hosts}) due
             where  ${pausedForEveryoneUntil(sql, sql`(${pictures_prefix}::text || due.host)`)} is null
             and    exists (
                      select from pictures
                      where  pictures.host = due.host and is_wanted and fetch_at <= now()
                      union all
                      select from pictures
                      where  pictures.host = due.host and not is_wanted and fetch_at <= now())
             and    ${hasNoJob(sql, sql`'pictures:' || due.host`)}))`)

/** Hosts that failed or refused come after all others, so that a person's thousand slow hosts delay no other person's pictures for long. */
const hasFailed = (sql: Queryable, host: Piece): Piece => sql`
  exists (select from host_pauses where host_pauses.host = ${pictures_prefix}::text || ${host} and user_id is null)`

/** Queues the next job of a host while its present job still runs. */
export const queueNextPictures = (sql: Queryable, host: string) => sql`
  select graphile_worker.add_job(
    'fetch-pictures',
    payload      := ${sql.json({ host })}::json,
    queue_name   := ${lane(sql, 'pictures', sql`${host}`)},
    job_key      := 'pictures:' || ${host}::text,
    priority     := case when ${hasFailed(sql, sql`${host}::text`)} then 1 else 0 end,
    max_attempts := 1)`

/** The worker fetches wished pictures before all others. */
export type PictureWishes = {
  /** A page requests this picture, and its file is missing. Does nothing if there is no such picture or it was given up. */
  wish(picture_id: string): Promise<void>
  /** A page shows something whose picture at this address is not stored, or not even planned. */
  wishFor(kind: PictureKind, url: string): Promise<void>
}

/** A page can miss many pictures at once. */
const wishes_together = { most: () => 200, wait_ms: 20 }

export function pictureWishesIn(sql: Sql): PictureWishes {
  const wish = async (picture_ids: string[]) => {
    await putFirst(sql, sql`picture_id = any(${picture_ids}::uuid[]) and (${isUntried(sql)} or ${isLost(sql)})`)
    return picture_ids.map(() => undefined)
  }
  const wishFor = async (pictures: { kind: PictureKind; url: string }[]) => {
    const wanted = pictures.map(picture => ({ ...picture, is_wanted: true }))
    const given = sql`select source_hash, kind from (${picturesWithKeys(sql, wanted)}) given`
    await planPictures(sql, wanted)
    await putFirst(sql, sql`(source_hash, kind) in (${given}) and ${isUntried(sql)}`)
    return pictures.map(() => undefined)
  }
  const wishForOne = gathered(wishes_together, wishFor)
  return { wish: gathered(wishes_together, wish), wishFor: (kind, url) => wishForOne({ kind, url }) }
}

/** A picture that failed keeps its time: a page that is loaded again and again must not use up the attempts. */
const isUntried = (sql: Sql) => sql`(stored_at is null and failures = 0 and fetch_at > timestamptz 'epoch')`

/**
 * A stored picture whose files were lost keeps its place and is fetched again, once. The file of a picture that was stored in the last
 * minute may have been read just before that.
 */
const isLost = (sql: Sql) => sql`(stored_at < now() - interval '1 minute' and fetch_at is null and failures = 0)`

/** Puts pictures in front of all others, and queues the jobs of their hosts. */
async function putFirst(sql: Sql, which: Piece): Promise<void> {
  const rows = await sql<{ host: string }[]>`
    with missed as materialized (
      select   picture_id
      from     pictures
      where    ${which}
      order by picture_id
      for update
    )
    update pictures
    set    is_wanted = true, fetch_at = timestamptz 'epoch'
    where  picture_id in (select picture_id from missed)
    returning host`
  const hosts = [...new Set(rows.map(({ host }) => host))]
  if (hosts.length > 0) await queuePictures(sql, sql`select unnest(${hosts}::text[]) as host`)
}
