/** Works on one import for a short time: follows the channels of its next lines, without overloading any host. */
import type { SettledLine } from '../../db/imports/imports.ts'
import type { Library } from '../../db/library.ts'
import { isAway } from '../../db/postgres/client.ts'
import { DomainError } from '../../errors.ts'
import { currentTime } from '../../runtime/clock.ts'
import { gathered } from '../../runtime/gather.ts'
import { unlessAborted } from '../../runtime/turns.ts'
import type { LineResult } from '../../schema/imports/import.ts'
import type { ReadFeed } from '../../schema/sources/feed.ts'
import { followChannel } from '../channels/channels.ts'
import type { FeedFinder } from '../channels/discovery.ts'
import { hostQueues } from '../channels/host-turns.ts'
import { type Refusal, refusalIn } from '../channels/scheduled-fetch.ts'
import { savedOrThrown, saveFeed, saveFeeds } from '../saving/save-feed.ts'
import {
  hasToWait,
  max_at_host,
  nextJobAt,
  type PendingLine,
  pendingLinesOf,
  takeNext,
  waitsUntil,
} from './import-turns.ts'

type PerformParts = {
  library: Library
  findFeed: FeedFinder
  /** Aborted when this worker stops. Unfinished lines are tried again later. */
  stopping: AbortSignal
  now?: () => number
  /** Called with a fault of our own, for the log. */
  onFault?(fault: unknown): void
}

/** Lines of one import that are tried at the same time. A third of the lines can be saved while others are fetched and parsed. */
const lines_at_once = 24
/** People take turns at a host, so a long import does not delay another person's line there. */
const atHost = hostQueues(max_at_host)
/** Lines that end at the same time are recorded in one statement. */
const settle_batch = { most: () => lines_at_once, wait_ms: 2 }
/** Feeds that are found within this time are saved in one statement, which costs half as much for each. A longer feed is saved alone. */
const save_batch = { most: 8, wait_ms: 20, max_entries: 1000 }
/** One job ends after this time, or so many lines. The next job does the rest, after other imports had their turn. */
const max_job_ms = 10_000
export const max_job_lines = 500
/** How long after the start of an import a line may wait for a site that asks us to slow down. Then the line fails. */
const patience_ms = 60 * 60_000

/**
 * The result of each line is saved within milliseconds. `more`: lines remain, and a job for them is queued unless the person is locked.
 * `resting`: the person was locked before the first line.
 */
export async function performImport(deps: PerformParts, import_id: string): Promise<'more' | 'finished' | 'resting'> {
  const { library, stopping, now = () => currentTime().getTime(), onFault = () => {} } = deps
  const end_ms = now() + max_job_ms
  if (await library.imports.isResting()) return 'resting'
  const has_more_parts = await applyParts(library, import_id, {
    hasToStop: () => stopping.aborted || now() >= end_ms,
    onFault,
  })
  if (has_more_parts) return library.imports.endJob(import_id, null)
  const { pending, patience_ends } = await pendingIn(library, import_id)
  const settle = gathered(settle_batch, (lines: SettledLine[]) => library.imports.settle(import_id, lines))
  let tried = 0
  let under_way = 0
  let broken = false
  let is_resting = false
  const save = saverFor(library, () => under_way)

  const lane = async () => {
    while (!stopping.aborted && !broken && !is_resting && now() < end_ms && tried < max_job_lines) {
      const next = takeNext(pending, patience_ends)
      if (!next) return
      tried++
      next.host.busy++
      const result = await atHost(next.host.name, library.user_id, async () => {
        if (stopping.aborted || broken || is_resting) return 'stopped'
        under_way++
        return tryLine({ ...deps, save }, import_id, next).finally(() => under_way--)
      })
      next.host.busy--
      if (result === 'stopped') return
      if (result === 'paused' && hasToWait(next, patience_ends)) pending.push(next)
      else if (await settle({ position: next.line.position, ...(result === 'paused' ? failedByPause(next) : result) }))
        is_resting = true
    }
  }
  const running = Array.from({ length: lines_at_once }, lane)
  // After an error, wait for the other lanes: the next job of the import must not overlap with them.
  const work = Promise.all(running).catch(async fault => {
    broken = true
    await Promise.allSettled(running)
    throw fault
  })
  // When the worker stops, no line that is being tried is waited for.
  await unlessAborted(work, stopping).catch(fault => {
    if (!stopping.aborted) throw fault
  })
  return library.imports.endJob(import_id, stopping.aborted ? null : nextJobAt(pending, patience_ends))
}

async function pendingIn(library: Library, import_id: string) {
  const lines = await library.imports.waiting(import_id)
  const channels = await library.channels.list()
  const followed = new Map(channels.flatMap(({ rss_url, channel_id }) => (rss_url ? [[rss_url, channel_id]] : [])))
  const begun_at = (await library.imports.find(import_id))?.created_at ?? new Date(0)
  return {
    pending: pendingLinesOf(lines, followed, await library.imports.pauses()),
    patience_ends: new Date(begun_at.getTime() + patience_ms),
  }
}

/** `underWay`: how many lines are being tried, so that the last one waits for no other. */
function saverFor(library: Library, underWay: () => number) {
  const limits = { most: () => Math.min(save_batch.most, underWay()), wait_ms: save_batch.wait_ms }
  const saveTogether = gathered(limits, (found: ReadFeed[]) => saveFeeds(library, found))
  return async (found: ReadFeed) =>
    found.feed.entries.length > save_batch.max_entries
      ? saveFeed(library, found)
      : savedOrThrown(await saveTogether(found))
}

type TryParts = PerformParts & { save(found: ReadFeed): ReturnType<typeof saveFeed> }

/** `paused`: the host asks us to slow down, so the line is tried later. */
async function tryLine(deps: TryParts, import_id: string, pending: PendingLine): Promise<LineResult | 'paused'> {
  const { library, findFeed, save, onFault } = deps
  const { line, followed_as } = pending
  if (followed_as) return { outcome: 'already', channel_id: followed_as }
  if (waitsUntil(pending)) return 'paused'
  try {
    const { channel, created } = await followChannel(library, findFeed, line.address, save)
    return { outcome: created ? 'added' : 'already', channel_id: channel.channel_id }
  } catch (fault) {
    // Without the database nothing can be saved: the whole job is tried again later.
    if (isAway(fault)) throw fault
    if (fault instanceof DomainError) {
      const refusal = refusalIn(fault)
      if (!refusal) return { outcome: 'failed', message: fault.message }
      await pauseAndPostpone(deps, import_id, pending, refusal, fault.message)
      return 'paused'
    }
    onFault?.(fault)
    return { outcome: 'failed', message: 'Something went wrong on our side. Try again later.' }
  }
}

/**
 * Postpones the line by the time in the refusal. The host that answered, maybe after a redirect, is paused for minutes at first,
 * and for this person's imports only: one address that always refuses must not delay anything else.
 */
async function pauseAndPostpone(
  { library }: PerformParts,
  import_id: string,
  pending: PendingLine,
  { host, retry_after_s }: Refusal,
  sentence: string,
): Promise<void> {
  const { line, rss_url } = pending
  await library.imports.pauseHost(host, retry_after_s, sentence)
  const pause = (await library.imports.pauses()).find(paused => paused.host === host)
  if (rss_url && new URL(rss_url).host === host) pending.host.pause = pause
  pending.refused = sentence
  line.not_before = new Date(currentTime().getTime() + (retry_after_s ?? default_wait_s) * 1000)
  await library.imports.postpone(import_id, line.position, line.not_before)
}

/** For a line whose site does not say how long to wait. */
const default_wait_s = 300

const failedByPause = ({ refused, host }: PendingLine): LineResult => ({
  outcome: 'failed',
  message: refused ?? host.pause?.reason ?? 'This site asks us to slow down. Try again later.',
})

type ApplyOptions = {
  hasToStop(): boolean
  /** Called with each error of the database that left out an item. */
  onFault(fault: unknown): void
}

/**
 * Applies the parts of an import, marks, channels and videos from a file, in one transaction each, until no part is left or `hasToStop`.
 * Returns whether parts are left.
 */
async function applyParts(library: Library, import_id: string, { hasToStop, onFault }: ApplyOptions): Promise<boolean> {
  let room: number | undefined
  while (!hasToStop()) {
    const applied = await library.imports.applyNext(import_id, room)
    if (!applied) return false
    room = applied.room
    for (const refusal of applied.refusals.slice(0, max_logged_faults)) onFault(refusal)
  }
  return true
}

/** The most errors that are logged for one part. A fault of ours may refuse all of its items. */
const max_logged_faults = 3
