/** Pictures that pages miss. The worker fetches them before all others. */
import { gathered } from '../../runtime/gather.ts'
import type { PictureKind } from '../../schema/values/picture.ts'
import type { Piece, Sql } from '../postgres/client.ts'
import { given, planPictures, queuePictures } from './picture-plans.ts'

export type PictureWishes = {
  /** A page requests this picture, and its file is missing. Does nothing if there is no such picture or it was given up. */
  wish(picture_id: string): Promise<void>
  /** A page shows something whose picture at this address is not stored, or not even planned. */
  wishFor(kind: PictureKind, url: string): Promise<void>
}

/** A page can miss many pictures at once. */
const together = { most: () => 200, wait_ms: 20 }

export function pictureWishesIn(sql: Sql): PictureWishes {
  const wish = async (picture_ids: string[]) => {
    await first(
      sql,
      sql`
        picture_id = any(${picture_ids}::uuid[]) and (${isUntried(sql)} or ${isLost(sql)})`,
    )
    return picture_ids.map(() => undefined)
  }
  const wishFor = async (pictures: { kind: PictureKind; url: string }[]) => {
    const wanted = pictures.map(picture => ({ ...picture, is_wanted: true }))
    await planPictures(sql, wanted)
    await first(
      sql,
      sql`
        (source_hash, kind) in (select source_hash, kind from (${given(sql, wanted)}) given) and ${isUntried(sql)}`,
    )
    return pictures.map(() => undefined)
  }
  const wishForOne = gathered(together, wishFor)
  return { wish: gathered(together, wish), wishFor: (kind, url) => wishForOne({ kind, url }) }
}

/** One that failed keeps its time: a page that is loaded again and again must not use up the attempts. */
const isUntried = (sql: Sql) => sql`(stored_at is null and failures = 0 and fetch_at > timestamptz 'epoch')`

/**
 * A stored picture whose files were lost keeps its place and is fetched again, once. The file of one that was stored in the last
 * minute may have been read just before that.
 */
const isLost = (sql: Sql) => sql`(stored_at < now() - interval '1 minute' and fetch_at is null and failures = 0)`

/** Puts pictures in front of all others, and queues the jobs of their hosts. */
async function first(sql: Sql, which: Piece): Promise<void> {
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
