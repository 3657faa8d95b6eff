/** In which months one user has videos, to jump to one of them. */
import type { UserId } from '../../schema/values/user.ts'
import type { MonthOfVideos } from '../../schema/videos/video-order.ts'
import type { Queryable } from '../postgres/client.ts'
import { once } from '../rows/video-columns.ts'

export interface Months {
  /** The last one first. Absent `channel_id`: of all channels. */
  months(channel_id: string | undefined): Promise<MonthOfVideos[]>
}

export const monthsOf = (sql: Queryable, user_id: UserId): Months => ({
  months: channel_id => sql<MonthOfVideos[]>`
    select   to_char(date_trunc('month', sort_at at time zone 'UTC'), 'YYYY-MM') as month, count(*) as count
    from     video_entries entry
    where    user_id = ${user_id}
    and      ${channel_id === undefined ? once(sql) : sql`channel_id = ${channel_id}`}
    group by date_trunc('month', sort_at at time zone 'UTC')
    order by date_trunc('month', sort_at at time zone 'UTC') desc`,
})
