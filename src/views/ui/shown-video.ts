/**
 * What rows and cards show of a video, as plain values. A row whose download does not move depends on nothing else, so it can be
 * remembered whole.
 */
import type { Precision } from '../../schema/sources/facts.ts'
import { awaitsPicture } from '../../schema/values/picture.ts'
import type { ListedVideo } from '../../schema/videos/video.ts'
import { publishedWords } from './published-words.ts'
import { relativeWords } from './words.ts'

export type ShownVideo = Pick<ListedVideo, 'video_id' | 'title' | 'picture_url' | 'channel_id' | 'channel_title'> &
  ShownDate & {
    is_awaited: boolean
    is_seen: boolean
    watched_percent: number
    is_later: boolean
    is_dismissed: boolean
  } & Pick<ListedVideo, 'duration_seconds' | 'live_status' | 'availability'> &
  Pick<ListedVideo, 'download_status' | 'download_path' | 'file_size' | 'pinned'>

export type ShownDate = {
  /** When it was published, or else when Backlot first saw it. */
  at_ms: number
  /** The same in words, from the time of the request: "3 days ago". */
  ago: string
  /** How precise the published date is; `null`: it is not known. */
  precision: Precision | null
}

/** Names each value, so that two videos with the same values have the same key. */
export const shownOf = (video: ListedVideo, now: Date): ShownVideo => ({
  video_id: video.video_id,
  title: video.title,
  picture_url: video.picture_url,
  is_awaited: awaitsPicture(video),
  channel_id: video.channel_id,
  channel_title: video.channel_title,
  ...dateOf(video, now),
  is_seen: video.seen_at !== null,
  watched_percent: watchedPercent(video),
  is_later: video.later_at !== null,
  is_dismissed: video.dismissed_at !== null,
  duration_seconds: video.duration_seconds,
  live_status: video.live_status,
  availability: video.availability,
  download_status: video.download_status,
  download_path: video.download_path,
  file_size: video.file_size,
  pinned: video.pinned,
})

type Dated = { published_at: Date | null; published_precision?: Precision | null | undefined; first_seen_at: Date }

export function dateOf({ published_at, published_precision, first_seen_at }: Dated, now: Date): ShownDate {
  if (!published_at) return { at_ms: first_seen_at.getTime(), ago: relativeWords(first_seen_at, now), precision: null }
  const precision = published_precision ?? 'exact'
  return { at_ms: published_at.getTime(), ago: publishedWords(published_at, precision, now), precision }
}

/** In coarse steps, so that a remembered card stays the same for a while. 0: not begun, or of unknown length. */
export const watchedPercent = ({
  position_seconds,
  duration_seconds,
}: Pick<ListedVideo, 'position_seconds' | 'duration_seconds'>): number =>
  position_seconds && duration_seconds ? Math.min(100, Math.ceil((position_seconds / duration_seconds) * 20) * 5) : 0
