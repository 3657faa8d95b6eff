/**
 * When a video counts as watched, where playing resumes, and since when videos are new. Pure.
 *
 * Playing to the last tenth makes a video watched; so does reaching the last half minute of a video longer than five
 * minutes. A person who marks it unwatched is not overruled by the player. The mark belongs to the video, whichever
 * channel it appears in.
 */
import type { ViewingChange } from '../../db/watching/viewings.ts'
import type { Viewing } from '../../schema/videos/video.ts'
import { isAtEnd, type Look } from '../../schema/watching/viewing.ts'

/** Whether playing has just reached the end. Later reports do not count, so that "Mark as unwatched" lasts. */
export function reachesEnd(
  before: Pick<Viewing, 'position_seconds' | 'duration_seconds'>,
  { position_seconds, duration_seconds }: Pick<ViewingChange, 'position_seconds' | 'duration_seconds'>,
): boolean {
  const duration = duration_seconds ?? before.duration_seconds
  if (position_seconds === undefined) return false
  return isAtEnd(position_seconds, duration) && !isAtEnd(before.position_seconds ?? 0, duration)
}

/** Where the player starts: at the time in the address, or where playing stopped, unless that was at the beginning or the end. */
export function startOf(
  { position_seconds, duration_seconds }: Pick<Viewing, 'position_seconds' | 'duration_seconds'>,
  given_seconds: number | undefined,
): number {
  if (given_seconds !== undefined) return given_seconds
  const position = position_seconds ?? 0
  return position < 5 || isAtEnd(position, duration_seconds) ? 0 : position
}

/**
 * Looks within half an hour count as one, so that new videos stay new while a person moves between pages. Within a minute it is the
 * last look itself, which need not be stored again.
 */
export function nextLook(last: Look, now: Date): Look {
  const since_ms = last.looked_at === null ? Number.POSITIVE_INFINITY : now.getTime() - last.looked_at.getTime()
  if (Math.abs(since_ms) < a_minute_ms) return last
  return { looked_at: now, new_since: since_ms < same_look_ms ? last.new_since : last.looked_at }
}

const a_minute_ms = 60 * 1000
const same_look_ms = 30 * a_minute_ms
