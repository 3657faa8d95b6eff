/** Stores what listings say about channels, for all their followers. */
import type { PlatformChannel } from '../../../schema/sources/listing.ts'
import type { Everyone } from '../../everyone.ts'
import { planPictures } from '../../queue/picture-plans.ts'

/**
 * Stores the picture and the page of a channel whose feed names none. A picture that a listing gave is replaced when the platform has
 * changed it, at most weekly. A picture that a feed gave stays.
 */
export async function describeChannel(
  sql: Everyone,
  rss_url: string,
  { title, image_url, page_url }: Pick<PlatformChannel, 'title' | 'image_url' | 'page_url'>,
): Promise<void> {
  if (title === null && image_url === null && page_url === null) return
  await sql`
    with changed as materialized (
      select   user_id, id,
               ${image_url}::text is not null
               and (image_url is null or pictured_at < now() - interval '7 days') as has_picture
      from     channels
      where    rss_url = ${rss_url}
      order by user_id, channel_id
      for update
    )
    update channels channel
    set    image_url   = case when has_picture then ${image_url} else image_url end,
           pictured_at = case when has_picture then now() else pictured_at end,
           page_url    = coalesce(page_url, ${page_url}),
           -- A feed without a title has given the id.
           title       = case when title = channel_id then coalesce(${title}, title) else title end
    from   changed
    where  (channel.user_id, channel.id) = (changed.user_id, changed.id)
    and    (has_picture
            or page_url is null and ${page_url}::text is not null
            or title = channel_id and ${title}::text is not null)`
  if (image_url !== null) await planPictures(sql, [{ kind: 'channel', url: image_url, is_wanted: true }])
}
