/**
 * The life of a download, as data: its states, the moves between them, and what is told of it.
 * `db/moves.ts` is the only writer of `download_status`, and writes it by these moves alone.
 */
import { z } from 'zod'

export const DownloadStatus = z.enum(['pending', 'downloading', 'completed', 'failed'])
export type DownloadStatus = z.infer<typeof DownloadStatus>

/** Attempts in all, the first included. */
export const max_attempts = 3

/** Each move with the states it may come from. Nothing else is legal; `start` not from `downloading`, or one video runs twice. */
export const moves = {
  /** Somebody asks for it. */
  request: { from: ['pending', 'failed'], to: 'pending' },
  /** A worker takes it up. */
  start: { from: ['pending', 'failed'], to: 'downloading' },
  /** The whole file is in its place. */
  finish: { from: ['downloading'], to: 'completed' },
  /** This attempt is over without a file. */
  fail: { from: ['downloading'], to: 'failed' },
  /** The worker stops, or is found dead: the download goes back into the queue. */
  hand_back: { from: ['downloading'], to: 'pending' },
  /** Nobody wants it any longer. */
  cancel: { from: ['pending', 'downloading', 'failed'], to: 'pending' },
  /** The file was deleted, or has gone missing. */
  lose_file: { from: ['completed'], to: 'pending' },
} as const satisfies Record<string, { from: readonly DownloadStatus[]; to: DownloadStatus }>
export type Move = keyof typeof moves

export const DownloadPath = z.string().max(1000)
export const DownloadError = z.string().max(2000)
export const DownloadDetail = z.string().max(2000)

export const Progress = z.object({
  phase: z.enum(['preparing', 'downloading', 'converting', 'processing']),
  /** 0–100, never falling: of the conversion while converting, else of the whole download; `null`: the size is not known. */
  percent: z.number().min(0).max(100).nullable(),
  downloaded_bytes: z.number().int().nullable(),
  total_bytes: z.number().int().nullable(),
  /** Bytes a second. */
  speed: z.number().nullable(),
  eta_seconds: z.number().int().nullable(),
})
export type Progress = z.infer<typeof Progress>

export const Download = z.object({
  video_id: z.string(),
  download_status: DownloadStatus,
  /** Asked for and waiting for a worker, or for its next attempt. */
  queued: z.boolean(),
  /** 1: the next one that a worker takes, of all that wait; `null`: not in line, or not before `next_attempt_at`. */
  queue_position: z.number().int().nullable(),
  /** `null` unless a worker runs it now. */
  progress: Progress.nullable(),
  attempts: z.number().int(),
  max_attempts: z.number().int(),
  /** `null`: no attempt is planned. */
  next_attempt_at: z.date().nullable(),
  /** Relative to the downloads folder. */
  download_path: DownloadPath.nullable(),
  download_started_at: z.date().nullable(),
  download_completed_at: z.date().nullable(),
  download_error: DownloadError.nullable(),
  /** What the tool itself said, for those who want to look closer; `null`: nothing more is known. */
  download_detail: DownloadDetail.nullable(),
  /** Until when the video's site asked to be left alone; `null` unless the download waits for that. */
  site_rests_until: z.date().nullable(),
  /** A rule asked for it: it is tried until it is there or gone for good. */
  keeps_trying: z.boolean(),
  /** Until when the rule holds it back, because the last downloads failed; `null`: it does not, or one of them tries now. */
  held_until: z.date().nullable(),
  /** Bytes. */
  file_size: z.number().int().nullable(),
  /** No rule of its channel lets the file go. */
  pinned: z.boolean(),
})
export type Download = z.infer<typeof Download>

/** The four shelves of the downloads page; what is neither asked for nor there stands on none. */
export const Standing = z.enum(['running', 'waiting', 'failed', 'done'])
export type Standing = z.infer<typeof Standing>

/** Of what is on disk: by when it came, or by its size. */
export const Sort = z.enum(['newest', 'size'])
export type Sort = z.infer<typeof Sort>

/** How many videos stand where. */
export const Tally = z.object({
  running: z.number().int(),
  /** In line, their next attempt planned included. */
  waiting: z.number().int(),
  /** For good, unless somebody asks again. */
  failed: z.number().int(),
  done: z.number().int(),
  on_disk_bytes: z.number().int(),
})
export type Tally = z.infer<typeof Tally>

/** Whether the answer may differ within the hour, so that a page should ask again. */
export function isMoving(download: Moving, now = new Date()): boolean {
  const { download_status, queued, keeps_trying, next_attempt_at } = download
  const is_far = keeps_trying && (next_attempt_at?.getTime() ?? 0) > now.getTime() + 3_600_000
  return download_status === 'downloading' || (queued && !is_far)
}
type Moving = Pick<Download, 'download_status' | 'queued' | 'keeps_trying' | 'next_attempt_at'>
