/** One scheduled look at one feed: asks, and decides what comes of it. Leaves the saving to whoever asked. */
import { DomainError } from '../../errors.ts'
import type { ChangeFetcher } from '../../feed/fetch/changes.ts'
import type { Feed, Known } from '../../schema/feed.ts'
import { type Refusal, refusalIn } from './host-pause.ts'
import { nextFetchAt, type Round } from './schedule.ts'

/** What is known of the feed so far. */
export type Past = { known: Known; failures: number; posted: Date[] }

export type Outcome =
  | { kind: 'changed'; feed: Feed; known: Known; next_fetch_at: Date }
  | { kind: 'unchanged'; known: Known; next_fetch_at: Date }
  /** `refusal`: a host asks to be asked less. `cause`: where the fault may be ours; logged, never shown. */
  | { kind: 'failed'; fetch_error: string; next_fetch_at: Date; refusal?: Refusal | undefined; cause?: unknown }

type Edge = Pick<Round, 'base_minutes' | 'random'> & { check: ChangeFetcher; now: () => Date; signal?: AbortSignal }

/** Rejects only when `signal` stops it. */
export async function checkFeed(edge: Edge, rss_url: string, { known, failures, posted }: Past): Promise<Outcome> {
  const { base_minutes, random, check, now, signal } = edge
  const next = (round: Pick<Round, 'posted' | 'unchanged' | 'failures' | 'wish_s'>) =>
    nextFetchAt({ now: now(), base_minutes, random, ...round })
  try {
    const { feed, wish_s, known: known_now } = await check(rss_url, known, signal)
    if (!feed) {
      const next_fetch_at = next({ posted, unchanged: true, failures: 0, wish_s })
      return { kind: 'unchanged', known: known_now, next_fetch_at }
    }
    const next_fetch_at = next({ posted: newest(feed), unchanged: false, failures: 0, wish_s })
    return { kind: 'changed', feed, known: known_now, next_fetch_at }
  } catch (fault) {
    signal?.throwIfAborted()
    const asked_s = fault instanceof DomainError ? fault.retry_after_s : undefined
    // What it said of its own pace holds while it fails, too.
    const wish_s = Math.max(asked_s ?? 0, (known.every_minutes ?? 0) * 60)
    const next_fetch_at = next({ posted, unchanged: true, failures: failures + 1, wish_s })
    if (fault instanceof DomainError)
      return { kind: 'failed', fetch_error: fault.message, next_fetch_at, refusal: refusalIn(fault) }
    return { kind: 'failed', fetch_error: our_fault, next_fetch_at, cause: fault }
  }
}

/** What a feed that we stumble over is said to have; it is put off like every other failure. */
export const our_fault = 'Something in this feed could not be read or saved. It is tried again by itself.'

/** As many as tell how often a channel posts. */
const newest = ({ entries }: Feed): Date[] =>
  entries
    .flatMap(({ published_at }) => published_at ?? [])
    .toSorted((a, b) => b.getTime() - a.getTime())
    .slice(0, 15)
