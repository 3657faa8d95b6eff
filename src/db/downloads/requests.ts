/** Requests downloads of one user within a transaction: for a person, or for a rule together with its progress. */
import type { UserId } from '../../schema/values/user.ts'
import type { Queryable } from '../postgres/client.ts'
import { queueUp, type Requester } from '../queue/queue.ts'
import { type RequestResult, requestResult } from '../rows/request-result.ts'
import { movesOf } from './moves.ts'

type Known = { video_id: string; video_host: string | null; download_status: string }

export async function requestIn(
  tx: Queryable,
  user_id: UserId,
  video_ids: string[],
  by: Requester,
  requested_at?: Date,
): Promise<Map<string, RequestResult>> {
  const { move, recordRequester } = movesOf(tx, user_id)
  const known = await tx<Known[]>`
    select   video_id, video_host, download_status
    from     video_entries
    where    user_id = ${user_id} and video_id = any(${video_ids})
    order by video_id, id
    for update`
  const state = new Map(known.map(entry => [entry.video_id, entry]))
  // Not those that were saved since: they would get no job, and locking them now would be out of order.
  const locked = [...state.keys()]
  const moved = await move(
    tx,
    'request',
    await recordRequester(tx, locked, by),
    tx`download_requested_at = ${requested_at ?? tx`now()`}, download_attempts = 0, download_next_attempt_at = null,
       download_paused_at = null, download_cancelled_at = null, download_error = null,
       download_detail = null, download_started_at = null, download_completed_at = null`,
    tx`(standing is null or download_status = 'FAILED')`,
  )
  const queued = new Set(moved.map(({ video_id }) => video_id))
  const found = [...new Set(video_ids)].flatMap(id => state.get(id) ?? [])
  await queueUp(tx, user_id, found, queued, by)
  return new Map(video_ids.map(id => [id, requestResult(state.get(id)?.download_status, queued.has(id))]))
}
