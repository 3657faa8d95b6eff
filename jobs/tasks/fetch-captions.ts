/** Fetches the captions of one video that has no subtitles on disk, at one host, and then another job after a pause, while someone wants more there. */
import type { Task } from 'graphile-worker'
import { queueNextAtHost } from '../../src/db/queue/host-jobs.ts'
import { isPausedForEveryone } from '../../src/db/queue/host-pauses.ts'
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
  return async (payload, { abortSignal }) => {
    const { host } = LookJob.parse(payload)
    if (await isPausedForEveryone(sql, host)) return
    const signal = abortSignal ?? new AbortController().signal
    // Loaded with the first captions.
    const { fetchDueCaptions } = await import('../../src/domain/search/transcripts.ts')
    const did = await fetchDueCaptions({ everyone: sql, fetchCaptions: listings.fetchCaptions, signal }, host)
    log.debug({ host, did }, 'captions were fetched')
    if (did === 'asked')
      await queueNextAtHost(sql, 'captions', host, host_limits.isOurs(host) ? 0 : captions_apart_s, { isKnownHost })
  }
}
