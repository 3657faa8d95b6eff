/**
 * One rate for all downloads of this process together: a bucket that fills with bytes at the rate, from which each run takes what passes.
 * Runs take turns by small pieces, so they share the rate evenly. A watched run takes nothing from the bucket.
 */
import { setTimeout } from 'node:timers/promises'
import type { Pace } from '../../net/egress-proxy.ts'

export type SharedRate = {
  /** For one run. `isExempt`: it does not wait, and takes nothing from the others. */
  of(isExempt: () => boolean): Pacing
}

export type Pacing = {
  pace: Pace
  /** Whether the run waits for the rate now, or has done so within these milliseconds. Then it may be silent because of us. */
  hasWaited(within_ms: number): boolean
}

type Clock = {
  /** Milliseconds of a clock that is never set back. */
  now(): number
  wait(ms: number): Promise<unknown>
}

/** The bucket holds what comes in this time, for timers that are late. With more, a pause would be followed by a burst. */
const full_s = 0.5
/** Milliseconds between two looks while a run waits. A change of the rate counts within the longest. */
const looks = { least_ms: 5, most_ms: 250 }

/** `rateNow`: bytes per second; `undefined`: no limit. */
export function sharedRate(
  rateNow: () => number | undefined,
  { now, wait }: Clock = { now: () => performance.now(), wait: ms => setTimeout(ms) },
): SharedRate {
  let bytes_here = 0
  let filled_at = now()
  const fill = (rate: number) => {
    const at = now()
    bytes_here = Math.min(bytes_here + (rate * (at - filled_at)) / 1000, rate * full_s)
    filled_at = at
  }
  const take = async (bytes: number, isExempt: () => boolean) => {
    let left = bytes
    while (true) {
      const rate = isExempt() ? undefined : rateNow()
      if (rate === undefined) return
      fill(rate)
      const got = Math.min(left, bytes_here)
      bytes_here -= got
      left -= got
      if (left <= 0) return
      await wait(Math.min(Math.max((left / rate) * 1000, looks.least_ms), looks.most_ms))
    }
  }
  // Pieces pass in the order in which they came.
  let last = Promise.resolve()

  return {
    of(isExempt) {
      let waiting = 0
      let waited_at = Number.NEGATIVE_INFINITY
      const pace: Pace = async bytes => {
        if (isExempt() || rateNow() === undefined) return
        waiting += 1
        last = last.then(() => take(bytes, isExempt))
        await last
        waiting -= 1
        waited_at = now()
      }
      return { pace, hasWaited: within_ms => waiting > 0 || now() - waited_at < within_ms }
    },
  }
}
