/** Whose turn it is among the lines of an import: few of one host at once, and none while it is to be left alone. Asks nobody. */
import { feedAddressOf } from '../../feed/pages/given-address.ts'
import type { FeedPause, WaitingLine } from '../../schema/import.ts'

/** `pause`: it asked to be left alone. */
export type Host = { busy: number; pause: FeedPause | undefined }
/** `known`: the channel that is followed by this address already. `refused`: it was refused itself, in these words. */
export type Task = {
  line: WaitingLine
  refused: string | undefined
  rss_url: string | undefined
  known: string | undefined
  host: Host
}

/** Lines at one host under way at once. */
const most_at_host = 2

export function tasksOf(lines: WaitingLine[], followed: Map<string, string>, pauses: FeedPause[]): Task[] {
  const hosts = new Map<string, Host>(pauses.map(pause => [pause.host, { busy: 0, pause }]))
  return lines.map(line => {
    const rss_url = feedOf(line.address)
    const name = rss_url === undefined ? line.address : new URL(rss_url).host
    const host = hosts.get(name) ?? { busy: 0, pause: undefined }
    hosts.set(name, host)
    return { line, refused: undefined, rss_url, known: rss_url && followed.get(rss_url), host }
  })
}

/** The first in order whose host is free enough. None: those that are busy take the rest, or all that is left has to wait. */
export function takeNext(tasks: Task[], patience_ends: Date): Task | undefined {
  const at = tasks.findIndex(task => task.host.busy < most_at_host && !hasToWait(task, patience_ends))
  return at === -1 ? undefined : tasks.splice(at, 1)[0]
}

/** What rests for longer than anybody has patience for need not wait: it has failed. */
export function hasToWait(task: Task, patience_ends: Date): boolean {
  const until = task.known === undefined ? waitsUntil(task) : undefined
  return until !== undefined && until <= patience_ends
}

/** `undefined`: it need not. A line that was refused waits itself, and may wait longer than its host rests. */
export function waitsUntil({ line: { not_before }, host: { pause } }: Task): Date | undefined {
  const own = not_before && not_before.getTime() > Date.now() ? not_before : undefined
  const times = [own, pause?.until].flatMap(until => until?.getTime() ?? [])
  return times.length === 0 ? undefined : new Date(Math.max(...times))
}

/** When the first of those that wait may be asked again; `null`: now, because others need not wait. */
export function nextTurn(tasks: Task[], patience_ends: Date): Date | null {
  if (!tasks.every(task => hasToWait(task, patience_ends))) return null
  const times = tasks.flatMap(task => waitsUntil(task)?.getTime() ?? [])
  return times.length === 0 ? null : new Date(Math.min(...times))
}

/** Undefined: no address at all; asking says so in words. */
function feedOf(address: string): string | undefined {
  try {
    return feedAddressOf(address)
  } catch {
    return undefined
  }
}
