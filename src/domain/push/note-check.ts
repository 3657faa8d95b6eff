/** After a check of a feed: notes what it says about the hub of the feed, and which hub the feed names now. */
import { randomBytes } from 'node:crypto'
import type { SavedFor } from '../../db/channels/everyone/save-for-followers.ts'
import type { Everyone } from '../../db/everyone.ts'
import { endPush, type NewSubscription, noteCheck, useHubs } from '../../db/push/everyone/push-subscriptions.ts'
import type { Subscription } from '../../schema/push/push.ts'
import type { Feed, FeedHub } from '../../schema/sources/feed.ts'
import { hubFor, type PushSettings } from './hubs.ts'
import { noteOfCheck } from './trust.ts'

export type CheckedFeed = {
  rss_url: string
  /** As it was before the check. */
  push: Subscription | undefined
  last_fetched_at: Date | null
  /** As it was read; undefined: it has not changed, or could not be read. */
  feed?: Feed
  /** For each follower; empty: nothing was saved. */
  saved: SavedFor[]
  is_failed: boolean
  /** The host wants fewer requests. */
  is_refused: boolean
}

/** Most checks find nothing to note, and then send no query. `settings` undefined: push is off. */
export async function notePush(
  everyone: Everyone,
  settings: PushSettings | undefined,
  checked: CheckedFeed,
  now: Date,
): Promise<void> {
  const { rss_url, push, last_fetched_at, feed, saved, is_failed, is_refused } = checked
  const { has_news, has_changes } = newsIn(saved)
  const note =
    push && noteOfCheck(push, { has_news, is_enough: has_changes || is_refused, before: last_fetched_at, now })
  if (note) await noteCheck(everyone, note)
  if (!settings || is_failed) return
  const wanted = hubFor(settings, rss_url, feed)
  if (wanted === null && push && push.state !== 'ending') await endPush(everyone, push.push_id)
  if (wanted && !(push && isAt(push, wanted))) await useHubs(everyone, [newSubscription(rss_url, wanted)])
}

const isAt = ({ hub, topic, state }: Subscription, wanted: FeedHub) =>
  hub === wanted.hub && topic === wanted.topic && state !== 'ending'

const newsIn = (results: SavedFor[]) => {
  const saved = results.flatMap(result => ('saved' in result ? [result.saved] : []))
  return {
    has_news: saved.some(({ inserted }) => inserted > 0),
    has_changes: saved.some(({ updated }) => updated > 0),
  }
}

/** WebSub allows secrets of fewer than 200 bytes. */
const newSubscription = (rss_url: string, { hub, topic }: FeedHub): NewSubscription => ({
  ...{ rss_url, hub, topic },
  push_id: randomBytes(24).toString('base64url'),
  secret: randomBytes(32).toString('hex'),
})

/** For new feeds whose hub is known by their address alone, so that they need no check before. */
export const subscriptionsByAddress = (settings: PushSettings, rss_urls: string[]): NewSubscription[] =>
  [...new Set(rss_urls)].flatMap(rss_url => {
    const hub = hubFor(settings, rss_url, undefined)
    return hub ? [newSubscription(rss_url, hub)] : []
  })
