/** The states of a user's downloads, as pages and programs poll them. */
import type { Download } from '../../schema/download.ts'
import type { UserId } from '../../schema/user.ts'
import type { Sql } from '../postgres/client.ts'
import { type Unplaced, withPlaces } from '../queue/places.ts'
import { downloadColumns } from './video-columns.ts'

/**
 * `version`: while it is the same, so are the downloads. `null` while one of them waits, because its place depends on the
 * downloads of others. `downloads` undefined: they still have the version that the caller knows.
 */
export type Poll = { version: string | null; downloads: Download[] | undefined }

export interface Statuses {
  /** Those that exist, in the order of `video_ids`. */
  statuses(video_ids: string[]): Promise<Download[]>
  /** Reads the same, but an unchanged poll reads only its version, because most of the time is spent on receiving rows. */
  poll(video_ids: string[], known_version: string | undefined): Promise<Poll>
}

export function statusesOf(sql: Sql, user_id: UserId): Statuses {
  const rowsOf = (video_ids: string[]) => sql`
    select distinct on (entry.video_id) ${downloadColumns(sql)}
    from     video_entries entry
    where    entry.user_id = ${user_id} and entry.video_id = any(${video_ids})
    order by entry.video_id, entry.id`

  return {
    async statuses(video_ids) {
      const rows = await sql<Unplaced<Download>[]>`
        select   *
        from     (${rowsOf(video_ids)}) known
        order by array_position(${video_ids}::text[], video_id)`
      return withPlaces(sql, user_id, rows)
    },

    async poll(video_ids, known_version = '') {
      const rows = await sql<(Unplaced<Download> & { version: string | null })[]>`
        with known as materialized (${rowsOf(video_ids)}),
        newest as (
          select case when not bool_or(queued) then md5(string_agg(known::text, ',' order by video_id)) end as version
          from   known
        )
        select   version, known.*
        from     newest
        left join known on version is distinct from ${known_version}
        order by array_position(${video_ids}::text[], video_id)`
      const version = rows[0]?.version ?? null
      if (version === known_version) return { version, downloads: undefined }
      // When none of the videos exists, there is one row without values.
      const found = rows.filter(({ video_id }) => video_id !== null).map(({ version: _, ...row }) => row)
      return { version, downloads: await withPlaces(sql, user_id, found) }
    },
  }
}
