/** One scheduled fetch of one feed, which also decides when the next one is due. `refresh-for-followers.ts` saves the result. */
import { DomainError } from '../../errors.ts'
import type { ChangeFetcher } from '../../feed/fetch/fetch-feed.ts'
import type { Feed, Known } from '../../schema/sources/feed.ts'
import { type Refusal, refusalIn } from '../saving/refusal.ts'
import { type LastFetch, nextFetchAt } from './schedule.ts'

/** What earlier fetches found out. */
export type FeedPast = {
  known: Known
  failures: number
  posted: Date[]
  /** A hub that has proven itself announces new videos. */
  is_pushed?: boolean
  /** This check is the answer to a push. */
  by_push?: boolean
}

export type ScheduledFetchResult =
  | { kind: 'changed'; feed: Feed; known: Known; next_fetch_at: Date }
  | { kind: 'unchanged'; known: Known; next_fetch_at: Date }
  /** `refusal`: a host wants fewer requests. `cause`: a fault that may be ours; logged, never shown. */
  | { kind: 'failed'; fetch_error: string; next_fetch_at: Date; refusal?: Refusal | undefined; cause?: unknown }

type Deps = Pick<LastFetch, 'base_minutes' | 'random'> & {
  fetchChanges: ChangeFetcher
  now: () => Date
  signal?: AbortSignal
}

/** Rejects only when `signal` is aborted. */
export async function fetchOnSchedule(
  deps: Deps,
  rss_url: string,
  { known, failures, posted, is_pushed = false, by_push = false }: FeedPast,
): Promise<ScheduledFetchResult> {
  const { base_minutes, random, fetchChanges, now, signal } = deps
  const next = (last: Pick<LastFetch, 'posted' | 'unchanged' | 'failures' | 'min_wait_s' | 'is_pushed'>) =>
    nextFetchAt({ now: now(), base_minutes, random, is_pushed, ...last })
  try {
    const { feed, min_wait_s, known: known_now } = await fetchChanges(rss_url, known, signal)
    if (!feed) {
      const next_fetch_at = next({ posted, unchanged: true, failures: 0, min_wait_s })
      return { kind: 'unchanged', known: known_now, next_fetch_at }
    }
    const is_announced = is_pushed && (by_push || !isNewer(newest(feed), posted))
    const next_fetch_at = next({
      ...{ posted: newest(feed), unchanged: false, failures: 0, min_wait_s },
      is_pushed: is_announced,
    })
    return { kind: 'changed', feed, known: known_now, next_fetch_at }
  } catch (fault) {
    signal?.throwIfAborted()
    const retry_after_s = fault instanceof DomainError ? fault.retry_after_s : undefined
    // The interval that the feed asks for also applies while it fails.
    const min_wait_s = Math.max(retry_after_s ?? 0, (known.every_minutes ?? 0) * 60)
    const next_fetch_at = next({ posted, unchanged: true, failures: failures + 1, min_wait_s })
    if (fault instanceof DomainError)
      return { kind: 'failed', fetch_error: fault.message, next_fetch_at, refusal: refusalIn(fault) }
    return { kind: 'failed', fetch_error: our_fault, next_fetch_at, cause: fault }
  }
}

/** Whether there is a video that no push announced, as far as dates tell. */
const isNewer = ([newest]: Date[], posted: Date[]) => newest !== undefined && posted.every(date => date < newest)

/** Shown for a fault of our own. The feed is postponed like after any other failure. */
export const our_fault = 'Backlot could not read or save this feed. It will try again.'

/** The newest dates, enough to tell how often the channel posts. */
const newest = ({ entries }: Feed): Date[] =>
  entries
    .flatMap(({ published_at }) => published_at ?? [])
    .toSorted((a, b) => b.getTime() - a.getTime())
    .slice(0, 15)
