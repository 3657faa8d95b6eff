/**
 * Requests downloads again whose video was closed and has opened. Such a download failed, and stays requested in the sense that its
 * failure was not dismissed: a person's because the video was for members, a rule's also because it was private.
 */
import type { UserId } from '../../schema/values/user.ts'
import type { Piece, Queryable, Sql } from '../postgres/client.ts'
import { queueUp, type Requester } from '../queue/queue.ts'
import { movesOf } from './moves.ts'

/**
 * A part of a query of `entry`: its download waits for the video to open, and it has opened. A rule must still be on. The first three
 * conditions are those of the index `video_entries_opened_idx`.
 */
export const hasOpened = (sql: Queryable): Piece => sql`(
  entry.standing = 'failed'
  and entry.download_reason in ('members', 'private')
  and (entry.availability is null or entry.availability not in ('members_only', 'private', 'removed'))
  and (entry.download_reason = 'members' and entry.download_asked_by is distinct from 'rule'
       or entry.download_asked_by = 'rule'
          and exists (
            select from channel_rules rule
            where  rule.user_id = entry.user_id and rule.channel_id = entry.channel_id and rule.on_since is not null)))`

export function reopenedOf(sql: Sql, user_id: UserId) {
  const { move } = movesOf(sql, user_id)
  return {
    /** Returns the videos that were queued, for the person or the rule that had requested them. */
    requestOpened: (video_ids: string[]): Promise<string[]> =>
      sql.begin(async tx => {
        const opened = await tx<{ video_id: string }[]>`
          select   video_id
          from     video_entries entry
          where    user_id = ${user_id} and video_id = any(${video_ids}) and ${hasOpened(tx)}
          order by video_id, id
          for update`
        const wanted = [...new Set(opened.map(({ video_id }) => video_id))]
        const moved = await move(
          tx,
          'request',
          wanted,
          tx`download_requested_at = now(), download_attempts = 0, download_next_attempt_at = null, download_error = null,
             download_detail = null, download_started_at = null, download_completed_at = null,
             download_by_rule = coalesce(download_asked_by = 'rule', false)`,
        )
        for (const by of ['person', 'rule'] satisfies Requester[]) {
          const videos = moved.filter(({ download_asked_by }) => (download_asked_by === 'rule') === (by === 'rule'))
          const queued = new Set(videos.map(({ video_id }) => video_id))
          const once = videos.filter(
            ({ video_id }, at) => videos.findIndex(other => other.video_id === video_id) === at,
          )
          await queueUp(tx, user_id, once, queued, by)
        }
        return [...new Set(moved.map(({ video_id }) => video_id))]
      }),
  }
}
