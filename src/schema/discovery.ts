/** What stands behind an address that somebody gave: the feeds found there, and what was tried. */
import { z } from 'zod'
import { WebUrl } from './feed.ts'

/** What of a channel a feed holds; `feed` where nothing is known of its kind. */
export const FeedKind = z.enum(['channel', 'videos', 'shorts', 'live', 'playlist', 'feed'])
export type FeedKind = z.infer<typeof FeedKind>

/** A feed that may stand at an address, not asked yet. `title` is what the page that names it calls it. */
export type Choice = { rss_url: string; kind: FeedKind; title?: string | undefined }

export const FoundFeed = z.object({
  rss_url: WebUrl,
  title: z.string(),
  kind: FeedKind,
  /** How many videos stand in it; `null`: it was not asked, only the first found is. */
  entries: z.number().int().nullable(),
  /** When its newest video was published; `null`: not asked, or it gives no date. */
  newest_at: z.date().nullable(),
})
export type FoundFeed = z.infer<typeof FoundFeed>

export const Discovered = z.object({
  /** The best first. Empty: nothing was found, and `tried` says what was done. */
  found: z.array(FoundFeed),
  /** Sentences for people, in the order of trying; only what led nowhere. */
  tried: z.array(z.string()),
})
export type Discovered = z.infer<typeof Discovered>
