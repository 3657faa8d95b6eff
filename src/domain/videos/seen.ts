/** What counts as seen, where playing goes on, and what is new since the last look. Pure. */
import type { Noted } from '../../db/library/viewings.ts'
import type { Look, Viewing } from '../../schema/viewing.ts'

/** Only on coming there: whoever says afterwards that it is not seen after all is not contradicted by the player. */
export function comesToEnd(
  before: Pick<Viewing, 'position_seconds' | 'duration_seconds'>,
  { position_seconds, duration_seconds }: Pick<Noted, 'position_seconds' | 'duration_seconds'>,
): boolean {
  const duration = duration_seconds ?? before.duration_seconds
  if (position_seconds === undefined) return false
  return isAtEnd(position_seconds, duration) && !isAtEnd(before.position_seconds ?? 0, duration)
}

/** At nine tenths, or within half a minute of the end of anything longer than five. */
export function isAtEnd(position_seconds: number, duration_seconds: number | null): boolean {
  if (!duration_seconds) return false
  const left = duration_seconds - position_seconds
  return left <= duration_seconds / 10 || (duration_seconds > 300 && left <= 30)
}

/** Where the player starts: where the address says, or where playing stopped, unless that was near an end. */
export function startOf(
  { position_seconds, duration_seconds }: Pick<Viewing, 'position_seconds' | 'duration_seconds'>,
  asked_seconds: number | undefined,
): number {
  if (asked_seconds !== undefined) return asked_seconds
  const position = position_seconds ?? 0
  return position < 5 || isAtEnd(position, duration_seconds) ? 0 : position
}

/** Within half an hour it is the same look, so that what was new stays so while one goes to and fro. */
export function lookAt(last: Look, now: Date): Look {
  const pause_ms = last.looked_at === null ? Number.POSITIVE_INFINITY : now.getTime() - last.looked_at.getTime()
  return { looked_at: now, new_since: pause_ms < same_look_ms ? last.new_since : last.looked_at }
}

const same_look_ms = 30 * 60 * 1000
