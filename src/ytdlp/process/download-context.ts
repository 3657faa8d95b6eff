/** What one download is asked for, and what each of its steps needs (fetch, convert, add subtitles). */
import type { AddressPolicy } from '../../net/addresses.ts'
import type { Progress } from '../../schema/downloads/download.ts'
import type { Quality } from '../../schema/downloads/quality.ts'
import type { ArrivingState } from '../../schema/downloads/run.ts'
import type { PictureFormat } from '../../schema/values/picture.ts'
import type { FileWords } from '../../schema/videos/video.ts'
import type { Tools } from './programs.ts'
import type { Pacing } from './shared-rate.ts'

/** Fetches a picture from any site, within limits of destination, bytes and time. Rejects only when `signal` is aborted. */
export type CoverFetcher = (
  url: string,
  signal: AbortSignal,
) => Promise<
  | { found: 'picture'; bytes: Uint8Array; format: PictureFormat }
  | { found: 'unfit' | 'failed' | 'not_asked' | 'refused' }
>

/** Where the segments of a download go, and what is known of it. */
export type Arriving = {
  /** Resolves when someone wants to watch the video. */
  wanted: Promise<void>
  /** Makes a new, empty folder for segments, and removes older ones. */
  newFolder(): Promise<string>
  say(facts: ArrivingFacts): Promise<void>
}
export type ArrivingFacts = Pick<ArrivingState, 'duration_s' | 'is_whole_only' | 'has_all'>

/** A yt-dlp that prints nothing for so many seconds is stopped. A test shortens them. */
export const download_limits = { silence_s: 120 }

export type DownloadRequest = {
  url: string
  /** The default is `best`. */
  quality?: Quality | undefined
  /** The languages of subtitles that the person prefers. The default is none. */
  languages?: string[] | undefined
  /** Whether a recording is downloaded that its site still processes. The default is `false`. */
  takes_unfinished?: boolean
  /** Written into the file where its site says nothing about it. */
  words?: FileWords | undefined
  /** Cookies of the person, for yt-dlp alone, as a Netscape file. Absent: the video is fetched as anyone sees it. */
  cookies?: string | undefined
  folder: string
  signal: AbortSignal
  onProgress(progress: Progress): void
  /** Absent: the video can be watched only when it is complete. */
  arriving?: Arriving | undefined
}

export type DownloadContext = Omit<DownloadRequest, 'quality'> & {
  quality: Quality
  tools: Tools
  policy: AddressPolicy
  /** Absent: the file gets no cover. */
  fetchPicture?: CoverFetcher | undefined
  /** As in `download_limits`, or less in a test. */
  silence_ms: number
  /** Absent: yt-dlp fetches as fast as it can. */
  pacing?: Pacing | undefined
  /** When fetching and converting must be done, in milliseconds of `performance.now()`. */
  deadline: number
}
