/** A feed, independent of its format. `feed/` makes these and `db/` saves them. */
import { z } from 'zod'
import { VideoId } from '../values/fields.ts'
import { max_address, max_description, max_title } from '../values/stored.ts'
import { Facts } from './facts.ts'

/** http(s) only, so that no other scheme can reach a page or yt-dlp. */
export const WebUrl = z.url({ protocol: /^https?$/ }).max(max_address)

/**
 * Other ids of an entry, by which a stored entry is found again (see `src/feed/formats/identity.ts`). A field is absent when
 * the entry has no such id.
 */
export const Aliases = z.object({
  address_id: z
    .string()
    .max(200)
    .optional()
    .describe('The id from its address alone, where `video_id` is made from more.'),
  spare_id: z
    .string()
    .max(200)
    .optional()
    .describe('The id from its address and guid, used when another video already has the id of the address.'),
  former_id: z.string().max(200).optional().describe('The id it had before its platform was known.'),
})
export type Aliases = z.infer<typeof Aliases>

export const FeedEntry = Facts.partial().extend({
  /** URL-safe, and unique within the feed. */
  video_id: VideoId.min(1).max(200),
  video_url: WebUrl.describe('The page of the video on its platform.'),
  title: z.string().min(1).max(max_title).describe('The title in the feed.'),
  thumbnail_url: WebUrl.nullable().describe('The preview picture; null: the feed names none.'),
  description: z.string().max(max_description).nullable().describe('The description in the feed, as plain text.'),
  published_at: z
    .date()
    .nullable()
    .describe('When the video was published, or when an announced one begins; null: unknown.'),
  /** Unique within the feed; the entry's page when the feed has no name for it. Absent where `video_id` identifies it better. */
  guid: z.string().min(1).max(200).optional().describe('The id that the feed itself gives to the entry.'),
  aliases: Aliases.optional().describe('Other ids of the entry.'),
})
export type FeedEntry = z.infer<typeof FeedEntry>

export const Feed = z.object({
  /** The platform's id of the channel, or an id derived from the address; the same at every fetch, URL-safe. */
  channel_id: z.string().min(1).max(200),
  title: z.string().min(1).max(max_title),
  entries: z.array(FeedEntry),
  /** The channel's picture, when the feed names one. */
  image_url: WebUrl.optional(),
  /** The channel's page on its platform, when the feed names one. */
  page_url: WebUrl.optional(),
  /** How many entries were left out because they could not be read. */
  skipped: z.int().nonnegative(),
  /** What is wrong with a feed that could be read, as a sentence; absent: nothing. */
  warning: z.string().optional(),
  /** The interval between fetches that the feed asks for (`ttl` or `sy:updatePeriod`), in minutes. */
  every_minutes: z.int().positive().optional(),
})
export type Feed = z.infer<typeof Feed>

/** A feed and its own address, which differs from the given address when that was a page or a handle. */
export type ReadFeed = { rss_url: string; feed: Feed }

/** What is remembered of a fetch, so that the next one downloads only news; `null`: the site sent none. */
export type FeedVersion = {
  /** As the site wrote them. */
  etag: string | null
  last_modified: string | null
  /** SHA-256 of the body, base64url, for sites that send neither header. */
  body_hash: string | null
  /** `every_minutes` of the feed, which a 304 response does not repeat. */
  every_minutes: number | null
}

/** With these, a request can ask for news only. */
export type Validators = Pick<FeedVersion, 'etag' | 'last_modified'>

export const never_fetched: FeedVersion = { etag: null, last_modified: null, body_hash: null, every_minutes: null }

export const Saved = z
  .object({
    inserted: z.int().describe('How many entries are new.'),
    updated: z.int().describe('How many known entries have changed.'),
    unchanged: z.int().describe('How many known entries are the same.'),
  })
  .meta({ id: 'Saved' })
export type Saved = z.infer<typeof Saved>
