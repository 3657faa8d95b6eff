/** The videos next to one in the history of its channel: a few newer and a few older ones. */
import type { PendingQuery } from 'postgres'
import type { UserId } from '../../schema/values/user.ts'
import type { ListedVideo, Neighbours, Video } from '../../schema/videos/video.ts'
import type { Queryable } from '../postgres/client.ts'
import { type Unplaced, withPlaces } from '../queue/places.ts'
import { listedColumns, withViewingOfEach } from '../rows/video-columns.ts'

/** At most 8 in all. Reads as many rows in each direction from the index of the history, so its length does not matter. */
export async function neighboursOf(
  sql: Queryable,
  user_id: UserId,
  { channel_id, video_id }: Pick<Video, 'channel_id' | 'video_id'>,
): Promise<Neighbours> {
  const mine = sql`entry.user_id = ${user_id} and entry.channel_id = ${channel_id}`
  const here = sql`
    (select here.sort_at, here.id
     from   video_entries here
     where  here.user_id = ${user_id} and here.channel_id = ${channel_id} and here.video_id = ${video_id})`
  const from_here = sql`
    select   ${listedColumns(sql)}
    from     video_entries entry
    join     channels channel using (user_id, channel_id)
    ${withViewingOfEach(sql)}
    where    ${mine}`
  const [newer, older] = await Promise.all([
    placed(sql`
      ${from_here} and (entry.sort_at, entry.id) > ${here}
      order by entry.sort_at, entry.id
      limit    ${most}`),
    placed(sql`
      ${from_here} and (entry.sort_at, entry.id) < ${here}
      order by entry.sort_at desc, entry.id desc
      limit    ${most}`),
  ])
  return sharedOut(newer, older)

  async function placed(query: PendingQuery<Unplaced<ListedVideo>[]>): Promise<ListedVideo[]> {
    return withPlaces(sql, user_id, await query)
  }
}

const most = 8
const most_newer = 3

/** More older videos than newer ones; where there are few of one kind, more of the other. */
function sharedOut<T>(newer: T[], older: T[]): { newer: T[]; older: T[] } {
  const of_newer = Math.max(most_newer, most - older.length)
  const kept = newer.slice(0, of_newer)
  return { newer: kept, older: older.slice(0, most - kept.length) }
}
