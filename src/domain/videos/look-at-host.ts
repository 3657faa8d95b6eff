/**
 * Looks up the facts of the videos that are due at one host: one request, and after a pause the next request. The newest page of a
 * channel's listing answers for many new videos at once. Videos that the page leaves out are looked up one by one, once for all people.
 */
import { describeChannel } from '../../db/channels/everyone/listings.ts'
import type { Everyone } from '../../db/everyone.ts'
import { type PersonPause, pauseForPerson } from '../../db/queue/host-checks.ts'
import { forgetRefusals, looks_prefix } from '../../db/queue/host-pauses.ts'
import { type ChangedVideo, type FoundVideo, storeFacts } from '../../db/videos/everyone/facts.ts'
import { type DueVideo, dueLooks, planLooks, planMissing, takeLooks } from '../../db/videos/everyone/look-plans.ts'
import { oneAddressOf } from '../../feed/platforms/by-address.ts'
import { batch_size, type ListedEntry } from '../../schema/sources/listing.ts'
import type { UserId } from '../../schema/values/user.ts'
import { type Failure, failed } from '../../ytdlp/failures/failure.ts'
import type { Listings } from '../listings/listings.ts'
import { firstListOf, isListed } from '../listings/lists-of-channel.ts'
import { coverageOfPages } from './coverage.ts'
import {
  foundByFailure,
  foundByLook,
  foundOnPage,
  knowsNothing,
  type Moment,
  nothing_found,
  planWithoutRequest,
} from './look-results.ts'

/** `pages`: when this process last read the newest page of a feed's listing, in milliseconds since 1970. */
export type LookParts = {
  everyone: Everyone
  listings: Listings
  moment(): Moment
  signal: AbortSignal
  pages: Map<string, number>
}

/** `looked`, `listed`: one request was made, or a few for the tabs of one channel. */
export type LookOutcome = { did: 'nothing' | 'looked' | 'listed' | 'paused'; changed: ChangedVideo[] }

export async function lookAtHost(parts: LookParts, host: string): Promise<LookOutcome> {
  const due = await dueWithRequests(parts, host)
  const [first] = due
  if (!first) return { did: 'nothing', changed: [] }
  const of_feed = due.filter(({ rss_url }) => rss_url !== null && rss_url === first.rss_url)
  return canBeListed(first) && isWorthAPage(of_feed, wasJustRead(parts, first.rss_url))
    ? lookAtNewestPage(parts, host, first, of_feed)
    : lookAtVideo(parts, host, first)
}

/** Plans the due videos that need no request, until a due video needs a request. */
async function dueWithRequests({ everyone, moment }: LookParts, host: string): Promise<DueVideo[]> {
  for (let times = 0; times < max_rounds; times++) {
    const due = await dueLooks(everyone, host)
    const plans = due.flatMap(video => planWithoutRequest(video, moment()) ?? [])
    if (plans.length === 0) return due
    await planLooks(everyone, plans)
  }
  return []
}
/** Rounds of planning; each one plans a hundred videos. The next job plans the rest. */
const max_rounds = 50

type Listable = DueVideo & { rss_url: string }
const canBeListed = (video: DueVideo): video is Listable =>
  video.rss_url !== null && isListed(video.rss_url, video.page_url)

/** A page that left videos out a moment ago would leave them out again. */
function wasJustRead({ pages, moment }: LookParts, rss_url: string): boolean {
  const now = moment().now.getTime()
  for (const [read, at] of pages) if (Math.abs(now - at) > page_counts_ms) pages.delete(read)
  return pages.has(rss_url)
}
const page_counts_ms = 6 * 3_600_000

/**
 * New videos are looked up together on the newest page. Several old videos are looked up there too, because the page may show them.
 * `looks` is 1 or more for new videos that a page left out.
 */
const isWorthAPage = (of_feed: DueVideo[], was_just_read: boolean) => {
  const waiting = new Set(of_feed.filter(({ looks }) => looks > 0).map(({ video_id }) => video_id))
  return (
    of_feed.some(video => knowsNothing(video) && video.looks === 0) ||
    (waiting.size >= videos_worth_a_page && !was_just_read && !of_feed.some(knowsNothing))
  )
}
const videos_worth_a_page = 3

async function lookAtNewestPage(
  parts: LookParts,
  host: string,
  first: Listable,
  due: DueVideo[],
): Promise<LookOutcome> {
  const { everyone, listings, signal, moment } = parts
  const { rss_url, page_url, user_id } = first
  await takeLooks(everyone, due)
  // One page for each tab: a batch is as long as a page, and has entries of one tab only.
  const pages: ListedEntry[][] = []
  const onEntries = async (entries: ListedEntry[]) => void pages.push(entries)
  const { channel, ...ended } = await listings.listChannel({
    rss_url,
    page_url,
    signal,
    onEntries,
    newest: batch_size,
    whose: host,
  })
  if (ended.end === 'incomplete' && isRefusal(ended.failure)) return pauseFor(parts, host, due, ended.failure)
  parts.pages.set(rss_url, moment().now.getTime())
  const found = foundOnPage(firstListOf(rss_url, page_url) ?? '', pages.flat(), due, moment())
  const changed = await storeFacts(everyone, { rss_url, found, oneAddressOf })
  const shown = ended.end === 'incomplete' ? undefined : coverageOfPages(rss_url, pages, moment().now)
  if (shown) await planMissing(everyone, shown)
  await describeChannel(everyone, rss_url, channel)
  await forgetRefusals(everyone, looks_prefix + host, user_id)
  return { did: 'listed', changed }
}

async function lookAtVideo(parts: LookParts, host: string, due: DueVideo): Promise<LookOutcome> {
  const { everyone, listings, signal, moment } = parts
  await takeLooks(everyone, [due])
  const result = await listings.lookAt({ url: oneAddressOf(due.video_url), signal, whose: host })
  if ('failure' in result && isRefusal(result.failure)) return pauseFor(parts, host, [due], result.failure)
  const found =
    'video' in result ? foundByLook(due, result.video, moment()) : foundByFailure(due, failureIn(result), moment())
  const changed = await storeFacts(everyone, { rss_url: due.rss_url, found: [found], oneAddressOf })
  await forgetRefusals(everyone, looks_prefix + host, due.user_id)
  return { did: 'looked', changed }
}

const failureIn = (result: { failure: Failure } | object): Failure =>
  'failure' in result ? result.failure : not_one_video
const not_one_video = failed('unsupported', '', 'the address is a list')

/** The site refuses us, or what we need to ask it does not work. As far as words tell, the video is not the cause. */
export const isRefusal = (failure: Failure): boolean =>
  failure.reason === 'rate_limited' || failure.reason === 'bot_check' || isOurs(failure)

/** The site has not been asked, so it is not to blame. */
export const isOurs = ({ reason }: Pick<Failure, 'reason'>): boolean => reason === 'tools' || reason === 'proxy'

/** Missing tools may be installed, and the proxy may come back, at any time. */
export const pauseAfter = (failure: Failure, user_id: UserId): PersonPause =>
  isOurs(failure)
    ? { user_id, reason: failure.sentence, max_s: our_pause_s, is_hosts: false }
    : { user_id, reason: failure.sentence, is_hosts: true }
const our_pause_s = 300

/** The looks stay due, and wait for the end of the pause. */
async function pauseFor({ everyone, moment }: LookParts, host: string, due: DueVideo[], failure: Failure) {
  const [first] = due
  if (first) await pauseForPerson(everyone, looks_prefix, host, pauseAfter(failure, first.user_id))
  const found = due.map(
    ({ video_id, video_url, looks }): FoundVideo => ({
      ...nothing_found,
      video_id,
      video_url,
      by: 'failure',
      plan: { look_at: moment().now, looks },
    }),
  )
  await storeFacts(everyone, { rss_url: null, found, oneAddressOf })
  return { did: 'paused' as const, changed: [] }
}
