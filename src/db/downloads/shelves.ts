/** One user's downloads, shelf by shelf, each in the order in which a person looks for them; and how many are on each shelf. */
import { type Sort, Standing, type Tally } from '../../schema/downloads/download.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Page, Video } from '../../schema/videos/video.ts'
import type { Queryable } from '../postgres/client.ts'
import { isPaused } from '../queue/paused.ts'
import { type Unplaced, withPlaces } from '../queue/places.ts'
import { downloadKey } from '../queue/queue.ts'
import { pageOf, paging, rowsFor, type SortKey } from '../rows/cursor.ts'
import { once, videoColumns, withViewing } from '../rows/video-columns.ts'

export interface Shelves {
  /** One page of a shelf. Throws `invalid` on a cursor that is not one of ours. */
  shelf(of: { standing: Standing; sort: Sort; limit: number; cursor?: string | undefined }): Promise<Page<Video>>
  /** All videos on one shelf, those whose download ended last first; at most `limit`. */
  idsOnShelf(standing: Standing, limit: number): Promise<string[]>
  tally(): Promise<Tally>
  /** How many downloads run or wait. Every page shows it, so only an index is read. */
  active(): Promise<number>
}

export function shelvesOf(sql: Queryable, user_id: UserId): Shelves {
  const mine = sql`entry.user_id = ${user_id}`

  return {
    async shelf({ standing, sort, limit, cursor }) {
      const { keys, direction } = orderOf(sql, standing, sort)
      const { place, after, order } = paging(sql, keys, direction, cursor)
      const rows = await sql<(Unplaced<Video> & { place: string })[]>`
        select    ${videoColumns(sql)}, ${place} as place
        from      video_entries entry
        join      channels channel using (user_id, channel_id)
        ${withViewing(sql)}
        left join graphile_worker.jobs job
        on        ${standing === 'waiting'} and job.key = ${downloadKey({ user_id, video_id: '' })} || entry.video_id
        where     ${mine} and entry.standing = ${standing} and ${once(sql)}
        and       ${after}
        order by  ${order}
        limit     ${rowsFor(sql, limit)}`
      const { rows: videos, next_cursor } = pageOf(rows, limit)
      return { entries: await withPlaces(sql, user_id, videos), next_cursor }
    },

    async idsOnShelf(standing, limit) {
      const rows = await sql<{ video_id: string }[]>`
        select   video_id
        from     video_entries entry
        where    ${mine} and entry.standing = ${standing}
        group by video_id
        order by max(download_completed_at) desc nulls last
        limit    ${limit}`
      return rows.map(({ video_id }) => video_id)
    },

    async tally() {
      const [tally] = await sql<Tally[]>`
        select count(*) filter (where entry.standing = 'running') as running,
               count(*) filter (where entry.standing = 'waiting') as waiting,
               count(*) filter (where entry.standing = 'failed')  as failed,
               count(*) filter (where entry.standing = 'done')    as done,
               coalesce(sum(file_size), 0)::bigint                as on_disk_bytes
        from   video_entries entry
        where  ${mine} and entry.standing in ${sql(Standing.options)} and ${once(sql)}`
      return tally ?? { running: 0, waiting: 0, failed: 0, done: 0, on_disk_bytes: 0 }
    },

    async active() {
      const [counted] = await sql<{ active: number }[]>`
        select count(distinct video_id) as active
        from   video_entries
        where  user_id = ${user_id} and standing in ('running', 'waiting')`
      return counted?.active ?? 0
    },
  }
}

/** Waiting downloads in the order of the queue, planned attempts after the others; the other shelves newest or largest first. */
function orderOf(sql: Queryable, standing: Standing, sort: Sort): { keys: SortKey[]; direction: 'asc' | 'desc' } {
  const id: SortKey = { by: sql`entry.id`, type: 'integer' }
  // For the moment, a waiting download can be without a job (see `forgottenDownloads`): it is shown first.
  if (standing === 'waiting')
    return {
      keys: [
        // Paused downloads come last.
        {
          by: sql`case when ${isPaused(sql)} then 2 else coalesce(job.run_at > now(), false)::int end`,
          type: 'integer',
        },
        { by: sql`coalesce(job.priority, 0)`, type: 'integer' },
        { by: sql`coalesce(job.run_at, 'epoch')`, type: 'time' },
        { by: sql`coalesce(job.id, 0)`, type: 'integer' },
        id,
      ],
      direction: 'asc',
    }
  if (standing === 'done' && sort === 'size')
    return { keys: [{ by: sql`coalesce(entry.file_size, 0)`, type: 'integer' }, id], direction: 'desc' }
  const at = standing === 'running' ? sql`entry.download_started_at` : sql`entry.download_completed_at`
  return { keys: [{ by: sql`coalesce(${at}, 'epoch')`, type: 'time' }, id], direction: 'desc' }
}
