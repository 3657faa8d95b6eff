/** One attempt at one download, from the claim to its end. Knows the states and the retries, not how a video is fetched. */

import type { Library } from '../../db/library/library.ts'
import type { EarliestStart, HandBack, Started } from '../../db/library/run-types.ts'
import { isAway } from '../../db/postgres/client.ts'
import type { Progress } from '../../schema/download.ts'
import { extensionOf } from '../../schema/quality.ts'
import type { Video } from '../../schema/video.ts'
import { cleaned } from '../../ytdlp/run/cleaned.ts'
import type { Downloaded, Downloader } from '../../ytdlp/run/download.ts'
import { diskFailure, type Failure } from '../../ytdlp/run/failure.ts'
import type { Files, Run } from './files.ts'
import { decide } from './patience.ts'
import { lackOfRoom, no_limits, overQuota, type RoomLimits } from './room.ts'
import { beginLife, type Early, type Life, type LifeOptions } from './signs-of-life.ts'
import { slowPause, type YieldReason } from './slots.ts'

export type Outcome = 'not_wanted' | 'postponed' | 'completed' | 'failed' | 'handed_back' | 'lost'
export type Attempt = {
  library: Library
  files: Files
  download: Downloader
  /** Aborted when this worker stops; the download then goes back into the queue. */
  stopping: AbortSignal
  /** Absent: every download starts at once. */
  earliestStart?: EarliestStart
  /** Whether a run gives up its slot to others; without it none does. */
  yieldReasonOf?: LifeOptions['yieldReasonOf']
  look_ms?: LifeOptions['look_ms']
  room?: RoomLimits
  watchClaim?: LifeOptions['watchClaim']
  now?: () => Date
  onFailure?(failure: Failure): void
}

type Running = Run & Started

export async function performDownload(attempt: Attempt, video_id: string): Promise<Outcome> {
  const { library, files, stopping, watchClaim, yieldReasonOf, look_ms, room = no_limits } = attempt
  const claimed: Run = { user_id: library.user_id, video_id, claim: crypto.randomUUID() }
  const started = await library.downloads.start(video_id, claimed.claim, attempt.earliestStart)
  if (!started) return 'not_wanted'
  if (started.free_at) return 'postponed'

  const run: Running = { ...claimed, ...started }
  const lack = (progress: Progress | null) => lackOfRoom({ library, files, room }, video_id, progress)
  const life = beginLife({ library, stopping, watchClaim, yieldReasonOf, look_ms, lackOfRoom: lack }, run)
  try {
    const none = await lack(null)
    if (none) return await recordFailure(attempt, run, none)
    const result = await attempt.download({
      url: started.video.video_url,
      quality: started.quality,
      folder: await files.workFolder(run),
      signal: life.signal,
      onProgress: life.tell,
    })
    if ('failure' in result) return await recordFailure(attempt, run, result.failure)
    const too_much = await overQuota({ library, room }, video_id, result.file_size)
    if (too_much) return await recordFailure(attempt, run, too_much)
    return await recordFile(attempt, run, started.video, result)
  } catch (cause) {
    return await recordEarlyEnd(attempt, run, life.why() ?? faultOf(cause), life.fetched())
  } finally {
    life.end()
  }
}

async function recordEarlyEnd(
  attempt: Attempt,
  run: Running,
  why: Early,
  fetched: ReturnType<Life['fetched']>,
): Promise<Outcome> {
  if (why === 'stopping' || why === 'cut_off') return handBack(attempt, run)
  if (why === 'share' || why === 'slice' || why === 'slow') return handBack(attempt, run, yieldOf(run, why, fetched))
  if (why !== 'lost') return recordFailure(attempt, run, why)
  await attempt.files.forgetWork(run)
  return 'lost'
}

/** An exception of our own: the disk, or a fault that only the log names. */
const faultOf = (cause: unknown): Failure =>
  diskFailure(cause) ?? {
    kind: 'local',
    reason: 'local',
    sentence: 'Something went wrong on our side. Try again later.',
    detail: '',
    cause: cleaned(String(cause)),
  }

async function recordFile(
  { library, files }: Attempt,
  run: Run,
  video: Video,
  { file, file_size, subtitles = [] }: Downloaded,
): Promise<Outcome> {
  const download_path = files.placeOf({ ...run, channel_id: video.channel_id, extension: extensionOf(file) })
  const put = () => files.keep(file, download_path, subtitles)
  const kept = { download_path, file_size, subtitles: subtitles.map(({ language }) => language) }
  const finished = await insist(() => library.downloads.finish(run.video_id, run.claim, kept, put))
  await files.forgetWork(run)
  return finished ? 'completed' : 'lost'
}

async function recordFailure(
  { library, files, now = () => new Date(), onFailure }: Attempt,
  run: Running,
  failure: Failure,
): Promise<Outcome> {
  onFailure?.(failure)
  const failed = decide(failure, run, now())
  await insist(() => library.downloads.fail(run.video_id, run.claim, failed))
  await (failed.next_attempt_at ? files.leaveWork(run) : files.forgetWork(run))
  return 'failed'
}

async function handBack({ library, files }: Attempt, run: Run, yielded?: HandBack['yielded']): Promise<Outcome> {
  const meanwhile = () => files.leaveWork(run)
  const how = { refund: true, meanwhile, ...(yielded && { yielded }) }
  await insist(() => library.downloads.handBack(run.video_id, run.claim, how))
  return 'handed_back'
}

/** Less than this is fetched again in no time. */
const little_bytes = 1_000_000

function yieldOf(
  { turns_lost, kept_bytes }: Running,
  reason: YieldReason,
  { first_bytes, last_bytes }: ReturnType<Life['fetched']>,
) {
  const kept_before = kept_bytes ?? 0
  return {
    pause_s: reason === 'slow' ? slowPause(turns_lost) : 0,
    kept_bytes: last_bytes ?? kept_bytes,
    began_again: kept_before > little_bytes && first_bytes !== null && first_bytes < kept_before / 2,
  }
}

/** The end of an attempt must be known: tried for ten minutes while the database is away. */
async function insist<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await write()
    } catch (cause) {
      if (!isAway(cause) || tries >= 600) throw cause
      await new Promise(resolve => setTimeout(resolve, 1000))
    }
  }
}
