/** Corrects stored times after the clock was ahead, and holds back deletions by age after the time jumped ahead. */

import type { Everyone } from '../../db/everyone.ts'
import { correctTimes } from '../../db/service/everyone/correct-times.ts'
import type { Log } from '../../runtime/log.ts'
import { countWords, secondsWords } from '../../schema/values/words.ts'

export type ClockCare = {
  /**
   * `time`: of the database, read between `sent_ms` and now by `performance.now()`. Returns whether that clock or the clock of this machine
   * jumped. The caller then reads the crontab again: graphile-worker would make up each minute, or wait for the one that it planned.
   */
  look(time: Date, sent_ms?: number): Promise<boolean>
  /** What the administrator should do; `null`: nothing. */
  trouble(): string | null
  /** Whether the time may be wrong. */
  isDoubtful(): boolean
}

/** Seconds of a jump that is ignored. */
const ignored_s = 60
/** Seconds of a jump ahead, or of a time without a worker, after which the time is doubtful. */
const doubtful_s = 3600
/** The time is doubtful for as long as it jumped, up to a day, in which the clock may be set. */
const longest_doubt_s = 24 * 3600
/** Milliseconds for which the administrator is told. */
const told_ms = 3_600_000

/** Corrects the times in the database first. Compares both clocks with `performance.now()`, which is never set. */
export async function careForClock({ sql, log }: { sql: Everyone; log: Log }): Promise<ClockCare> {
  let last: Reading | undefined
  let doubtful_until_ms = Number.NEGATIVE_INFINITY
  let corrected: { at_ms: number; ahead_s: number } | undefined
  const doubt = (gap_s: number) => {
    if (gap_s > doubtful_s) doubtful_until_ms = performance.now() + Math.min(gap_s, longest_doubt_s) * 1000
  }
  const correct = async (seen_ahead_s?: number) => {
    const { ahead_s, gap_s } = await correctTimes(sql, new Date(), seen_ahead_s)
    doubt(gap_s)
    if (ahead_s === 0) return
    corrected = { at_ms: performance.now(), ahead_s }
    log.warn({ ahead_s: Math.round(ahead_s) }, 'the clock was ahead; times from the future were corrected')
  }
  await correct()
  return {
    async look(time, sent_ms = performance.now()) {
      const now = { time_ms: time.getTime(), machine_ms: Date.now(), sent_ms, at_ms: performance.now() }
      const [jump_s, machine_jump_s] = [jumpOf(now, last, 'time_ms'), jumpOf(now, last, 'machine_ms')]
      doubt(jump_s)
      if (Math.min(jump_s, machine_jump_s) < -ignored_s) await correct(Math.max(0, -jump_s))
      // A correction that fails is tried again at the next look.
      last = now
      return Math.max(Math.abs(jump_s), Math.abs(machine_jump_s)) > ignored_s
    },
    trouble() {
      if (!corrected || performance.now() - corrected.at_ms > told_ms) return null
      return `The clock was ahead by ${aheadWords(corrected.ahead_s)}. Times from the future were found and corrected. Set the clock by NTP.`
    },
    isDoubtful: () => performance.now() < doubtful_until_ms,
  }
}

/** The times of both clocks, in milliseconds since 1970, and of `performance.now()` before and after they were read. */
type Reading = { time_ms: number; machine_ms: number; sent_ms: number; at_ms: number }

/** The least jump in seconds that the readings allow for; negative: back. An answer that takes long allows for a wide range. */
function jumpOf(now: Reading, last: Reading | undefined, clock: 'time_ms' | 'machine_ms'): number {
  if (!last) return 0
  const passed_ms = now[clock] - last[clock]
  const [least_ms, most_ms] = [now.sent_ms - last.at_ms, now.at_ms - last.sent_ms]
  return (passed_ms < least_ms ? passed_ms - least_ms : Math.max(0, passed_ms - most_ms)) / 1000
}

const aheadWords = (seconds: number): string =>
  seconds < 86_400 ? secondsWords(Math.round(seconds)) : countWords(Math.round(seconds / 86_400), 'day')
