/** Refreshes one feed for everyone who follows it. A failure is recorded with their channels. */
import type { Task } from 'graphile-worker'
import { dueFeeds, noteFailedFetches, noteUnchanged } from '../../src/db/channels/everyone/feeds.ts'
import { planListing } from '../../src/db/channels/everyone/listings.ts'
import { noteRefusedFeed } from '../../src/db/channels/everyone/refused-feeds.ts'
import { saveForFollowers } from '../../src/db/channels/everyone/save-for-followers.ts'
import { libraryOf } from '../../src/db/library.ts'
import { endPush, noteCheck, postponeCheck, useHubs } from '../../src/db/push/everyone/push-subscriptions.ts'
import { planMissing } from '../../src/db/videos/everyone/missing-videos.ts'
import { hostTurns } from '../../src/domain/channels/host-turns.ts'
import { type FollowedFeeds, refreshForFollowers } from '../../src/domain/channels/refresh-for-followers.ts'
import { notePush, type PushNotes } from '../../src/domain/push/note-check.ts'
import { gathered } from '../../src/runtime/gather.ts'
import { RefreshFeedJob } from '../../src/schema/service/jobs.ts'
import type { TaskParts } from './task.ts'

/** Requests to one host at the same time, per worker process. A feed of a busy host stays due and is queued again in a minute. */
const max_at_a_host = 2
/** Checks that a hub announced have places of their own, so that a pass over many feeds does not delay them. */
const max_pushed_at_a_host = 2
/** Seconds until an announced check of a busy host is tried again. */
const pushed_retry_s = 2

type Needed = Pick<TaskParts, 'sql' | 'fetchChanges' | 'refresh_interval_minutes' | 'log'> &
  Partial<Pick<TaskParts, 'max_videos' | 'push'>>

/** Jobs that run at the same time read and save their feeds in common statements. */
const most_in_statement = 24

export function refreshFeedTask({ sql, max_videos = 0, push, log, ...parts }: Needed): Task {
  const atHost = hostTurns(max_at_a_host)
  const atPushedHost = hostTurns(max_pushed_at_a_host)
  let running = 0
  const reading = { most: () => most_in_statement, wait_ms: 2 }
  // The last of the running jobs waits for no other. A feed that hangs delays the others by 25 ms at most.
  const saving = { most: () => Math.min(most_in_statement, running), wait_ms: 25 }
  const notes: PushNotes = {
    noteCheck: note => noteCheck(sql, note),
    useHubs: subscriptions => useHubs(sql, subscriptions),
    endPush: push_id => endPush(sql, push_id),
  }
  const feeds: FollowedFeeds = {
    due: gathered(reading, rss_urls => dueFeeds(sql, rss_urls)),
    noteUnchanged: gathered(saving, all => noteUnchanged(sql, all).then(() => [])),
    noteFailed: gathered(saving, all => noteFailedFetches(sql, all).then(() => [])),
    noteRefused: refused => noteRefusedFeed(sql, refused),
    saveForFollowers: gathered(saving, updates => saveForFollowers(sql, updates, max_videos)),
    libraryOf: user_id => libraryOf(sql, user_id, 0, max_videos),
    planMissing: shown => planMissing(sql, shown),
    planListing: need => planListing(sql, need),
    notePush: checked => notePush(notes, push, checked, new Date()),
  }
  const refresh = (rss_url: string, signal?: AbortSignal) =>
    refreshForFollowers(feeds, parts.fetchChanges, rss_url, parts.refresh_interval_minutes, signal)
  return async (payload, { abortSignal }) => {
    const { rss_url, pushed = false } = RefreshFeedJob.parse(payload)
    running += 1
    let has_turn = false
    const turn = () => {
      has_turn = true
      return refresh(rss_url, abortSignal)
    }
    const outcome = await (pushed ? atPushedHost : atHost)(new URL(rss_url).host, turn).finally(() => {
      running -= 1
    })
    if (pushed && !has_turn) await postponeCheck(sql, rss_url, pushed_retry_s)
    if (!outcome) return log.debug({ rss_url }, 'the feed is not due, or its host is busy')
    if (outcome.kind !== 'failed') return
    log.info({ rss_url, reason: outcome.fetch_error }, 'a feed could not be refreshed')
    if (outcome.cause) log.error({ rss_url, err: outcome.cause }, 'a feed failed by our own fault')
  }
}
