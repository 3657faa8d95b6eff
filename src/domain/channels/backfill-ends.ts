/** Decides what happens when a list could not be read to its end: another attempt later, or the end. Pure. */
import type { BackfillEnd, BackfillHandBack } from '../../db/channels/backfills.ts'
import type { Failure } from '../../ytdlp/run/failure.ts'

/** Minutes until the next attempt, after the first, the second and so on. A site that asks us to slow down gets a day. */
const waits = { rate_limited: [5, 15, 30, 60, 120, 240, 480], others: [1, 5, 15] }

/** Crashes count as attempts. A graceful stop does not. */
export const max_attempts = waits.rate_limited.length + 1

type Past = { attempt: number; found: number }

/** A list that was read in part is incomplete; one that gave nothing has failed, unless the site may answer another time. */
export function afterFailure(
  { kind, sentence }: Pick<Failure, 'kind' | 'sentence'>,
  { attempt, found }: Past,
  now: Date,
): BackfillEnd | BackfillHandBack {
  if (kind === 'permanent') return { state: found > 0 ? 'incomplete' : 'failed', error: sentence }
  const slow_down = kind === 'rate_limited'
  const minutes = waits[slow_down ? 'rate_limited' : 'others'][attempt - 1]
  if (minutes === undefined) return { state: 'incomplete', error: sentence }
  return { run_at: new Date(now.getTime() + minutes * 60_000), error: sentence, slow_down }
}

export const interrupted: BackfillEnd = {
  state: 'incomplete',
  error: 'Loading was interrupted several times in a row. Try again later.',
}

export const our_fault: BackfillEnd = {
  state: 'incomplete',
  error: 'Something went wrong on our side. Try again later.',
}

export const noRoom = (max_videos: number): BackfillEnd => ({
  state: 'incomplete',
  error:
    `You have ${max_videos.toLocaleString('en')} videos, the most that one person may have here. ` +
    'Unfollow a channel, then continue.',
})
