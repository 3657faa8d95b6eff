/**
 * When the facts of a video are looked up again, because they will change: a premiere begins, a stream ends, a video for members opens.
 * Pure: the time and the random number are arguments.
 */
import type { Facts } from '../../schema/sources/facts.ts'

/** `starts_at`: when an announced video begins; null or absent: unknown. */
export type KnownFacts = Pick<Facts, 'duration_seconds' | 'live_status' | 'availability'> & {
  published_at: Date | null
  starts_at?: Date | null | undefined
}

/** How many times to wait, and for how many minutes, in this order. After the last wait there are no more looks. */
type Waits = readonly (readonly [times: number, minutes: number])[]

const [hour, day] = [60, 24 * 60]

const waits = {
  /** The first look learns when it begins. */
  upcoming: [
    [1, 0],
    [24, hour],
    [60, day],
  ],
  /** Most streams end within a day; some never end. */
  live: [
    [72, hour],
    [365, day],
  ],
  /** A recording is ready, and its length known, hours or days after the stream. */
  recording: [
    [24, hour],
    [7, day],
  ],
  members_only: [
    [30, day],
    [12, 30 * day],
  ],
  private: [
    [1, day],
    [1, 2 * day],
    [1, 4 * day],
  ],
} as const satisfies Record<string, Waits>

/** A begin is looked up soon after its announced time, and at least once a week before, because it may be moved. */
const announced = { late_ms: 2 * 60_000, least_ms: 10 * 60_000, longest_ms: 7 * day * 60_000 }

/** The `looks` of a video that was published a month ago: if it has not opened by then, it is unlikely to open tomorrow. */
const looks_of_old_video = 30

/**
 * The next look after `looks` looks that found these facts; null: never. Up to a tenth later, so that videos which were found together
 * are not all looked up together. `random`: from 0 up to 1.
 */
export function nextLook(facts: KnownFacts, looks: number, now: Date, random = 0): Date | null {
  const wait_ms = waitOf(facts, looks, now)
  return wait_ms === undefined ? null : new Date(now.getTime() + wait_ms * (1 + random / 10))
}

function waitOf({ availability, ...facts }: KnownFacts, looks: number, now: Date): number | undefined {
  const { live_status, published_at, starts_at } = facts
  if (availability === 'removed' || availability === 'age_restricted') return undefined
  if (availability === 'private') return waitAt(waits.private, looks)
  if (live_status === 'upcoming') return waitForBegin(starts_at, looks, now)
  if (live_status === 'live') return waitAt(waits.live, looks)
  if (availability === 'members_only')
    return waitAt(waits.members_only, isOld(published_at, now) ? Math.max(looks, looks_of_old_video) : looks)
  if (live_status === 'was_live' && facts.duration_seconds === null) return waitAt(waits.recording, looks)
  return undefined
}

function waitForBegin(starts_at: Date | null | undefined, looks: number, now: Date): number | undefined {
  const { late_ms, least_ms, longest_ms } = announced
  const until_ms = (starts_at?.getTime() ?? 0) + late_ms - now.getTime()
  return until_ms > 0 ? Math.min(Math.max(until_ms, least_ms), longest_ms) : waitAt(waits.upcoming, looks)
}

const isOld = (published_at: Date | null, now: Date) =>
  published_at !== null && now.getTime() - published_at.getTime() > looks_of_old_video * day * 60_000

/** Milliseconds; `undefined`: all waits are used up. */
function waitAt(of: Waits, looks: number): number | undefined {
  let left = looks
  for (const [times, minutes] of of) {
    if (left < times) return minutes * 60_000
    left -= times
  }
  return undefined
}

/** Minutes until a look that failed for a reason of the site or of this service is repeated. */
const failed_waits: Waits = [
  [1, hour],
  [1, 6 * hour],
  [3, day],
]

/** The next look after the last `failures` looks found out nothing; null: never. */
export function lookAfterFailure(failures: number, now: Date, random = 0): Date | null {
  const wait_ms = waitAt(failed_waits, failures)
  return wait_ms === undefined ? null : new Date(now.getTime() + wait_ms * (1 + random / 10))
}
