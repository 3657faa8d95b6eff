/**
 * The time on which all processes agree: that of the database. The clocks of machines may be minutes apart, and a time that one process
 * writes is compared by another one, or by the database.
 */

/** By how much the clock of this machine is ahead. */
let ahead_ms = 0

export const currentTime = (): Date => new Date(Date.now() - ahead_ms)

/** Clocks that are this close count as equal, so that the time does not jump with every answer. */
const close_ms = 1000

/**
 * `time`: the database's, read between `asked_at` and now by the clock of this machine, in milliseconds. An answer that takes long allows
 * for a wide range, and changes nothing that is within it. Returns the milliseconds by which this machine is ahead, if they have changed.
 */
export function setCurrentTime(time: Date, asked_at = Date.now()): number | undefined {
  const [least_ms, most_ms] = [asked_at - time.getTime(), Date.now() - time.getTime()]
  if (ahead_ms > least_ms - close_ms && ahead_ms < most_ms + close_ms) return undefined
  ahead_ms = Math.round((least_ms + most_ms) / 2)
  return ahead_ms
}

/** Whether a use is noted again: a use is noted once a minute, not with every request. `noted_at` null: never yet. */
export const isToBeNoted = (noted_at: Date | null): boolean =>
  noted_at === null || currentTime().getTime() - noted_at.getTime() > 60_000
