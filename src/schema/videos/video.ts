/** A video in a person's library, with the status of its download. */
import { hash } from 'node:crypto'
import { z } from 'zod'
import { Download } from '../downloads/download.ts'
import { Facts, Source } from '../sources/facts.ts'
import { FeedEntry } from '../sources/feed.ts'
import { Language } from '../sources/subtitles.ts'
import { ChannelId } from '../values/fields.ts'
import { PictureUrl } from '../values/picture.ts'

/**
 * What a person has done with a video: the playback position, and whether it is watched, on Watch later, or hidden. It belongs to the
 * video, so it is the same in all channels. For "watched", the API and its columns say `seen`.
 */
export const Viewing = z.object({
  seen_at: z.date().nullable().describe('When the video was marked as watched; null: unwatched.'),
  position_seconds: z.int().nullable().describe('The playback position; null: never played.'),
  duration_seconds: z.int().nullable().describe('The length of the video; null: unknown.'),
  later_at: z.date().nullable().describe('When it was put on Watch later; null: it is not there.'),
  dismissed_at: z.date().nullable().describe('When it was hidden; null: it is not.'),
})
export type Viewing = z.infer<typeof Viewing>

export const Video = Download.extend(FeedEntry.shape)
  .extend(Viewing.shape)
  .extend(Facts.shape)
  .extend({
    channel_id: ChannelId,
    channel_title: z.string().describe('The title of its channel.'),
    first_seen_at: z.date().describe('When Backlot first saw the video.'),
    source: Source.describe(
      '`feed`: in the feed of its channel. `listing`: found when older videos were loaded. `address`: added by its address.',
    ),
    picture_url: PictureUrl,
    subtitles: z
      .array(Language)
      .describe(
        'The languages of its subtitle files, the preferred one first. Automatic captions end with `-x-auto`, such as `en-x-auto`.',
      ),
  })
  .meta({ id: 'Video' })
export type Video = z.infer<typeof Video>

/** A video as lists show it. They do not read descriptions, which are most of what is stored of a video. */
export type ListedVideo = Omit<Video, 'description'>

/** One page of a list. `next_cursor` is `null` on the last page. */
export type Page<T> = { entries: T[]; next_cursor: string | null }

/** The videos before and after one in the list of its channel, the nearest first. */
export type Neighbours = { newer: ListedVideo[]; older: ListedVideo[] }

/** Where a video is in a list of those on disk. `place`: 1 is the first; `undefined`: the video is not in it. */
export type PlaceInList = {
  list: string
  name: string
  place: number | undefined
  total: number
  previous: ListedVideo | undefined
  next: ListedVideo | undefined
  /** The next one of a playlist, if none that follows is on disk. */
  missing?: ListedVideo | undefined
}

/** The content of the page New. */
export type News = {
  videos: Page<ListedVideo>
  /** Videos that appeared later are marked as new; `null`: this is the first visit. */
  new_since: Date | null
  /** Started and not watched to the end; on the first page only. */
  unfinished: Video[]
}

/** The words of a person's entry that are written into a file when its site says nothing about the video. */
export type FileWords = Pick<
  Video,
  'title' | 'channel_title' | 'published_at' | 'description' | 'video_url' | 'thumbnail_url'
>

/**
 * A digest of 43 characters, equal only when all the words are equal. A file with the words of one person's entry may be given only to
 * people whose own entry has the same words.
 */
export const wordsHash = ({
  title,
  channel_title,
  published_at,
  description,
  video_url,
  thumbnail_url,
}: FileWords): string =>
  hash(
    'sha256',
    JSON.stringify([title, channel_title, published_at, description, video_url, thumbnail_url]),
    'base64url',
  )
