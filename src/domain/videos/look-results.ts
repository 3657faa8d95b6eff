/** Decides what a look or the newest page of a listing says about the videos that were due, and when they are looked up again. Pure. */
import type { FoundVideo } from '../../db/videos/everyone/facts.ts'
import type { DueVideo, LookPlan } from '../../db/videos/everyone/look-plans.ts'
import { isOfOneSite, oneAddressOf, platformVideoIdOf } from '../../feed/platforms/by-address.ts'
import type { Facts } from '../../schema/sources/facts.ts'
import type { ListedEntry, LookedVideo } from '../../schema/sources/listing.ts'
import { availabilityOf, type Failure } from '../../ytdlp/failures/failure.ts'
import { day, hour, times } from '../downloads/retry-plans.ts'

export type Moment = { now: Date; random: number }

/** Minutes until a download that waits for the same change has told whether it happened. */
const awaited_minutes = 60

/** The plan of a due video that needs no request now; `undefined`: the video needs a request. */
export function planWithoutRequest(due: DueVideo, { now, random }: Moment): LookPlan | undefined {
  const { user_id, video_id, looks } = due
  const of = { user_id, video_id }
  if (due.is_awaited) return { ...of, looks, look_at: new Date(now.getTime() + awaited_minutes * 60_000) }
  const look_at = nextLook(due, Math.max(looks, 0), now, random)
  if (looks < 0) return { ...of, look_at, looks: 0 }
  // Its length has become known in another way, and nothing else will change.
  return look_at === null && looks === 0 && due.duration_seconds !== null ? { ...of, look_at, looks } : undefined
}

export const knowsNothing = ({ duration_seconds, live_status, availability }: KnownFacts): boolean =>
  duration_seconds === null && live_status === null && availability === null

/**
 * What a page of a list says about all videos on it. Due videos of which the page tells nothing are looked up next. `list_url`: a list
 * speaks only of videos of its own site.
 */
export function foundOnPage(list_url: string, page: ListedEntry[], due: DueVideo[], moment: Moment): FoundVideo[] {
  const telling = page.filter(entry => !knowsNothing(entry) && isOfOneSite(list_url, entry.video_url))
  const shown = new Map(telling.map(entry => [oneAddressOf(entry.video_url), entry]))
  const at = new Map(due.map(video => [oneAddressOf(video.video_url), video]))
  const listed = [...shown].flatMap(([address, entry]): FoundVideo[] => {
    const video = at.get(address)
    const video_id = video?.video_id ?? platformVideoIdOf(entry.video_url)
    const plan = video && planAfterListing(video, entry, moment)
    return video_id === undefined ? [] : [{ ...factsOf(entry), video_id, by: 'listing', plan }]
  })
  const missing = [...at].flatMap(([address, video]): FoundVideo[] =>
    shown.has(address) ? [] : [{ ...nothing_found, ...which(video), by: 'listing', plan: lookNow(video, moment) }],
  )
  return [...listed, ...missing]
}

const which = ({ video_id, video_url }: DueVideo) => ({ video_id, video_url })

export function foundByLook(due: DueVideo, video: LookedVideo, moment: Moment): FoundVideo {
  const { starts_at } = video
  return { ...factsOf(video), starts_at, ...which(due), by: 'look', plan: planAfter(due, video, moment) }
}

/** A failure that says who can watch the video, or when it begins, is an answer. Any other look is repeated later. */
export function foundByFailure(due: DueVideo, failure: Failure, moment: Moment): FoundVideo {
  const { now, random } = moment
  const availability = availabilityOf(failure)
  const begins = failure.reason === 'premiere' ? ('upcoming' as const) : null
  const found = { ...nothing_found, ...which(due), availability, live_status: begins, by: 'failure' as const }
  const starts_at = failure.starts_in_s === undefined ? null : new Date(now.getTime() + failure.starts_in_s * 1000)
  if (availability || begins)
    return {
      ...found,
      plan: planAfter(due, { ...found, availability: availability ?? due.availability, starts_at }, moment),
    }
  const looks = due.looks + 1
  const look_at = knowsNothing(due) ? lookAfterFailure(due.looks, now, random) : nextLook(due, looks, now, random)
  return { ...found, plan: { look_at, looks } }
}

/** A listing marks videos for members. A video that has lost the mark may have opened; its own page tells. */
function planAfterListing(due: DueVideo, entry: ListedEntry, moment: Moment) {
  const has_lost_mark = due.availability === 'members_only' && entry.availability === null
  return has_lost_mark ? lookNow(due, moment) : planAfter(due, entry, moment)
}

/** A look at once. Its count is one or more, so that the page of the listing is not read again for this video. */
const lookNow = ({ looks }: DueVideo, { now }: Moment) => ({ look_at: now, looks: Math.max(looks, 1) })

/** The count begins again when the facts have changed. */
function planAfter(due: DueVideo, answer: Omit<KnownFacts, 'published_at'>, { now, random }: Moment) {
  const { availability, starts_at } = answer
  const live_status = answer.live_status ?? due.live_status
  const looks = live_status === due.live_status && availability === due.availability ? due.looks + 1 : 0
  const duration_seconds = answer.duration_seconds ?? due.duration_seconds
  const known = { duration_seconds, live_status, availability, published_at: due.published_at, starts_at }
  return { look_at: nextLook(known, looks, now, random), looks }
}

export const nothing_found = {
  duration_seconds: null,
  live_status: null,
  availability: null,
  published_at: null,
  published_precision: null,
}

const factsOf = ({
  video_url,
  duration_seconds,
  live_status,
  availability,
  published_at,
  published_precision,
}: ListedEntry): Omit<FoundVideo, 'video_id' | 'by'> => ({
  video_url,
  duration_seconds,
  live_status,
  availability,
  published_at,
  published_precision: published_at && (published_precision ?? 'exact'),
})

/** `starts_at`: when an announced video begins; null or absent: unknown. */
export type KnownFacts = Pick<Facts, 'duration_seconds' | 'live_status' | 'availability'> & {
  published_at: Date | null
  starts_at?: Date | null | undefined
}

/** Minutes to wait before each look, in this order. After the last wait there are no more looks. */
const waits = {
  /** The first look learns when the video begins. */
  upcoming: [0, ...times(24, hour), ...times(60, day)],
  /** Most streams end within a day; some never end. */
  live: [...times(72, hour), ...times(365, day)],
  /** A recording is ready, and its length known, hours or days after the stream. */
  recording: [...times(24, hour), ...times(7, day)],
  members_only: [...times(30, day), ...times(12, 30 * day)],
  private: [day, 2 * day, 4 * day],
}

/** A begin is looked up soon after its announced time, and at least once a week before, because it may be moved. */
const announced = { late_ms: 2 * 60_000, least_ms: 10 * 60_000, longest_ms: 7 * day * 60_000 }

/** The `looks` of a video that was published a month ago: if it has not opened by then, it is unlikely to open tomorrow. */
const looks_of_old_video = 30

/**
 * The next look after `looks` looks that found these facts; null: never. Facts are looked up again because they will change: a premiere
 * begins, a stream ends, a video for members opens. Looks are up to a tenth later, so that videos which were found together are not all
 * looked up together. `random`: from 0 up to 1.
 */
export const nextLook = (facts: KnownFacts, looks: number, now: Date, random = 0): Date | null =>
  lookAfter(waitOf(facts, looks, now), now, random)

function waitOf({ availability, ...facts }: KnownFacts, looks: number, now: Date): number | undefined {
  const { live_status, published_at, starts_at } = facts
  if (availability === 'removed' || availability === 'age_restricted') return undefined
  if (availability === 'private') return waitAt(waits.private, looks)
  if (live_status === 'upcoming') return waitForBegin(starts_at, looks, now)
  if (live_status === 'live') return waitAt(waits.live, looks)
  if (availability === 'members_only')
    return waitAt(waits.members_only, isOld(published_at, now) ? Math.max(looks, looks_of_old_video) : looks)
  if (live_status === 'was_live' && facts.duration_seconds === null) return waitAt(waits.recording, looks)
  return undefined
}

function waitForBegin(starts_at: Date | null | undefined, looks: number, now: Date): number | undefined {
  const { late_ms, least_ms, longest_ms } = announced
  const until_ms = (starts_at?.getTime() ?? 0) + late_ms - now.getTime()
  return until_ms > 0 ? Math.min(Math.max(until_ms, least_ms), longest_ms) : waitAt(waits.upcoming, looks)
}

const isOld = (published_at: Date | null, now: Date) =>
  published_at !== null && now.getTime() - published_at.getTime() > looks_of_old_video * day * 60_000

/** Milliseconds; `undefined`: all waits are used up. */
function waitAt(waits: number[], looks: number): number | undefined {
  const minutes = waits[Math.max(looks, 0)]
  return minutes === undefined ? undefined : minutes * 60_000
}

/** Minutes until a look that failed for a reason of the site or of this service is repeated. */
const failed_waits = [hour, 6 * hour, ...times(3, day)]

/** The next look after the last `failures` looks found out nothing; null: never. */
export const lookAfterFailure = (failures: number, now: Date, random = 0): Date | null =>
  lookAfter(waitAt(failed_waits, failures), now, random)

const lookAfter = (wait_ms: number | undefined, now: Date, random: number) =>
  wait_ms === undefined ? null : new Date(now.getTime() + wait_ms * (1 + random / 10))
