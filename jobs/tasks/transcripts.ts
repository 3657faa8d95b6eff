/** Gets what is said in videos: from captions at their hosts, and from subtitles on disk. */
import type { Task } from 'graphile-worker'
import { libraryOf } from '../../src/db/library.ts'
import { queueNextAtHost } from '../../src/db/queue/host-jobs.ts'
import { isPausedForEveryone } from '../../src/db/queue/host-pauses.ts'
import { isKnownHost } from '../../src/feed/platforms/by-address.ts'
import { LookJob, TranscriptJob } from '../../src/schema/service/jobs.ts'
import { type TaskParts, taskOf } from './task-parts.ts'

/** Sixty requests an hour at one host. YouTube has been seen to refuse captions after sixty in five minutes. */
export const captions_apart_s = 60

type CaptionTaskParts = Pick<TaskParts, 'sql' | 'listings' | 'host_limits' | 'log'>

/**
 * Fetches the captions of one video that has no subtitles on disk, at one host. If there was such a video, adds the next job of the host
 * after a pause.
 */
export const captionsTask = ({ sql, listings, host_limits, log }: CaptionTaskParts): Task =>
  taskOf(LookJob, async ({ host }, signal) => {
    // A pause of downloads for everyone stops captions too: the host itself refused us. Pauses of captions are of one person each.
    if (await isPausedForEveryone(sql, host)) return
    // Loaded with the first captions.
    const { fetchDueCaptions } = await import('../../src/domain/search/transcripts.ts')
    const did = await fetchDueCaptions({ everyone: sql, fetchCaptions: listings.fetchCaptions, signal }, host)
    log.debug({ host, did }, 'captions were fetched')
    if (did === 'asked')
      await queueNextAtHost(sql, 'captions', host, host_limits.isOurs(host) ? 0 : captions_apart_s, { isKnownHost })
  })

/** Reads the subtitles of a video, after its download, or once if the video was downloaded before transcripts existed. */
export const transcriptTask = ({ sql, files }: Pick<TaskParts, 'sql' | 'files'>): Task =>
  taskOf(TranscriptJob, async ({ user_id, video_id }) => {
    // Loaded with the first subtitles.
    const { readTranscript } = await import('../../src/domain/search/transcripts.ts')
    await readTranscript(libraryOf(sql, user_id), files, video_id)
  })
