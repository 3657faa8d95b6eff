/** Notes which videos a user has watched, and the position in each. */
import type { Library } from '../../db/library.ts'
import type { Noted } from '../../db/watching/viewing-changes.ts'
import type { Video } from '../../schema/videos/video.ts'
import type { SeenResult } from '../../schema/videos/viewing.ts'
import { getChannel, getVideo } from '../get.ts'
import { reachesEnd } from '../videos/seen.ts'

/** Reaching the end marks the video as watched and takes it off Watch later; opening its page does not. */
export async function noteViewing(library: Library, video_id: string, noted: Noted): Promise<Video> {
  const before = await getVideo(library, video_id)
  const duration_seconds = noted.duration_seconds || undefined
  const is_at_end = reachesEnd(before, { ...noted, duration_seconds })
  const ended = is_at_end ? { seen: noted.seen ?? true, later: false } : {}
  await library.viewings.note(video_id, { ...noted, duration_seconds, ...ended })
  return getVideo(library, video_id)
}

/** Marks all videos that had appeared by `until` as watched. Undo finds them by `now`. */
export async function markAllSeen(
  library: Library,
  { until, channel_id }: { until: Date; channel_id?: string | undefined },
  now: Date,
): Promise<SeenResult> {
  const channel_ids = channel_id === undefined ? undefined : [(await getChannel(library, channel_id)).channel_id]
  return { marked: await library.viewings.markAll({ until, channel_ids }, now), seen_at: now }
}
