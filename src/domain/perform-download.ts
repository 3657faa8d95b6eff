/** One attempt at one download, from the claim to its end. Knows the states and the retries, not how a video is fetched. */
import { isAway } from '../db/client.ts'
import type { Failed } from '../db/early-ends.ts'
import type { HostTurn } from '../db/hosts.ts'
import type { Library } from '../db/library.ts'
import { DownloadDetail, DownloadError, max_attempts, type Progress } from '../schema/download.ts'
import { extensionOf } from '../schema/quality.ts'
import type { Video } from '../schema/video.ts'
import type { Downloaded, Downloader } from '../ytdlp/download.ts'
import { type Failure, failureOf } from '../ytdlp/failure.ts'
import type { Files, Run } from './files.ts'
import { lackOfRoom, no_limits, overQuota, type RoomLimits } from './room.ts'
import { beginLife, type Early, type LifeOptions } from './signs-of-life.ts'

export type Outcome = 'not_wanted' | 'postponed' | 'completed' | 'failed' | 'handed_back' | 'lost'
export type Attempt = {
  library: Library
  files: Files
  download: Downloader
  /** Aborted when this worker stops; the download then goes back into the queue. */
  stopping: AbortSignal
  /** Whose turn it is at the video's host; without it every download starts at once. */
  turn?: HostTurn
  room?: RoomLimits
  watchClaim?: LifeOptions['watchClaim']
  now?: () => Date
  onFailure?(failure: Failure): void
}

/** `attempt`: its number. */
type Started = Run & { attempt: number; requested_at: Date }

export async function performDownload(attempt: Attempt, video_id: string): Promise<Outcome> {
  const { library, files, stopping, watchClaim, room = no_limits } = attempt
  const claimed: Run = { user_id: library.user_id, video_id, claim: crypto.randomUUID() }
  const started = await library.downloads.start(video_id, claimed.claim, attempt.turn)
  if (!started) return 'not_wanted'
  if (started.free_at) return 'postponed'

  const run: Started = { ...claimed, attempt: started.attempt, requested_at: started.requested_at }
  const lack = (progress: Progress | null) => lackOfRoom({ library, files, room }, video_id, progress)
  const life = beginLife({ library, stopping, watchClaim, lackOfRoom: lack }, run)
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
    return await recordEarlyEnd(attempt, run, life.why() ?? faultOf(cause))
  } finally {
    life.end()
  }
}

async function recordEarlyEnd(attempt: Attempt, run: Started, why: Early): Promise<Outcome> {
  if (why === 'stopping' || why === 'cut_off') return handBack(attempt, run)
  if (why !== 'lost') return recordFailure(attempt, run, why)
  await attempt.files.forgetWork(run)
  return 'lost'
}

/** A full disk, or missing permissions, also show when we ourselves want to write. */
function faultOf(cause: unknown): Failure {
  const failure = failureOf({ said: String(cause) })
  if (failure.kind === 'local') return failure
  return {
    kind: 'local',
    reason: 'local',
    sentence: 'Something went wrong on our side. Try again later.',
    detail: '',
    cause: failure.detail,
  }
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
  run: Started,
  failure: Failure,
): Promise<Outcome> {
  onFailure?.(failure)
  const failed = decide(failure, run.attempt, now(), run.requested_at)
  await insist(() => library.downloads.fail(run.video_id, run.claim, failed))
  await (failed.next_attempt_at ? files.leaveWork(run) : files.forgetWork(run))
  return 'failed'
}

async function handBack({ library, files }: Attempt, run: Run): Promise<Outcome> {
  const meanwhile = () => files.leaveWork(run)
  await insist(() => library.downloads.handBack(run.video_id, run.claim, { refund: true, meanwhile }))
  return 'handed_back'
}

const minutes = (n: number) => n * 60_000

/** A video that is announced for ever is not looked at for ever. */
const longest_wait_days = 7
const never_out = 'This video was still not out a week after you asked for it. Ask again when it is.'

/** What a failure means for the next attempt. Only what time can mend is tried again. */
export function decide(failure: Failure, attempt: number, now: Date, requested_at = now): Failed {
  const { kind, sentence, detail } = failure
  if (kind === 'scheduled' && now.getTime() - requested_at.getTime() > minutes(longest_wait_days * 24 * 60))
    return { download_error: never_out, next_attempt_at: null }
  const wait_ms = waitFor(failure, attempt)
  const later = wait_ms === undefined ? null : new Date(now.getTime() + wait_ms)
  const is_last = kind !== 'scheduled' && attempt >= max_attempts
  return {
    download_error: DownloadError.parse(sentence),
    download_detail: detail === '' ? null : DownloadDetail.parse(detail),
    next_attempt_at: is_last ? null : later,
    refund: kind === 'scheduled',
    // The site asked all of us, so that the other downloads of it wait too.
    rest_until: kind === 'rate_limited' ? (later ?? undefined) : undefined,
  }
}

/** `undefined`: time does not mend it. */
function waitFor({ kind }: Failure, attempt: number): number | undefined {
  if (kind === 'scheduled') return minutes(60)
  if (kind === 'transient') return minutes(attempt === 1 ? 0.5 : 2)
  if (kind !== 'rate_limited') return undefined
  return minutes(attempt === 1 ? 15 : 60)
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
