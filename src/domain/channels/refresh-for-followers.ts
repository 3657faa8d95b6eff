/** Fetches one feed that is due, and saves its entries for everyone who follows it. */
import { type FeedFollower, type FeedsTogether, noteRefusedFeed } from '../../db/channels/everyone/feeds.ts'
import { planFace, planListing } from '../../db/channels/everyone/listings.ts'
import type { SavedFor } from '../../db/channels/everyone/save-for-followers.ts'
import type { Everyone } from '../../db/everyone.ts'
import { libraryOf } from '../../db/library.ts'
import { isAway } from '../../db/postgres/client.ts'
import { planMissing } from '../../db/videos/everyone/look-plans.ts'
import type { ChangeFetcher } from '../../feed/fetch/fetch-feed.ts'
import { currentTime } from '../../runtime/clock.ts'
import type { PushSettings } from '../push/hubs.ts'
import { isProven, notePush } from '../push/subscriptions.ts'
import { applyRules, type Refused, saveForEveryone } from '../saving/save-feed.ts'
import { coverageOfFeed } from '../videos/coverage.ts'
import { fetchOnSchedule, our_fault, type ScheduledFetchResult } from './scheduled-fetch.ts'
import { canShowFace, listingNeedAfter } from './second-source.ts'

/** `push`: `undefined` where hubs are not used. `base_minutes`: between two checks of a feed. */
export type RefreshParts = {
  everyone: Everyone
  feeds: FeedsTogether
  fetchChanges: ChangeFetcher
  push: PushSettings | undefined
  base_minutes: number
}

/** `undefined`: the feed was not due. Throws when the database cannot be reached, or when `signal` is aborted. */
export async function refreshForFollowers(
  parts: RefreshParts,
  rss_url: string,
  signal?: AbortSignal,
): Promise<ScheduledFetchResult | undefined> {
  const { everyone, feeds, fetchChanges, base_minutes } = parts
  const due = await feeds.due(rss_url)
  if (!due) return undefined
  const deps = {
    fetchChanges,
    now: currentTime,
    random: Math.random(),
    base_minutes,
    ...(signal && { signal }),
  }
  const { push, last_fetched_at } = due
  const pushes = push && { is_pushed: isProven(push, deps.now()), by_push: push.check_at !== null }
  const found = await fetchOnSchedule(deps, rss_url, { ...due, ...pushes })
  const need = listingNeedAfter(found, { ...due, rss_url }, deps.random)
  // Before the save, so that a worker that dies in between loses nothing.
  if (need && need.need === 'overflow') await planListing(everyone, need)
  const { result, saved = [] } = await saveOrPostpone(parts, rss_url, due.followers, found)
  if (need && need.need !== 'overflow') await planListing(everyone, need)
  if (due.is_faceless && result.kind !== 'failed' && canShowFace(rss_url, due.page_url))
    await planFace(everyone, rss_url)
  const shown = found.kind === 'changed' ? coverageOfFeed(rss_url, found.feed.entries) : undefined
  if (shown) await planMissing(everyone, shown)
  const checked = {
    ...{ rss_url, push, last_fetched_at, saved },
    ...(result.kind === 'changed' && { feed: result.feed }),
    is_failed: result.kind === 'failed',
    is_refused: result.kind === 'failed' && result.refusal !== undefined,
  }
  await notePush(everyone, parts.push, checked, deps.now())
  return result
}

/** `saved`: absent where there was nothing to save. */
type SavedResult = { result: ScheduledFetchResult; saved?: SavedFor[] }

async function saveOrPostpone(
  parts: RefreshParts,
  rss_url: string,
  followers: FeedFollower[],
  found: ScheduledFetchResult,
): Promise<SavedResult> {
  try {
    return await save(parts, rss_url, followers, found)
  } catch (cause) {
    if (isAway(cause)) throw cause
    // A feed that the database refuses is postponed as well; otherwise it would be fetched every minute.
    const { next_fetch_at } = found
    await parts.feeds.noteFailed({ rss_url, fetch_error: our_fault, next_fetch_at })
    return { result: { kind: 'failed', fetch_error: our_fault, next_fetch_at, cause } }
  }
}

async function save(
  { everyone, feeds }: RefreshParts,
  rss_url: string,
  followers: FeedFollower[],
  result: ScheduledFetchResult,
): Promise<SavedResult> {
  switch (result.kind) {
    case 'unchanged': {
      // A worker that died after its last save may not have applied the rule.
      const refused = await applyRules(
        everyone,
        followers.filter(({ to_judge }) => to_judge),
      )
      const { known, next_fetch_at } = result
      await feeds.noteUnchanged({ rss_url, known, next_fetch_at })
      return { result: await afterRefusals(everyone, refused, result) }
    }
    case 'failed': {
      const { fetch_error, next_fetch_at, refusal } = result
      await feeds.noteFailed({ rss_url, fetch_error, next_fetch_at })
      if (refusal) await noteRefusedFeed(everyone, { rss_url, ...refusal, reason: fetch_error })
      return { result }
    }
    case 'changed': {
      const { feed, known, next_fetch_at } = result
      const { refused, results } = await saveForEveryone(everyone, feeds, {
        ...{ rss_url, feed, known, next_fetch_at, followers },
      })
      return { result: await afterRefusals(everyone, refused, result), saved: results }
    }
  }
}

/** A follower whom the database refuses is postponed as well; otherwise the feed would be fetched every minute. */
async function afterRefusals(
  everyone: Everyone,
  refused: Refused[],
  result: ScheduledFetchResult,
): Promise<ScheduledFetchResult> {
  const { next_fetch_at } = result
  for (const { user_id, channel_id } of refused)
    await libraryOf(everyone, user_id).channels.noteFailure(channel_id, our_fault, next_fetch_at)
  const [first] = refused
  return first ? { kind: 'failed', fetch_error: our_fault, next_fetch_at, cause: first.fault } : result
}
