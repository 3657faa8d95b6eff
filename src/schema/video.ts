/** A video that appeared in a followed channel, with where its download stands. */
import { z } from 'zod'
import { Download } from './download.ts'
import { FeedEntry } from './feed.ts'
import { Language } from './subtitles.ts'
import { Viewing } from './viewing.ts'

export const Video = Download.extend(FeedEntry.shape)
  .extend(Viewing.shape)
  .extend({
    channel_id: z.string(),
    channel_title: z.string(),
    /** When it was first seen in the feed. */
    first_seen_at: z.date(),
    /** Languages that there are subtitles in, beside the file; the one to offer first stands first. */
    subtitles: z.array(Language),
  })
export type Video = z.infer<typeof Video>

/** One page of a history, newest first. `next_cursor` is `null` at its end. */
export type Page<T> = { entries: T[]; next_cursor: string | null }

/** What is needed to lead to a video. */
export type Neighbour = Pick<Video, 'video_id' | 'title'>
/** What came out before and after a video in its channel; `null` at its ends. */
export type Neighbours = { previous: Neighbour | null; next: Neighbour | null }

/** What home shows. */
export type News = {
  videos: Page<Video>
  /** How many channels are followed. */
  followed: number
  /** What was first seen after it is new; `null`: this is the first look. */
  new_since: Date | null
  /** Begun and not seen; on the first page alone. */
  unfinished: Video[]
}
