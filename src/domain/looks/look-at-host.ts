/**
 * Looks up the facts of the videos that are due at one host: one request, and then the next one after a pause. The newest page of a
 * channel's listing answers for many new videos at once; what it leaves out is looked up video by video, each once for all people.
 */
import type { Changed, FoundVideo } from '../../db/across/facts.ts'
import type { DueVideo, LookPlan } from '../../db/across/look-plans.ts'
import type { Shown } from '../../db/across/missing-videos.ts'
import { batch_size, type ListedEntry, type PlatformChannel } from '../../schema/listing.ts'
import type { UserId } from '../../schema/user.ts'
import type { Failure } from '../../ytdlp/run/failure.ts'
import type { Listings } from '../listings/listings.ts'
import { isListed } from '../listings/lists-of-channel.ts'
import {
  foundByFailure,
  foundByLook,
  foundOnPage,
  knowsNothing,
  type Moment,
  planWithoutRequest,
} from './look-results.ts'
import { shownByPages } from './shown.ts'

/** The queries across people that looks need. Only a job has them. */
export type LookStore = {
  due(host: string): Promise<DueVideo[]>
  plan(plans: LookPlan[]): Promise<void>
  /** Postpones the due looks at these videos while they are looked up. */
  take(host: string, video_ids: string[]): Promise<void>
  store(found: { host: string; rss_url: string | null; found: FoundVideo[] }): Promise<Changed[]>
  planMissing(shown: Shown): Promise<void>
  describe(rss_url: string, channel: PlatformChannel): Promise<void>
  /** `refused`: a person whose video was refused; absent: the tools are missing, so no host is to blame. */
  pause(host: string, pause: { reason: string; refused: UserId | undefined; max_s?: number | undefined }): Promise<void>
  forgetRefusals(host: string): Promise<void>
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
    ? lookAtNewestPage(parts, host, first.rss_url, of_feed)
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

async function lookAtNewestPage(parts: LookParts, host: string, rss_url: string, due: DueVideo[]): Promise<Looked> {
  const { store, listings, signal, moment } = parts
  await store.take(host, idsOf(due))
  // One for each tab: a batch is as long as a page, and has entries of one tab only.
  const pages: ListedEntry[][] = []
  const onEntries = async (entries: ListedEntry[]) => void pages.push(entries)
  const [{ page_url = null } = {}] = due
  const { channel, ...ended } = await listings.listChannel({
    ...{ rss_url, page_url, signal, onEntries },
    newest: batch_size,
    whose: host,
  })
  if (ended.end === 'incomplete' && isForAll(ended.failure)) return pauseFor(parts, host, due, ended.failure)
  parts.pages.set(rss_url, moment().now.getTime())
  const changed = await store.store({ host, rss_url, found: foundOnPage(pages.flat(), due, moment()) })
  const shown = ended.end === 'incomplete' ? undefined : shownByPages(rss_url, pages, moment().now)
  if (shown) await store.planMissing(shown)
  await store.describe(rss_url, channel)
  await store.forgetRefusals(host)
  return { did: 'listed', changed }
}

async function lookAtVideo(parts: LookParts, host: string, due: DueVideo): Promise<Looked> {
  const { store, listings, signal, moment } = parts
  await store.take(host, [due.video_id])
  const result = await listings.lookAt({ url: due.video_url, signal, whose: host })
  if ('failure' in result && isForAll(result.failure)) return pauseFor(parts, host, [due], result.failure)
  const found =
    'video' in result ? foundByLook(due, result.video, moment()) : foundByFailure(due, failureIn(result), moment())
  const changed = await store.store({ host, rss_url: due.rss_url, found: [found] })
  await store.forgetRefusals(host)
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

const idsOf = (due: DueVideo[]) => [...new Set(due.map(({ video_id }) => video_id))]

/** The site refuses us, or the tools are missing: the video is not to blame. */
export const isForAll = ({ reason }: Failure): boolean =>
  reason === 'rate_limited' || reason === 'bot_check' || reason === 'tools'

/** The looks stay due, and wait for the end of the pause. */
async function pauseFor(
  { store, moment }: LookParts,
  host: string,
  due: DueVideo[],
  { reason, sentence }: Failure,
): Promise<Looked> {
  const [first] = due
  const is_ours = reason === 'tools'
  await store.pause(host, {
    reason: sentence,
    refused: is_ours ? undefined : first?.user_id,
    max_s: is_ours ? without_tools_s : undefined,
  })
  const found = due.map(
    ({ video_id, looks }): FoundVideo => ({ ...nothing_found, video_id, plan: { look_at: moment().now, looks } }),
  )
  await store.store({ host, rss_url: null, found })
  return { did: 'paused', changed: [] }
}
/** Tools may be installed at any time. */
const without_tools_s = 300

const nothing_found = {
  duration_seconds: null,
  live_status: null,
  availability: null,
  published_at: null,
  published_precision: null,
  by: 'failure',
} as const
