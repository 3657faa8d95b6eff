/** One scheduled look at one address, for everybody who follows it. What it fails with stands at their channels. */
import type { Task } from 'graphile-worker'
import { dueFeed, noteFailedVisit, noteUnchanged } from '../../src/db/across/feeds.ts'
import { noteRefusedFeed } from '../../src/db/across/refused-feeds.ts'
import { libraryOf } from '../../src/db/library/library.ts'
import { isAway, type Sql } from '../../src/db/postgres/client.ts'
import { checkFeed, type Outcome, our_fault } from '../../src/domain/channels/check-feed.ts'
import { hostTurns } from '../../src/domain/channels/host-turns.ts'
import { applyRule } from '../../src/domain/channels/rules.ts'
import { type Follower, RefreshFeedJob } from '../../src/schema/jobs.ts'
import type { Parts } from '../worker/parts.ts'

/** At one host, per worker process. Who finds it busy leaves the feed as it is: still due, it is queued again in a minute. */
const most_at_a_host = 2

type Needed = Pick<Parts, 'sql' | 'fetchChanges' | 'refresh_interval_minutes'> & Partial<Pick<Parts, 'most_videos'>>

export function refreshFeedTask(parts: Needed & Pick<Parts, 'log'>): Task {
  const { log } = parts
  const atHost = hostTurns(most_at_a_host)
  return async (payload, { abortSignal }) => {
    const { rss_url } = RefreshFeedJob.parse(payload)
    const outcome = await atHost(new URL(rss_url).host, () => refreshFeed(parts, rss_url, abortSignal))
    if (!outcome) return log.debug({ rss_url }, 'nothing to refresh, or its host is busy')
    if (outcome.kind === 'failed') log.info({ rss_url, reason: outcome.fetch_error }, 'a feed could not be refreshed')
    if (outcome.kind === 'failed' && outcome.cause) log.error({ rss_url, err: outcome.cause }, 'a feed broke us')
  }
}

async function refreshFeed(
  { sql, fetchChanges, refresh_interval_minutes, most_videos }: Needed,
  rss_url: string,
  signal?: AbortSignal,
): Promise<Outcome | undefined> {
  const due = await dueFeed(sql, rss_url)
  if (!due) return undefined
  const outcome = await checkFeed(
    {
      check: fetchChanges,
      now: () => new Date(),
      random: Math.random(),
      base_minutes: refresh_interval_minutes,
      ...(signal && { signal }),
    },
    rss_url,
    due,
  )
  return keep(sql, rss_url, due.followers, outcome, most_videos)
}

/** A feed that the database will not take is put off too; otherwise it would be fetched every minute. */
async function keep(
  sql: Sql,
  rss_url: string,
  followers: Follower[],
  outcome: Outcome,
  most_videos = 0,
): Promise<Outcome> {
  try {
    if (outcome.kind === 'unchanged') {
      await noteUnchanged(sql, rss_url, outcome)
      // What a worker that died before this left unpicked.
      for (const { user_id, channel_id } of followers) await applyRule(libraryOf(sql, user_id), channel_id)
    }
    if (outcome.kind === 'failed') {
      await noteFailedVisit(sql, rss_url, outcome.fetch_error, outcome.next_fetch_at)
      if (outcome.refusal) await noteRefusedFeed(sql, { rss_url, ...outcome.refusal, reason: outcome.fetch_error })
    }
    if (outcome.kind === 'changed') {
      for (const { user_id, channel_id } of followers) {
        const library = libraryOf(sql, user_id, 0, most_videos)
        await library.channels.renew(channel_id, outcome.feed, { rss_url, ...outcome })
        await applyRule(library, channel_id)
      }
    }
    return outcome
  } catch (cause) {
    if (isAway(cause)) throw cause
    const { next_fetch_at } = outcome
    await noteFailedVisit(sql, rss_url, our_fault, next_fetch_at)
    return { kind: 'failed', fetch_error: our_fault, next_fetch_at, cause }
  }
}
