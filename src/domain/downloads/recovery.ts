/** Giving back what dead workers held. A run lives as long as its signs of life are young. */

import type { StaleDownload } from '../../db/across/operations.ts'
import type { Library } from '../../db/library/library.ts'
import { max_attempts } from '../../schema/download.ts'
import type { Failure } from '../../ytdlp/run/failure.ts'
import type { Files } from './files.ts'
import { decide } from './patience.ts'

/** Seconds without a sign of life after which a run counts as silent; it gives one every second. */
export const dead_after_s = 15

/**
 * Seconds after which those who were silent are looked at again; only who still is counts as dead. When the database or the
 * whole machine was away for a while, everybody is silent at the first look.
 */
export const second_look_s = 5

const cut_off: Failure = {
  kind: 'permanent',
  reason: 'cut_off',
  sentence: 'The download was interrupted three times in a row. Try again later.',
  detail: '',
}

/** A crash counts as an attempt, so that a video which kills its worker every time ends as failed. */
export async function recoverDownload(
  library: Library,
  files: Files,
  { video_id, claim, ...past }: StaleDownload,
): Promise<void> {
  const run = { user_id: library.user_id, video_id, claim }
  // Judged again where it is written: it may have given a sign of life since.
  const silent_s = dead_after_s
  if (past.attempt < max_attempts) {
    // What cannot be left to the next run is fetched again; the download goes on all the same.
    const meanwhile = () => files.leaveWork(run).catch(() => {})
    await library.downloads.handBack(video_id, claim, { silent_s, meanwhile })
    return
  }
  const failed = decide(cut_off, past, new Date())
  if (await library.downloads.fail(video_id, claim, { ...failed, silent_s })) await files.forgetWork(run)
}
