/** Chooses which line of an import is tried next: at most two of one host at a time, and none while the host is paused. Pure. */
import { feedAddressOf } from '../../feed/pages/given-address.ts'
import { currentTime } from '../../runtime/clock.ts'
import type { FeedPause, WaitingLine } from '../../schema/imports/import.ts'

/** A host, shared by all of its lines. */
type LineHost = {
  /** The host with its port; the line itself if the line has no valid address. */
  name: string
  /** Its lines of this import that are being tried now, or wait for their turn. */
  busy: number
  /** The host asked us to slow down. */
  pause: FeedPause | undefined
}

/** A line that is not tried yet. */
export type PendingLine = {
  line: WaitingLine
  /** The sentence with which a host refused the line in this job. */
  refused: string | undefined
  /** The feed, where the address alone tells. */
  rss_url: string | undefined
  /** The `channel_id`, if this person follows `rss_url` already. */
  followed_as: string | undefined
  host: LineHost
}

/**
 * Lines of one host that this process tries at the same time, in all imports together. The host is the one in the address of the line: a
 * host that it redirects to does not count, and the names of one server count as several hosts.
 */
export const max_at_host = 2

export function pendingLinesOf(
  lines: WaitingLine[],
  followed: Map<string, string>,
  pauses: FeedPause[],
): PendingLine[] {
  const hosts = new Map<string, LineHost>(pauses.map(pause => [pause.host, { name: pause.host, busy: 0, pause }]))
  return lines.map(line => {
    const rss_url = feedOf(line.address)
    const name = rss_url === undefined ? line.address : new URL(rss_url).host
    const host = hosts.get(name) ?? { name, busy: 0, pause: undefined }
    hosts.set(name, host)
    return { line, refused: undefined, rss_url, followed_as: rss_url && followed.get(rss_url), host }
  })
}

/** Removes and returns the first line whose host is free. Undefined: all remaining hosts are busy or paused. */
export function takeNext(pending: PendingLine[], patience_ends: Date): PendingLine | undefined {
  const at = pending.findIndex(one => one.host.busy < max_at_host && !hasToWait(one, patience_ends))
  return at === -1 ? undefined : pending.splice(at, 1)[0]
}

/** Whether the line waits. A line that would have to wait beyond `patience_ends` does not wait: it is tried, and fails at once. */
export function hasToWait(pending: PendingLine, patience_ends: Date): boolean {
  const until = pending.followed_as === undefined ? waitsUntil(pending) : undefined
  return until !== undefined && until <= patience_ends
}

/** `undefined`: the line need not wait. A line that was refused may wait longer than its host is paused. */
export function waitsUntil({ line: { not_before }, host: { pause } }: PendingLine): Date | undefined {
  const own = not_before && not_before.getTime() > currentTime().getTime() ? not_before : undefined
  const times = [own, pause?.until].flatMap(until => until?.getTime() ?? [])
  return times.length === 0 ? undefined : new Date(Math.max(...times))
}

/** When the next job of the import should run: when the first line may be tried; `null`: now, because a line need not wait. */
export function nextJobAt(pending: PendingLine[], patience_ends: Date): Date | null {
  if (!pending.every(one => hasToWait(one, patience_ends))) return null
  const times = pending.flatMap(one => waitsUntil(one)?.getTime() ?? [])
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
