/** One attempt at one download, from the claim to its end. Knows the states and the retries, not how a video is fetched. */
import { isAway } from '../db/client.ts'
import type { Failed, Library } from '../db/library.ts'
import { DownloadError, max_attempts, type Progress } from '../schema/download.ts'
import type { Video } from '../schema/video.ts'
import type { Downloader } from '../ytdlp/download.ts'
import type { Failure } from '../ytdlp/failure.ts'
import type { Files, Run } from './files.ts'

export type Outcome = 'not_wanted' | 'completed' | 'failed' | 'handed_back' | 'lost'
export type Attempt = {
  library: Library
  files: Files
  download: Downloader
  /** Aborted when this worker stops; the download then goes back into the queue. */
  stopping: AbortSignal
  now?: () => Date
  onFailure?(failure: Failure): void
}

/** How often a run gives a sign of life; a cancelled one notices within this time. */
const beat_ms = 1000
const preparing: Progress = {
  phase: 'preparing',
  percent: null,
  downloaded_bytes: null,
  total_bytes: null,
  speed: null,
  eta_seconds: null,
}

export async function performDownload(attempt: Attempt, video_id: string): Promise<Outcome> {
  const { library, files } = attempt
  const run: Run = { user_id: library.user_id, video_id, claim: crypto.randomUUID() }
  const started = await library.downloads.start(video_id, run.claim)
  if (!started) return 'not_wanted'

  const life = signsOfLife(library, run)
  try {
    const result = await attempt.download({
      url: started.video.video_url,
      folder: await files.workFolder(run),
      signal: AbortSignal.any([attempt.stopping, life.lost]),
      onProgress: life.tell,
    })
    if ('failure' in result) return await recordFailure(attempt, run, started.attempt, result.failure)
    return await recordFile(attempt, run, started.video, result)
  } catch (cause) {
    if (life.lost.aborted) {
      await files.forgetWork(run)
      return 'lost'
    }
    if (attempt.stopping.aborted) return await handBack(attempt, run)
    const failure: Failure = {
      kind: 'local',
      sentence: 'Something went wrong on our side. Try again later.',
      detail: String(cause),
    }
    return await recordFailure(attempt, run, started.attempt, failure)
  } finally {
    life.end()
  }
}

/** Writes the latest progress once a beat; `lost` is aborted when the run has lost its claim. */
function signsOfLife(library: Library, { video_id, claim }: Run) {
  const lost = new AbortController()
  let progress = preparing
  const beat = () =>
    library.downloads.beat(video_id, claim, progress).then(
      held => held || lost.abort(new Error('The download is not wanted any longer.')),
      // A database that is away for a moment is no reason to stop; recovery judges by the age of the last beat.
      () => {},
    )
  const timer = setInterval(beat, beat_ms)
  const tell = (latest: Progress) => {
    progress = latest
  }
  return { lost: lost.signal, tell, end: () => clearInterval(timer) }
}

async function recordFile(
  { library, files }: Attempt,
  run: Run,
  video: Video,
  { file, file_size }: { file: string; file_size: number },
): Promise<Outcome> {
  const download_path = files.placeOf({ ...run, channel_id: video.channel_id })
  const put = () => files.keep(file, download_path)
  const finished = await insist(() =>
    library.downloads.finish(run.video_id, run.claim, { download_path, file_size }, put),
  )
  await files.forgetWork(run)
  return finished ? 'completed' : 'lost'
}

async function recordFailure(
  { library, files, now = () => new Date(), onFailure }: Attempt,
  run: Run,
  attempt: number,
  failure: Failure,
): Promise<Outcome> {
  onFailure?.(failure)
  const failed = decide(failure, attempt, now())
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

/** What a failure means for the next attempt. Only what time can mend is tried again. */
export function decide({ kind, sentence }: Failure, attempt: number, now: Date): Failed {
  const download_error = DownloadError.parse(sentence)
  const waits = {
    transient: [minutes(0.5), minutes(2)],
    rate_limited: [minutes(15), minutes(60)],
    scheduled: [minutes(60)],
  }
  const wait =
    kind === 'scheduled'
      ? waits.scheduled[0]
      : kind in waits
        ? waits[kind as 'transient' | 'rate_limited'][attempt - 1]
        : undefined
  if (wait === undefined || (kind !== 'scheduled' && attempt >= max_attempts))
    return { download_error, next_attempt_at: null }
  return { download_error, next_attempt_at: new Date(now.getTime() + wait), refund: kind === 'scheduled' }
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
