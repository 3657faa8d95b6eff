/**
 * Decides, for one video and one media server, which side takes what the other one has. Pure.
 *
 *     since the last exchange        the videos differs      →
 *     neither side changed                                   nothing
 *     we changed                                             send
 *     the server changed                                     take
 *     both changed                                           the newer time counts; ours, if a time is unknown or both are the same
 *
 * States are compared with those of the same side, and not with times: many changes have none, and clocks differ. After an exchange both
 * sides are recorded as they are then, whatever the server made of what it got. So nothing comes back as a change of the other side, and a
 * server that rounds, forgets or ignores a mark is not told again. Before the first exchange, each side counts as one that knew nothing.
 */
import type { Watching, WatchState } from '../../schema/media/media-server.ts'

export type Sides = { ours: WatchState; theirs: WatchState }
/** `forgotten_at`: when the person removed the video from the history. */
export type OurWatching = Watching & { forgotten_at: Date | null }

export const nothing_watched: WatchState = { is_watched: false, position_seconds: 0 }

/** Seconds by which positions may differ: players and servers round, and report the same moment twice. */
const same_within_s = 5

export const isSame = (one: WatchState, other: WatchState): boolean =>
  one.is_watched === other.is_watched && Math.abs(one.position_seconds - other.position_seconds) <= same_within_s

export function reconcile(
  last: Sides = { ours: nothing_watched, theirs: nothing_watched },
  ours: OurWatching,
  theirs: Watching,
): 'nothing' | 'take' | 'send' {
  if (isSame(ours, theirs)) return 'nothing'
  const is_ours_new = !isSame(last.ours, ours)
  // What was watched before the person removed the video from the history stays out of the history.
  const is_removed = ours.forgotten_at !== null && !isLater(theirs.at, ours.forgotten_at)
  const is_theirs_new = !isSame(last.theirs, theirs) && !is_removed
  if (is_theirs_new && (!is_ours_new || isLater(theirs.at, ours.at))) return 'take'
  return is_ours_new ? 'send' : 'nothing'
}

const isLater = (one: Date | null, other: Date | null): boolean => one !== null && other !== null && one > other
