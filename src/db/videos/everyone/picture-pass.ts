/**
 * A slow pass over the channels and videos of all people, in the order of their keys. It plans pictures that no save has planned, and
 * notes which are used. A picture that two passes in a row did not find is deleted with its files. So no index from pictures to videos
 * is needed.
 */
import type { PictureKind } from '../../../schema/values/picture.ts'
import type { Everyone } from '../../everyone.ts'
import type { Piece } from '../../postgres/client.ts'
import { sourceHash } from '../../postgres/pictures.ts'
import { hostOf } from '../../queue/host-pauses.ts'
import { isAddress } from '../../queue/picture-plans.ts'

/** Days between the starts of two passes, if they do not take longer. */
const every_days = 7
/**
 * A picture is deleted when nothing used it for this many days before a pass that has ended, so two passes have missed it. One pass may
 * miss what is restored from the bin, and a save notes a use only every few days.
 */
const unused_days = 2 * every_days

type Place = { kind: PictureKind; last_user: string; last_id: number; started_at: Date }

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
    const [part] = await tx<{ read: number; planned: number; next_user: string | null; next_id: number | null }[]>`
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
             (select id from part order by user_id desc, id desc limit 1)            as next_id`
    const { read = 0, planned = 0, next_user, next_id } = part ?? {}
    const has_more = read === rows && next_user != null && next_id != null
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
    const unused = await tx<{ picture_id: string }[]>`
      select   picture_id
      from     pictures
      where    used_at < (select started_at from picture_pass where kind is null) - ${unused_days} * interval '1 day'
      order by used_at
      limit    ${most}
      for update skip locked`
    if (unused.length === 0) return 0
    for (const { picture_id } of unused) await remove(picture_id)
    const ids: Piece = tx`${unused.map(({ picture_id }) => picture_id)}::uuid[]`
    await tx`delete from pictures where picture_id = any(${ids})`
    return unused.length
  })
