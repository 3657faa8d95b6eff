/**
 * Everything one user may ask of the database: the data vocabulary of the product on one screen.
 * There is no other door to channels and videos, and none of its questions takes an owner.
 */
import type { Channel } from '../schema/channel.ts'
import type { Download, DownloadStatus, Progress } from '../schema/download.ts'
import type { FeedEntry, Saved } from '../schema/feed.ts'
import type { FailingSite } from '../schema/health.ts'
import type { UserId } from '../schema/user.ts'
import type { Page, Video } from '../schema/video.ts'
import type { Asked } from './asked.ts'
import { channelsOf } from './channels.ts'
import type { Sql } from './client.ts'
import { downloadsOf } from './downloads.ts'
import type { HostTurn } from './hosts.ts'
import type { AskedBy } from './queue.ts'
import { videosOf } from './videos.ts'

export type Filter = {
  channel_id?: string | undefined
  status?: DownloadStatus | undefined
  /** Asked for and waiting. */
  queued?: boolean | undefined
  /** Words that stand in the title or the description, in any case. */
  q?: string | undefined
  limit: number
  /** Where the page before this one ended. */
  cursor?: string | undefined
}

export type Failed = {
  download_error: string
  /** The tool's own words. */
  download_detail?: string | null
  /** `null`: this was the last attempt. */
  next_attempt_at: Date | null
  /** The attempt does not count. */
  refund?: boolean
  /** Until when the video's host asked to be left alone: no download of it starts before. */
  rest_until?: Date | undefined
}

export interface Library {
  readonly user_id: UserId

  readonly channels: {
    list(): Promise<Channel[]>
    find(channel_id: string): Promise<Channel | undefined>
    /** Saves the channel and its entries in one statement; what is known already is updated, never doubled. */
    save(
      channel: { channel_id: string; title: string; rss_url: string },
      entries: FeedEntry[],
    ): Promise<{ channel: Channel; saved: Saved; created: boolean }>
    /** The feed could not be read, and why. Nothing that was saved before changes. */
    noteFailure(channel_id: string, fetch_error: string): Promise<void>
    /** Returns the files that no other channel's entry needs, or `undefined` when there is no such channel. */
    remove(channel_id: string): Promise<string[] | undefined>
  }

  readonly videos: {
    /** Newest first. Throws `invalid` on a cursor that is not one of ours. */
    list(filter: Filter): Promise<Page<Video>>
    find(video_id: string): Promise<Video | undefined>
    /** Those that exist, in no particular order. */
    statuses(video_ids: string[]): Promise<Download[]>
    /** The hosts that downloads fail at or wait for, the most failures first. */
    failingSites(): Promise<FailingSite[]>
    /** Bytes of all files on disk. */
    onDisk(): Promise<number>
    /** Bytes of the files of all other videos, and of what their running downloads have fetched so far. */
    bytesKept(but_video_id: string): Promise<number>
    /** Those that failed and wait for no further attempt, the newest first; at most `limit`. */
    failed(limit: number): Promise<string[]>
  }

  /** Each is one guarded move of `schema/download.ts`; `false` or absent means it is not legal now. */
  readonly downloads: {
    request(video_ids: string[], by?: AskedBy): Promise<Map<string, Asked>>
    /**
     * Takes what waits; `claim` names this run from now on. Returns the number of this attempt. When it is not its host's
     * `turn` the download stays in the queue, untouched, and is taken up again at `free_at`.
     */
    start(
      video_id: string,
      claim: string,
      turn?: HostTurn,
    ): Promise<
      { attempt: number; requested_at: Date; video: Video; free_at?: undefined } | { free_at: Date } | undefined
    >
    /** A sign of life with the progress so far. `false`: the run has lost its claim and must stop. */
    beat(video_id: string, claim: string, progress: Progress): Promise<boolean>
    finish(video_id: string, claim: string, file: { download_path: string; file_size: number }): Promise<boolean>
    fail(video_id: string, claim: string, failed: Failed): Promise<boolean>
    /** Back into the queue. `refund`: the attempt does not count. */
    handBack(video_id: string, claim: string, refund: boolean): Promise<boolean>
    cancel(video_id: string): Promise<boolean>
    /** Returns the path the file had. */
    loseFile(video_id: string): Promise<string | undefined>
  }
}

export const libraryOf = (sql: Sql, user_id: UserId): Library => ({
  user_id,
  channels: channelsOf(sql, user_id),
  videos: videosOf(sql, user_id),
  downloads: downloadsOf(sql, user_id),
})
