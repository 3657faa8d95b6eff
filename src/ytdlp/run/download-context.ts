/** What every step of one download needs (fetch, convert, add subtitles): the tools, the folder and the limits. */
import type { AddressPolicy } from '../../net/addresses.ts'
import type { Progress } from '../../schema/download.ts'
import type { Quality } from '../../schema/quality.ts'
import type { Tools } from './tools.ts'

export type DownloadContext = {
  tools: Tools
  policy: AddressPolicy
  quality: Quality
  folder: string
  signal: AbortSignal
  /** yt-dlp is stopped when it prints nothing for this long. */
  silence_ms: number
  /** When fetching and converting must be done, in milliseconds since 1970. */
  deadline: number
  onProgress(progress: Progress): void
}
