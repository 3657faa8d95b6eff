/** What every step of one download needs (fetch, convert, add subtitles): the tools, the folder and the limits. */
import type { AddressPolicy } from '../../net/addresses.ts'
import type { Progress } from '../../schema/download.ts'
import type { PictureFormat } from '../../schema/picture-format.ts'
import type { Quality } from '../../schema/quality.ts'
import type { Tools } from './tools.ts'

/** Fetches a picture from any site, within limits of destination, bytes and time. Rejects only when `signal` is aborted. */
export type CoverFetcher = (
  url: string,
  signal: AbortSignal,
) => Promise<{ found: 'picture'; bytes: Uint8Array; format: PictureFormat } | { found: 'unfit' | 'failed' | 'refused' }>

export type DownloadContext = {
  tools: Tools
  policy: AddressPolicy
  /** `undefined`: the file gets no cover. */
  fetchPicture?: CoverFetcher | undefined
  quality: Quality
  folder: string
  signal: AbortSignal
  /** yt-dlp is stopped when it prints nothing for this long. */
  silence_ms: number
  /** When fetching and converting must be done, in milliseconds since 1970. */
  deadline: number
  onProgress(progress: Progress): void
}
