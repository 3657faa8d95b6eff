/** Types of a run: what it is given when it starts, and what it reports when it ends. */
import type { Quality } from '../../schema/downloads/quality.ts'
import type { Reason } from '../../schema/downloads/run.ts'
import type { Availability, Chapter, Facts, FileFacts } from '../../schema/sources/facts.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Video } from '../../schema/videos/video.ts'
import type { Queryable } from '../postgres/client.ts'
import type { Requester } from '../queue/queue.ts'

/** A download that a worker is about to start. */
export type StartRequest = {
  user_id: UserId
  video_id: string
  video_host: string | null
  by: Requester
  quality: Quality
  /** As in `FetchInfo`. */
  address_hash: string | null
}

/** Describes what a run fetches, so that others can wait for the same file. */
export type FetchInfo = {
  /** Is equal for all addresses of one video. Absent or null: the file is not shared. */
  hashOf?(video_url: string): string | null
  /** The run copies another person's file, and does not request the site. */
  copied?: boolean
}

/** When this download may start; `undefined`: now. The answer holds until the caller's transaction ends. */
export type EarliestStart = (tx: Queryable, request: StartRequest) => Promise<LaterStart | undefined>

/** `free_at`: when it is tried again, unless an event wakes it before. */
type LaterStart = { free_at: Date }

export type RunStart = {
  /** The number of this attempt. */
  attempt: number
  /** A rule that is still on requested it. */
  by_rule: boolean
  /** Why it failed before, and how many times in a row for that reason. */
  failing: { reason: string; failures: number } | null
  /** Bytes fetched when it last yielded its slot; `null`: not known, or it never did. */
  kept_bytes: number | null
  video: Video
  quality: Quality
  /** As in `FetchInfo`. */
  address_hash: string | null
  free_at?: undefined
}

/** Which other downloads of the same person's rules wait while one download tries, and the seconds after each failure in a row. */
export type Hold = { of: 'site' | 'everything'; waits_s: number[] }

export type RunFailure = {
  download_error: string
  /** The error message of yt-dlp or ffmpeg. */
  download_detail?: string | null
  /** Who can watch the video, as the failure says; `null`: it says nothing about that. */
  availability?: Availability | null
  /** `null`: this was the last attempt. */
  next_attempt_at: Date | null
  /** The attempt does not count. */
  refund?: boolean
  /** Only if the run's last heartbeat is older than this many seconds. */
  silent_s?: number
  /** Absent or null: not known. */
  reason?: Reason | null
  /** How many times in a row it failed for this reason. */
  failures?: number
  /** A rule that is still on requested it. */
  by_rule?: boolean
  /** The next attempt is the first of another three, behind everything else in the queue. */
  resets_attempts?: boolean
  holds?: Hold | undefined
  /** The site asked to slow down: this person's other downloads from that host wait too, and the service checks the host. */
  slow_down?: boolean
}

/**
 * `words_hash`: the digest of the words of the person's own entry that the file contains; absent: there are none. `copied`: from another
 * person's file. `in_file`: what the file says itself; absent: it was not read.
 */
export type FinishedFile = {
  download_path: string
  file_size: number
  subtitles?: string[]
  facts?: SiteFacts | undefined
  in_file?: FileFacts | undefined
  words_hash?: string | undefined
  copied?: boolean
}

/** What the site said about a video while it was downloaded. `language`: the spoken one. */
export type SiteFacts = Facts & {
  published_at: Date | null
  language?: string | null
  chapters?: Chapter[] | undefined
}

export type HandBack = {
  /** The attempt does not count. */
  refund?: boolean
  /** Only if the run's last heartbeat is older than this many seconds. */
  silent_s?: number
  /** Called while the row is locked, before any worker can take the download again. */
  meanwhile?: () => Promise<unknown>
  /** It yields its slot: it is queued behind the downloads of other people. */
  yielded?: SlotYield
}

export type SlotYield = {
  /** Bytes fetched so far; `null`: not known. */
  kept_bytes: number | null
  /** The site sent it from its start again, although a part had been fetched before. */
  is_restarted: boolean
}
