/**
 * Shares the download slots between people. Pure. While other people wait, a person leaves the next free slot to them. A person who has
 * every slot, or every place of a host, gives one to a person who waits for it.
 */
import { userFlag } from '../../db/queue/flags.ts'
import type { SlotQueue, SlotRun } from '../../schema/downloads/run.ts'
import type { UserId } from '../../schema/values/user.ts'

export type Slices = {
  /** Seconds that every run has before it can lose its slot to another person. */
  min_s: number
  /** Seconds that the only run has, whose person then has no slot at all. */
  only_s: number
  /** A download that a site sent from its start again this many times keeps its slot to the end. */
  max_restarts: number
}

export const slices: Slices = { min_s: 60, only_s: 600, max_restarts: 3 }

type Waiter = SlotQueue['waiting'][number]

/** The flags of people who have all slots but one, while other people wait who could start: workers skip their jobs. */
export function fairShareFlags(queue: SlotQueue): string[] {
  const { slots, runs, waiting } = queue
  if (slots < 2) return []
  const canStart = (waiter: Waiter) => runsAt(runs, waiter).length < queue.placesAt(waiter.video_host)
  const hasShare = (user_id: UserId) =>
    runs.filter(run => run.user_id === user_id).length >= slots - 1 &&
    waiting.some(waiter => waiter.user_id !== user_id && canStart(waiter))
  return [...new Set(runs.map(({ user_id }) => user_id))].filter(hasShare).map(userFlag)
}

/**
 * Whether a download to watch waits. It needs no slot and may exceed the places of its host. It waits if this person's downloads have all
 * places of the host, and at least two, and another person waits for a place there.
 */
export function crowdsHost({ runs, waiting, placesAt }: SlotQueue, { user_id, video_host }: Waiter): boolean {
  const mine = runsAt(runs, { video_host }).filter(run => run.user_id === user_id)
  const isRival = (waiter: Waiter) => waiter.user_id !== user_id && waiter.video_host === video_host
  return mine.length >= Math.max(2, placesAt(video_host)) && waiting.some(isRival)
}

/** Whether the run with this claim gives its slot to a person who waits. */
export function yieldsSlot(queue: SlotQueue, claim: string, limits = slices): boolean {
  const me = queue.runs.find(run => run.claim === claim)
  if (!me) return false
  return queue.waiting.some(waiter => {
    const runs = inTheWay(queue, waiter)
    if (waiter.user_id === me.user_id || runs.some(run => run.user_id !== me.user_id)) return false
    return runs.filter(run => canYield(run, runs.length, limits)).toSorted(byLeastLoss)[0] === me
  })
}

/** The runs for which this download waits: those at its host, or those in all slots. None: it starts in a moment. */
function inTheWay({ runs, slots, placesAt }: SlotQueue, waiter: Waiter): SlotRun[] {
  const there = runsAt(runs, waiter)
  if (there.length >= placesAt(waiter.video_host)) return there
  return runs.length >= slots ? runs : []
}

const runsAt = (runs: SlotRun[], { video_host }: Pick<Waiter, 'video_host'>) =>
  runs.filter(run => run.video_host === video_host)

/** A conversion starts over, so the only run keeps its slot while it converts. */
function canYield(run: SlotRun, count: number, { min_s, only_s, max_restarts }: Slices): boolean {
  if (run.restarts >= max_restarts) return false
  return count > 1 ? run.ran_s >= min_s : run.ran_s >= only_s && !run.is_processing
}

/**
 * The run that loses least comes first: downloads, which can resume, the longest running first; then conversions, which start over, the
 * youngest first.
 */
const byLeastLoss = (a: SlotRun, b: SlotRun): number =>
  Number(a.is_processing) - Number(b.is_processing) ||
  (a.is_processing ? a.ran_s - b.ran_s : b.ran_s - a.ran_s) ||
  (a.claim < b.claim ? -1 : 1)
