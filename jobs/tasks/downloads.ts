/** Runs downloads, and works on stored files: reads what they say about their videos, and cuts out their sound. */
import type { Task } from 'graphile-worker'
import { libraryOf } from '../../src/db/library.ts'
import { addWatchNow } from '../../src/db/queue/jobs.ts'
import { recordToolOutcome, type ToolOutcome } from '../../src/db/service/everyone/tool-outcomes.ts'
import { recordClosedVideo } from '../../src/db/videos/everyone/facts.ts'
import { performDownload, type RunParts } from '../../src/domain/downloads/perform-download.ts'
import { currentTime } from '../../src/runtime/clock.ts'
import { DownloadJob, FileJob, SoundJob } from '../../src/schema/service/jobs.ts'
import type { UserId } from '../../src/schema/values/user.ts'
import { availabilityOf, type Failure } from '../../src/ytdlp/failures/failure.ts'
import { mayBeMended } from '../../src/ytdlp/tools/renewal.ts'
import { roomMaker } from './bins.ts'
import { earliestStart, startToWatch, withinHours, yieldsSlotNow } from './download-slots.ts'
import { type TaskParts, taskOf } from './task-parts.ts'

/** Runs one download once. A retry is a job of its own, added in the transaction that records the failure. */
export function downloadTask(parts: TaskParts): Task {
  const { sql, host_limits, is_sharing, hoursBeginAt, shareNow } = parts
  const run = runnerOf(parts, {
    earliestStart: withinHours(hoursBeginAt, earliestStart(host_limits, is_sharing)),
    isOutsideHours: () => hoursBeginAt() !== undefined,
    shareNow,
    yieldsSlot: yieldsSlotNow(sql, host_limits),
  })
  return taskOf(DownloadJob, run)
}

/** Watched downloads that one worker runs at once. One person may have all but one of them, so that others find one free. */
const max_watched_at_once = 4
/** A download that finds no place is tried again after so many milliseconds. */
const watch_again_ms = 5000

/** Runs a download that its person wants to watch, at any hour. It takes no slot, so it yields none. */
export function watchNowTask(parts: TaskParts): Task {
  const run = runnerOf(parts, { earliestStart: startToWatch(parts.host_limits, parts.is_sharing) })
  const running: UserId[] = []
  return taskOf(DownloadJob, async (job, signal) => {
    const own = running.filter(user_id => user_id === job.user_id)
    if (running.length >= max_watched_at_once || own.length >= max_watched_at_once - 1)
      return addWatchNow(parts.sql, job, new Date(currentTime().getTime() + watch_again_ms))
    running.push(job.user_id)
    try {
      await run(job, signal)
    } finally {
      running.splice(running.indexOf(job.user_id), 1)
    }
  })
}

type Turns = Pick<RunParts, 'earliestStart' | 'yieldsSlot' | 'isOutsideHours' | 'shareNow'>

const runnerOf =
  (parts: TaskParts, turns: Turns) =>
  async ({ user_id, video_id }: DownloadJob, stopping: AbortSignal): Promise<void> => {
    const { sql, files, room, is_sharing, log } = parts
    const { ytdlp_version } = parts.toolReport()
    let failure: Failure | undefined
    const onFailure = (reported: Failure) => {
      failure = reported
      log.warn({ video_id, ...reported }, 'a download failed')
    }
    const run_parts = {
      library: libraryOf(sql, user_id),
      files,
      room,
      makeRoom: parts.bin_is_here ? roomMaker(parts) : undefined,
      download: parts.downloadVideo,
      sharing: is_sharing ? sql : undefined,
      secret_key: parts.secret_key,
      ...turns,
      watchClaim: parts.watchClaim,
      stopping,
      onFailure,
    }
    const outcome = await performDownload(run_parts, video_id)
    // What an account of a person meets says nothing to others, and nothing about yt-dlp.
    const is_private = failure?.with_cookies === true
    const failed = failure !== undefined && !is_private && mayBeMended(failure)
    if (ytdlp_version && (failed || outcome === 'completed'))
      await recordOutcome(parts, { user_id, video_id, ytdlp_version, failed })
    if (failure && !is_private && outcome === 'failed') await recordForOthers(parts, { user_id, video_id }, failure)
    log.debug({ video_id, outcome }, 'a run of a download ended')
  }

/** The run has recorded the closed video for its person already. If this record is lost, a look finds out for the others. */
async function recordForOthers({ sql, log }: TaskParts, download: DownloadJob, failure: Failure): Promise<void> {
  const availability = availabilityOf(failure)
  if (availability)
    await recordClosedVideo(sql, download, availability).catch((fault: unknown) =>
      log.warn({ err: fault }, 'could not record for others that a video is closed'),
    )
}

/** Outcomes tell whether yt-dlp needs a newer version. The download itself is recorded already. */
const recordOutcome = ({ sql, log }: TaskParts, outcome: ToolOutcome) =>
  recordToolOutcome(sql, outcome).catch((fault: unknown) =>
    log.warn({ err: fault }, 'could not record the outcome of a download'),
  )

/** Reads what one stored file says about its video: its length and its chapters. */
export const fileTask = ({ sql, files, findTools }: Pick<TaskParts, 'sql' | 'files' | 'findTools'>): Task =>
  taskOf(FileJob, async ({ user_id, video_id }, signal) => {
    const { readFile } = await import('../../src/domain/downloads/read-file.ts')
    await readFile(libraryOf(sql, user_id), { files, findTools }, video_id, signal)
  })

type SoundParts = Pick<TaskParts, 'sql' | 'files' | 'findTools' | 'room' | 'is_sharing'>

/** Cuts the sound out of one film, for podcasts. */
export const cutSoundTask = ({ sql, files, findTools, room, is_sharing }: SoundParts): Task =>
  taskOf(SoundJob, async ({ user_id, video_id }, signal) => {
    // Loaded with the first sound.
    const { cutSoundOf } = await import('../../src/domain/downloads/cut-sound.ts')
    const sharing = is_sharing ? sql : undefined
    await cutSoundOf({ library: libraryOf(sql, user_id), files, findTools, room, sharing, signal }, video_id)
  })
