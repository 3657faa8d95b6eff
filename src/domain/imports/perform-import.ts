/** Works on one import for a short time: follows the channels of its next lines, without overloading any host. */

import type { Library } from '../../db/library/library.ts'
import { isAway } from '../../db/postgres/client.ts'
import { DomainError } from '../../errors.ts'
import type { LineResult } from '../../schema/import.ts'
import { followChannel } from '../channels/channels.ts'
import type { FeedFinder } from '../channels/discovery.ts'
import { type Refusal, refusalIn } from '../channels/refusal.ts'
import { hasToWait, nextTurn, type Task, takeNext, tasksOf, waitsUntil } from './import-turns.ts'

export type Stretch = {
  library: Library
  findFeed: FeedFinder
  /** Aborted when this worker stops. Lines under way are tried again later. */
  stopping: AbortSignal
  now?: () => number
  /** Called with a fault of our own, for the log. */
  onFault?(fault: unknown): void
}

/** Lines of one import under way at a time. */
const max_lines = 4
/** After this time, or so many lines, other imports get their turn, so that a long list does not delay them. */
const stretch_ms = 10_000
const stretch_lines = 100
/** For so long after the start of an import a line may wait for a site that asks us to slow down. Then it fails. */
const patience_ms = 60 * 60_000

/** Each finished line is saved at once. `more`: the rest of the import is queued. */
export async function performImport(stretch: Stretch, import_id: string): Promise<'more' | 'finished'> {
  const { library, stopping, now = Date.now } = stretch
  const end_ms = now() + stretch_ms
  const { tasks, patience_ends } = await prepared(library, import_id)
  let tried = 0
  let broken = false

  const lane = async () => {
    while (!stopping.aborted && !broken && now() < end_ms && tried < stretch_lines) {
      const task = takeNext(tasks, patience_ends)
      if (!task) return
      tried++
      task.host.busy++
      const verdict = await verdictOn(stretch, import_id, task)
      task.host.busy--
      if (verdict === 'paused' && hasToWait(task, patience_ends)) tasks.push(task)
      else await library.imports.settle(import_id, task.line.position, verdict === 'paused' ? refused(task) : verdict)
    }
  }
  const lanes = Array.from({ length: max_lines }, lane)
  // After an error, wait for the lines under way: the next run must not overlap with them.
  const work = Promise.all(lanes).catch(async fault => {
    broken = true
    await Promise.allSettled(lanes)
    throw fault
  })
  await untilStopped(stopping, work)
  return library.imports.endPart(import_id, stopping.aborted ? null : nextTurn(tasks, patience_ends))
}

async function prepared(library: Library, import_id: string): Promise<{ tasks: Task[]; patience_ends: Date }> {
  const lines = await library.imports.waiting(import_id)
  const followed = new Map((await library.channels.list()).map(({ rss_url, channel_id }) => [rss_url, channel_id]))
  const brought_at = (await library.imports.find(import_id))?.created_at ?? new Date(0)
  return {
    tasks: tasksOf(lines, followed, await library.imports.pauses()),
    patience_ends: new Date(brought_at.getTime() + patience_ms),
  }
}

/** `paused`: the host asks us to wait, so the line is tried later. */
async function verdictOn(stretch: Stretch, import_id: string, task: Task): Promise<LineResult | 'paused'> {
  const { library, findFeed, onFault } = stretch
  const { line, known } = task
  if (known) return { outcome: 'already', channel_id: known }
  if (waitsUntil(task)) return 'paused'
  try {
    const { channel, created } = await followChannel(library, findFeed, line.address)
    return { outcome: created ? 'added' : 'already', channel_id: channel.channel_id }
  } catch (fault) {
    // Without the database nothing can be saved: the whole job is tried again later.
    if (isAway(fault)) throw fault
    if (fault instanceof DomainError) {
      const refusal = refusalIn(fault)
      if (!refusal) return { outcome: 'failed', message: fault.message }
      await letWait(stretch, import_id, task, refusal, fault.message)
      return 'paused'
    }
    onFault?.(fault)
    return { outcome: 'failed', message: 'Something went wrong on our side. Try again later.' }
  }
}

/**
 * The line waits as long as the refusal asks. The host that answered, maybe behind a redirect, is paused for minutes at first, and
 * for this person's imports only: one address that always refuses must not delay anything else.
 */
async function letWait(
  { library }: Stretch,
  import_id: string,
  task: Task,
  { host, retry_after_s }: Refusal,
  words: string,
) {
  await library.imports.pauseHost(host, retry_after_s, words)
  const pause = (await library.imports.pauses()).find(paused => paused.host === host)
  if (task.rss_url && new URL(task.rss_url).host === host) task.host.pause = pause
  task.refused = words
  task.line.not_before = new Date(Date.now() + (retry_after_s ?? unsaid_s) * 1000)
  await library.imports.postpone(import_id, task.line.position, task.line.not_before)
}

/** For a line whose site does not say how long to wait. */
const unsaid_s = 300

const refused = ({ refused, host }: Task): LineResult => ({
  outcome: 'failed',
  message: refused ?? host.pause?.reason ?? 'This site asks us to slow down. Try again later.',
})

/** Resolves when the work ends or the worker stops; lines under way are not waited for then. */
async function untilStopped(stopping: AbortSignal, work: Promise<unknown>): Promise<void> {
  const stopped = Promise.withResolvers<void>()
  const stop = () => stopped.resolve()
  if (stopping.aborted) stop()
  stopping.addEventListener('abort', stop)
  // All jobs of a worker share one signal, so remove the listener.
  await Promise.race([work, stopped.promise]).finally(() => stopping.removeEventListener('abort', stop))
}
