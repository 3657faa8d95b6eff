/** One user's downloads shelf by shelf, each in the order in which a person looks for them, and how many stand on each. */
import { DomainError } from '../../errors.ts'
import { type Sort, Standing, type Tally } from '../../schema/download.ts'
import type { UserId } from '../../schema/user.ts'
import type { Video } from '../../schema/video.ts'
import type { Queryable } from '../postgres/client.ts'
import { type Unplaced, withPlaces } from '../queue/places.ts'
import { downloadKey } from '../queue/queue.ts'
import type { Library } from './library.ts'
import { once, videoColumns, withViewing } from './video-columns.ts'

export function standingsOf(
  sql: Queryable,
  user_id: UserId,
): Pick<Library['videos'], 'shelf' | 'idsOnShelf' | 'tally'> {
  const mine = sql`entry.user_id = ${user_id}`

  return {
    async shelf({ standing, sort, limit, cursor }) {
      const rows = await sql<(Unplaced<Video> & { rank: string; id: number })[]>`
        select   *
        from     (select    ${videoColumns(sql)}, entry.id, ${rankOf(sql, standing, sort)} as rank
                  from      video_entries entry
                  join      channels channel using (user_id, channel_id)
                  ${withViewing(sql)}
                  left join graphile_worker.jobs job
                  on        ${standing === 'waiting'} and job.key = ${downloadKey({ user_id, video_id: '' })} || entry.video_id
                  where     ${mine} and ${once(sql)}
                  and       entry.standing = ${standing}) shelf
        where    ${after(sql, cursor)}
        order by rank desc, id desc
        limit    ${limit + 1}`
      const last = rows.length > limit ? rows[limit - 1] : undefined
      return {
        entries: await withPlaces(
          sql,
          user_id,
          rows.slice(0, limit).map(({ rank: _, id: __, ...video }) => video),
        ),
        next_cursor: last ? Buffer.from(`${last.rank}|${last.id}`).toString('base64url') : null,
      }
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
               count(*) filter (where entry.standing = 'failed') as failed,
               count(*) filter (where entry.standing = 'done') as done,
               coalesce(sum(file_size), 0)::bigint as on_disk_bytes
        from   video_entries entry
        where  ${mine} and ${once(sql)} and entry.standing in ${sql(Standing.options)}`
      return tally ?? { running: 0, waiting: 0, failed: 0, done: 0, on_disk_bytes: 0 }
    },
  }
}

/**
 * A number that is greatest for what stands first, and stays with its row while others come and go. Of what waits: as the
 * queue takes it, planned attempts after that; one number of whether it is planned, its priority, its time and its job.
 */
function rankOf(sql: Queryable, standing: Standing, sort: Sort) {
  if (standing === 'waiting')
    return sql`
      -(coalesce((job.run_at > now())::int, 0) * 1e41
        + (coalesce(job.priority, 0) + 32768) * 1e35
        + coalesce(floor(extract(epoch from job.run_at) * 1000000), 0) * 1e17
        + coalesce(job.id, 0))`
  if (standing === 'done' && sort === 'size') return sql`coalesce(entry.file_size, 0)::numeric`
  const at = standing === 'running' ? sql`entry.download_started_at` : sql`entry.download_completed_at`
  return sql`coalesce(floor(extract(epoch from ${at}) * 1000000), 0)`
}

function after(sql: Queryable, cursor: string | undefined) {
  if (cursor === undefined) return sql`true`
  const [, rank, id] = /^(-?\d{1,45})\|(\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (!rank || !id)
    throw new DomainError('invalid', 'This is not a place in your downloads. Start from their first page.', {
      fields: { cursor: 'Use the next_cursor of the page before.' },
    })
  return sql`(rank, id) < (${rank}::numeric, ${id}::bigint)`
}
