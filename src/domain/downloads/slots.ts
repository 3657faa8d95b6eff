/**
 * Shares the download slots between people. Pure. While other people wait, a person leaves at least one slot to them, and yields a slot
 * when holding all slots. A person who waits without any slot gets one as soon as a run has used its slice of time.
 */
import { personFlag, userFlag } from '../../db/queue/flags.ts'
import type { SlotQueue, SlotRun } from '../../schema/downloads/run.ts'
import type { UserId } from '../../schema/values/user.ts'

export type Slices = {
  /** Seconds that every run has before it can lose its slot. */
  min_s: number
  /** Seconds after which a run yields its slot to a person who holds none. */
  slice_s: number
  /** Bytes a second, over the last minute, below which a run yields its slot to a person who holds fewer. */
  slow_bytes_s: number
  /** A download that a site sent from its start again this many times keeps its slot to the end. */
  max_restarts: number
}

export const slices: Slices = { min_s: 60, slice_s: 600, slow_bytes_s: 50_000, max_restarts: 3 }

type Candidate = { user_id: UserId; video_host: string | null; restarts: number }

/**
 * What is reserved for another person, so that this download may not start: the free slot, or the free place at its host; `undefined`: it
 * may start.
 */
export function reservedForOthers(
  queue: SlotQueue,
  { user_id, video_host, restarts }: Candidate,
  { max_restarts } = slices,
): 'slots' | 'host' | undefined {
  const others = queue.waiting.filter(waiter => waiter.user_id !== user_id)
  const mine = queue.runs.filter(run => run.user_id === user_id)
  // Downloads that cannot be interrupted never hold all slots, so that at least one always changes hands.
  const kept = queue.runs.filter(run => run.restarts >= max_restarts).length
  if (restarts >= max_restarts && queue.slots > 1 && kept >= queue.slots - 1) return 'slots'
  if (others.length === 0) return undefined
  if (queue.yielded.includes(user_id)) return 'slots'
  if (queue.slots > 1 && mine.length >= queue.slots - 1) return 'slots'
  const places = queue.placesAt(video_host)
  const mine_there = mine.filter(run => run.video_host === video_host).length
  const has_share = places > 1 && mine_there >= places - 1
  return has_share && others.some(waiter => waiter.video_host === video_host) ? 'host' : undefined
}

/**
 * Whether a download to watch waits. It needs no slot and may exceed the places of its host. It waits if this person's downloads have all
 * places of the host, and at least two, and another person waits for a place there.
 */
export function crowdsHost({ runs, waiting, placesAt }: SlotQueue, mine: Omit<Candidate, 'restarts'>): boolean {
  const { user_id, video_host } = mine
  const there = runs.filter(run => run.user_id === user_id && run.video_host === video_host)
  const isRival = (waiter: SlotQueue['waiting'][number]) =>
    waiter.user_id !== user_id && waiter.video_host === video_host && !waiter.is_late
  return there.length >= Math.max(2, placesAt(video_host)) && waiting.some(isRival)
}

/** The flags of waiting downloads that `reservedForOthers` would refuse, so that workers skip them. */
export function fairShareFlags(queue: SlotQueue): string[] {
  const people = [...queue.runs, ...queue.yielded.map(user_id => ({ user_id, video_host: null }))]
  const flags = people.flatMap(({ user_id, video_host }) => {
    const reserved = reservedForOthers(queue, { user_id, video_host, restarts: 0 })
    if (reserved === undefined) return []
    return reserved === 'slots' ? [userFlag(user_id)] : [personFlag(video_host ?? '', user_id)]
  })
  return [...new Set(flags)]
}

export type YieldReason = 'share' | 'slice' | 'slow'

/** Why this run yields its slot; `undefined`: it continues. */
export function yieldReason(
  queue: SlotQueue,
  claim: string,
  is_slow: boolean,
  limits = slices,
): YieldReason | undefined {
  const me = queue.runs.find(run => run.claim === claim)
  if (!me || me.restarts >= limits.max_restarts || me.ran_s < limits.min_s) return undefined
  const reasons = queue.waiting
    // A late retry of a rule takes a free slot, but never interrupts a run.
    .filter(waiter => waiter.user_id !== me.user_id && !waiter.is_late)
    .flatMap(waiter => {
      const bottleneck = bottleneckOf(queue, waiter)
      return bottleneck?.runs.includes(me)
        ? [reasonIn(bottleneck, queue, me, { waiter: waiter.user_id, is_slow, limits })]
        : []
    })
  return reasons.find(reason => reason !== undefined)
}

/** What keeps a waiting download from starting: the runs at its host, or the runs in all slots, and how many runs are allowed there. */
type Bottleneck = { runs: SlotRun[]; places: number; isIn(of: { video_host: string | null }): boolean }

/** The places of the host, or the slots, if all of them are taken; `undefined`: some are free, so the download starts in a moment. */
function bottleneckOf(queue: SlotQueue, { video_host }: SlotQueue['waiting'][number]): Bottleneck | undefined {
  const there = queue.runs.filter(run => run.video_host === video_host)
  const places = queue.placesAt(video_host)
  if (there.length >= places) return { runs: there, places, isIn: of => of.video_host === video_host }
  return queue.runs.length >= queue.slots ? { runs: queue.runs, places: queue.slots, isIn: () => true } : undefined
}

type Rival = { waiter: UserId; is_slow: boolean; limits: Slices }

function reasonIn(
  bottleneck: Bottleneck,
  queue: SlotQueue,
  me: SlotRun,
  { waiter, is_slow, limits }: Rival,
): YieldReason | undefined {
  const runCountOf = (user_id: UserId) => bottleneck.runs.filter(run => run.user_id === user_id).length
  // Otherwise a person who holds as many slots could interrupt a slow download for ever.
  if (is_slow && !me.is_processing && runCountOf(waiter) < runCountOf(me.user_id)) return 'slow'
  const can = bottleneck.runs.filter(run => run.restarts < limits.max_restarts && run.ran_s >= limits.min_s)
  const has_all = bottleneck.runs.every(run => run.user_id === me.user_id)
  if (bottleneck.places > 1 && has_all && can.toSorted(byLeastLoss)[0] === me) return 'share'
  const without = new Set(queue.waiting.filter(of => !of.is_late && bottleneck.isIn(of)).map(({ user_id }) => user_id))
  for (const run of bottleneck.runs) without.delete(run.user_id)
  const over = can.filter(run => !run.is_processing && run.ran_s >= limits.slice_s).toSorted(byLeastLoss)
  return over.slice(0, without.size).includes(me) ? 'slice' : undefined
}

/**
 * The run that loses least comes first: downloads, which can resume, the longest running first; then conversions, which start over, the
 * youngest first.
 */
const byLeastLoss = (a: SlotRun, b: SlotRun): number =>
  Number(a.is_processing) - Number(b.is_processing) ||
  (a.is_processing ? a.ran_s - b.ran_s : b.ran_s - a.ran_s) ||
  (a.claim < b.claim ? -1 : 1)

/** Seconds before a slow download is tried again. The wait doubles each time it yields its slot, up to half an hour. */
export const slowPause = (yields: number): number => Math.min(60 * 2 ** Math.min(yields, 5), 1800)

/** Bytes a second over the last minute; `undefined` before a minute is over, or while nothing is known. */
export function speedometer(window_ms = 60_000) {
  const seen: { at: number; bytes: number }[] = []
  return (at: number, bytes: number): number | undefined => {
    seen.push({ at, bytes })
    while (seen[1] && seen[1].at <= at - window_ms) seen.shift()
    const [first] = seen
    if (!first || at - first.at < window_ms) return undefined
    return ((bytes - first.bytes) * 1000) / (at - first.at)
  }
}
