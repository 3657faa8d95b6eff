/** Counts the files of one user that could not be downloaded again, because the video or the feed of its channel is gone. */
import type { UserId } from '../../schema/values/user.ts'
import type { Piece, Queryable, Sql } from '../postgres/client.ts'
import { isFeedGone } from './channel-columns.ts'

/** A condition on a row `entry`. */
export const isOnlyCopy = (sql: Queryable): Piece => sql`(
  entry.availability in ('removed', 'private')
  or exists (
       select from channels channel
       where  channel.user_id = entry.user_id and channel.channel_id = entry.channel_id and ${isFeedGone(sql)})) is true`

export function onlyCopiesOf(sql: Sql, user_id: UserId) {
  const mine = sql`entry.user_id = ${user_id}`
  const count = async (condition: Piece) => {
    const [counted] = await sql<{ files: number }[]>`
      select count(distinct video_id)::int as files
      from   video_entries entry
      where  ${mine} and download_status = 'COMPLETED' and ${condition} and ${isOnlyCopy(sql)}`
    return counted?.files ?? 0
  }
  return {
    /** How many files of these videos, each counted once. */
    amongVideos: (video_ids: string[]): Promise<number> => count(sql`video_id = any(${video_ids})`),
    /** How many of the files that are deleted when the channel is unfollowed. */
    inChannel: (channel_id: string): Promise<number> => count(sql`channel_id = ${channel_id} and source <> 'address'`),
  }
}
