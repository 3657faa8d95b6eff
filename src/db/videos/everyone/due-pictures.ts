/**
 * The pictures that are due at a host: taken by a job, then stored, postponed or given up. Pictures belong to no person.
 */
import { jsonText } from '../../../runtime/json.ts'
import type { PictureKind } from '../../../schema/values/picture.ts'
import type { Everyone } from '../../everyone.ts'
import { eachValue, hasAny, onlyRow } from '../../postgres/client.ts'
import { sourceHash } from '../../postgres/stored-pictures.ts'
import { forgetRefusals, hostOf, pauseHost, pictures_prefix } from '../../queue/host-pauses.ts'
import { isAddress, queuePictures } from '../../queue/picture-plans.ts'

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
export const recordStored = (sql: Everyone, picture_id: string): Promise<boolean> =>
  hasAny(sql`
    update pictures
    set    stored_at = now(), fetch_at = null, failures = 0, is_wanted = false
    where  picture_id = ${picture_id}`)

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

type PictureHost = { host: string; stored: number; waiting: number; given_up: number }

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

// A slow pass over the channels and videos of all people, in the order of their keys. It plans pictures that no save has planned, and
// records which are used. A picture that two passes in a row did not find is deleted with its files. So no index from pictures to videos
// is needed.

/** Days between the starts of two passes, if they do not take longer. */
const every_days = 7
/**
 * A picture is deleted when nothing used it for this many days before a pass that has ended, so two passes have missed it. One pass may
 * miss what is restored from the bin, and a save records a use only every few days.
 */
const unused_days = 2 * every_days

type Place = { kind: PictureKind; last_user: string; last_id: number; started_at: Date }
type ReadPart = { read: number; planned: number; next_user: string | null; next_id: number | null }

/**
 * Reads this many rows, and keeps the place for the next call. Returns how many rows it read and how many pictures it planned;
 * `undefined`: the pass has ended, and the next one begins later.
 */
export const continuePass = (sql: Everyone, rows: number): Promise<{ read: number; planned: number } | undefined> =>
  sql.begin(async tx => {
    await tx`
      insert into picture_pass as pass
      default values
      on conflict (is_only) do update
      set    kind = default, last_user = default, last_id = default, started_at = default
      where  pass.kind is null and pass.started_at < now() - ${every_days} * interval '1 day'`
    const [place] = await tx<Place[]>`
      select kind, last_user, last_id, started_at from picture_pass where kind is not null for update skip locked`
    if (!place) return undefined
    const { kind, last_user, last_id, started_at } = place
    // The planner does not know the limit, and would read whole tables.
    await tx`set local enable_seqscan = off`
    const { read, planned, next_user, next_id } = await onlyRow(tx<ReadPart[]>`
      with part as materialized (
        ${kind === 'video' ? tx`select user_id, id, thumbnail_url as url from video_entries` : tx`select user_id, id, image_url as url from channels`}
        where    (user_id, id) > (${last_user}, ${last_id})
        order by user_id, id
        limit    ${rows}
      ),
      found as materialized (
        select   distinct on (source_hash) url, source_hash, ${hostOf(tx, tx`url`)} as host
        from     (select url, ${sourceHash(tx, tx`url`)} as source_hash from part where ${isAddress(tx, tx`url`)}) picture
        order by source_hash
      ),
      known as (
        select   picture_id
        from     pictures
        join     found using (source_hash)
        where    pictures.kind = ${kind} and used_at < ${started_at}
        order by picture_id
        for update of pictures skip locked
      ),
      used as (update pictures set used_at = now() where picture_id in (select picture_id from known)),
      planned as (
        insert into pictures (kind, source_hash, url, host)
        select   ${kind}, source_hash, url, host
        from     found
        where    length(host) <= 260
        order by source_hash
        on conflict do nothing
        returning picture_id
      )
      select (select count(*) from part)                                             as read,
             (select count(*) from planned)                                          as planned,
             (select user_id from part order by user_id desc, id desc limit 1)       as next_user,
             (select id from part order by user_id desc, id desc limit 1)            as next_id`)
    const has_more = read === rows && next_user !== null && next_id !== null
    await tx`
      update picture_pass
      set    kind      = ${has_more ? kind : kind === 'channel' ? 'video' : null},
             last_user = ${has_more ? next_user : tx`default`},
             last_id   = ${has_more ? next_id : tx`default`}`
    return { read, planned }
  })

/**
 * Deletes pictures that nothing uses, after a pass has ended. `remove` removes the files; when it fails, the row stays and is tried
 * again. Returns how many were deleted.
 */
export const deleteUnused = (
  sql: Everyone,
  most: number,
  remove: (picture_id: string) => Promise<void>,
): Promise<number> =>
  sql.begin(async tx => {
    const unused = await eachValue<string>(tx`
      select   picture_id
      from     pictures
      where    used_at < (select started_at from picture_pass where kind is null) - ${unused_days} * interval '1 day'
      order by used_at
      limit    ${most}
      for update skip locked`)
    if (unused.length === 0) return 0
    for (const picture_id of unused) await remove(picture_id)
    await tx`delete from pictures where picture_id = any(${unused}::uuid[])`
    return unused.length
  })
