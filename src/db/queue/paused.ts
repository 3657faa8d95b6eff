/**
 * Which downloads their person has paused: one (`download_paused_at`), those of a site, or all (`download_pauses`). An administrator who
 * locks a person pauses all of that person's work (`users.locked_at`), whatever else is paused.
 *
 *     pause    waiting   its job is removed, and it stays on its shelf without a place
 *              running   the next heartbeat ends the run; the partial file is kept, and the download waits without a job
 *     resume             it gets a job again, in the rounds that are next for its person, or at its next attempt
 *
 * A job is never added for a paused download: not by a request, a rule, a retry, a worker that stops, or the repair of lost jobs. A
 * job that a worker had taken already finds it paused and does nothing.
 */
import { type Piece, type Queryable, sharedPiece } from '../postgres/client.ts'

/** Condition: this person is locked. No job of theirs is added, and nothing is requested from a site for them alone. */
export const isLocked = (sql: Queryable, user_id: Piece): Piece => sql`
  exists (select from users person where person.id = ${user_id} and person.locked_at is not null)`

/** Condition: the download `entry` is paused alone, with its site, or with all, or its person is locked. */
export const isPaused = sharedPiece(
  sql => sql`
  (entry.download_paused_at is not null
   or ${isLocked(sql, sql`entry.user_id`)}
   or exists (
        select from download_pauses pause
        where  pause.user_id = entry.user_id and pause.host in ('', entry.video_host)))`,
)

/**
 * The place of a paused download among those of its person, which get their jobs in this order. An undo finds a request by its time, so
 * that time stays when a download is put first.
 */
export const turnOf = (sql: Queryable, row: 'entry' | 'other'): Piece =>
  sql`coalesce(${sql(row)}.download_turn_at, ${sql(row)}.download_requested_at)`

/** Which pause must end for `entry`, which waits, to go on: of all, of its site, or of the video. The wider pause is named first. */
export const pausedBy = sharedPiece(
  sql => sql`
  coalesce(
    (select case when min(pause.host) = '' then 'all' when min(pause.host) <> '' then 'site' end
     from   download_pauses pause
     where  pause.user_id = entry.user_id and pause.host in ('', entry.video_host)),
    case when entry.download_paused_at is not null then 'video' end)`,
)

/**
 * Since when `entry`, which waits, is paused; `null`: it is not. A running download that is paused, also by its site, ends at its next
 * heartbeat, and then waits.
 */
export const pausedAt = sharedPiece(
  sql => sql`
  coalesce(
    entry.download_paused_at,
    (select max(pause.paused_at)
     from   download_pauses pause
     where  pause.user_id = entry.user_id and pause.host in ('', entry.video_host)))`,
)
