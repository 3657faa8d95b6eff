/**
 * Looks up the facts of the videos that are due at one host: one request, and then the next one after a pause. The newest page of a
 * channel's listing answers for many new videos at once; what it leaves out is looked up video by video, each once for all people.
 */

import type { PersonPause } from '../../db/queue/host-checks.ts'
import type { Changed, FoundVideo } from '../../db/videos/everyone/facts.ts'
import type { DueVideo, LookPlan } from '../../db/videos/everyone/look-plans.ts'
import type { Shown } from '../../db/videos/everyone/missing-videos.ts'
import { oneAddressOf } from '../../feed/platforms/by-address.ts'
import { batch_size, type ListedEntry, type PlatformChannel } from '../../schema/sources/listing.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Failure } from '../../ytdlp/run/failure.ts'
import type { Listings } from '../listings/listings.ts'
import { firstListOf, isListed } from '../listings/lists-of-channel.ts'
import {
  foundByFailure,
  foundByLook,
  foundOnPage,
  knowsNothing,
  type Moment,
  nothing_found,
  planWithoutRequest,
} from './look-results.ts'
import { shownByPages } from './shown.ts'

/** The queries across people that looks need. Only a job has them. */
export type LookStore = {
  due(host: string): Promise<DueVideo[]>
  plan(plans: LookPlan[]): Promise<void>
  /** Postpones the due looks at these videos while they are looked up. */
  take(due: DueVideo[]): Promise<void>
  store(found: { rss_url: string | null; found: FoundVideo[] }): Promise<Changed[]>
  planMissing(shown: Shown): Promise<void>
  describe(rss_url: string, channel: PlatformChannel): Promise<void>
  pause(host: string, pause: PersonPause): Promise<void>
  forgetRefusals(host: string, user_id: UserId): Promise<void>
}

/** `pages`: when this process last read the newest page of a feed's listing, in milliseconds since 1970. */
export type LookParts = {
  store: LookStore
  listings: Listings
  moment(): Moment
  signal: AbortSignal
  pages: Map<string, number>
}

/** `looked`, `listed`: one request was made, or a few for the tabs of one channel. */
export type Looked = { did: 'nothing' | 'looked' | 'listed' | 'paused'; changed: Changed[] }

export async function lookAtHost(parts: LookParts, host: string): Promise<Looked> {
  const due = await dueWithRequests(parts, host)
  const [first] = due
  if (!first) return { did: 'nothing', changed: [] }
  const of_feed = due.filter(({ rss_url }) => rss_url !== null && rss_url === first.rss_url)
  return canBeListed(first) && isWorthAPage(of_feed, wasJustRead(parts, first.rss_url))
    ? lookAtNewestPage(parts, host, first, of_feed)
    : lookAtVideo(parts, host, first)
}

/** Plans the due videos that need no request, until one does. */
async function dueWithRequests({ store, moment }: LookParts, host: string): Promise<DueVideo[]> {
  for (let times = 0; times < most_plans; times++) {
    const due = await store.due(host)
    const plans = due.flatMap(video => planWithoutRequest(video, moment()) ?? [])
    if (plans.length === 0) return due
    await store.plan(plans)
  }
  return []
}
/** A hundred videos are planned each time. What is left is planned by the next job. */
const most_plans = 50

type Listable = DueVideo & { rss_url: string }
const canBeListed = (video: DueVideo): video is Listable =>
  video.rss_url !== null && isListed(video.rss_url, video.page_url)

/** A page that left videos out a moment ago would leave them out again. */
function wasJustRead({ pages, moment }: LookParts, rss_url: string): boolean {
  const before = moment().now.getTime() - page_counts_ms
  for (const [read, at] of pages) if (at < before) pages.delete(read)
  return pages.has(rss_url)
}
const page_counts_ms = 6 * 3_600_000

/** New videos are; so are several old ones, which the page may show. `looks` is 1 or more for new ones that a page left out. */
const isWorthAPage = (of_feed: DueVideo[], was_just_read: boolean) => {
  const waiting = new Set(of_feed.filter(({ looks }) => looks > 0).map(({ video_id }) => video_id))
  return (
    of_feed.some(video => knowsNothing(video) && video.looks === 0) ||
    (waiting.size >= few && !was_just_read && !of_feed.some(knowsNothing))
  )
}
const few = 3

async function lookAtNewestPage(parts: LookParts, host: string, first: Listable, due: DueVideo[]): Promise<Looked> {
  const { store, listings, signal, moment } = parts
  const { rss_url, page_url, user_id } = first
  await store.take(due)
  // One for each tab: a batch is as long as a page, and has entries of one tab only.
  const pages: ListedEntry[][] = []
  const onEntries = async (entries: ListedEntry[]) => void pages.push(entries)
  const { channel, ...ended } = await listings.listChannel({
    ...{ rss_url, page_url, signal, onEntries },
    newest: batch_size,
    whose: host,
  })
  if (ended.end === 'incomplete' && isRefusal(ended.failure)) return pauseFor(parts, host, due, ended.failure)
  parts.pages.set(rss_url, moment().now.getTime())
  const found = foundOnPage(firstListOf(rss_url, page_url) ?? '', pages.flat(), due, moment())
  const changed = await store.store({ rss_url, found })
  const shown = ended.end === 'incomplete' ? undefined : shownByPages(rss_url, pages, moment().now)
  if (shown) await store.planMissing(shown)
  await store.describe(rss_url, channel)
  await store.forgetRefusals(host, user_id)
  return { did: 'listed', changed }
}

async function lookAtVideo(parts: LookParts, host: string, due: DueVideo): Promise<Looked> {
  const { store, listings, signal, moment } = parts
  await store.take([due])
  const result = await listings.lookAt({ url: oneAddressOf(due.video_url), signal, whose: host })
  if ('failure' in result && isRefusal(result.failure)) return pauseFor(parts, host, [due], result.failure)
  const found =
    'video' in result ? foundByLook(due, result.video, moment()) : foundByFailure(due, failureIn(result), moment())
  const changed = await store.store({ rss_url: due.rss_url, found: [found] })
  await store.forgetRefusals(host, due.user_id)
  return { did: 'looked', changed }
}

const failureIn = (result: { failure: Failure } | object): Failure =>
  'failure' in result ? result.failure : not_one_video
const not_one_video: Failure = {
  kind: 'permanent',
  reason: 'unsupported',
  sentence: '',
  detail: 'the address is a list',
}

/** The site refuses us, or the tools are missing: the video is not to blame, as far as words tell. */
export const isRefusal = ({ reason }: Failure): boolean =>
  reason === 'rate_limited' || reason === 'bot_check' || reason === 'tools'

/** Missing tools may be installed at any time, and no host is to blame for them. */
export const pauseAfter = ({ reason, sentence }: Failure, user_id: UserId): PersonPause =>
  reason === 'tools'
    ? { user_id, reason: sentence, max_s: without_tools_s, is_hosts: false }
    : { user_id, reason: sentence, is_hosts: true }
const without_tools_s = 300

/** The looks stay due, and wait for the end of the pause. */
async function pauseFor({ store, moment }: LookParts, host: string, due: DueVideo[], failure: Failure) {
  const [first] = due
  if (first) await store.pause(host, pauseAfter(failure, first.user_id))
  const found = due.map(
    ({ video_id, video_url, looks }): FoundVideo => ({
      ...nothing_found,
      ...{ video_id, video_url, by: 'failure', plan: { look_at: moment().now, looks } },
    }),
  )
  await store.store({ rss_url: null, found })
  return { did: 'paused' as const, changed: [] }
}
