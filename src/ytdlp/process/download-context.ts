/** What every step of one download needs (fetch, convert, add subtitles): the tools, the folder and the limits. */
import type { AddressPolicy } from '../../net/addresses.ts'
import type { Progress } from '../../schema/downloads/download.ts'
import type { Quality } from '../../schema/downloads/quality.ts'
import type { PictureFormat } from '../../schema/values/picture.ts'
import type { Pacing } from './shared-rate.ts'
import type { Tools } from './tools.ts'

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
  /** Resolves when someone wants to watch it. */
  wanted: Promise<void>
  /** Makes a new, empty folder for segments, and removes older ones. */
  newFolder(): Promise<string>
  /**
   * `duration_s`: of the whole video; `null`: unknown. `is_whole_only`: this format can be played only when it is complete. `has_all`:
   * every segment is there.
   */
  say(about: ArrivingFacts): Promise<void>
}
export type ArrivingFacts = { duration_s: number | null; is_whole_only: boolean; has_all?: boolean }

/** A yt-dlp that prints nothing for so many seconds is stopped. A test shortens them. */
export const download_limits = { silence_s: 120 }

export type DownloadContext = {
  tools: Tools
  policy: AddressPolicy
  /** `undefined`: the file gets no cover. */
  fetchPicture?: CoverFetcher | undefined
  quality: Quality
  /** The languages of subtitles that the person prefers. The default is none. */
  languages?: string[] | undefined
  /** Whether a recording is downloaded that its site still processes. The default is `false`. */
  takes_unfinished?: boolean
  folder: string
  /** As in `YtdlpRun`. */
  cookies?: string | undefined
  signal: AbortSignal
  /** As in `download_limits`, or less in a test. */
  silence_ms: number
  /** `undefined`: it fetches as fast as it can. */
  pacing?: Pacing | undefined
  /** When fetching and converting must be done, in milliseconds of `performance.now()`. */
  deadline: number
  onProgress(progress: Progress): void
  /** `undefined`: it can be watched only when it is complete. */
  arriving?: Arriving | undefined
}
