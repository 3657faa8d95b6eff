/** Deletes secrets that no longer open anything. */
import type { Everyone } from '../../everyone.ts'

/**
 * Those that have expired, but for API tokens, which stay in the lists of their owners. Addresses of podcasts that were never used for a
 * month. Addresses of podcasts that are gone and cannot be restored.
 */
export async function forgetOldSecrets(sql: Everyone): Promise<void> {
  await sql`
    delete from secrets
    where  (expires_at < now() and kind <> 'token')
    or     (kind = 'podcast' and last_used_at is null and created_at < now() - interval '30 days')
    or     (kind = 'podcast'
            and not exists (
              select from podcast_feeds feed
              where  feed.user_id = secrets.user_id and feed.feed_id::text = opens->>'podcast_id')
            and not exists (
              select from deleted_channels kept
              where  kept.user_id = secrets.user_id and kept.podcasts @> jsonb_build_array(jsonb_build_object('feed_id', opens->>'podcast_id'))))`
}
