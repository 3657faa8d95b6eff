/** The list of one user's channels page by page, each with what it has to watch, its newest video, its disk space and its rule. */
import type { ChannelOrder, Holdings, ListedChannel } from '../../schema/channels/channel.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Queryable } from '../postgres/client.ts'
import { byName, channelColumns, isFollowed } from '../rows/channel-columns.ts'
import { isOnlyCopy } from '../rows/only-copies.ts'
import { newestVideos } from '../watching/unwatched.ts'
import { folded } from '../words/folded.ts'
import { containing } from '../words/pieces.ts'

type Wanted = { q: string; order: ChannelOrder; followed: boolean; offset: number; limit: number }

export interface ChannelPages {
  /**
   * The followed ones, or the others, whose title contains `q`, from number `offset` on, at most `limit`. Channels that compare as
   * equal are sorted by title.
   */
  page(wanted: Wanted): Promise<ListedChannel[]>
  /** How many are followed, how many of them fail, and how many are not followed. */
  tally(): Promise<{ followed: number; failing: number; unfollowed: number }>
  /** What those of the channels have that are followed. */
  holdings(channel_ids: string[]): Promise<Holdings>
}

export const channelPagesOf = (sql: Queryable, user_id: UserId): ChannelPages => ({
  page: ({ q, order, followed, offset, limit }) => sql<ListedChannel[]>`
    with counted as materialized (
      select   channel_id, count(*) filter (where is_unwatched) as unwatched
      from     (${newestVideos(sql, user_id)}) newest
      group by channel_id
    ),
    used as materialized (
      select   channel_id, sum(file_size)::bigint as on_disk_bytes
      from     (select distinct on (video_id) channel_id, file_size
                from     video_entries
                where    user_id = ${user_id} and standing = 'done'
                order by video_id, id) file
      group by channel_id
    ),
    -- Only then is read what the shown channels need.
    page as materialized (
      select    c.*, unwatched, on_disk_bytes, row_number() over (order by ${sortKeys(sql, user_id)[order]} ${byName(sql)}, channel_id) as place
      from      channels c
      left join counted using (channel_id)
      left join used    using (channel_id)
      where     user_id = ${user_id} and ${isFollowed(sql)} = ${followed}
      ${q === '' ? sql`` : sql`and folded(title) ilike ${containing(folded(q))}`}
      order by  place
      offset    ${offset}
      limit     ${limit}
    )
    select    ${channelColumns(sql)},
              coalesce(unwatched, 0)     as unwatched,
              coalesce(on_disk_bytes, 0) as on_disk_bytes,
              newest_title,
              newest_at,
              exists (
                select from channel_rules rule
                where  rule.user_id = c.user_id and rule.channel_id = c.channel_id and on_since is not null) as auto_download
    from      page c
    left join lateral (
      select   entry.title as newest_title, entry.sort_at as newest_at
      from     video_entries entry
      where    entry.user_id = c.user_id and entry.channel_id = c.channel_id
      order by entry.sort_at desc, entry.id desc
      limit    1) newest on true
    order by  place`,

  async tally() {
    const [tally] = await sql<{ followed: number; failing: number; unfollowed: number }[]>`
      select count(*) filter (where ${isFollowed(sql)})     as followed,
             count(failing_since)                           as failing,
             count(*) filter (where not ${isFollowed(sql)}) as unfollowed
      from   channels
      where  user_id = ${user_id}`
    return tally ?? { followed: 0, failing: 0, unfollowed: 0 }
  },

  async holdings(channel_ids) {
    const channels = await sql<{ channel_id: string; title: string; entry_count: number }[]>`
      select   channel_id, title, entry_count
      from     channels
      where    user_id = ${user_id} and channel_id = any(${channel_ids}) and ${isFollowed(sql)}
      order by ${byName(sql)}, channel_id`
    const followed = channels.map(({ channel_id }) => channel_id)
    const [files] = await sql<Pick<Holdings, 'files' | 'bytes' | 'only_copies'>[]>`
      select count(*)                            as files,
             coalesce(sum(file_size), 0)::bigint as bytes,
             count(*) filter (where is_only)     as only_copies
      from   (select distinct on (video_id) file_size, ${isOnlyCopy(sql)} as is_only
              from     video_entries entry
              where    user_id = ${user_id} and channel_id = any(${followed}) and standing = 'done' and source <> 'address'
              order by video_id, id) file`
    return { channels: [...channels], ...(files ?? { files: 0, bytes: 0, only_copies: 0 }) }
  },
})

/** What is compared before the titles. */
const sortKeys = (sql: Queryable, user_id: UserId): Record<ChannelOrder, ReturnType<typeof byName>> => ({
  title: sql``,
  newest: sql`
    (select max(sort_at) from video_entries entry where user_id = ${user_id} and entry.channel_id = c.channel_id) desc nulls last,`,
  unwatched: sql`unwatched desc nulls last,`,
  size: sql`on_disk_bytes desc nulls last,`,
  // The latest failure first: an old one is known already.
  failing: sql`failing_since desc nulls last,`,
})
