/** Decides what a look or the newest page of a listing says about the videos that were due, and when they are looked up again. Pure. */
import type { FoundVideo } from '../../db/videos/everyone/facts.ts'
import type { DueVideo, LookPlan } from '../../db/videos/everyone/look-plans.ts'
import { isOfOneSite, oneAddressOf, platformVideoIdOf } from '../../feed/platforms/by-address.ts'
import type { ListedEntry, LookedVideo } from '../../schema/sources/listing.ts'
import { availabilityOf, type Failure } from '../../ytdlp/run/failure.ts'
import { type KnownFacts, lookAfterFailure, nextLook } from './next-look.ts'

export type Moment = { now: Date; random: number }

/** Minutes until a download that waits for the same change has told whether it happened. */
const awaited_minutes = 60

/** The plan of a due video that needs no request now; `undefined`: it needs one. */
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
 * What a page of a list says about all videos on it. The due ones that it tells nothing of are looked up next. `list_url`: a list speaks
 * only of videos of its own site.
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

/** A count of one or more: the page of the listing is not read again for it. */
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
