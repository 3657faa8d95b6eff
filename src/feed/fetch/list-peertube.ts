/**
 * Lists the videos of a PeerTube channel, account or playlist by its own API, which says more than yt-dlp does: lengths, exact
 * dates, and how many videos there are.
 */
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { DomainError } from '../../errors.ts'
import { jsonIn } from '../../runtime/json.ts'
import { turnsFor } from '../../runtime/turns.ts'
import { type Availability, Facts, type LiveStatus } from '../../schema/sources/facts.ts'
import { WebUrl } from '../../schema/sources/feed.ts'
import {
  type ListedEntry,
  type ListingRequest,
  max_listed_videos,
  type PlatformChannel,
} from '../../schema/sources/listing.ts'
import { siteTitle } from '../../schema/values/stored.ts'
import { type FetchOptions, fetchDocument } from './fetch.ts'
import { withMemory } from './memory.ts'

/** `fault`: why the rest could not be listed, in a sentence for people. */
export type PeertubeEnd = { listed: number; channel: PlatformChannel } & (
  | { end: 'complete' | 'stopped' }
  | { end: 'incomplete'; fault: DomainError }
)

/** `url` of the request: as `peertubeListingOf` gives it. Rejects only when `signal` is aborted or `onEntries` fails. */
export type PeertubeLister = (request: ListingRequest) => Promise<PeertubeEnd>

/** `pause_s`: seconds between two pages. `longest_ms`: for the whole list. */
export type PeertubeListerOptions = FetchOptions & { pause_s?: number; longest_ms?: number }

/** As many as PeerTube sends at once. */
const page_size = 100

/** As long as yt-dlp gets. A server may send its list one video at a time, and others wait for their turn. */
const usual_longest_ms = 3 * 3_600_000

/** One listing at a time per person and per host. */
const ofPerson = turnsFor({ most: Number.POSITIVE_INFINITY, of_one: 1 })
const ofHost = turnsFor({ most: 4, of_one: 1 })

export function createPeertubeLister({
  pause_s = 1,
  longest_ms = usual_longest_ms,
  ...options
}: PeertubeListerOptions): PeertubeLister {
  return request => {
    const { signal, whose = '' } = request
    const host = new URL(request.url).host
    const list = () => listPages({ ...options, signal }, { pause_s, longest_ms }, request)
    return ofPerson(whose, () => ofHost(host, list, signal), signal)
  }
}

type Pace = { pause_s: number; longest_ms: number }

async function listPages(
  options: FetchOptions,
  { pause_s, longest_ms }: Pace,
  request: ListingRequest,
): Promise<PeertubeEnd> {
  const { newest = max_listed_videos, signal, onEntries, isEnough } = request
  const most = Math.min(newest, max_listed_videos)
  let channel: PlatformChannel = { platform_id: null, title: null, page_url: null, image_url: null }
  const end_at = performance.now() + longest_ms
  let listed = 0
  for (let start = 0; ; ) {
    const page = await pageAt(options, request, start, Math.min(page_size, most - start)).catch((fault: unknown) => {
      signal.throwIfAborted()
      if (fault instanceof DomainError) return fault
      throw fault
    })
    if (page instanceof DomainError) return { listed, channel, end: 'incomplete', fault: page }
    channel = start === 0 && page.channel ? page.channel : channel
    if (page.entries.length > 0) await onEntries(page.entries)
    listed += page.entries.length
    start += page.count
    if (page.entries.length > 0 && isEnough?.(page.entries)) return { listed, channel, end: 'stopped' }
    if (start >= page.total || start >= newest) return { listed, channel, end: 'complete' }
    if (page.count === 0) return { listed, channel, end: 'incomplete', fault: endsEarly() }
    if (performance.now() >= end_at) return { listed, channel, end: 'incomplete', fault: tooSlow() }
    if (start >= most) return { listed, channel, end: 'incomplete', fault: tooMany() }
    await setTimeout(pause_s * 1000, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

async function pageAt(options: FetchOptions, request: ListingRequest, start: number, count: number) {
  const url = new URL(request.url)
  const is_playlist = url.pathname.includes('/video-playlists/')
  url.search = new URLSearchParams({
    start: String(start),
    count: String(count),
    // A playlist has an order of its own.
    ...(!is_playlist && { sort: '-publishedAt' }),
  }).toString()
  const of = is_playlist ? 'playlist' : url.pathname.includes('/accounts/') ? 'account' : 'channel'
  return withMemory<PeertubePage>(request.whose, async share => {
    const { body } = await fetchDocument(url.href, options, share)
    const page = peertubePageIn(new TextDecoder().decode(body), url.origin, of, count)
    if (!page) throw new DomainError('feed_failed', `${url.host} sent something that is not a list of videos.`)
    return page
  })
}

const endsEarly = () => new DomainError('feed_failed', 'The site sent only a part of its list of videos.')
const tooSlow = () => new DomainError('feed_timeout', 'The site sends its list of videos too slowly. Try again later.')
const tooMany = () =>
  new DomainError(
    'feed_failed',
    `This list has more than ${max_listed_videos} videos. The first ${max_listed_videos} are listed.`,
  )

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
  /** How many videos the whole list has. */
  total: number
  /** How many of the requested videos the page has, those included that cannot be read. */
  count: number
  entries: ListedEntry[]
  channel: PlatformChannel | undefined
}

/**
 * Reads a page of the list that PeerTube's API gives; `undefined`: this is not such a page. `of`: what the list belongs to. `most`: how
 * many videos were requested; the rest is left out.
 */
export function peertubePageIn(json: string, origin: string, of: 'channel' | 'account' | 'playlist', most: number) {
  const page = Page.safeParse(jsonIn(json)).data
  if (!page) return undefined
  const data = page.data.slice(0, most)
  const videos = data.flatMap(item => Item.safeParse(item).data ?? [])
  const owner = of === 'playlist' ? undefined : videos[0]?.[of]
  const read: PeertubePage = {
    total: page.total,
    count: data.length,
    entries: videos.flatMap(video => entryOf(video, origin) ?? []),
    channel: owner ? channelOf(owner, origin) : undefined,
  }
  return read
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
    title: siteTitle(video.name),
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
    title: siteTitle(owner.displayName ?? owner.name),
    page_url: webUrl(owner.url, origin) ?? null,
    image_url: webUrl(picture?.fileUrl ?? picture?.path, origin) ?? null,
  }
}

function webUrl(text: string | null | undefined, origin: string): string | undefined {
  const url = text == null ? undefined : URL.parse(text, origin)?.href
  return url !== undefined && WebUrl.safeParse(url).success ? url : undefined
}
