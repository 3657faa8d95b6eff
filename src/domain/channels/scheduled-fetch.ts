/** One scheduled fetch of one feed, and when the next fetch is due. `refresh-for-followers.ts` saves the result. */
import type { DueFeed } from '../../db/channels/everyone/feeds.ts'
import { DomainError } from '../../errors.ts'
import { asksToWait, SiteRefusal } from '../../feed/fetch/answer.ts'
import type { ChangeFetcher } from '../../feed/fetch/fetch-feed.ts'
import type { Feed, FeedVersion } from '../../schema/sources/feed.ts'
import { isAnnounced, isProven, recheckAt } from '../push/subscriptions.ts'

/** What earlier fetches found out. */
export type FeedPast = Pick<DueFeed, 'rss_url' | 'known' | 'failures' | 'posted' | 'pushes'>

export type ScheduledFetchResult =
  /** `has_news`: there is a video that the last check did not find, as far as dates tell. */
  | ({ kind: 'changed'; feed: Feed; has_news: boolean } & Worked)
  | ({ kind: 'unchanged' } & Worked)
  /** `refusal`: a host wants fewer requests. `cause`: a fault that may be ours; logged, never shown. */
  | { kind: 'failed'; fetch_error: string; next_fetch_at: Date; refusal?: Refusal | undefined; cause?: unknown }

/** `moved_to`: where the feed has moved for good. */
type Worked = { known: FeedVersion; next_fetch_at: Date; moved_to: string | undefined }

type ScheduledFetchParts = Pick<LastFetch, 'base_minutes' | 'random'> & {
  fetchChanges: ChangeFetcher
  now: () => Date
  signal?: AbortSignal | undefined
}

/** Rejects only when `signal` is aborted. */
export async function fetchOnSchedule(
  parts: ScheduledFetchParts,
  { rss_url, known, failures, posted, pushes }: FeedPast,
): Promise<ScheduledFetchResult> {
  const { base_minutes, random, fetchChanges, now, signal } = parts
  const next = (last: Omit<LastFetch, 'now' | 'base_minutes' | 'random'>) =>
    nextFetchAt({ now: now(), base_minutes, random, is_pushed: isProven(pushes), ...last })
  try {
    const { feed, min_wait_s, known: known_now, moved_to } = await fetchChanges(rss_url, known, signal)
    if (!feed) {
      const next_fetch_at = recheckAt(pushes, now()) ?? next({ posted, unchanged: true, failures: 0, min_wait_s })
      return { kind: 'unchanged', known: known_now, next_fetch_at, moved_to }
    }
    const has_news = isNewer(newest(feed), posted)
    const is_pushed = isProven(pushes) && (!has_news || isAnnounced(pushes, now()))
    const usual = next({ posted: newest(feed), unchanged: false, failures: 0, min_wait_s, is_pushed })
    const next_fetch_at = has_news ? usual : (recheckAt(pushes, now()) ?? usual)
    return { kind: 'changed', feed, known: known_now, next_fetch_at, has_news, moved_to }
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

const isNewer = ([newest]: Date[], posted: Date[]) => newest !== undefined && posted.every(date => date < newest)

/** Shown for a fault of our own. The feed is postponed like after any other failure. */
export const our_fault = 'Backlot could not read or save this feed. It will try again.'

/** The newest dates, enough to tell how often the channel posts. */
const newest = ({ entries }: Feed): Date[] =>
  entries
    .flatMap(({ published_at }) => published_at ?? [])
    .toSorted((a, b) => b.getTime() - a.getTime())
    .slice(0, 15)

/** A host asks us to slow down. `host`: the host that answered, behind all redirects. `retry_after_s`: its `Retry-After`, at most a day. */
export type Refusal = { host: string; retry_after_s: number | undefined }

/** Also searches the causes of the fault. `undefined`: no host asks us to slow down. */
export function refusalIn(fault: unknown): Refusal | undefined {
  if (fault instanceof SiteRefusal && asksToWait(fault)) return { host: fault.host, retry_after_s: fault.retry_after_s }
  return fault instanceof Error && fault.cause !== undefined ? refusalIn(fault.cause) : undefined
}

export type LastFetch = {
  now: Date
  /** The interval for an ordinary channel. */
  base_minutes: number
  /** When the newest videos were published, in any order. */
  posted: Date[]
  /** The fetch found nothing new. */
  unchanged: boolean
  /** Failures in a row, including this fetch; 0: it worked. */
  failures: number
  /** For how long the feed or its host wants no request; `null`: not given. */
  min_wait_s: number | null
  /** A hub that has proven itself announces new videos. */
  is_pushed?: boolean
  /** From 0 up to 1; spreads feeds that were fetched at the same time. */
  random: number
}

/**
 * When a feed is fetched next, from how often its channel posts, how long its host wants us to wait, and how often it failed. Pure.
 *
 * At least 15 minutes and at most a day from now, unless the operator's `base_minutes` is outside of that range. Never before
 * `min_wait_s` has passed, of which at most a day counts.
 */
export function nextFetchAt(fetch: LastFetch): Date {
  const base = fetch.base_minutes * minute
  const min = Math.min(15 * minute, base)
  const max = Math.max(day, base)
  const earliest = clamp((fetch.min_wait_s ?? 0) * second, min, max)
  const interval = clamp(
    base * (fetch.failures > 0 ? backoff(fetch.failures) : pace(fetch) * (fetch.is_pushed ? pushed_pace : 1)),
    earliest,
    max,
  )
  return new Date(fetch.now.getTime() + spread(interval, fetch.random, earliest, max))
}

/** Checks by the clock are this much rarer while pushes announce new videos. They never stop, because hubs do without a word. */
const pushed_pace = 4

/** Twice as long after each failure in a row. */
const backoff = (failures: number): number => 2 ** Math.min(failures - 1, 20)

/**
 * 1 for an ordinary channel. A busy channel is fetched up to twice as often while it has news. A channel that has not posted for
 * weeks is fetched less and less often.
 */
function pace({ now, posted, unchanged }: LastFetch): number {
  const every = postsEvery(posted, now)
  if (every === undefined) return 1
  if (every < 12 * hour) return unchanged ? 1 : Math.max(0.5, every / (12 * hour))
  return Math.max(1, every / (14 * day))
}

/** The mean time between posts, or the time since the last post if that is longer. Undefined: fewer than two dates. */
function postsEvery(posted: Date[], now: Date): number | undefined {
  // A video announced for later counts as posted now.
  const times = posted.map(date => Math.min(date.getTime(), now.getTime()))
  if (times.length < 2) return undefined
  const [oldest, newest] = [Math.min(...times), Math.max(...times)]
  return Math.max((newest - oldest) / (times.length - 1), now.getTime() - newest)
}

/** Changes a wait by up to a tenth. Times beyond a bound are mirrored at the bound, so that they do not pile up there. */
function spread(interval: number, random: number, min: number, max: number): number {
  const time = interval * (0.9 + 0.2 * random)
  const mirrored = time < min ? 2 * min - time : time > max ? 2 * max - time : time
  return clamp(mirrored, min, max)
}

const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max)

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
