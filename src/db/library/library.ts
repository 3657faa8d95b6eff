import type { Channel } from '../../schema/channel.ts'
import type { Download, DownloadStatus, Progress, Sort, Standing, Tally } from '../../schema/download.ts'
import type { FeedEntry, Known, Saved } from '../../schema/feed.ts'
import type { FailingSite } from '../../schema/health.ts'
import type { Quality } from '../../schema/quality.ts'
import type { SearchHit } from '../../schema/search.ts'
import type { UserId } from '../../schema/user.ts'
import type { Neighbours, Page, Video } from '../../schema/video.ts'
import type { Sql } from '../postgres/client.ts'
import type { AskedBy } from '../queue/queue.ts'
import { channelsOf } from './channels.ts'
import { downloadsOf } from './downloads.ts'
import type { EarlyEnds } from './early-ends.ts'
import type { LeftOut } from './fetch-state.ts'
import { type Imports, importsOf } from './imports.ts'
import type { RequestResult } from './request-result.ts'
import { type Rules, rulesOf } from './rules.ts'
import type { EarliestStart, Started } from './run.ts'
import { searchOf } from './search.ts'
import { type OwnSettings, settingsOf } from './settings.ts'
import { videosOf } from './videos.ts'
import { type Viewings, viewingsOf } from './viewings.ts'

export type Filter = {
  channel_id?: string | undefined
  status?: DownloadStatus | undefined
  seen?: boolean | undefined
  /** What somebody searches for. */
  q?: string | undefined
  limit: number
  /** Where the page before this one ended. */
  cursor?: string | undefined
}

/** What a scheduled fetch of a feed remembers for the next. */
export type Visit = { known: Known; next_fetch_at: Date }
/** Of this address; a channel that has turned away from it meanwhile is left as it is. */
export type VisitAt = Visit & { rss_url: string }

export interface Library {
  readonly user_id: UserId

  readonly channels: {
    list(): Promise<Channel[]>
    find(channel_id: string): Promise<Channel | undefined>
    /**
     * Saves the channel and its entries in one statement; what is known already is updated, never doubled. Throws
     * `conflict` when it is unfollowed at the same moment, `invalid` when it would be one channel too many. Where there
     * is no room for all new videos, the channel's `fetch_error` says so; the same holds for `renew`.
     * `renamed`: the identifiers of stored videos, by those that their entries came with, where they differ.
     */
    save(
      channel: { channel_id: string; title: string; rss_url: string; image_url?: string | undefined } & LeftOut,
      entries: FeedEntry[],
    ): Promise<{ channel: Channel; saved: Saved; created: boolean; renamed: Record<string, string> }>
    /**
     * Saves what the feed of a followed channel says now; `undefined` when it is no longer followed, or not by this feed.
     * `visit`: what a scheduled fetch has to remember.
     */
    renew(
      channel_id: string,
      feed: { title: string; entries: FeedEntry[]; image_url?: string | undefined } & LeftOut,
      visit?: VisitAt,
    ): Promise<{ channel: Channel; saved: Saved } | undefined>
    /** Follows a channel by another of its feeds from now on; what was known of the former counts no longer. */
    switchFeed(channel_id: string, rss_url: string): Promise<Channel | undefined>
    /** Counts a refresh by hand, at most one in `pause_s`. Answers the seconds still to wait, 0 when it may begin. */
    beginRefresh(channel_id: string, pause_s: number): Promise<number | undefined>
    /**
     * A refresh by hand failed, and why. Nothing that was saved before changes, and impatience does not put off the
     * schedule; only the site does, by `not_before`.
     */
    noteFailure(channel_id: string, fetch_error: string, not_before: Date | null): Promise<void>
    /** What its downloads are to be from now on; `null`: as its owner chose for all. */
    setQuality(channel_id: string, quality: Quality | null): Promise<Channel | undefined>
    /** Returns the videos that no other channel has, or `undefined` when there is no such channel. */
    remove(channel_id: string): Promise<Pick<Download, 'video_id' | 'download_path'>[] | undefined>
  }

  readonly videos: {
    /** Newest first. Throws `invalid` on a cursor that is not one of ours. */
    list(filter: Filter): Promise<Page<Video>>
    /** How many of a channel's are in each state, of those that fit `q` and `seen`. */
    counts(of: Pick<Filter, 'q' | 'seen'> & { channel_id: string }): Promise<Record<DownloadStatus, number>>
    find(video_id: string): Promise<Video | undefined>
    /** Those that came out before and after it in this channel. */
    neighbours(video: Pick<Video, 'channel_id' | 'video_id'>): Promise<Neighbours>
    /** Those that exist, in the order asked for. */
    statuses(video_ids: string[]): Promise<Download[]>
    /** The hosts that downloads fail at or wait for, the most failures first. */
    failingSites(): Promise<FailingSite[]>
    /** Bytes of the files of all other videos, and of what their running downloads have fetched so far. */
    bytesUsed(but_video_id: string): Promise<number>
    /** One shelf of the downloads, in its own order. Throws `invalid` on a cursor that is not one of ours. */
    shelf(of: { standing: Standing; sort: Sort; limit: number; cursor?: string | undefined }): Promise<Page<Video>>
    /** All on one shelf, those that ended last first; at most `limit`. */
    idsOnShelf(standing: Standing, limit: number): Promise<string[]>
    tally(): Promise<Tally>
  }

  readonly search: {
    /** The best first, each video once. Throws `invalid` on a cursor that is not one of ours. */
    videos(asked: { q: string; limit: number; cursor?: string | undefined }): Promise<Page<SearchHit>>
    /** Whose title has all the words, in any case. */
    channels(q: string, limit: number): Promise<Channel[]>
  }

  /** Each is one guarded move of `schema/download.ts`; `false` or absent means it is not legal now. */
  readonly downloads: EarlyEnds & {
    request(video_ids: string[], by?: AskedBy): Promise<Map<string, RequestResult>>
    /**
     * Takes a waiting download; `claim` names this run from now on. Returns what is known of the download so far. If it may
     * not start yet, the download stays in the queue, unchanged, and a worker takes it again at `free_at`.
     */
    start(
      video_id: string,
      claim: string,
      earliestStart?: EarliestStart,
    ): Promise<Started | { free_at: Date } | undefined>
    /** A sign of life with the progress so far. `false`: the run has lost its claim and must stop. */
    beat(video_id: string, claim: string, progress: Progress): Promise<boolean>
    /** `put` moves the file into its place while the row is held, so that no other run can be about to do the same. */
    finish(
      video_id: string,
      claim: string,
      file: { download_path: string; file_size: number; subtitles?: string[] },
      put: () => Promise<unknown>,
    ): Promise<boolean>
    cancel(video_id: string): Promise<boolean>
    /** Returns those that it was legal for. */
    cancelAll(video_ids: string[]): Promise<string[]>
    /**
     * `remove` deletes the file, if it is still there, while the row is held. `only_kept_by_rule`: nobody asked for it, and
     * nobody pinned it.
     */
    loseFile(
      video_id: string,
      remove?: (download_path: string) => Promise<unknown>,
      only?: { only_kept_by_rule: boolean },
    ): Promise<boolean>
  }

  readonly rules: Rules

  readonly viewings: Viewings

  readonly settings: OwnSettings

  readonly imports: Imports
}

/** `most_channels`: so many may be followed; `most_videos`: so many are kept of all of them; 0: any number. */
export const libraryOf = (sql: Sql, user_id: UserId, most_channels = 0, most_videos = 0): Library => ({
  user_id,
  channels: channelsOf(sql, user_id, most_channels, most_videos),
  videos: videosOf(sql, user_id),
  search: searchOf(sql, user_id),
  downloads: downloadsOf(sql, user_id),
  rules: rulesOf(sql, user_id),
  viewings: viewingsOf(sql, user_id),
  settings: settingsOf(sql, user_id),
  imports: importsOf(sql, user_id),
})
