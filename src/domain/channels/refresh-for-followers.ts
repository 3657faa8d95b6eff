/** Fetches one feed that is due, and saves its entries for everyone who follows it. */
import { type DueFeed, type FeedsTogether, moveFeed, recordRefusedFeed } from '../../db/channels/everyone/feeds.ts'
import { planListing, planListingForPicture } from '../../db/channels/everyone/listings.ts'
import type { Everyone } from '../../db/everyone.ts'
import { libraryOf } from '../../db/library.ts'
import { isAway } from '../../db/postgres/client.ts'
import { planMissing } from '../../db/videos/everyone/look-plans.ts'
import type { ChangeFetcher } from '../../feed/fetch/fetch-feed.ts'
import { isKnownHost } from '../../feed/platforms/by-address.ts'
import { currentTime } from '../../runtime/clock.ts'
import type { RefreshFeedJob } from '../../schema/service/jobs.ts'
import { siteOf } from '../../schema/values/address.ts'
import { recordCheck } from '../push/subscriptions.ts'
import { applyRules, type Refused, saveForEveryone } from '../saving/save-feed.ts'
import { coverageOfFeed } from '../videos/coverage.ts'
import { canShowPicture, listingNeedAfter } from './listing-needs.ts'
import { fetchOnSchedule, our_fault, type ScheduledFetchResult } from './scheduled-fetch.ts'

/** `callbacks`: where the hub calls; `undefined`: push is off. `base_minutes`: between two checks of a feed. */
type RefreshParts = {
  everyone: Everyone
  feeds: FeedsTogether
  fetchChanges: ChangeFetcher
  callbacks: string | undefined
  base_minutes: number
}

/** `undefined`: the feed was not due. Throws when the database cannot be reached, or when `signal` is aborted. */
export async function refreshForFollowers(
  parts: RefreshParts,
  job: RefreshFeedJob,
  signal?: AbortSignal,
): Promise<ScheduledFetchResult | undefined> {
  const { everyone, feeds, fetchChanges, base_minutes } = parts
  const { rss_url } = job
  const random = Math.random()
  const due = await feeds.due(job)
  if (!due) return undefined
  const found = await fetchOnSchedule({ fetchChanges, now: currentTime, random, base_minutes, signal }, due)
  const need = listingNeedAfter(found, due, random)
  // Before the save, so that a worker that dies in between loses nothing.
  if (need && need.need === 'overflow') await planListing(everyone, need)
  const result = await saveOrPostpone(parts, due, found)
  if (need && need.need !== 'overflow') await planListing(everyone, need)
  const shown = found.kind === 'changed' ? coverageOfFeed(rss_url, found.feed.entries) : undefined
  if (shown) await planMissing(everyone, shown)
  if (result.kind === 'failed') return result
  if (due.lacks_picture && canShowPicture(rss_url, due.page_url)) await planListingForPicture(everyone, rss_url)
  const now = currentTime()
  const has_news = result.kind === 'changed' && result.has_news
  if (parts.callbacks !== undefined) await recordCheck(everyone, rss_url, due.pushes, { has_news, now })
  return { ...result, moved_to: await settleMove(everyone, rss_url, result.moved_to, now) }
}

/** Feeds that have moved for good, and since when this process has seen it. */
const moves = new Map<string, { to: string; since: Date }>()
const max_moves = 10_000

/** A redirect for good may still be a mistake, or the work of someone who has a host or a network for a moment. */
const settled_ms = 6 * 3600_000

/**
 * Follows a feed at its new address, and returns that, once every check of six hours has led there. `to`: where redirects for good led now.
 * Addresses of known platforms are made by us and never move.
 */
async function settleMove(everyone: Everyone, rss_url: string, to: string | undefined, now: Date) {
  const seen = moves.get(rss_url)
  if (to !== undefined && seen?.to === to) {
    if (now.getTime() - seen.since.getTime() < settled_ms) return undefined
    moves.delete(rss_url)
    return (await moveFeed(everyone, rss_url, to)) ? to : undefined
  }
  moves.delete(rss_url)
  if (to === undefined || to === rss_url || [to, rss_url].some(isOfKnownHost)) return undefined
  // Feeds that no one follows any more are among the oldest.
  const [oldest] = moves.keys()
  if (moves.size >= max_moves && oldest !== undefined) moves.delete(oldest)
  moves.set(rss_url, { to, since: now })
  return undefined
}

const isOfKnownHost = (url: string) => isKnownHost(siteOf(url) ?? '')

async function saveOrPostpone(
  parts: RefreshParts,
  due: DueFeed,
  found: ScheduledFetchResult,
): Promise<ScheduledFetchResult> {
  try {
    return await save(parts, due, found)
  } catch (cause) {
    if (isAway(cause)) throw cause
    // A feed that the database refuses is postponed as well; otherwise it would be fetched every minute.
    const { next_fetch_at } = found
    await parts.feeds.recordFailed({ rss_url: due.rss_url, fetch_error: our_fault, next_fetch_at })
    return { kind: 'failed', fetch_error: our_fault, next_fetch_at, cause }
  }
}

async function save(
  { everyone, feeds }: RefreshParts,
  { rss_url, followers }: DueFeed,
  result: ScheduledFetchResult,
): Promise<ScheduledFetchResult> {
  switch (result.kind) {
    case 'unchanged': {
      // A worker that died after its last save may not have applied the rule.
      const refused = await applyRules(
        everyone,
        followers.filter(({ to_judge }) => to_judge),
      )
      const { known, next_fetch_at } = result
      await feeds.recordUnchanged({ rss_url, known, next_fetch_at })
      return afterRefusals(everyone, refused, result)
    }
    case 'failed': {
      const { fetch_error, next_fetch_at, refusal } = result
      await feeds.recordFailed({ rss_url, fetch_error, next_fetch_at })
      if (refusal) await recordRefusedFeed(everyone, { rss_url, ...refusal, reason: fetch_error })
      return result
    }
    case 'changed': {
      const refused = await saveForEveryone(everyone, feeds, { ...result, rss_url, followers })
      return afterRefusals(everyone, refused, result)
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
    await libraryOf(everyone, user_id).channels.storeFailure(channel_id, our_fault, next_fetch_at)
  const [first] = refused
  return first ? { kind: 'failed', fetch_error: our_fault, next_fetch_at, cause: first.fault } : result
}
