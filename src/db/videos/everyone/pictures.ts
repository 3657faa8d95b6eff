/**
 * The pictures that are due at a host: taken by a job, then stored, postponed or given up. Pictures belong to no person.
 */
import { jsonText } from '../../../runtime/json.ts'
import type { PictureKind } from '../../../schema/values/picture.ts'
import type { Everyone } from '../../everyone.ts'
import { forgetRefusals, pauseHost, pictures_prefix } from '../../queue/host-pauses.ts'
import { queuePictures } from '../../queue/picture-plans.ts'

export type DuePicture = { picture_id: string; kind: PictureKind; url: string; failures: number }

/** Longer than any job works on what it takes. After this, the pictures of a worker that died are due again. */
const taken_for_s = 300

/** Takes due pictures of a host: wanted ones first, then the longest due. No other worker gets them. */
export const takePictures = (sql: Everyone, host: string, most: number): Promise<DuePicture[]> => {
  const due = (is_wanted: boolean) => sql`(
    select   picture_id, ${is_wanted ? 0 : 1}::int as rank, fetch_at
    from     pictures
    where    host = ${host} and is_wanted = ${is_wanted} and fetch_at <= now()
    order by fetch_at
    limit    ${most}
    for update skip locked)`
  return sql<DuePicture[]>`
    with wanted as materialized ${due(true)},
    other as materialized ${due(false)},
    taken as materialized (
      select   picture_id, row_number() over (order by rank, fetch_at) as place
      from     (select * from wanted union all select * from other) due
      order by rank, fetch_at
      limit    ${most}
    ),
    updated as (
      update pictures
      set    fetch_at = now() + ${taken_for_s} * interval '1 second'
      from   taken
      where  pictures.picture_id = taken.picture_id
      returning pictures.picture_id, kind, url, failures, place
    )
    select picture_id, kind, url, failures from updated order by place`
}

/** Both sizes are stored. Returns false if the picture was deleted meanwhile; the caller then removes the files. */
export async function noteStored(sql: Everyone, picture_id: string): Promise<boolean> {
  const { count } = await sql`
    update pictures
    set    stored_at = now(), fetch_at = null, failures = 0, is_wanted = false
    where  picture_id = ${picture_id}`
  return count > 0
}

/** Fetches pictures again after so many seconds; null: never. `failed`: this attempt counts. */
export async function postponePictures(
  sql: Everyone,
  pictures: { picture_id: string; after_s: number | null; failed: boolean }[],
): Promise<void> {
  if (pictures.length === 0) return
  await sql`
    update pictures
    set    fetch_at = now() + after_s * interval '1 second',
           failures = failures + case when failed then 1 else 0 end,
           is_wanted = is_wanted and not failed
    from   json_to_recordset(${jsonText(pictures)}::text::json) as postponed (picture_id uuid, after_s int, failed boolean)
    where  pictures.picture_id = postponed.picture_id`
}

/** The host refuses pictures. Its downloads and feeds go on. */
export const pausePictures = (
  sql: Everyone,
  host: string,
  pause: { reason: string; retry_after_s?: number | undefined },
) => pauseHost(sql, pictures_prefix + host, pause)

export const forgetPictureRefusals = (sql: Everyone, host: string) => forgetRefusals(sql, pictures_prefix + host)

/** Queues a job for each host that has due pictures. Returns how many were queued. */
export const queueAllPictures = (sql: Everyone): Promise<number> =>
  queuePictures(
    sql,
    // One host after the other from the index, because a host may have any number of pictures.
    sql`
      with recursive planned as (
        (select host from pictures where fetch_at is not null order by host limit 1)
        union all
        select (select   host
                from     pictures
                where    fetch_at is not null and host > planned.host
                order by host
                limit    1)
        from   planned
        where  planned.host is not null
      )
      select host from planned where host is not null`,
  )

export type PictureHost = { host: string; stored: number; waiting: number; given_up: number }

/** For operators: reads all pictures, which takes seconds when there are millions. The hosts with the most waiting first. */
export const listPictureHosts = (sql: Everyone, limit: number): Promise<PictureHost[]> => sql<PictureHost[]>`
  select   host,
           count(*) filter (where stored_at is not null)                      as stored,
           count(*) filter (where stored_at is null and fetch_at is not null) as waiting,
           count(*) filter (where stored_at is null and fetch_at is null)     as given_up
  from     pictures
  group by host
  order by waiting desc, stored desc, host
  limit    ${limit}`
