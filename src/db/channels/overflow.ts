/** Plans the listing of a channel whose full feed had only new videos when a person fetched it by hand. */
import type { UserId } from '../../schema/values/user.ts'
import type { Sql } from '../postgres/client.ts'
import { isFollowed } from '../rows/channel-columns.ts'

/** Called right after the save. A video that the feed has dropped was published after the newest one from before that save. */
export async function noteOverflow(sql: Sql, user_id: UserId, channel_id: string): Promise<void> {
  const mine = sql`user_id = ${user_id}`
  await sql`
    update channels
    set    list_at = least(list_at, now()), list_since = least(list_since, before.published_at)
    from   (
      select   published_at
      from     video_entries
      where    ${mine} and channel_id = ${channel_id} and source = 'feed' and published_at <= now()
      -- The save inserted the others.
      and      first_seen_at < (select last_fetched_at from channels where ${mine} and channel_id = ${channel_id})
      order by sort_at desc
      limit    1
    ) before
    where  ${mine} and channel_id = ${channel_id} and ${isFollowed(sql)}`
}
