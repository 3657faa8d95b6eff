/**
 * What rows and cards show of a video, as plain values. A row whose download does not move depends on nothing else, so it can be
 * remembered whole.
 */
import type { ListedVideo } from '../../schema/video.ts'
import { relativeWords } from './words.ts'

export type ShownVideo = Pick<ListedVideo, 'video_id' | 'title' | 'thumbnail_url' | 'channel_id' | 'channel_title'> & {
  is_seen: boolean
  /** When it was published, or else when Backlot first saw it. */
  at_ms: number
  /** The same in words, from the time of the request: "3 days ago". */
  ago: string
  is_published: boolean
} & Pick<ListedVideo, 'download_status' | 'download_path' | 'file_size' | 'pinned'>

/** Names each value, so that two videos with the same values have the same key. */
export function shownOf(video: ListedVideo, now: Date): ShownVideo {
  const at = video.published_at ?? video.first_seen_at
  return {
    video_id: video.video_id,
    title: video.title,
    thumbnail_url: video.thumbnail_url,
    channel_id: video.channel_id,
    channel_title: video.channel_title,
    is_seen: video.seen_at !== null,
    at_ms: at.getTime(),
    ago: relativeWords(at, now),
    is_published: video.published_at !== null,
    download_status: video.download_status,
    download_path: video.download_path,
    file_size: video.file_size,
    pinned: video.pinned,
  }
}
