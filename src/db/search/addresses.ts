/** What a person pasted, as identifiers and addresses, looked up among their videos and channels. */
import type { Channel } from '../../schema/channels/channel.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Video } from '../../schema/videos/video.ts'
import { firstValue, type Sql } from '../postgres/client.ts'
import { channelColumns } from '../rows/channel-columns.ts'
import { findVideo } from '../rows/video-columns.ts'

/**
 * What was pasted. `ids`: made from addresses, the best first. `urls`: spellings of an address, for what has an identifier of another
 * address.
 */
type Pasted = { ids: string[]; urls: string[] }

export function addressesOf(sql: Sql, user_id: UserId) {
  return {
    /** Finds a video by its identifier, by the identifier of its present address, or by that address. `undefined`: there is none. */
    async videoNamed({ ids, urls }: Pasted): Promise<Video | undefined> {
      const video_id = await firstValue<string>(sql`
        select   video_id
        from     (
          select video_id, array_position(${ids}, video_id) as place
          from   video_entries
          where  user_id = ${user_id} and video_id = any(${ids})
          union all
          select video_id, 10
          from   video_entries
          where  user_id = ${user_id} and moved_id = any(${ids})
          union all
          select video_id, 11
          from   video_entries
          where  user_id = ${user_id} and video_url = any(${urls})
          and    hashtextextended(video_url, 0) = any(array(select hashtextextended(url, 0) from unnest(${urls}::text[]) url))
        ) named
        order by place
        limit    1`)
      return video_id === undefined ? undefined : findVideo(sql, user_id, video_id)
    },

    /** Finds channels by their identifier, or by the address of their page or feed. */
    channelsNamed: ({ ids, urls }: Pasted): Promise<Channel[]> => sql<Channel[]>`
      select   ${channelColumns(sql)}
      from     channels c
      where    c.user_id = ${user_id}
      and      (channel_id = any(${ids}) or page_url = any(${urls}) or rss_url = any(${urls}))
      order by rss_url is null, lower(title), channel_id
      limit    6`,
  }
}
