/** One run of one download, from its claim to its end. `ytdlp` fetches the video; `retries.ts` plans the next attempt. */
import type { EarliestStart, FinishedFile, RunStart, SlotYield } from '../../db/downloads/run-types.ts'
import type { Everyone } from '../../db/everyone.ts'
import { isAway } from '../../db/postgres/client.ts'
import { persist } from '../../db/postgres/persist.ts'
import { currentTime } from '../../runtime/clock.ts'
import { unlessAborted } from '../../runtime/turns.ts'
import type { Progress } from '../../schema/downloads/download.ts'
import { extensionOf } from '../../schema/downloads/quality.ts'
import type { Staged } from '../../store/files.ts'
import { placeOf } from '../../store/paths.ts'
import type { Run } from '../../store/work.ts'
import { cleaned, diskFailure, type Failure, failed, failures } from '../../ytdlp/failures/failure.ts'
import type { Downloaded, Downloader } from '../../ytdlp/fetch/download.ts'
import { type ArrivingRun, arrivingRun } from './arriving-run.ts'
import { afterFailure, takesUnfinished } from './retries.ts'
import { emptiedBins, lackOfRoom, no_limits, overQuota, type Room, type RoomLimits, storageFailure } from './room.ts'
import { addressHash, copyOfShared } from './shared-files.ts'
import type { SecretKey } from './site-cookies.ts'
import { type EarlyEnd, type FetchedBytes, type WatchOptions, watchRun } from './watch-run.ts'
import { fetchWithCookies } from './with-cookies.ts'

/** `copied`: completed with a copy of another person's file. `completed_privately`: with cookies of its person. */
type DownloadOutcome =
  | 'not_wanted'
  | 'postponed'
  | 'completed'
  | 'completed_privately'
  | 'copied'
  | 'failed'
  | 'handed_back'
  | 'lost'

export type RunParts = Omit<WatchOptions, 'lackOfRoom'> &
  Omit<Room, 'room'> & {
    room?: RoomLimits
    /** Absent: only a copy of another person's file is taken; if there is none, the download goes back into the queue. */
    download?: Downloader
    /** Absent: files of other people are not used. */
    sharing?: Everyone | undefined
    /** Opens the cookies that people store; absent: none are used. */
    secret_key?: SecretKey
    /** When this download may start; without it, every download starts at once. */
    earliestStart?: EarliestStart
    now?: () => Date
    onFailure?(failure: Failure): void
  }

type StartedRun = Run & RunStart

export async function performDownload(parts: RunParts, video_id: string): Promise<DownloadOutcome> {
  const { library, files, room = no_limits, makeRoom, download } = parts
  const claim = crypto.randomUUID()
  const fetch_info = { hashOf: addressHash, copied: !download }
  const started = await library.downloads.start(video_id, claim, parts.earliestStart, fetch_info)
  if (!started) return 'not_wanted'
  if (started.free_at) return 'postponed'

  const run: StartedRun = { user_id: library.user_id, video_id, claim, ...started }
  const { video_url } = run.video
  const lack = (progress: Progress | null) => lackOfRoom({ library, files, room, makeRoom }, video_id, progress)
  const arriving = arrivingRun({ files, room, is_sharing: parts.sharing !== undefined }, run)
  const times = {
    isOutsideHours: () => (arriving.isWatched() ? undefined : parts.isOutsideHours?.()),
    shareNow: () => (arriving.isWatched() ? undefined : parts.shareNow?.()),
  }
  const watch = watchRun({ ...parts, ...times, lackOfRoom: lack }, run)
  try {
    const folder = await files.workFolder(run)
    const { subtitle_languages: languages } = await library.settings.get()
    const copy = await unlessAborted(copyOfShared(parts, { ...run, languages }, folder, watch.signal), watch.signal)
    if (copy && 'failure' in copy) return await recordFailure(parts, run, copy.failure)
    if (copy) return await recordFile(parts, run, copy.staged, copy.file)
    if (!download) return await handBack(parts, run)
    const no_room = await lack(null)
    if (no_room) return await recordFailure(parts, run, no_room)
    const keepPrivate = () => keepRunPrivate(parts, run, arriving)
    if ((await files.isPrivate(run)) && !(await keepPrivate()))
      return await recordEarlyEnd(parts, run, 'lost', watch.fetched())
    const fetch = (cookies?: string) =>
      download({
        url: video_url,
        quality: run.quality,
        words: run.video,
        languages,
        cookies,
        takes_unfinished: takesUnfinished(run),
        folder,
        signal: watch.signal,
        onProgress(progress) {
          watch.report(progress)
          arriving.report(progress)
        },
        arriving,
      })
    const cookie_parts = { library, secret_key: parts.secret_key, now: parts.now ?? currentTime, fetch, keepPrivate }
    const { fetched, used } = await fetchWithCookies(cookie_parts, video_url)
    if ('failure' in fetched) return await recordFailure(parts, run, unconfirmed(fetched.failure), watch.fetched())
    const too_much = await overQuota({ library, room }, video_id, fetched.file_size)
    if (too_much) return await recordFailure(parts, run, too_much)
    watch.keepSlot()
    const outcome = await storeDownload(parts, run, fetched, watch.signal)
    if (!used || outcome !== 'completed') return outcome
    // Without this record, the download is complete all the same.
    await library.cookies.recordUse(used, true).catch(() => {})
    return 'completed_privately'
  } catch (cause) {
    const why = watch.why() ?? (isAway(cause) ? 'cut_off' : faultOf(cause))
    return await recordEarlyEnd(parts, run, why, watch.fetched())
  } finally {
    watch.end()
    await arriving.end()
  }
}

/** Downloads of other people no longer wait for this run, and only its person sees what has arrived. */
async function keepRunPrivate({ library, files }: RunParts, run: Run, arriving: ArrivingRun): Promise<boolean> {
  const is_ours = await library.downloads.keepPrivate(run.video_id, run.claim)
  if (is_ours) await Promise.all([files.keepPrivate(run), arriving.keepPrivate()])
  return is_ours
}

async function recordEarlyEnd(
  parts: RunParts,
  run: StartedRun,
  why: EarlyEnd,
  fetched: FetchedBytes,
): Promise<DownloadOutcome> {
  if (why === 'stopping' || why === 'cut_off' || why === 'paused' || why === 'hours') return handBack(parts, run)
  if (why === 'yields') return handBack(parts, run, yieldOf(run, fetched))
  if (why === 'rate') return goOnLater(parts, run, fetched)
  if (why !== 'lost') return recordFailure(parts, run, why, fetched)
  await parts.files.forgetWork(run)
  return 'lost'
}

/** Another run goes on with the partial file. Where the site sends the file from its start again, that run would get no further either. */
function goOnLater(parts: RunParts, run: StartedRun, fetched: FetchedBytes): Promise<DownloadOutcome> {
  const yielded = yieldOf(run, fetched)
  return yielded.is_restarted ? recordFailure(parts, run, failures.too_long, fetched) : handBack(parts, run, yielded)
}

/** An exception of our own code: a disk failure, or a fault whose cause only the log shows. */
const faultOf = (cause: unknown): Failure =>
  diskFailure(cause) ?? {
    ...failed('local', 'Something went wrong on our side. Try again later.'),
    cause: cleaned(String(cause)),
  }

async function storeDownload(
  parts: RunParts,
  run: StartedRun,
  { file, subtitles = [], ...known }: Downloaded,
  signal: AbortSignal,
): Promise<DownloadOutcome> {
  const download_path = placeOf({ ...run, channel_id: run.video.channel_id, extension: extensionOf(file) })
  const staged = await parts.files.stage(file, download_path, subtitles, { signal })
  const languages = subtitles.map(({ language }) => language)
  return recordFile(parts, run, staged, { ...known, download_path, subtitles: languages })
}

async function recordFile(
  { library, files }: RunParts,
  run: Run,
  staged: Staged,
  file: FinishedFile,
): Promise<DownloadOutcome> {
  const finished = await persist(() => library.downloads.finish(run.video_id, run.claim, file, staged.put, files.purge))
  if (!finished) await staged.drop()
  await files.forgetWork(run)
  if (!finished) return 'lost'
  return file.copied ? 'copied' : 'completed'
}

/** A tool that cannot write gives many reasons. A storage failure holds back all downloads, so it counts only if we see it, too. */
function unconfirmed(found: Failure): Failure {
  const { reason, detail, is_for_log = false } = found
  return reason === 'storage' ? { ...failures.unknown, detail, is_for_log } : found
}

async function recordFailure(
  parts: RunParts,
  run: StartedRun,
  found: Failure,
  { last_bytes }: Partial<FetchedBytes> = {},
): Promise<DownloadOutcome> {
  const { library, files, room = no_limits, makeRoom, now = currentTime, onFailure } = parts
  const failure = (await storageFailure(files)) ?? found
  if (failure.reason === 'no_room') {
    // The database may be on the same full disk.
    const is_emptied = await emptiedBins({ files, room, makeRoom }, last_bytes ?? 0).catch(() => false)
    // The next run resumes. The resuming ends, because files must have left the bins within the last minute.
    if (is_emptied) return handBack(parts, run)
  }
  onFailure?.(failure)
  const failed = afterFailure(failure, run, now())
  await persist(() => library.downloads.fail(run.video_id, run.claim, failed))
  await (failed.next_attempt_at ? files.leaveWork(run) : files.forgetWork(run))
  return 'failed'
}

async function handBack({ library, files }: RunParts, run: Run, yielded?: SlotYield): Promise<DownloadOutcome> {
  const meanwhile = () => files.leaveWork(run)
  const how = { refund: true, meanwhile, ...(yielded && { yielded }) }
  await persist(() => library.downloads.handBack(run.video_id, run.claim, how))
  return 'handed_back'
}

/** A download that loses no more bytes than these by a restart does not count as restarted. */
const negligible_bytes = 1_000_000

function yieldOf({ kept_bytes }: StartedRun, { first_bytes, last_bytes }: FetchedBytes): SlotYield {
  const kept_before = kept_bytes ?? 0
  return {
    kept_bytes: last_bytes ?? kept_bytes,
    is_restarted: kept_before > negligible_bytes && first_bytes !== null && first_bytes < kept_before / 2,
  }
}
