/** Subscriptions at YouTube's hub, which announces new videos of a feed (WebSub). They belong to feeds, not to people. */
import { z } from 'zod'

/** 24 random bytes, base64url: the end of the callback's address. */
export const PushId = z.string().regex(/^[\w-]{32}$/)

/** What a check of a feed knows of its pushes. */
export type Pushes = {
  is_subscribed: boolean
  /** Checks in a row that found new videos because of a push; counted up to `proven_after`. 0 while there is no lease. */
  streak: number
  /** When the last push had, or will have, the feed checked; null: there was none. */
  check_at: Date | null
}

/** Checks in a row that found new videos because of a push, after which the clock may check the feed more slowly. */
export const proven_after = 2

/** For how long a hub announces a feed, and after how long it is asked again. */
export type Lease = { lease_s: number; ask_again_s: number }
