/**
 * Completes a download with a file that its person had already: the moves `request`, `start` and `finish` in one transaction. Until it
 * commits, no other process sees any of them, so no worker takes the download; after a crash before that, nothing has happened.
 */
import type { DownloadStatus } from '../../schema/downloads/download.ts'
import type { UserId } from '../../schema/values/user.ts'
import { firstValue, type Queryable } from '../postgres/client.ts'
import { removeDownloads } from '../queue/queue.ts'
import { movesOf } from './moves.ts'
import { finishIn, type Purge } from './run-ends.ts'
import type { FinishedFile } from './run-types.ts'

/** `put` and `purge`: as for `finish`. `claim`: names this run. */
export type FileInHand = FinishedFile & { claim: string; put: () => Promise<unknown>; purge: Purge }

/** `has_file`: the person has a file of the video. `running`: a worker downloads it now. `gone`: there is no such video. */
export type CompletedWithFile = 'completed' | 'has_file' | 'running' | 'gone'

export async function completeWithFile(
  tx: Queryable,
  user_id: UserId,
  video_id: string,
  { claim, put, purge, ...file }: FileInHand,
): Promise<CompletedWithFile> {
  const { move, recordRequester, inOrder, noFile } = movesOf(tx, user_id)
  // In a statement of its own: one that waits for a lock reads the row as it was before.
  await tx`select from video_entries where user_id = ${user_id} and ${inOrder([video_id])}`
  const status = await firstValue<Uppercase<DownloadStatus>>(tx`
    select download_status
    from   video_entries
    where  user_id = ${user_id} and video_id = ${video_id}
    limit  1`)
  if (status === undefined) return 'gone'
  if (status === 'COMPLETED') return 'has_file'
  if (status === 'DOWNLOADING') return 'running'
  await recordRequester(tx, [video_id], 'person')
  await move(
    tx,
    'request',
    [video_id],
    tx`download_requested_at = now(), download_attempts = 0, download_next_attempt_at = null, download_error = null,
       download_detail = null`,
  )
  await move(
    tx,
    'start',
    [video_id],
    tx`download_claim = ${claim}, download_heartbeat_at = now(), download_started_at = now(), download_completed_at = null,
       download_attempts = 1, download_progress = null, address_hash = null, ${noFile}`,
  )
  // The job of an earlier request. A worker that has taken it finds nothing to start.
  await removeDownloads(tx, user_id, [video_id])
  await finishIn(tx, user_id, video_id, claim, file, purge)
  await put()
  return 'completed'
}
