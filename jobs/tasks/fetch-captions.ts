/** Fetches the captions of one video that has no subtitles on disk, at one host, and then another job after a pause, while someone wants more there. */
import type { Task } from 'graphile-worker'
import { libraryOf } from '../../src/db/library.ts'
import { pauseForPerson } from '../../src/db/queue/host-checks.ts'
import { queueNextAtHost } from '../../src/db/queue/host-jobs.ts'
import { captions_prefix, forgetRefusals, isPausedForEveryone } from '../../src/db/queue/host-pauses.ts'
import { takeDueCaptions } from '../../src/db/search/everyone/captions.ts'
import type { CaptionStore } from '../../src/domain/search/fetch-captions.ts'
import { isKnownHost } from '../../src/feed/platforms/by-address.ts'
import { LookJob } from '../../src/schema/service/jobs.ts'
import type { TaskParts } from './task.ts'

/** Sixty an hour at one host. YouTube has been seen to refuse captions after sixty in five minutes. */
export const captions_apart_s = 60

export function captionsTask({
  sql,
  listings,
  host_limits,
  log,
}: Pick<TaskParts, 'sql' | 'listings' | 'host_limits' | 'log'>): Task {
  const store: CaptionStore = {
    take: host => takeDueCaptions(sql, host),
    libraryOf: user_id => libraryOf(sql, user_id),
    pause: (host, pause) => pauseForPerson(sql, captions_prefix, host, pause),
    forgetRefusals: (host, user_id) => forgetRefusals(sql, captions_prefix + host, user_id),
  }
  return async (payload, { abortSignal }) => {
    const { host } = LookJob.parse(payload)
    if (await isPausedForEveryone(sql, host)) return
    const signal = abortSignal ?? new AbortController().signal
    // Loaded with the first captions.
    const { fetchDueCaptions } = await import('../../src/domain/search/fetch-captions.ts')
    const did = await fetchDueCaptions({ store, fetchCaptions: listings.fetchCaptions, signal }, host)
    log.debug({ host, did }, 'captions were fetched')
    if (did === 'asked')
      await queueNextAtHost(sql, 'captions', host, host_limits.isOurs(host) ? 0 : captions_apart_s, { isKnownHost })
  }
}
