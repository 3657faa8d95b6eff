/** In this process: a platform that answers looks and listings as the test says, and counts them. */
import type { Listings } from '../../../src/domain/listings/listings.ts'
import {
  batch_size,
  type ListedEntry,
  type LookedVideo,
  type PlatformChannel,
} from '../../../src/schema/sources/listing.ts'
import { unknown_channel } from '../../../src/ytdlp/ask/video-info.ts'
import type { Failure } from '../../../src/ytdlp/failures/failure.ts'

export const pageAt = (video_id: string) => `https://www.youtube.com/watch?v=${video_id}`

export const listed = (video_id: string, more: Partial<ListedEntry> = {}): ListedEntry => ({
  video_url: pageAt(video_id),
  title: `Video ${video_id}`,
  thumbnail_url: null,
  published_at: null,
  published_precision: null,
  duration_seconds: 61,
  live_status: null,
  availability: null,
  ...more,
})

export type FakePlatform = {
  /** The newest videos of every channel, the newest first. */
  page: ListedEntry[]
  /** By the id of the video: its facts, or why they are not shown. A video that is not here was removed. */
  videos: Map<string, Partial<LookedVideo> | Failure>
  /** A listing then ends early. */
  refusal: Failure | undefined
  channel: PlatformChannel
  /** By the id of the video: its captions as WebVTT, or why they are not shown. A video that is not here has none. */
  said: Map<string, string | Failure>
  /** What was requested: the feeds whose listing was read, the videos that were looked up, and those whose captions were asked for. */
  lists: string[]
  looks: string[]
  asked: string[]
  listings: Listings
}

export const failing = (reason: Failure['reason'], more: Partial<Failure> = {}): Failure => ({
  kind: 'permanent',
  reason,
  sentence: 'It failed.',
  detail: '',
  ...more,
})

export function fakePlatform(): FakePlatform {
  const platform: FakePlatform = {
    page: [],
    videos: new Map(),
    refusal: undefined,
    channel: unknown_channel,
    lists: [],
    looks: [],
    asked: [],
    said: new Map(),
    listings: {
      async listChannel({ rss_url, newest = Number.POSITIVE_INFINITY, onEntries }) {
        platform.lists.push(rss_url ?? '')
        const page = platform.page.slice(0, newest)
        if (platform.refusal)
          return { listed: 0, channel: unknown_channel, end: 'incomplete', failure: platform.refusal }
        for (let at = 0; at < page.length; at += batch_size) await onEntries(page.slice(at, at + batch_size))
        return { listed: page.length, channel: platform.channel, end: 'complete' }
      },
      async lookAt({ url }) {
        const video_id = new URL(url).searchParams.get('v') ?? ''
        platform.looks.push(video_id)
        const found = platform.videos.get(video_id) ?? failing('removed')
        if ('kind' in found) return { failure: found as Failure }
        const video = { ...listed(video_id), description: null, starts_at: null, channel: unknown_channel }
        return { video: { ...video, live_status: 'none', availability: 'public', ...found } }
      },
      async fetchCaptions({ url }) {
        const video_id = new URL(url).searchParams.get('v') ?? ''
        platform.asked.push(video_id)
        const found = platform.said.get(video_id)
        if (found instanceof Object) return { failure: found }
        return { captions: found === undefined ? undefined : { language: 'en-x-auto', webvtt: found } }
      },
    },
  }
  return platform
}
