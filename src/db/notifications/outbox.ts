/**
 * Writes the outbox: what has happened, in the transaction in which it happens. Nothing is written for a person who has no target for
 * the event. `messages.ts` makes messages of the outbox, and a pass of every minute finds the people who have rows in it.
 */
import type { MessageEvent } from '../../schema/notifications/message.ts'
import type { UserId } from '../../schema/values/user.ts'
import { hasAny, type Piece, type Queryable, type Sql } from '../postgres/client.ts'

/** Condition: the person has a target for the event. */
export const hasTargetFor = (sql: Queryable, user_id: Piece, event: MessageEvent): Piece => sql`
  exists (
    select from notification_targets target
    where  target.user_id = ${user_id} and ${event}::text = any(target.events))`

/** `error`: why the download has failed for good, as a sentence; null: the download is complete. */
export async function recordDownload(
  tx: Queryable,
  user_id: UserId,
  video_id: string,
  error: string | null,
): Promise<void> {
  const event = error === null ? 'download_completed' : 'download_failed'
  await tx`
    insert into notifications (user_id, event, video_ids, videos, details)
    select ${user_id}, ${event}, ${[video_id]}::text[], 1, ${error === null ? null : tx.json({ error })}
    where  ${hasTargetFor(tx, tx`${user_id}::uuid`, event)}`
}

/** Shares of the quota: a person is notified once at the first share, and again only after less than the second was used. */
const nearly_full = 0.9
const has_room = 0.85

export const outboxOf = (sql: Sql, user_id: UserId) => {
  const mine = sql`user_id = ${user_id}`
  return {
    hasTargetFor: (event: MessageEvent): Promise<boolean> =>
      hasAny(sql`select where ${hasTargetFor(sql, sql`${user_id}::uuid`, event)}`),

    /** Records once that the quota is nearly full, and again only after there was room. */
    async recordSpace({ used_bytes, quota_bytes }: { used_bytes: number; quota_bytes: number | null }): Promise<void> {
      if (quota_bytes === null || used_bytes < quota_bytes * has_room)
        await sql`
          with over as (delete from space_notices where ${mine})
          delete from notifications where ${mine} and event = 'space'`
      else if (used_bytes >= quota_bytes * nearly_full)
        await sql`
          with begun as (
            insert into space_notices (user_id)
            values (${user_id})
            on conflict do nothing
            returning user_id
          )
          insert into notifications (user_id, event, details)
          select user_id, 'space', ${sql.json({ used_bytes, quota_bytes })}::jsonb
          from   begun`
    },
  }
}
