/** The sweep of secrets. */
import type { Everyone } from '../../everyone.ts'

/**
 * Deletes expired secrets, except API tokens, which stay in the lists of their owners; addresses of podcasts that were not used within a
 * month after they were made; and addresses of podcasts that are gone and cannot be restored.
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
