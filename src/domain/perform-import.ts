/** One stretch of work on one import: follow what its next lines name, politely, until the time is up. */
import { isAway } from '../db/client.ts'
import type { Library } from '../db/library.ts'
import { DomainError } from '../errors.ts'
import { SiteRefusal } from '../feed/answer.ts'
import { feedAddressOf } from '../feed/discover.ts'
import type { FeedReader } from '../feed/read.ts'
import type { ImportLine, Verdict } from '../schema/import.ts'
import { trackChannel } from './channels.ts'

export type Stretch = {
  library: Library
  readFeed: FeedReader
  /** Aborted when this worker stops; lines under way are asked again later. */
  stopping: AbortSignal
  now?: () => number
  /** What went wrong that nobody can be told. */
  onFault?(fault: unknown): void
}

/** Lines of one import under way at once, and those of them at one host. */
const most_lines = 4
const most_at_host = 2
/** After so long, or so many lines, the queue gets its turn, so that nobody waits behind a long list. */
const stretch_ms = 10_000
const stretch_lines = 100

/** `refusal`: it asked to be left alone, so for now that is the answer to all its lines. */
type Host = { busy: number; refusal?: string }
type Task = { line: ImportLine; rss_url: string | undefined; host: Host }

/** Lines done stay done, whatever happens in the middle. `more`: the next stretch is in the queue. */
export async function performImport(stretch: Stretch, import_id: string): Promise<'more' | 'finished'> {
  const { library, stopping, now = Date.now } = stretch
  const end_ms = now() + stretch_ms
  const tasks = tasksOf(await library.imports.waiting(import_id, stretch_lines))
  const followed = new Map((await library.channels.list()).map(({ rss_url, channel_id }) => [rss_url, channel_id]))

  const lane = async () => {
    while (!stopping.aborted && now() < end_ms) {
      const task = takeNext(tasks)
      if (!task) return
      task.host.busy++
      await library.imports.settle(import_id, task.line.position, await verdictOn(stretch, task, followed))
      task.host.busy--
    }
  }
  await untilStopped(stopping, Promise.all(Array.from({ length: most_lines }, lane)))
  return library.imports.endRun(import_id)
}

function tasksOf(lines: ImportLine[]): Task[] {
  const hosts = new Map<string, Host>()
  return lines.map(line => {
    const rss_url = feedOf(line.address)
    const name = rss_url === undefined ? line.address : new URL(rss_url).host
    const host = hosts.get(name) ?? { busy: 0 }
    hosts.set(name, host)
    return { line, rss_url, host }
  })
}

/** The first in order whose host is free enough. None: those that are busy take the rest. */
function takeNext(tasks: Task[]): Task | undefined {
  const at = tasks.findIndex(({ host }) => host.busy < most_at_host)
  return at === -1 ? undefined : tasks.splice(at, 1)[0]
}

async function verdictOn(
  { library, readFeed, onFault }: Stretch,
  { line, rss_url, host }: Task,
  followed: Map<string, string>,
): Promise<Verdict> {
  const known = rss_url && followed.get(rss_url)
  if (known) return { outcome: 'already', channel_id: known }
  if (host.refusal) return { outcome: 'failed', message: host.refusal }
  try {
    const { channel, created } = await trackChannel(library, readFeed, line.address)
    return { outcome: created ? 'added' : 'already', channel_id: channel.channel_id }
  } catch (fault) {
    // Without the database nothing can be noted either: the whole stretch is tried again later.
    if (isAway(fault)) throw fault
    if (fault instanceof DomainError) {
      if (isTooMuch(fault)) host.refusal = fault.message
      return { outcome: 'failed', message: fault.message }
    }
    onFault?.(fault)
    return { outcome: 'failed', message: 'Something went wrong on our side. Try again later.' }
  }
}

/** Whether the site asks to be asked less, and not only about this one feed. */
const isTooMuch = (fault: DomainError): boolean =>
  fault.retry_after_s !== undefined || (fault instanceof SiteRefusal && fault.answered === 429)

/** Undefined: no address at all; asking says so in words. */
function feedOf(address: string): string | undefined {
  try {
    return feedAddressOf(address)
  } catch {
    return undefined
  }
}

/** What is under way when the worker stops is no longer waited for. */
async function untilStopped(stopping: AbortSignal, work: Promise<unknown>): Promise<void> {
  const stopped = Promise.withResolvers<void>()
  const stop = () => stopped.resolve()
  if (stopping.aborted) stop()
  stopping.addEventListener('abort', stop)
  // One signal serves all jobs of a worker, so nothing of this one may stay with it.
  await Promise.race([work, stopped.promise]).finally(() => stopping.removeEventListener('abort', stop))
}
