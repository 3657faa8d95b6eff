/** One stretch of work on one import: follow what its next lines name, politely, until the time is up. */

import type { Library } from '../../db/library/library.ts'
import { isAway } from '../../db/postgres/client.ts'
import { DomainError } from '../../errors.ts'
import type { LineResult } from '../../schema/import.ts'
import { trackChannel } from '../channels/channels.ts'
import type { FeedFinder } from '../channels/discovery.ts'
import { type Refusal, refusalIn } from '../channels/host-pause.ts'
import { hasToWait, nextTurn, type Task, takeNext, tasksOf, waitsUntil } from './import-turns.ts'

export type Stretch = {
  library: Library
  findFeed: FeedFinder
  /** Aborted when this worker stops; lines under way are asked again later. */
  stopping: AbortSignal
  now?: () => number
  /** What went wrong that nobody can be told. */
  onFault?(fault: unknown): void
}

/** Lines of one import under way at once. */
const most_lines = 4
/** After so long, or so many lines, the queue gets its turn, so that nobody waits behind a long list. */
const stretch_ms = 10_000
const stretch_lines = 100
/** Whoever brings a list waits so long for sites that ask to slow down; what they put off for longer has failed. */
const patience_ms = 60 * 60_000

/** Lines done stay done, whatever happens in the middle. `more`: the next stretch is in the queue. */
export async function performImport(stretch: Stretch, import_id: string): Promise<'more' | 'finished'> {
  const { library, stopping, now = Date.now } = stretch
  const end_ms = now() + stretch_ms
  const { tasks, patience_ends } = await prepared(library, import_id)
  let asked = 0
  let broken = false

  const lane = async () => {
    while (!stopping.aborted && !broken && now() < end_ms && asked < stretch_lines) {
      const task = takeNext(tasks, patience_ends)
      if (!task) return
      asked++
      task.host.busy++
      const verdict = await verdictOn(stretch, import_id, task)
      task.host.busy--
      if (verdict === 'paused' && hasToWait(task, patience_ends)) tasks.push(task)
      else await library.imports.settle(import_id, task.line.position, verdict === 'paused' ? refused(task) : verdict)
    }
  }
  const lanes = Array.from({ length: most_lines }, lane)
  // The next run must not begin beside lines that are still under way, so a broken one waits for them.
  const work = Promise.all(lanes).catch(async fault => {
    broken = true
    await Promise.allSettled(lanes)
    throw fault
  })
  await untilStopped(stopping, work)
  return library.imports.endRun(import_id, stopping.aborted ? null : nextTurn(tasks, patience_ends))
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

/** `paused`: its host is to be left alone, which says nothing about the line. */
async function verdictOn(stretch: Stretch, import_id: string, task: Task): Promise<LineResult | 'paused'> {
  const { library, findFeed, onFault } = stretch
  const { line, known } = task
  if (known) return { outcome: 'already', channel_id: known }
  if (waitsUntil(task)) return 'paused'
  try {
    const { channel, created } = await trackChannel(library, findFeed, line.address)
    return { outcome: created ? 'added' : 'already', channel_id: channel.channel_id }
  } catch (fault) {
    // Without the database nothing can be noted either: the whole stretch is tried again later.
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
 * The line waits as long as its refusal asks. The host that answered, which a redirect may have led to, rests for minutes at
 * first, and for this person's imports alone: one address that always refuses must hold up nothing else.
 */
async function letWait({ library }: Stretch, import_id: string, task: Task, { host, asked_s }: Refusal, words: string) {
  await library.imports.pauseHost(host, asked_s, words)
  const pause = (await library.imports.pauses()).find(paused => paused.host === host)
  if (task.rss_url && new URL(task.rss_url).host === host) task.host.pause = pause
  task.refused = words
  task.line.not_before = new Date(Date.now() + (asked_s ?? unsaid_s) * 1000)
  await library.imports.postpone(import_id, task.line.position, task.line.not_before)
}

/** For a line whose site asks to wait, but not how long. */
const unsaid_s = 300

const refused = ({ refused, host }: Task): LineResult => ({
  outcome: 'failed',
  message: refused ?? host.pause?.reason ?? 'The site asks us to slow down. Try again later.',
})

/** What is under way when the worker stops is no longer waited for. */
async function untilStopped(stopping: AbortSignal, work: Promise<unknown>): Promise<void> {
  const stopped = Promise.withResolvers<void>()
  const stop = () => stopped.resolve()
  if (stopping.aborted) stop()
  stopping.addEventListener('abort', stop)
  // One signal serves all jobs of a worker, so nothing of this one may stay with it.
  await Promise.race([work, stopped.promise]).finally(() => stopping.removeEventListener('abort', stop))
}
