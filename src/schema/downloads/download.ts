/**
 * A download as data: its statuses, the moves between them, and what is shown of it.
 * `db/downloads/moves.ts` is the only writer of `download_status`, and it makes only these moves.
 *
 * The words of this project:
 * - job: a row of graphile-worker; work to be done in the background. Its kind, and the function for it, is a task
 * - run: one execution of a download by a worker; its claim is the id that every write of the run carries, so that a run
 *   which was given up can write nothing; its heartbeat is the time at which it last reported that it is alive
 * - attempt: the number of a try (1, 2, 3)
 * - pause: until a time, a host gets no requests; or a person keeps downloads from running (`db/queue/paused.ts`)
 * - hold: the downloads of a rule wait because their site fails or the disk is full; one of them is tried, the others wait
 * - slot: the right to run one download on a worker; a worker has WORKER_CONCURRENCY of them
 * - turn: a place in a fair queue inside one process (`runtime/turns.ts`)
 * - status: the stored `download_status`; standing: what people see of it: running, waiting, failed, done, or none
 * - shelf: all downloads of one standing, as the downloads page lists them; queue: the waiting downloads, in order
 * - library: everything one person may ask of the database; the only way to tables with owners
 * - channel: what is followed, or has single videos that a person added; feed: the document that lists its videos; entry: one
 *   item of a feed; video: what is watched
 * - platform: a site whose feeds and video ids we know; host: the name in an address, for limits and pauses
 * - listing: the platform's own list of a channel's videos; backfill: a person loads the older videos of a channel from it
 * - facts: the length of a video, whether it is live, and who may watch it; look: the page of one video is requested for them
 * - hub: a service that tells us when a feed changes (WebSub); push: one such message
 * - rule: which videos of a channel download automatically, and how long their files stay
 * - import: a list of channels that is followed line by line
 * - bin: deleted files and unfollowed channels, which can be restored for BIN_HOURS
 * - viewing: whether a video was watched, and the position (API fields say `seen`)
 * - user in code and data is person in prose
 */
import { z } from 'zod'
import { Facts } from '../sources/facts.ts'
import { FileStreams } from '../sources/streams.ts'
import { VideoId } from '../values/fields.ts'
import { Reason } from './run.ts'

export const DownloadStatus = z.enum(['pending', 'downloading', 'completed', 'failed'])
export type DownloadStatus = z.infer<typeof DownloadStatus>
/** The number of videos in each status. */
export type StatusCounts = Record<DownloadStatus, number>

/** All attempts, including the first. */
export const max_attempts = 3

/** Each move, with the statuses it may start from. `start` excludes `downloading`, so that no video is downloaded twice at once. */
export const moves = {
  /** A person or a rule wants the file. */
  request: { from: ['pending', 'failed'], to: 'pending' },
  /** A worker begins a run. */
  start: { from: ['pending', 'failed'], to: 'downloading' },
  /** The complete file is in its place. */
  finish: { from: ['downloading'], to: 'completed' },
  /** The run ended without a file. */
  fail: { from: ['downloading'], to: 'failed' },
  /** The worker stops, was found dead, or its person paused the download; it returns to the queue. */
  hand_back: { from: ['downloading'], to: 'pending' },
  /** A person or a rule no longer wants the file. */
  cancel: { from: ['pending', 'downloading', 'failed'], to: 'pending' },
  /** The file was deleted, or is missing. */
  lose_file: { from: ['completed'], to: 'pending' },
  /** A deleted file is brought back from the bin. A run that downloads it again loses its claim. */
  restore: { from: ['pending', 'downloading', 'failed'], to: 'completed' },
} as const satisfies Record<string, { from: readonly DownloadStatus[]; to: DownloadStatus }>
export type Move = keyof typeof moves

const DownloadPath = z.string().max(1000)
export const DownloadError = z.string().max(2000)
export const DownloadDetail = z.string().max(2000)

export const Progress = z
  .object({
    phase: z
      .enum(['preparing', 'downloading', 'merging', 'converting', 'processing'])
      .describe(
        '`preparing`: requesting the site. `downloading`: receiving data. `merging`: joining sound and picture. `converting`: making an MP4 that browsers play. `processing`: adding subtitles, chapters and a cover.',
      ),
    percent: z
      .number()
      .min(0)
      .max(100)
      .nullable()
      .describe('0 to 100 of the conversion while converting, else of the whole download. Null: the size is unknown.'),
    downloaded_bytes: z.int().nullable().describe('Bytes received so far.'),
    total_bytes: z.int().nullable().describe('The expected size in bytes; null: unknown.'),
    speed: z.number().nullable().describe('Bytes per second.'),
    eta_seconds: z.int().nullable().describe('Estimated seconds until it is done.'),
  })
  .meta({ id: 'Progress' })
export type Progress = z.infer<typeof Progress>

export const Download = z
  .object({
    video_id: VideoId,
    download_status: DownloadStatus.describe(
      '`pending`: not running (`queued` says whether it waits). `downloading`: a worker runs it. `completed`: the file is on disk. `failed`: see `download_error`.',
    ),
    queued: z.boolean().describe('Waits for a worker or for the next attempt.'),
    queue_position: z
      .int()
      .nullable()
      .describe('1: the next download that a worker starts. Null: not in the queue, or not before `next_attempt_at`.'),
    progress: Progress.nullable().describe('Null unless a worker runs it now.'),
    attempts: z.int().describe('Attempts since the last request.'),
    max_attempts: z.int().describe('Attempts after which it fails for good.'),
    next_attempt_at: z.date().nullable().describe('When the next attempt starts; null: none is planned.'),
    download_path: DownloadPath.nullable().describe('The file, relative to the downloads folder; null: no file.'),
    download_started_at: z.date().nullable().describe('When the last run started.'),
    download_completed_at: z.date().nullable().describe('When the download completed.'),
    download_error: DownloadError.nullable().describe('Why it failed, as a sentence; null: it did not fail.'),
    download_reason: Reason.nullable().describe(
      'Why it failed, in a word for programs; null: not known, or it did not fail.',
    ),
    download_detail: DownloadDetail.nullable().describe('The error message of yt-dlp or ffmpeg; null: none.'),
    site_rests_until: z
      .date()
      .nullable()
      .describe('Until when its site is paused; null: the download does not wait for that.'),
    keeps_trying: z.boolean().describe('A rule requested it, so it is tried until it succeeds or the video is gone.'),
    held_until: z
      .date()
      .nullable()
      .describe('Until when the rule waits, because its last downloads failed; null: it does not wait.'),
    hours_begin_at: z
      .date()
      .nullable()
      .describe('When the hours begin in which this service downloads; null: the download does not wait for them.'),
    paused_at: z.date().nullable().describe('When you paused it, its site or all downloads; null: it is not paused.'),
    paused_by: z
      .enum(['video', 'site', 'all'])
      .nullable()
      .describe('What you paused: only this download, its site, or all downloads; null: it is not paused.'),
    file_size: z.int().nullable().describe('The size of the file in bytes; null: no file.'),
    file: FileStreams.nullable().describe('What the file contains, read from it; null: no file, or not read yet.'),
    pinned: z.boolean().describe('The rule of its channel never deletes the file.'),
    availability: Facts.shape.availability,
  })
  .meta({ id: 'Download' })
export type Download = z.infer<typeof Download>

/** The shelves of the downloads page. A download that was never requested has no standing. */
export const Standing = z.enum(['running', 'waiting', 'failed', 'done'])
export type Standing = z.infer<typeof Standing>

/** The order of the shelf `done`: by completion, or by file size. */
export const Sort = z.enum(['newest', 'size'])
export type Sort = z.infer<typeof Sort>

export const Tally = z.object({
  running: z.int().describe('How many downloads are running.'),
  waiting: z.int().describe('How many wait for a worker or for the next attempt.'),
  failed: z.int().describe('How many failed and have no further attempt planned.'),
  done: z.int().describe('How many files are on disk.'),
  on_disk_bytes: z.int().describe('The size of all your files, in bytes.'),
})
export type Tally = z.infer<typeof Tally>

/** Whether the download may change within the hour, so that a page should poll it. */
export function isMoving(download: Moving, now = new Date()): boolean {
  const { download_status, queued, paused_at, keeps_trying, next_attempt_at } = download
  const is_far = keeps_trying && (next_attempt_at?.getTime() ?? 0) > now.getTime() + 3_600_000
  return download_status === 'downloading' || (queued && !paused_at && !is_far)
}
type Moving = Pick<Download, 'download_status' | 'queued' | 'paused_at' | 'keeps_trying' | 'next_attempt_at'>

/** Whether a further attempt can succeed. What is private or for members may open by cookies that the person stores meanwhile. */
export const canRetry = ({
  availability,
  download_reason,
}: Pick<Download, 'availability' | 'download_reason'>): boolean =>
  availability !== 'removed' && !(download_reason !== null && closed_reasons.includes(download_reason))

const closed_reasons: Reason[] = ['geography', 'removed', 'password', 'copy_protected', 'address_refused']

/** Whether a file of another quality can replace it: it has a picture, and is not the only copy. */
export const canBeReplaced = (download: Pick<Download, 'download_status' | 'file' | 'availability'>): boolean =>
  download.download_status === 'completed' && Boolean(download.file?.video) && !isOnlyCopy(download)

/** Whether its site no longer offers the video, so that a deleted file could not be downloaded again. */
export const isOnlyCopy = ({ availability }: Pick<Download, 'availability'>): boolean =>
  availability === 'removed' || availability === 'private'
