/** What the column beside the pages shows of one user: the groups and channels, each with what is still to watch, and the saved searches. */
import type { LibraryColumn } from '../../schema/search/library-column.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Queryable } from '../postgres/client.ts'
import { pictureUrl } from '../postgres/pictures.ts'
import { isFollowed } from '../rows/channel-columns.ts'
import { countedGroups, newestVideos } from '../watching/unwatched.ts'

/** More channels would not be looked through: the page of all channels has a filter. */
const most_channels = 40

/** In one statement, so that the newest videos are read once for both. */
export async function columnOf(sql: Queryable, user_id: UserId): Promise<LibraryColumn> {
  const mine = sql`user_id = ${user_id}`
  const [column] = await sql<LibraryColumn[]>`
    with newest as materialized (${newestVideos(sql, user_id)}),
    counted as (
      select   channel_id, max(sort_at) as newest_at, count(*) filter (where is_unwatched) as unwatched
      from     newest
      group by channel_id
    ),
    shown as (
      select    channel_id, title, image_url, coalesce(unwatched, 0) as unwatched, newest_at
      from      channels
      left join counted using (channel_id)
      where     ${mine} and ${isFollowed(sql)}
      order by  newest_at desc nulls last, lower(title), channel_id
      limit     ${most_channels}
    ),
    sorted as (${countedGroups(sql, user_id)})
    select (select coalesce(json_agg(sorted), '[]')
            from   sorted) as groups,
           (select coalesce(json_agg(json_build_object(
                     'saved_search_id', saved_search_id, 'name', name, 'q', q, 'sort', sort)
                   order by lower(name)), '[]')
            from   saved_searches
            where  ${mine} and deleted_at is null) as searches,
           (select coalesce(json_agg(json_build_object(
                     'channel_id', channel_id, 'title', title, 'image_url', image_url, 'unwatched', unwatched,
                     'picture_url', ${pictureUrl(sql, 'channel', sql`image_url`)})
                   order by newest_at desc nulls last, lower(title), channel_id), '[]')
            from   shown) as channels`
  return column ?? { groups: [], searches: [], channels: [] }
}
