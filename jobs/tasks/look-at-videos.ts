/** Looks up facts at one host: one request, and then another job after a pause, while something is due there. */
import type { Task } from 'graphile-worker'
import { describeChannel } from '../../src/db/channels/everyone/listed-channels.ts'
import { postponeListing, takeListing } from '../../src/db/channels/everyone/listings.ts'
import { saveListingForFollowers } from '../../src/db/channels/everyone/save-for-followers.ts'
import { libraryOf } from '../../src/db/library.ts'
import { pauseForPerson, requestHostCheck } from '../../src/db/queue/host-checks.ts'
import { queueNextAtHost } from '../../src/db/queue/host-jobs.ts'
import { forgetRefusals, isPausedForEveryone, looks_prefix } from '../../src/db/queue/host-pauses.ts'
import { noteListed } from '../../src/db/queue/known-feeds.ts'
import { storeFacts } from '../../src/db/videos/everyone/facts.ts'
import { dueLooks, planLooks, takeLooks } from '../../src/db/videos/everyone/look-plans.ts'
import { planMissing } from '../../src/db/videos/everyone/missing-videos.ts'
import type { ListingParts, ListingStore } from '../../src/domain/channels/read-listing.ts'
import { isPlaylist } from '../../src/domain/listings/lists-of-channel.ts'
import { applyRules } from '../../src/domain/saving/save-feed.ts'
import { type Looked, type LookStore, lookAtHost } from '../../src/domain/videos/look-at-host.ts'
import { isKnownHost, oneAddressOf } from '../../src/feed/platforms/by-address.ts'
import { Follower, LookJob } from '../../src/schema/service/jobs.ts'
import { requestOpened } from './request-opened.ts'
import type { TaskParts } from './task.ts'

type Needed = Pick<TaskParts, 'sql' | 'listings' | 'host_limits' | 'log'> & Partial<Pick<TaskParts, 'max_videos'>>

export function lookTask(parts: Needed): Task {
  const { sql, listings, log } = parts
  const store = storeOf(parts)
  const listing_store = listingStoreOf(parts)
  const pages = new Map<string, number>()
  const moment = () => ({ now: new Date(), random: Math.random() })
  /** Hosts where the last job read a listing, so that looks have the next turn. */
  const was_listed = new Set<string>()

  const readListing = async (work: ListingParts, host: string): Promise<Looked> => {
    // Loaded with the first look.
    const { readDueListing } = await import('../../src/domain/channels/read-listing.ts')
    const listing = await readDueListing(work, host)
    if (!listing) return { did: 'nothing', changed: [] }
    was_listed.add(host)
    for (const { user_id, fault } of listing.refused)
      log.warn({ user_id, err: fault }, 'could not save a listing, or apply a rule to it')
    return listing
  }

  return async (payload, { abortSignal }) => {
    const { host } = LookJob.parse(payload)
    if (await isPausedForEveryone(sql, host)) return
    const signal = abortSignal ?? new AbortController().signal
    const work = { store, listing_store, listings, moment, signal, pages }
    const list = () => readListing(work, host)
    const look = () => lookAtHost(work, host)
    const [first, second] = was_listed.delete(host) ? [look, list] : [list, look]
    const looked = await first()
    const { did, changed } = looked.did === 'nothing' ? await second() : looked
    log.debug({ host, did, changed: changed.length }, 'a look ended')
    if (did === 'nothing' || did === 'paused') return
    await useChanges(parts, changed)
    await queueNextAtHost(sql, 'looks', host, pauseAfter(did, host, parts), { isKnownHost })
  }
}

const storeOf = ({ sql }: Needed): LookStore => ({
  due: host => dueLooks(sql, host),
  plan: plans => planLooks(sql, plans),
  take: due => takeLooks(sql, due),
  store: found => storeFacts(sql, { ...found, oneAddressOf }),
  planMissing: shown => planMissing(sql, shown),
  describe: (rss_url, channel) => describeChannel(sql, rss_url, channel),
  pause: (host, pause) => pauseForPerson(sql, looks_prefix, host, pause),
  forgetRefusals: (host, user_id) => forgetRefusals(sql, looks_prefix + host, user_id),
})

const listingStoreOf = ({ sql, max_videos = 0 }: Needed): ListingStore => ({
  take: host => takeListing(sql, host, isPlaylist),
  postpone: (rss_url, after_s) => postponeListing(sql, rss_url, after_s),
  async checkHost(host, user_id) {
    await requestHostCheck(sql, host, { user_id })
  },
  noteListed: (rss_url, video_ids) => noteListed(sql, rss_url, video_ids),
  saveListingForFollowers: listing => saveListingForFollowers(sql, listing, max_videos),
  libraryOf: user_id => libraryOf(sql, user_id, 0, max_videos),
})

/** A page of a listing is one request for each tab; a look requests a page and the player, so it is followed by a longer pause. */
const pauseAfter = (did: Looked['did'], host: string, { host_limits }: Needed): number =>
  host_limits.isOurs(host) ? 0 : host_limits.host_pause_seconds * (did === 'looked' ? 2 : 1)

/** Changed facts may let a rule decide, or open a video that was requested. */
async function useChanges({ sql, log, max_videos = 0 }: Needed, changed: Looked['changed']): Promise<void> {
  const ruled = changed.filter(({ has_rule }) => has_rule)
  const channels = new Map(ruled.map(video => [`${video.user_id} ${video.channel_id}`, Follower.parse(video)]))
  const of = { libraryOf: (user_id: Follower['user_id']) => libraryOf(sql, user_id, 0, max_videos) }
  for (const { user_id, fault } of await applyRules(of, [...channels.values()]))
    log.warn({ user_id, err: fault }, 'could not apply a rule after a look')
  await requestOpened({ sql, log })
}
