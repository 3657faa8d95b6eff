/** The states of a user's downloads, as pages and programs poll them. */
import type { Download } from '../../schema/download.ts'
import type { UserId } from '../../schema/user.ts'
import type { Sql } from '../postgres/client.ts'
import { type Unplaced, withPlaces } from '../queue/places.ts'
import { downloadColumns, downloadHash } from './video-columns.ts'

export interface Statuses {
  /** Pages and programs poll this most. It is a plainer statement than `statuses` of one. */
  status(video_id: string): Promise<Download | undefined>
  /** Those that exist, in the order of `video_ids`. */
  statuses(video_ids: string[]): Promise<Download[]>
  /**
   * While it is the same, so are the downloads. `null`: none exists, or one of them waits, because its place depends on the downloads of
   * others. It is read in a third of the time of the downloads, because it needs one row and none of their columns.
   */
  version(video_ids: string[]): Promise<string | null>
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

    async version(video_ids) {
      const [row] = await sql<{ version: string | null }[]>`
        select case when not bool_or(entry.standing is not distinct from 'waiting')
                    then sum(${downloadHash(sql)})::text end as version
        from   video_entries entry
        where  entry.user_id = ${user_id} and entry.video_id = any(${video_ids})`
      return row?.version ?? null
    },
  }
}
