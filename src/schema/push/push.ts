/** Subscriptions at hubs, which announce new videos of a feed (WebSub). They belong to feeds, not to people. */
import { z } from 'zod'
import type { FeedHub } from '../sources/feed.ts'

export const PushState = z.enum(['pending', 'active', 'denied', 'failed', 'ending'])
export type PushState = z.infer<typeof PushState>

/** 24 random bytes, base64url: the end of the callback's address. */
export const PushId = z.string().regex(/^[\w-]{32}$/)
export type PushId = z.infer<typeof PushId>

/** For how many seconds a subscription is believed to last, and after how many it is renewed. */
export type Renewal = { lease_s: number; renew_after_s: number }

/** One subscription, as the check of its feed sees it. */
export type Subscription = FeedHub & {
  push_id: string
  state: PushState
  /** Null: the hub has never confirmed it. */
  active_since: Date | null
  lease_until: Date | null
  /** When the feed is to be checked because of a push; null: no push waits for a check. */
  check_at: Date | null
  /** Further checks after one that found nothing new. */
  rechecks: number
  /** Checks in a row that found new videos because of a push. */
  streak: number
}

/** What a check of a feed says about its subscription. */
export type CheckNote = {
  push_id: string
  /** Whether a push announced the new videos; absent: there were none, or it could not announce them. */
  found_by?: 'push' | 'poll'
  /** The `check_at` that this check has dealt with; absent: none. */
  checked?: Date
  /** That check found neither new videos nor changes. */
  is_fruitless?: boolean
  /** When to check again, because nothing new was found. */
  recheck_at?: Date
}
