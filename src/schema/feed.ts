/** What a feed says once its format no longer matters. `feed/` makes these; `db/` saves them. */
import { z } from 'zod'
import { most_address, most_description, most_title } from './stored.ts'

/** http(s) only, so that nothing else can ever reach a page or yt-dlp. */
export const WebUrl = z.url({ protocol: /^https?$/ }).max(most_address)

/**
 * Other identifiers of an entry, by which a stored one is found again (`src/feed/formats/identity.ts` says how). Absent: there is
 * none beside `video_id`.
 */
export const Aliases = z.object({
  /** What its address alone gives, where `video_id` is made from more. */
  address_id: z.string().max(200).optional(),
  /** Made from its address and its name: what it is called where another video has the identifier of the address. */
  spare_id: z.string().max(200).optional(),
  /** What it was called before its platform was known. */
  former_id: z.string().max(200).optional(),
})
export type Aliases = z.infer<typeof Aliases>

export const FeedEntry = z.object({
  /** Platform identifier, URL-safe, distinct within the feed. */
  video_id: z.string().min(1).max(200),
  video_url: WebUrl,
  title: z.string().min(1).max(most_title),
  thumbnail_url: WebUrl.nullable(),
  /** Plain text as the feed gave it, cut to its limit. */
  description: z.string().max(most_description).nullable(),
  /** `null`: the feed gives no date that can be read. */
  published_at: z.date().nullable(),
  /** The feed's own name for it, else its page, distinct within the feed; absent where the platform's identifier says it better. */
  guid: z.string().min(1).max(200).optional(),
  aliases: Aliases.optional(),
})
export type FeedEntry = z.infer<typeof FeedEntry>

export const Feed = z.object({
  /** Platform identifier, else derived from the address; stable across fetches, URL-safe. */
  channel_id: z.string().min(1).max(200),
  title: z.string().min(1).max(most_title),
  entries: z.array(FeedEntry),
  /** The channel's own picture, where the feed names one. */
  image_url: WebUrl.optional(),
  /** How many entries could not be read and were left out. */
  skipped: z.number().int().nonnegative(),
  /** What is wrong with a feed that was read, in a sentence: entries left out and why, or none at all. Absent: nothing. */
  warning: z.string().optional(),
  /** Minutes for which it wants to be left alone between two fetches, by its own `ttl` or `sy:updatePeriod`. */
  every_minutes: z.number().int().positive().optional(),
})
export type Feed = z.infer<typeof Feed>

/** A feed with the address it really came from: a page or handle given by a person is resolved to its feed first. */
export type ReadFeed = { rss_url: string; feed: Feed }

/** What is kept of one fetch so that the next asks for news alone; `null`: the site gave none. */
export type Known = {
  /** As the site wrote them. */
  etag: string | null
  last_modified: string | null
  /** SHA-256 of the bytes, base64url; for sites that give neither. */
  body_hash: string | null
  /** What the feed said last, since an answer without news does not repeat it. */
  every_minutes: number | null
}

export const nothing_known: Known = { etag: null, last_modified: null, body_hash: null, every_minutes: null }

/** How many entries a save changed. */
export const Saved = z.object({
  inserted: z.number().int(),
  updated: z.number().int(),
  unchanged: z.number().int(),
})
export type Saved = z.infer<typeof Saved>
