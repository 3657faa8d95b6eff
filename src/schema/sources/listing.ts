/**
 * What yt-dlp, or a platform's own API, says about a channel or a video. `ytdlp/` and `feed/` make these; `domain/` turns them into
 * entries.
 */
import { z } from 'zod'
import { max_description, max_title } from '../values/stored.ts'
import { Facts } from './facts.ts'
import { WebUrl } from './feed.ts'

/** One video of a listing. */
export const ListedEntry = Facts.extend({
  /** The page of the video. */
  video_url: WebUrl,
  title: z.string().min(1).max(max_title).nullable().describe('Null: the listing gives none.'),
  thumbnail_url: WebUrl.nullable(),
  published_at: z.date().nullable(),
})
export type ListedEntry = z.infer<typeof ListedEntry>

/** The channel that a listing or a video belongs to. Null: the platform does not say. */
export const PlatformChannel = z.object({
  /** The platform's own id, for example YouTube's `UC…`. */
  platform_id: z.string().min(1).max(200).nullable(),
  title: z.string().min(1).max(max_title).nullable(),
  page_url: WebUrl.nullable().describe('The page of the channel on its platform.'),
  image_url: WebUrl.nullable().describe('The picture of the channel.'),
})
export type PlatformChannel = z.infer<typeof PlatformChannel>

/** What a look found out about one video. */
export const LookedVideo = ListedEntry.extend({
  description: z.string().max(max_description).nullable(),
  starts_at: z.date().nullable().describe('When an announced video or stream begins; null: unknown, or not announced.'),
  channel: PlatformChannel,
})
export type LookedVideo = z.infer<typeof LookedVideo>

/** One list to read: a tab of a channel, a playlist, an account. */
export type ListingRequest = {
  /** The page of the list. */
  url: string
  /** Only the first entries of the list; all of it unless given. */
  newest?: number | undefined
  signal: AbortSignal
  /** The person for whom it is listed. A person's listings wait for each other. */
  whose?: string | undefined
  /** Receives the entries in the order of the list, at most a hundred at once. The list is read no further until it settles. */
  onEntries(entries: ListedEntry[]): Promise<void>
  /** Called after `onEntries` with the same entries; true: the rest of the list is not read. */
  isEnough?(entries: ListedEntry[]): boolean
}

/** How many entries yt-dlp's lister passes on at once: YouTube lists thirty videos on a page. */
export const batch_size = 30

/** The longest list that is read. Later entries are left out, and the end says so. */
export const max_listed_videos = 50_000
