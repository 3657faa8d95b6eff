/** Noting what somebody has seen, and how far they came. */
import type { Library } from '../../db/library/library.ts'
import type { Noted } from '../../db/library/viewings.ts'
import type { Video } from '../../schema/video.ts'
import type { SeenResult } from '../../schema/viewing.ts'
import { getChannel } from '../channels/channels.ts'
import { getVideo } from './history.ts'
import { comesToEnd } from './seen.ts'

/** Whoever comes to the end has seen the video; opening its page is not seeing it. */
export async function noteViewing(library: Library, video_id: string, noted: Noted): Promise<Video> {
  const before = await getVideo(library, video_id)
  const duration_seconds = noted.duration_seconds || undefined
  const seen = noted.seen ?? (comesToEnd(before, { ...noted, duration_seconds }) || undefined)
  await library.viewings.note(video_id, { ...noted, duration_seconds, seen })
  return getVideo(library, video_id)
}

/** Marks all that had appeared by `until`, at the moment `now`, by which it can be taken back. */
export async function markAllSeen(
  library: Library,
  which: { until: Date; channel_id?: string | undefined },
  now: Date,
): Promise<SeenResult> {
  if (which.channel_id !== undefined) await getChannel(library, which.channel_id)
  return { marked: await library.viewings.markAll(which, now), seen_at: now }
}
