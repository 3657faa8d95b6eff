/** One scheduled check of one feed: fetches it, and decides when to check again. Saving the result is up to the job. */
import { DomainError } from '../../errors.ts'
import type { ChangeFetcher } from '../../feed/fetch/changes.ts'
import type { Feed, Known } from '../../schema/feed.ts'
import { type Refusal, refusalIn } from './host-pause.ts'
import { nextFetchAt, type Round } from './schedule.ts'

/** What earlier checks found out. */
export type Past = { known: Known; failures: number; posted: Date[] }

export type CheckResult =
  | { kind: 'changed'; feed: Feed; known: Known; next_fetch_at: Date }
  | { kind: 'unchanged'; known: Known; next_fetch_at: Date }
  /** `refusal`: a host wants fewer requests. `cause`: a fault that may be ours; logged, never shown. */
  | { kind: 'failed'; fetch_error: string; next_fetch_at: Date; refusal?: Refusal | undefined; cause?: unknown }

type Deps = Pick<Round, 'base_minutes' | 'random'> & {
  fetchChanges: ChangeFetcher
  now: () => Date
  signal?: AbortSignal
}

/** Rejects only when `signal` is aborted. */
export async function checkFeed(deps: Deps, rss_url: string, { known, failures, posted }: Past): Promise<CheckResult> {
  const { base_minutes, random, fetchChanges, now, signal } = deps
  const next = (round: Pick<Round, 'posted' | 'unchanged' | 'failures' | 'wish_s'>) =>
    nextFetchAt({ now: now(), base_minutes, random, ...round })
  try {
    const { feed, wish_s, known: known_now } = await fetchChanges(rss_url, known, signal)
    if (!feed) {
      const next_fetch_at = next({ posted, unchanged: true, failures: 0, wish_s })
      return { kind: 'unchanged', known: known_now, next_fetch_at }
    }
    const next_fetch_at = next({ posted: newest(feed), unchanged: false, failures: 0, wish_s })
    return { kind: 'changed', feed, known: known_now, next_fetch_at }
  } catch (fault) {
    signal?.throwIfAborted()
    const asked_s = fault instanceof DomainError ? fault.retry_after_s : undefined
    // The pace that a feed asks for applies while it fails, too.
    const wish_s = Math.max(asked_s ?? 0, (known.every_minutes ?? 0) * 60)
    const next_fetch_at = next({ posted, unchanged: true, failures: failures + 1, wish_s })
    if (fault instanceof DomainError)
      return { kind: 'failed', fetch_error: fault.message, next_fetch_at, refusal: refusalIn(fault) }
    return { kind: 'failed', fetch_error: our_fault, next_fetch_at, cause: fault }
  }
}

/** Shown for a fault of our own. The feed is postponed like after any other failure. */
export const our_fault = 'Backlot could not read or save this feed. It will try again.'

/** Enough to tell how often a channel posts. */
const newest = ({ entries }: Feed): Date[] =>
  entries
    .flatMap(({ published_at }) => published_at ?? [])
    .toSorted((a, b) => b.getTime() - a.getTime())
    .slice(0, 15)
