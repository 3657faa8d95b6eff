/**
 * Shows a person what an address leads to, before they add or follow it: a video, and the channel to follow. Saves nothing.
 *
 * yt-dlp takes seconds, so it is asked only about the address of a video, at the same time as the search for the channel, and about
 * an address where no channel was found.
 */
import type { Library } from '../../db/library.ts'
import { DomainError } from '../../errors.ts'
import { isMediaFile } from '../../feed/markup/web-url.ts'
import { addressOf } from '../../feed/pages/given-address.ts'
import { platformVideoIdOf } from '../../feed/platforms/by-address.ts'
import type { Channel } from '../../schema/channels/channel.ts'
import type { FeedEntry } from '../../schema/sources/feed.ts'
import type { Video } from '../../schema/videos/video.ts'
import type { VideoLooker } from '../../ytdlp/ask/look-at.ts'
import { type LookResult, look_ms, lookedEntries, lookUp } from '../videos/look.ts'
import type { Discover, Discovery } from './discovery.ts'

export type Preview = {
  discovery: Discovery
  /** The channel, if it is followed already, by any of its feeds. */
  followed: Channel | undefined
  /** A few videos of the channel. */
  newest: FeedEntry[]
  /** The video at the address, if the library has it already. */
  known: Video | undefined
  /** What yt-dlp said about the address; undefined: it was not asked. */
  looked: LookResult | undefined
}

type Searches = { discover: Discover; lookAt: VideoLooker }

const shown_videos = 4

export async function previewAddress(
  library: Library,
  { discover, lookAt }: Searches,
  address: string,
): Promise<Preview> {
  const url = addressOf(address)
  const { videoIdAt } = await lookedEntries()
  const stored = await library.videos.find(videoIdAt(url))
  // One time limit for the search and for yt-dlp together.
  const ending = new AbortController()
  const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(look_ms)])
  const look = () => lookUp(lookAt, { url, whose: library.user_id, signal })
  const is_file = isMediaFile(url)
  const looking = !stored && (is_file || platformVideoIdOf(url) !== undefined) ? look() : undefined
  const searching = is_file ? withoutSearch(looking) : discover(address, library.user_id)
  const discovery = await searching.catch((refusal: unknown) => {
    // The address cannot be fetched at all.
    ending.abort()
    throw refusal
  })
  const is_done = stored !== undefined || 'best' in discovery || signal.aborted
  const looked = await (looking ?? (is_done ? undefined : look()))
  const known = stored ?? (looked && 'video' in looked ? await knownAs(library, looked, url) : undefined)
  return { discovery, ...(await channelOf(library, discovery)), known, looked }
}

/**
 * Whether only the person knows what they mean: a video or its channel (yt-dlp was asked only about a video), or one of several feeds
 * that a page names. The feeds of one channel on a platform are no question: the whole channel is followed, and the person may choose
 * another feed later.
 */
export function asksForChoice({ discovery: { found }, known, looked }: Preview): boolean {
  return known !== undefined || looked !== undefined || found.filter(({ kind }) => kind === 'feed').length > 1
}

async function knownAs(library: Library, { video }: Extract<LookResult, { video: unknown }>, url: string) {
  const { entryOfLook } = await lookedEntries()
  return library.videos.find(entryOfLook(video, url).entry.video_id)
}

/** A file is no feed, and names no feed. */
async function withoutSearch(looking: Promise<LookResult> | undefined): Promise<Discovery> {
  const looked = await looking
  const fault = looked && 'refusal' in looked ? looked.refusal : new DomainError('not_a_feed', 'This is a file.')
  return { found: [], tried: [fault.message], fault }
}

async function channelOf(library: Library, discovery: Discovery): Promise<Pick<Preview, 'followed' | 'newest'>> {
  if (!('best' in discovery)) return { followed: undefined, newest: [] }
  const { rss_url, feed } = discovery.best
  const { channel_id, entries } = feed
  // A playlist is not sorted by date.
  const newest = entries.toSorted((a, b) => (b.published_at?.getTime() ?? 0) - (a.published_at?.getTime() ?? 0))
  const ids = await library.channels.idsByFeed([rss_url])
  const known = await library.channels.find(ids.get(rss_url) ?? channel_id)
  return { followed: known?.followed ? known : undefined, newest: newest.slice(0, shown_videos) }
}
