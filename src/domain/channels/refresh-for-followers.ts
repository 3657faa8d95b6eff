/** Fetches one feed that is due, and saves what it says for everyone who follows it. */
import type { FollowedFeed } from '../../db/across/feeds.ts'
import type { RefusedFeed } from '../../db/across/refused-feeds.ts'
import type { Visit } from '../../db/library/fetch-state.ts'
import type { Library } from '../../db/library/library.ts'
import { isAway } from '../../db/postgres/client.ts'
import type { ChangeFetcher } from '../../feed/fetch/changes.ts'
import type { Follower } from '../../schema/jobs.ts'
import type { UserId } from '../../schema/user.ts'
import { type CheckResult, checkFeed, our_fault } from './check-feed.ts'
import { applyRule } from './rules.ts'
import { renewFeed } from './save-feed.ts'

/** The queries across people that this needs. Only a job has them. */
export type FollowedFeeds = {
  /** `undefined`: the feed has no followers, or is not due. */
  due(rss_url: string): Promise<FollowedFeed | undefined>
  noteUnchanged(rss_url: string, visit: Visit): Promise<void>
  noteFailed(rss_url: string, fetch_error: string, next_fetch_at: Date): Promise<void>
  noteRefused(refused: RefusedFeed): Promise<void>
  libraryOf(user_id: UserId): Library
}

/** `undefined`: there was nothing to do. Throws when the database is away, or when `signal` is aborted. */
export async function refreshForFollowers(
  feeds: FollowedFeeds,
  fetchChanges: ChangeFetcher,
  rss_url: string,
  base_minutes: number,
  signal?: AbortSignal,
): Promise<CheckResult | undefined> {
  const due = await feeds.due(rss_url)
  if (!due) return undefined
  const deps = {
    fetchChanges,
    now: () => new Date(),
    random: Math.random(),
    base_minutes,
    ...(signal && { signal }),
  }
  const outcome = await checkFeed(deps, rss_url, due)
  try {
    await save(feeds, rss_url, due.followers, outcome)
    return outcome
  } catch (cause) {
    if (isAway(cause)) throw cause
    // A feed that the database refuses is postponed as well; otherwise it would be fetched every minute.
    const { next_fetch_at } = outcome
    await feeds.noteFailed(rss_url, our_fault, next_fetch_at)
    return { kind: 'failed', fetch_error: our_fault, next_fetch_at, cause }
  }
}

async function save(feeds: FollowedFeeds, rss_url: string, followers: Follower[], outcome: CheckResult): Promise<void> {
  switch (outcome.kind) {
    case 'unchanged':
      await feeds.noteUnchanged(rss_url, outcome)
      // A worker that died after its last save may not have applied the rule.
      for (const { user_id, channel_id } of followers) await applyRule(feeds.libraryOf(user_id), channel_id)
      return
    case 'failed':
      await feeds.noteFailed(rss_url, outcome.fetch_error, outcome.next_fetch_at)
      if (outcome.refusal) await feeds.noteRefused({ rss_url, ...outcome.refusal, reason: outcome.fetch_error })
      return
    case 'changed':
      for (const { user_id, channel_id } of followers)
        await renewFeed(feeds.libraryOf(user_id), channel_id, outcome.feed, { rss_url, ...outcome })
  }
}
