/** Chooses the next line of an import: few at one host at a time, and none while the host is paused. Pure. */
import { feedAddressOf } from '../../feed/pages/given-address.ts'
import type { FeedPause, WaitingLine } from '../../schema/import.ts'

/** `busy`: its lines under way. `pause`: it asked us to wait. */
export type Host = { busy: number; pause: FeedPause | undefined }
/** `known`: the channel that is followed by this address already. `refused`: the sentence with which the line was refused. */
export type Task = {
  line: WaitingLine
  refused: string | undefined
  rss_url: string | undefined
  known: string | undefined
  host: Host
}

/** Lines under way at one host at a time. */
const max_at_host = 2

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

/** Takes the first line whose host is free. Undefined: all remaining hosts are busy or paused. */
export function takeNext(tasks: Task[], patience_ends: Date): Task | undefined {
  const at = tasks.findIndex(task => task.host.busy < max_at_host && !hasToWait(task, patience_ends))
  return at === -1 ? undefined : tasks.splice(at, 1)[0]
}

/** A line that would have to wait beyond `patience_ends` does not wait: it fails. */
export function hasToWait(task: Task, patience_ends: Date): boolean {
  const until = task.known === undefined ? waitsUntil(task) : undefined
  return until !== undefined && until <= patience_ends
}

/** `undefined`: the line need not wait. A line that was refused may wait longer than its host is paused. */
export function waitsUntil({ line: { not_before }, host: { pause } }: Task): Date | undefined {
  const own = not_before && not_before.getTime() > Date.now() ? not_before : undefined
  const times = [own, pause?.until].flatMap(until => until?.getTime() ?? [])
  return times.length === 0 ? undefined : new Date(Math.max(...times))
}

/** When the first waiting line may be tried again; `null`: now, because another line need not wait. */
export function nextTurn(tasks: Task[], patience_ends: Date): Date | null {
  if (!tasks.every(task => hasToWait(task, patience_ends))) return null
  const times = tasks.flatMap(task => waitsUntil(task)?.getTime() ?? [])
  return times.length === 0 ? null : new Date(Math.min(...times))
}

/** Undefined: not a valid address. Trying the line then gives the reason. */
function feedOf(address: string): string | undefined {
  try {
    return feedAddressOf(address)
  } catch {
    return undefined
  }
}
