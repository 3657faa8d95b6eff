/** Fetches one feed that is due, and saves what it says for everyone who follows it. */
import type { FailedFeed, FeedFollower, FollowedFeed, UnchangedFeed } from '../../db/across/feeds.ts'
import type { RefusedFeed } from '../../db/across/refused-feeds.ts'
import type { Library } from '../../db/library/library.ts'
import { isAway } from '../../db/postgres/client.ts'
import type { ChangeFetcher } from '../../feed/fetch/changes.ts'
import type { UserId } from '../../schema/user.ts'
import { applyRule } from './rules.ts'
import { updateFeed } from './save-feed.ts'
import { fetchOnSchedule, our_fault, type ScheduledFetchResult } from './scheduled-fetch.ts'

/** The queries across people that this needs. Only a job has them. */
export type FollowedFeeds = {
  /** `undefined`: the feed has no followers, or is not due. */
  due(rss_url: string): Promise<FollowedFeed | undefined>
  noteUnchanged(feed: UnchangedFeed): Promise<void>
  noteFailed(feed: FailedFeed): Promise<void>
  noteRefused(refused: RefusedFeed): Promise<void>
  libraryOf(user_id: UserId): Library
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
  const result = await fetchOnSchedule(deps, rss_url, due)
  try {
    await save(feeds, rss_url, due.followers, result)
    return result
  } catch (cause) {
    if (isAway(cause)) throw cause
    // A feed that the database refuses is postponed as well; otherwise it would be fetched every minute.
    const { next_fetch_at } = result
    await feeds.noteFailed({ rss_url, fetch_error: our_fault, next_fetch_at })
    return { kind: 'failed', fetch_error: our_fault, next_fetch_at, cause }
  }
}

async function save(
  feeds: FollowedFeeds,
  rss_url: string,
  followers: FeedFollower[],
  result: ScheduledFetchResult,
): Promise<void> {
  switch (result.kind) {
    case 'unchanged': {
      // A worker that died after its last save may not have applied the rule.
      for (const { user_id, channel_id, to_judge } of followers)
        if (to_judge) await applyRule(feeds.libraryOf(user_id), channel_id)
      const { known, next_fetch_at } = result
      return feeds.noteUnchanged({ rss_url, known, next_fetch_at })
    }
    case 'failed': {
      const { fetch_error, next_fetch_at, refusal } = result
      await feeds.noteFailed({ rss_url, fetch_error, next_fetch_at })
      if (refusal) await feeds.noteRefused({ rss_url, ...refusal, reason: fetch_error })
      return
    }
    case 'changed':
      for (const { user_id, channel_id } of followers)
        await updateFeed(feeds.libraryOf(user_id), channel_id, result.feed, { rss_url, ...result })
  }
}
