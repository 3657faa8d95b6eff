/**
 * Requests downloads of one user: for a person, for a rule together with its progress, and again when a video that was closed has opened,
 * or when the person has stored cookies that may open it.
 * The download of a closed video failed. It is requested again unless a person has dismissed the failure: a person's download if the video
 * was for members, a rule's also if it was private.
 */
import type { Requested } from '../../schema/downloads/download-api.ts'
import type { UserId } from '../../schema/values/user.ts'
import { eachValue, type Piece, type Queryable, type Sql } from '../postgres/client.ts'
import { queueAll, queueUp, type Requester } from '../queue/queue.ts'
import { movesOf } from './moves.ts'

type RequestedEntry = { video_id: string; video_host: string | null; download_status: string }

/** Queues the videos that may be queued, in the transaction of the caller. */
export async function requestIn(
  tx: Queryable,
  user_id: UserId,
  video_ids: string[],
  by: Requester,
  requested_at?: Date,
): Promise<Map<string, RequestResult>> {
  const { move, recordRequester } = movesOf(tx, user_id)
  const known = await tx<RequestedEntry[]>`
    select   video_id, video_host, download_status
    from     video_entries
    where    user_id = ${user_id} and video_id = any(${video_ids})
    order by video_id, id
    for update`
  const state = new Map(known.map(entry => [entry.video_id, entry]))
  // Entries that were saved since are left out: they would get no job, and locking them now would be out of order.
  const locked = [...state.keys()]
  const moved = await move(
    tx,
    'request',
    await recordRequester(tx, locked, by),
    tx`download_requested_at = ${requested_at ?? tx`now()`}, download_turn_at = null, download_attempts = 0,
       download_next_attempt_at = null, download_paused_at = null, download_cancelled_at = null, download_error = null,
       download_detail = null, download_started_at = null, download_completed_at = null`,
    tx`(standing is null or download_status = 'FAILED')`,
  )
  const queued = new Set(moved.map(({ video_id }) => video_id))
  const found = [...new Set(video_ids)].flatMap(id => state.get(id) ?? [])
  await queueUp(tx, user_id, found, queued, by)
  return new Map(video_ids.map(id => [id, requestResult(state.get(id)?.download_status, queued.has(id))]))
}

/** Queues the videos for the one who had requested them. A rule requests only what was not requested before. */
export async function requestAgainIn(
  tx: Queryable,
  user_id: UserId,
  video_ids: string[],
  by: Requester,
): Promise<Map<string, RequestResult>> {
  if (by === 'rule')
    await tx`
      update video_entries
      set    download_asked_by = null
      where  user_id = ${user_id} and ${movesOf(tx, user_id).inOrder(video_ids)} and download_asked_by = 'rule' and standing is null`
  return requestIn(tx, user_id, video_ids, by)
}

export type RequestResult = Requested['result']

/** `status`: before the request; `undefined`: there is no such video. `queued`: this request put it into the queue. */
function requestResult(status: string | undefined, queued: boolean): RequestResult {
  if (queued) return 'queued'
  if (status === undefined) return 'not_found'
  return status === 'COMPLETED' ? 'already_completed' : 'already_queued'
}

/**
 * A condition on a row `entry`: its download waits for the video to open, and the video has opened. A rule must still be on. The index
 * `video_entries_opened_idx` has the first three conditions.
 */
export const hasOpened = (sql: Queryable): Piece => sql`(
  ${failedAsClosed(sql)}
  and (entry.availability is null or entry.availability not in ('members_only', 'private', 'removed'))
  and ${isAwaited(sql)})`

const failedAsClosed = (sql: Queryable): Piece => sql`
  entry.standing = 'failed'
  and entry.download_reason in ('members', 'private')`

const isAwaited = (sql: Queryable): Piece => sql`
  (entry.download_reason = 'members' and entry.download_asked_by is distinct from 'rule'
   or entry.download_asked_by = 'rule'
      and exists (
        select from channel_rules rule
        where  rule.user_id = entry.user_id and rule.channel_id = entry.channel_id and rule.on_since is not null))`

/** A condition on a row `entry`: the cookies for `host` are sent to the site of the video. */
export const isAt = (sql: Queryable, host: Piece): Piece => sql`
  (right('.' || entry.video_host, length(${host}) + 1) = '.' || ${host})`

/** More failed downloads than a person watches, and fewer requests than a site takes for an attack. */
const most_with_cookies = 100

export function reopenedOf(sql: Sql, user_id: UserId) {
  const { move } = movesOf(sql, user_id)
  /** Queues the videos of `which`, a query, for the person or the rule that had requested them. Returns those that were queued. */
  const requestAgain = (which: (tx: Queryable) => Piece): Promise<string[]> =>
    sql.begin(async tx => {
      const wanted = await eachValue<string>(tx`
        select   video_id
        from     video_entries entry
        where    user_id = ${user_id} and ${which(tx)}
        order by video_id, id
        for update`)
      const moved = await move(
        tx,
        'request',
        wanted,
        tx`download_requested_at = now(), download_turn_at = null, download_attempts = 0, download_next_attempt_at = null,
           download_error = null, download_detail = null, download_started_at = null, download_completed_at = null,
           download_by_rule = coalesce(download_asked_by = 'rule', false)`,
      )
      const queued = new Map(moved.map(row => [row.video_id, { ...row, by: row.download_asked_by ?? 'person' }]))
      await queueAll(tx, user_id, [...queued.values()])
      return [...queued.keys()]
    })

  return {
    requestOpened: (video_ids: string[]): Promise<string[]> =>
      requestAgain(tx => tx`video_id = any(${video_ids}) and ${hasOpened(tx)}`),

    /** The newest of the closed videos at a host for which the person has stored cookies. */
    requestClosedAt: (host: string): Promise<string[]> =>
      requestAgain(
        tx => tx`id in (
          select   id
          from     video_entries entry
          where    user_id = ${user_id} and ${failedAsClosed(tx)} and ${isAwaited(tx)} and ${isAt(tx, tx`${host}::text`)}
          order by sort_at desc
          limit    ${most_with_cookies})`,
      ),
  }
}
