/** The feeds behind an address that a person entered. */
import { z } from 'zod'
import { WebUrl } from './feed.ts'

export const FeedKind = z.enum(['channel', 'videos', 'shorts', 'live', 'playlist', 'feed'])
export type FeedKind = z.infer<typeof FeedKind>

/**
 * The address of a possible feed, not fetched yet. `title`: what the page that links it calls it. `is_guess`: the page does not say that it
 * is a feed, so it counts only once it answers as one, or as a page that names one.
 */
export type Choice = { rss_url: string; kind: FeedKind; title?: string | undefined; is_guess?: true }

/** A channel that a platform names for the words of a person. `site`: where it is, for people. */
export type NamedChannel = { title: string; page_url: string; site: string }

export const FoundFeed = z.object({
  rss_url: WebUrl.describe('The address of the feed.'),
  title: z.string().describe('The title in the feed, or in the page that links it.'),
  kind: FeedKind.describe('Which videos of the channel the feed lists; `feed`: unknown.'),
  entries: z.int().nullable().describe('How many videos the feed lists; null: only the best feed is fetched.'),
  newest_at: z.date().nullable().describe('When its newest video was published; null: unknown.'),
})
export type FoundFeed = z.infer<typeof FoundFeed>

export const Discovered = z.object({
  found: z.array(FoundFeed).describe('The best feed first; empty: see `tried`.'),
  tried: z.array(z.string()).describe('What was tried without success, as sentences, in order.'),
})
export type Discovered = z.infer<typeof Discovered>

/** Several videos at an address where a person may have expected one. */
export type FoundList = {
  title: string | null
  /** Null: unknown. */
  count: number | null
  /** Whether the address can be followed instead. */
  can_follow: boolean
  /** What the address is, for people. */
  sentence: string
}
