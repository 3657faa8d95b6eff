/**
 * Lists the videos of a PeerTube channel, account or playlist by its own API, which says more than yt-dlp does: lengths, exact
 * dates, and how many videos there are.
 */
import { setTimeout } from 'node:timers/promises'
import { DomainError } from '../../errors.ts'
import { turnsFor } from '../../runtime/turns.ts'
import { type ListingRequest, most_listed, type PlatformChannel } from '../../schema/sources/listing.ts'
import { type PeertubePage, peertubePageIn } from '../formats/peertube-list.ts'
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
  const { newest = most_listed, signal, onEntries, isEnough } = request
  const most = Math.min(newest, most_listed)
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
    ...{ start: String(start), count: String(count) },
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
  new DomainError('feed_failed', `This list has more than ${most_listed} videos. The first ${most_listed} are listed.`)
