/** Looks up facts of videos at their hosts, and requests downloads again whose videos have opened. */
import type { Task } from 'graphile-worker'
import { openedDownloads } from '../../src/db/downloads/everyone/due-downloads.ts'
import { libraryOf } from '../../src/db/library.ts'
import { queueNextAtHost } from '../../src/db/queue/host-jobs.ts'
import { isPausedForEveryone } from '../../src/db/queue/host-pauses.ts'
import { applyRules } from '../../src/domain/saving/save-feed.ts'
import { type LookOutcome, type LookParts, lookAtHost } from '../../src/domain/videos/look-at-host.ts'
import { isKnownHost } from '../../src/feed/platforms/by-address.ts'
import { currentTime } from '../../src/runtime/clock.ts'
import { Follower, LookJob } from '../../src/schema/service/jobs.ts'
import type { UserId } from '../../src/schema/values/user.ts'
import { type TaskParts, taskOf } from './task-parts.ts'

type LookTaskParts = Pick<TaskParts, 'sql' | 'listings' | 'host_limits' | 'log'>

/** Looks up one video, or reads one page of a listing, at one host. If there was work, adds the next job of the host after a pause. */
export function lookTask(parts: LookTaskParts): Task {
  const { sql, listings, log } = parts
  /** When this process last read the newest page of each listing, in milliseconds since 1970. */
  const pages = new Map<string, number>()
  const moment = () => ({ now: currentTime(), random: Math.random() })
  /** Hosts where the last job read a listing, so that looks have the next turn. */
  const was_listed = new Set<string>()

  const readListing = async (work: LookParts, host: string): Promise<LookOutcome> => {
    // Loaded with the first listing.
    const { readDueListing } = await import('../../src/domain/channels/read-listing.ts')
    const listing = await readDueListing(work, host)
    if (!listing) return { did: 'nothing', changed: [] }
    was_listed.add(host)
    for (const { user_id, fault } of listing.refused)
      log.warn({ user_id, err: fault }, 'could not save a listing, or apply a rule to it')
    return listing
  }

  return taskOf(LookJob, async ({ host }, signal) => {
    // A pause of downloads for everyone stops looks too: the host itself refused us. Pauses of looks are of one person each.
    if (await isPausedForEveryone(sql, host)) return
    const work = { everyone: sql, listings, moment, signal, pages }
    const list = () => readListing(work, host)
    const look = () => lookAtHost(work, host)
    const [first, second] = was_listed.delete(host) ? [look, list] : [list, look]
    const looked = await first()
    const { did, changed } = looked.did === 'nothing' ? await second() : looked
    log.debug({ host, did, changed: changed.length }, 'a look ended')
    if (did === 'nothing' || did === 'paused') return
    await useChanges(parts, changed)
    await queueNextAtHost(sql, 'looks', host, pauseAfter(did, host, parts), { isKnownHost })
  })
}

/** A page of a listing is one request for each tab; a look requests a page and the player, so it is followed by a longer pause. */
const pauseAfter = (did: LookOutcome['did'], host: string, { host_limits }: LookTaskParts): number =>
  host_limits.isOurs(host) ? 0 : host_limits.host_pause_seconds * (did === 'looked' ? 2 : 1)

/** Changed facts may let a rule decide, or open a video that was requested. */
async function useChanges({ sql, log }: LookTaskParts, changed: LookOutcome['changed']): Promise<void> {
  const ruled = changed.filter(({ has_rule }) => has_rule)
  const channels = new Map(ruled.map(video => [`${video.user_id} ${video.channel_id}`, Follower.parse(video)]))
  for (const { user_id, fault } of await applyRules(sql, [...channels.values()]))
    log.warn({ user_id, err: fault }, 'could not apply a rule after a look')
  await requestOpened({ sql, log })
}

/** Requests each download again whose video was closed and has opened. A step of housekeeping, and the end of every look. */
export async function requestOpened({ sql, log }: Pick<TaskParts, 'sql' | 'log'>): Promise<void> {
  const opened = Map.groupBy(await openedDownloads(sql), ({ user_id }): UserId => user_id)
  for (const [user_id, downloads] of opened) {
    const video_ids = downloads.map(({ video_id }) => video_id)
    for (const video_id of await libraryOf(sql, user_id).downloads.requestOpened(video_ids))
      log.info({ video_id }, 'a video opened, so its download is requested again')
  }
}
