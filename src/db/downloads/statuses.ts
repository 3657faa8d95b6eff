/** The states of a user's downloads, as pages and programs poll them. */
import type { Download } from '../../schema/downloads/download.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Sql } from '../postgres/client.ts'
import { type Unplaced, withPlaces } from '../queue/places.ts'
import { downloadColumns, downloadHash } from '../rows/video-columns.ts'

/**
 * While `version` is the same, so are the downloads. Its `null`: none exists, or one of them waits, because its place depends on the
 * downloads of others.
 */
type Changed = { version: string; downloads: null } | { version: string | null; downloads: Download[] }

export interface Statuses {
  /** Pages and programs poll this most. It is a plainer statement than `statuses` of one. */
  status(video_id: string): Promise<Download | undefined>
  /** Those that exist, in the order of `video_ids`. */
  statuses(video_ids: string[]): Promise<Download[]>
  /**
   * The same with their version. One statement reads both: with two, a change between them could give new downloads an old version.
   * `downloads` is null if their version is in `known`; then Postgres returns one row without their columns, in half of the time.
   */
  changed(video_ids: string[], known: string[]): Promise<Changed>
}

export function statusesOf(sql: Sql, user_id: UserId): Statuses {
  return {
    async status(video_id) {
      const rows = await sql<Unplaced<Download>[]>`
        select   ${downloadColumns(sql)}
        from     video_entries entry
        where    entry.user_id = ${user_id} and entry.video_id = ${video_id}
        order by entry.id
        limit    1`
      const [download] = await withPlaces(sql, user_id, rows)
      return download
    },

    async statuses(video_ids) {
      const rows = await sql<Unplaced<Download>[]>`
        select   *
        from     (select distinct on (entry.video_id) ${downloadColumns(sql)}
                  from     video_entries entry
                  where    entry.user_id = ${user_id} and entry.video_id = any(${video_ids})
                  order by entry.video_id, entry.id) known
        order by array_position(${video_ids}::text[], video_id)`
      return withPlaces(sql, user_id, rows)
    },

    async changed(video_ids, known) {
      const rows = await sql<({ version: string | null } & (Unplaced<Download> | { video_id: null }))[]>`
        select     version, download.*
        -- Named, so that the driver sends this list once.
        from       (select ${video_ids}::text[] as video_ids) wanted
        cross join lateral (
                     select case when not bool_or(entry.standing is not distinct from 'waiting')
                                 then sum(${downloadHash(sql)})::text end as version
                     from   video_entries entry
                     where  entry.user_id = ${user_id} and entry.video_id = any(wanted.video_ids)) state
        -- Postgres does not run this part when the version is known.
        left join  lateral (
                     select   distinct on (entry.video_id) ${downloadColumns(sql)}
                     from     video_entries entry
                     where    entry.user_id = ${user_id} and entry.video_id = any(wanted.video_ids)
                     and      (state.version = any(${known})) is not true
                     order by entry.video_id, entry.id) download on true
        order by   array_position(wanted.video_ids, video_id)`
      const version = rows[0]?.version ?? null
      if (version !== null && known.includes(version)) return { version, downloads: null }
      const found = rows.flatMap(({ version: _, ...row }) => (row.video_id === null ? [] : [row]))
      return { version, downloads: await withPlaces(sql, user_id, found) }
    },
  }
}
