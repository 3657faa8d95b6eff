/**
 * The videos before and after a video in the history of its channel.
 *
 * Next is the newer video: right for a series, and for catching up.
 */
import type { UserId } from '../../schema/user.ts'
import type { Neighbour, Neighbours, Video } from '../../schema/video.ts'
import type { Queryable } from '../postgres/client.ts'

/** Reads one row in each direction from the index of the history, so its length does not matter. */
export async function neighboursOf(
  sql: Queryable,
  user_id: UserId,
  { channel_id, video_id }: Pick<Video, 'channel_id' | 'video_id'>,
): Promise<Neighbours> {
  const mine = sql`user_id = ${user_id} and channel_id = ${channel_id}`
  const here = sql`(select sort_at, id from video_entries where ${mine} and video_id = ${video_id})`
  const [newer, older] = await Promise.all([
    sql<Neighbour[]>`
      select   video_id, title
      from     video_entries
      where    ${mine} and (sort_at, id) > ${here}
      order by sort_at, id
      limit    1`,
    sql<Neighbour[]>`
      select   video_id, title
      from     video_entries
      where    ${mine} and (sort_at, id) < ${here}
      order by sort_at desc, id desc
      limit    1`,
  ])
  return { previous: older[0] ?? null, next: newer[0] ?? null }
}
