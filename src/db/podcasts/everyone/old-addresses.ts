/** Deletes unused addresses of podcasts. */
import type { Everyone } from '../../everyone.ts'

/**
 * Deletes addresses that were never used for a month, and those of podcasts that were deleted with what they list and cannot be restored.
 */
export async function forgetOldAddresses(sql: Everyone): Promise<void> {
  await sql`
    delete from links
    where  feed_id is not null
    and    ((last_used_at is null and created_at < now() - interval '30 days')
            or not exists (
              select from podcast_feeds feed
              where  feed.user_id = links.user_id and feed.feed_id = links.feed_id)
            and not exists (
              select from deleted_channels kept
              where  kept.user_id = links.user_id
              and    kept.podcasts @> jsonb_build_array(jsonb_build_object('feed_id', links.feed_id))))`
}
