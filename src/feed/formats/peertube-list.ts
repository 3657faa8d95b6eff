/** Reads a page of the list that PeerTube's API gives of a channel, account or playlist. Pure. */
import { z } from 'zod'
import type { Availability, LiveStatus } from '../../schema/sources/facts.ts'
import { Facts } from '../../schema/sources/facts.ts'
import { WebUrl } from '../../schema/sources/feed.ts'
import type { ListedEntry, PlatformChannel } from '../../schema/sources/listing.ts'
import { cut, max_title } from '../../schema/values/stored.ts'

/** A field of the wrong form counts as missing. */
const Text = z.string().nullish().catch(null)
const Code = z.object({ id: z.number() }).nullish().catch(null)

const Channel = z
  .object({
    name: Text,
    displayName: Text,
    url: Text,
    avatars: z
      .array(z.object({ path: Text, fileUrl: Text, width: z.number().nullish().catch(null) }))
      .nullish()
      .catch(null),
  })
  .nullish()
  .catch(null)

const Video = z.object({
  uuid: z.string(),
  shortUUID: Text,
  name: Text,
  duration: z.number().nullish().catch(null),
  publishedAt: Text,
  isLive: z.boolean().nullish().catch(null),
  state: Code,
  privacy: Code,
  previewPath: Text,
  thumbnailPath: Text,
  channel: Channel,
  account: Channel,
})
type Video = z.infer<typeof Video>

/** A playlist wraps each video, and has `null` for one that was deleted. */
const Item = z.union([Video, z.object({ video: Video }).transform(({ video }) => video), z.null()])
const Page = z.object({ total: z.int().nonnegative(), data: z.array(z.unknown()).max(1000) })

export type PeertubePage = {
  /** Of the whole list. */
  total: number
  /** How many of the requested videos the page has, those included that cannot be read. */
  count: number
  entries: ListedEntry[]
  channel: PlatformChannel | undefined
}

/**
 * `of`: whether the list is of a channel or an account. `most`: how many videos were requested; the rest is left out. `undefined`:
 * this is no page of a list.
 */
export function peertubePageIn(json: string, origin: string, of: 'channel' | 'account' | 'playlist', most: number) {
  const page = Page.safeParse(parsed(json)).data
  if (!page) return undefined
  const data = page.data.slice(0, most)
  const videos = data.flatMap(item => Item.safeParse(item).data ?? [])
  const owner = of === 'playlist' ? undefined : videos[0]?.[of]
  const found: PeertubePage = {
    total: page.total,
    count: data.length,
    entries: videos.flatMap(video => entryOf(video, origin) ?? []),
    channel: owner ? channelOf(owner, origin) : undefined,
  }
  return found
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** The address of the video is the one that the feed gives. */
function entryOf(video: Video, origin: string): ListedEntry | undefined {
  const video_url = webUrl(`/w/${video.shortUUID ?? video.uuid}`, origin)
  if (!video_url) return undefined
  const at = new Date(video.publishedAt ?? '')
  const published_at = Number.isNaN(at.getTime()) ? null : at
  const seconds = Facts.shape.duration_seconds.safeParse(Math.ceil(video.duration ?? Number.NaN)).data ?? null
  const live_status = liveStatusOf(video)
  return {
    video_url,
    title: titleOf(video.name),
    thumbnail_url: webUrl(video.previewPath ?? video.thumbnailPath, origin) ?? null,
    published_at,
    published_precision: published_at && 'exact',
    // PeerTube says 0 until the recording of a stream is ready.
    duration_seconds: video.isLive ? null : seconds,
    live_status,
    availability: availabilities[video.privacy?.id ?? 0] ?? null,
  }
}

const waiting_for_live = 4
const live_ended = 5

function liveStatusOf({ isLive, state }: Video): LiveStatus | null {
  if (isLive == null) return null
  if (!isLive) return 'none'
  return state?.id === waiting_for_live ? 'upcoming' : state?.id === live_ended ? 'was_live' : 'live'
}

const availabilities: Record<number, Availability> = { 1: 'public', 2: 'unlisted', 3: 'private' }

function channelOf(owner: NonNullable<Video['channel']>, origin: string): PlatformChannel {
  const [picture] = (owner.avatars ?? []).toSorted((a, b) => (b.width ?? 0) - (a.width ?? 0))
  return {
    platform_id: null,
    title: titleOf(owner.displayName ?? owner.name),
    page_url: webUrl(owner.url, origin) ?? null,
    image_url: webUrl(picture?.fileUrl ?? picture?.path, origin) ?? null,
  }
}

function titleOf(text: string | null | undefined): string | null {
  const title = (text ?? '').replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, ' ').trim()
  return title === '' ? null : cut(title, max_title)
}

function webUrl(text: string | null | undefined, origin: string): string | undefined {
  const url = text == null ? undefined : URL.parse(text, origin)?.href
  return url !== undefined && WebUrl.safeParse(url).success ? url : undefined
}
