/** Refreshes one feed for everyone who follows it. A failure is recorded with their channels. */
import type { Task } from 'graphile-worker'
import { dueFeed, noteFailedFetch, noteUnchanged } from '../../src/db/across/feeds.ts'
import { noteRefusedFeed } from '../../src/db/across/refused-feeds.ts'
import { libraryOf } from '../../src/db/library/library.ts'
import { hostTurns } from '../../src/domain/channels/host-turns.ts'
import { type FollowedFeeds, refreshForFollowers } from '../../src/domain/channels/refresh-for-followers.ts'
import { RefreshFeedJob } from '../../src/schema/jobs.ts'
import type { TaskParts } from './task.ts'

/** Requests to one host at the same time, per worker process. A feed of a busy host stays due and is queued again in a minute. */
const max_at_a_host = 2

type Needed = Pick<TaskParts, 'sql' | 'fetchChanges' | 'refresh_interval_minutes' | 'log'> &
  Partial<Pick<TaskParts, 'max_videos'>>

export function refreshFeedTask({ sql, max_videos = 0, log, ...parts }: Needed): Task {
  const atHost = hostTurns(max_at_a_host)
  const feeds: FollowedFeeds = {
    due: rss_url => dueFeed(sql, rss_url),
    noteUnchanged: (rss_url, state) => noteUnchanged(sql, rss_url, state),
    noteFailed: (rss_url, fetch_error, next) => noteFailedFetch(sql, rss_url, fetch_error, next),
    noteRefused: refused => noteRefusedFeed(sql, refused),
    libraryOf: user_id => libraryOf(sql, user_id, 0, max_videos),
  }
  return async (payload, { abortSignal }) => {
    const { rss_url } = RefreshFeedJob.parse(payload)
    const refresh = () =>
      refreshForFollowers(feeds, parts.fetchChanges, rss_url, parts.refresh_interval_minutes, abortSignal)
    const outcome = await atHost(new URL(rss_url).host, refresh)
    if (!outcome) return log.debug({ rss_url }, 'the feed is not due, or its host is busy')
    if (outcome.kind !== 'failed') return
    log.info({ rss_url, reason: outcome.fetch_error }, 'a feed could not be refreshed')
    if (outcome.cause) log.error({ rss_url, err: outcome.cause }, 'a feed failed by our own fault')
  }
}
