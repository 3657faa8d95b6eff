/** Records which videos a person has watched, and the position in each video. What was watched leaves the history on request. */
import type { Library } from '../../db/library.ts'
import type { Mark, ViewingChange } from '../../db/watching/viewings.ts'
import type { Video } from '../../schema/videos/video.ts'
import type { MarkedList, WatchedResult } from '../../schema/watching/viewing.ts'
import { getChannel, getVideo } from '../get.ts'
import { reachesEnd } from '../videos/watching-state.ts'

/** Reaching the end marks the video as watched and takes it off Watch later; opening its page does not. */
export async function recordViewing(library: Library, video_id: string, change: ViewingChange): Promise<Video> {
  const before = await getVideo(library, video_id)
  const duration_seconds = change.duration_seconds || undefined
  const is_at_end = reachesEnd(before, { ...change, duration_seconds })
  const ended = is_at_end ? { seen: change.seen ?? true, later: false } : {}
  await library.viewings.record(video_id, { ...change, duration_seconds, ...ended })
  return getVideo(library, video_id)
}

/** Marks all videos that had appeared by `until` as watched. Undo finds them by `now`. */
export async function markAllWatched(
  library: Library,
  { until, channel_id }: { until: Date; channel_id?: string | undefined },
  now: Date,
): Promise<WatchedResult> {
  const channel_ids = channel_id === undefined ? undefined : [(await getChannel(library, channel_id)).channel_id]
  return { marked: await library.viewings.markAll({ until, channel_ids }, now), seen_at: now }
}

/**
 * Puts several videos on Watch later, hides them, or marks them as watched; `recordViewing` marks a single video. Each mark has the time
 * `now`, by which `takeBack` finds the videos. Returns how many lacked the mark.
 */
export const putOnList = ({ viewings }: Library, list: MarkedList | 'seen', video_ids: string[], now: Date) =>
  viewings.markSome(marks[list], video_ids, now)

export const takeOffList = ({ viewings }: Library, list: MarkedList | 'seen', video_ids: string[]) =>
  viewings.unmarkSome(marks[list], video_ids)

export const takeBack = ({ viewings }: Library, list: MarkedList, marked_at: Date) =>
  viewings.unmarkAll(marked_at, marks[list])

const marks: Record<MarkedList | 'seen', Mark> = { seen: 'seen_at', later: 'later_at', dismissed: 'not_for_me_at' }

/** Takes one video out of the history. Returns the time, by which Undo finds it; `undefined`: it was not there. */
export async function forgetWatched(library: Library, video_id: string): Promise<string | undefined> {
  await getVideo(library, video_id)
  return library.watched.forget(video_id)
}
