/** Watch later, "Not for me" and watched, for several videos at once. One video is marked by `noteViewing`. */
import type { Library } from '../../db/library.ts'
import type { Mark } from '../../db/watching/viewings.ts'
import type { MarkedList } from '../../schema/videos/viewing.ts'

/** Marks the videos with the time `now`, by which `takeBack` finds them. Returns how many lacked the mark. */
export const putOnList = ({ viewings }: Library, list: MarkedList | 'seen', video_ids: string[], now: Date) =>
  viewings.markSome(marks[list], video_ids, now)

export const takeOffList = ({ viewings }: Library, list: MarkedList | 'seen', video_ids: string[]) =>
  viewings.unmarkSome(marks[list], video_ids)

export const takeBack = ({ viewings }: Library, list: MarkedList, marked_at: Date) =>
  viewings.unmarkAll(marked_at, marks[list])

const marks: Record<MarkedList | 'seen', Mark> = { seen: 'seen_at', later: 'later_at', dismissed: 'not_for_me_at' }
