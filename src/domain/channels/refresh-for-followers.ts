/** Fetches one feed that is due, and saves what it says for everyone who follows it. */
import type { FailedFeed, FeedFollower, FollowedFeed } from '../../db/channels/everyone/feeds.ts'
import type { ListingNeed } from '../../db/channels/everyone/listings.ts'
import type { RefusedFeed } from '../../db/channels/everyone/refused-feeds.ts'
import type { SavedFor } from '../../db/channels/everyone/save-for-followers.ts'
import { isAway } from '../../db/postgres/client.ts'
import type { FeedFetchState } from '../../db/rows/fetch-state.ts'
import type { Shown } from '../../db/videos/everyone/missing-videos.ts'
import type { ChangeFetcher } from '../../feed/fetch/changes.ts'
import type { CheckedFeed } from '../push/note-check.ts'
import { isProven } from '../push/trust.ts'
import { applyRules, type Refused, type SavesForFollowers, saveForEveryone } from '../saving/save-feed.ts'
import { shownByFeed } from '../videos/shown.ts'
import { fetchOnSchedule, our_fault, type ScheduledFetchResult } from './scheduled-fetch.ts'
import { listingNeedAfter } from './second-source.ts'

/** The queries across people that this needs. Only a job has them. */
export type FollowedFeeds = SavesForFollowers & {
  /** `undefined`: the feed has no followers, or is not due. */
  due(rss_url: string): Promise<FollowedFeed | undefined>
  noteUnchanged(feed: FeedFetchState): Promise<void>
  noteFailed(feed: FailedFeed): Promise<void>
  noteRefused(refused: RefusedFeed): Promise<void>
  /** The listing of the channel is read in place of the feed. */
  planListing(need: ListingNeed): Promise<void>
  /** Videos inside of the feed that it no longer lists may have been removed, so they are looked up. */
  planMissing(shown: Shown): Promise<void>
  /** Called after every check. */
  notePush(checked: CheckedFeed): Promise<void>
}

/** `undefined`: the feed was not due. Throws when the database cannot be reached, or when `signal` is aborted. */
export async function refreshForFollowers(
  feeds: FollowedFeeds,
  fetchChanges: ChangeFetcher,
  rss_url: string,
  base_minutes: number,
  signal?: AbortSignal,
): Promise<ScheduledFetchResult | undefined> {
  const due = await feeds.due(rss_url)
  if (!due) return undefined
  const deps = {
    fetchChanges,
    now: () => new Date(),
    random: Math.random(),
    base_minutes,
    ...(signal && { signal }),
  }
  const { push, last_fetched_at } = due
  const pushes = push && { is_pushed: isProven(push, deps.now()), by_push: push.check_at !== null }
  const found = await fetchOnSchedule(deps, rss_url, { ...due, ...pushes })
  const need = listingNeedAfter(found, { ...due, rss_url }, deps.random)
  // Before the save, so that a worker that dies in between loses nothing.
  if (need && need.need === 'overflow') await feeds.planListing(need)
  const { result, saved = [] } = await saveOrPostpone(feeds, rss_url, due.followers, found)
  if (need && need.need !== 'overflow') await feeds.planListing(need)
  const shown = found.kind === 'changed' ? shownByFeed(rss_url, found.feed.entries) : undefined
  if (shown) await feeds.planMissing(shown)
  await feeds.notePush({
    ...{ rss_url, push, last_fetched_at, saved },
    ...(result.kind === 'changed' && { feed: result.feed }),
    is_failed: result.kind === 'failed',
    is_refused: result.kind === 'failed' && result.refusal !== undefined,
  })
  return result
}

/** `saved`: absent where there was nothing to save. */
type SavedResult = { result: ScheduledFetchResult; saved?: SavedFor[] }

async function saveOrPostpone(
  feeds: FollowedFeeds,
  rss_url: string,
  followers: FeedFollower[],
  found: ScheduledFetchResult,
): Promise<SavedResult> {
  try {
    return await save(feeds, rss_url, followers, found)
  } catch (cause) {
    if (isAway(cause)) throw cause
    // A feed that the database refuses is postponed as well; otherwise it would be fetched every minute.
    const { next_fetch_at } = found
    await feeds.noteFailed({ rss_url, fetch_error: our_fault, next_fetch_at })
    return { result: { kind: 'failed', fetch_error: our_fault, next_fetch_at, cause } }
  }
}

async function save(
  feeds: FollowedFeeds,
  rss_url: string,
  followers: FeedFollower[],
  result: ScheduledFetchResult,
): Promise<SavedResult> {
  switch (result.kind) {
    case 'unchanged': {
      // A worker that died after its last save may not have applied the rule.
      const refused = await applyRules(
        feeds,
        followers.filter(({ to_judge }) => to_judge),
      )
      const { known, next_fetch_at } = result
      await feeds.noteUnchanged({ rss_url, known, next_fetch_at })
      return { result: await afterRefusals(feeds, refused, result) }
    }
    case 'failed': {
      const { fetch_error, next_fetch_at, refusal } = result
      await feeds.noteFailed({ rss_url, fetch_error, next_fetch_at })
      if (refusal) await feeds.noteRefused({ rss_url, ...refusal, reason: fetch_error })
      return { result }
    }
    case 'changed': {
      const { feed, known, next_fetch_at } = result
      const { refused, results } = await saveForEveryone(feeds, { rss_url, feed, known, next_fetch_at, followers })
      return { result: await afterRefusals(feeds, refused, result), saved: results }
    }
  }
}

/** A follower whom the database refuses is postponed as well; otherwise the feed would be fetched every minute. */
async function afterRefusals(
  { libraryOf }: FollowedFeeds,
  refused: Refused[],
  result: ScheduledFetchResult,
): Promise<ScheduledFetchResult> {
  const { next_fetch_at } = result
  for (const { user_id, channel_id } of refused)
    await libraryOf(user_id).channels.noteFailure(channel_id, our_fault, next_fetch_at)
  const [first] = refused
  return first ? { kind: 'failed', fetch_error: our_fault, next_fetch_at, cause: first.fault } : result
}
