/**
 * Decides when a feed is checked again, by how often its channel posts, what its host asks for, and how often it failed. Pure: the
 * time and the random number are arguments.
 */

export type Round = {
  now: Date
  /** The pause for an ordinary channel. */
  base_minutes: number
  /** When the newest videos were published, in any order. */
  posted: Date[]
  /** This check found nothing new. */
  unchanged: boolean
  /** Failures in a row, including this one; 0: it worked. */
  failures: number
  /** For how long the feed or its host wants no request; `null`: not given. */
  wish_s: number | null
  /** From 0 up to 1; spreads feeds that were checked at the same time. */
  random: number
}

/**
 * At least 15 minutes and at most a day from now, unless the operator's `base_minutes` is outside of that; never before the host's
 * wish, up to a day.
 */
export function nextFetchAt(round: Round): Date {
  const base = round.base_minutes * minute
  const least = Math.min(15 * minute, base)
  const most = Math.max(day, base)
  const soonest = clamp((round.wish_s ?? 0) * second, least, most)
  const pause = clamp(base * (round.failures > 0 ? backoff(round.failures) : pace(round)), soonest, most)
  return new Date(round.now.getTime() + spread(pause, round.random, soonest, most))
}

/** Twice as long after each failure in a row. */
const backoff = (failures: number): number => 2 ** Math.min(failures - 1, 20)

/**
 * 1 for an ordinary channel. A busy channel is checked up to twice as often while it has news. A channel that has not posted for
 * weeks is checked less and less often.
 */
function pace({ now, posted, unchanged }: Round): number {
  const every = postsEvery(posted, now)
  if (every === undefined) return 1
  if (every < 12 * hour) return unchanged ? 1 : Math.max(0.5, every / (12 * hour))
  return Math.max(1, every / (14 * day))
}

/** The mean time between posts, or the time since the last post if that is longer. Undefined: fewer than two dates. */
function postsEvery(posted: Date[], now: Date): number | undefined {
  // A video announced for later counts as posted now.
  const times = posted.map(date => Math.min(date.getTime(), now.getTime()))
  if (times.length < 2) return undefined
  const [oldest, newest] = [Math.min(...times), Math.max(...times)]
  return Math.max((newest - oldest) / (times.length - 1), now.getTime() - newest)
}

/** Up to a tenth more or less. Times beyond a bound are mirrored at it, so that they do not pile up there. */
function spread(pause: number, random: number, least: number, most: number): number {
  const time = pause * (0.9 + 0.2 * random)
  const folded = time < least ? 2 * least - time : time > most ? 2 * most - time : time
  return clamp(folded, least, most)
}

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
