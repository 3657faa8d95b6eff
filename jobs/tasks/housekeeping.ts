/**
 * The work by the clock. Every minute: queues what is due, recovers from dead workers, and deletes files whose time is over. Every hour:
 * deletes what has become old. Every day: counts again.
 */
import type { Task } from 'graphile-worker'
import { sessionsIn } from '../../src/auth/sessions.ts'
import { forgetOldSecrets } from '../../src/db/account/everyone/old-secrets.ts'
import { forgetPlans, planFetches, queueDueFeeds, removeDeadJobs } from '../../src/db/channels/everyone/feed-plans.ts'
import { forgetUnfollowedFeeds } from '../../src/db/channels/everyone/feeds.ts'
import { keepOutdatedSummaries } from '../../src/db/channels/everyone/outdated-summaries.ts'
import { unreadFilesQueue } from '../../src/db/downloads/everyone/due-downloads.ts'
import { forgetOldHolds, recordToolVersion } from '../../src/db/downloads/everyone/holds.ts'
import { libraryOf } from '../../src/db/library.ts'
import { forgetOldMessages } from '../../src/db/notifications/everyone/due.ts'
import { isAway } from '../../src/db/postgres/client.ts'
import { forgetOldPauses } from '../../src/db/queue/host-pauses.ts'
import { addBackfill } from '../../src/db/queue/jobs.ts'
import { queueAgain } from '../../src/db/queue/queue.ts'
import { dueRules, filesNotKeptByRules } from '../../src/db/rules/everyone/rules.ts'
import { queueCaptions, queueUnread } from '../../src/db/search/everyone/captions.ts'
import { remakeWords } from '../../src/db/search/everyone/remaking.ts'
import {
  claimsHeld,
  forgetLostImports,
  forgetOldFailures,
  forgottenBackfills,
  forgottenDownloads,
} from '../../src/db/service/everyone/operations.ts'
import { forgetToolOutcomes } from '../../src/db/service/everyone/tool-outcomes.ts'
import { queueLooks } from '../../src/db/videos/everyone/look-plans.ts'
import { forgetOldSegments } from '../../src/db/watching/segments.ts'
import { dead_after_s, recover } from '../../src/domain/downloads/recovery.ts'
import { queuePushes, subscribe } from '../../src/domain/push/subscriptions.ts'
import { applyRule, deleteByRule } from '../../src/domain/rules/rules.ts'
import { isKnownHost } from '../../src/feed/platforms/by-address.ts'
import { removeAbandonedFolders } from '../../src/runtime/folders.ts'
import { removeExpired, sweepBins } from './bins.ts'
import { checkMedia } from './media.ts'
import { message_steps } from './notifications.ts'
import { deleteUnusedPictures, picture_steps } from './pictures.ts'
import type { TaskParts } from './task-parts.ts'
import { requestOpened } from './videos.ts'

/** Five requests a second to one host, so 300 a minute. Further feeds of the host stay due until the next minute. */
export const host_pace = { max_feeds: 300, apart_ms: 200 }

/** The steps of one task, by the names that the log shows. */
type Steps = Record<string, (parts: TaskParts) => Promise<unknown>>

/** `deletions`: steps that delete for good what has become old. While the time may be wrong, everything may seem old. */
const stepsTask =
  (steps: Steps, deletions: Steps = {}) =>
  (parts: TaskParts): Task =>
  async () => {
    const due = parts.isTimeDoubtful?.() ? steps : { ...steps, ...deletions }
    for (const [name, step] of Object.entries(due)) await logFault(parts, `housekeeping: ${name}`, () => step(parts))
  }

/** A step that fails, because a file cannot be removed for instance, must not prevent the others. */
const logFault = ({ log }: Pick<TaskParts, 'log'>, what: string, work: () => Promise<unknown>) =>
  work().catch((fault: unknown) => log.warn({ err: fault }, `${what} failed`))

async function queueFeeds({ sql, callbacks, refresh_interval_minutes: minutes }: TaskParts): Promise<void> {
  await removeDeadJobs(sql)
  if (minutes === 0) return forgetPlans(sql)
  const planned = await planFetches(sql, minutes)
  await queueDueFeeds(sql, host_pace)
  // The request follows in this minute, in `queuePushes`.
  if (callbacks !== undefined) await subscribe(sql, planned)
}

type RepairParts = Pick<TaskParts, 'sql' | 'files' | 'log' | 'isTimeDoubtful'>

/**
 * Adds a job for each waiting download and each unfinished backfill that lost its job, and removes the folders that no run needs any
 * longer. Every worker does it at its start too.
 */
export async function repairQueue({ sql, files, log, isTimeDoubtful }: RepairParts): Promise<void> {
  for (const { run_at, is_late, ...job } of await forgottenDownloads(sql, dead_after_s)) {
    log.warn({ video_id: job.video_id }, 'a waiting download had no job')
    await queueAgain(sql, job, { run_at, round: is_late ? 'last' : 'same' })
  }
  for (const { run_at, ...job } of await forgottenBackfills(sql, dead_after_s)) {
    log.warn({ channel_id: job.channel_id }, 'an unfinished backfill had no job')
    await addBackfill(sql, job, run_at)
  }
  if (!isTimeDoubtful?.()) await files.forgetAbandoned(await claimsHeld(sql), new Date())
}

/** Rules applied in one minute. More rules wait for the next minute. */
const max_rules_a_minute = 200

/** Applies rules that have something to judge without a refresh of their feed. */
export async function applyDueRules({ sql, log }: Pick<TaskParts, 'sql' | 'log'>): Promise<void> {
  for (const { user_id, channel_id } of await dueRules(sql, max_rules_a_minute)) {
    const library = libraryOf(sql, user_id)
    await applyRule(library, channel_id).catch(async (fault: unknown) => {
      if (isAway(fault)) throw fault
      log.warn({ err: fault, channel_id }, 'a rule could not be applied')
      await library.rules.postpone(channel_id)
    })
  }
}

type DeletionParts = Pick<TaskParts, 'sql' | 'files' | 'log' | 'bin'>

/** Deletes files that a rule downloaded, once that rule no longer keeps them. */
export async function deleteByRules({ sql, files, log, bin }: DeletionParts): Promise<void> {
  for (const { user_id, video_id, by_watching } of await filesNotKeptByRules(sql)) {
    await logFault({ log }, 'deleting a file by a rule', async () => {
      if (await deleteByRule(libraryOf(sql, user_id), { files, bin }, video_id, by_watching))
        log.info({ video_id }, 'a rule deleted a file')
    })
  }
}

/** A new version of yt-dlp may succeed where the old one failed. */
export async function retryWithNewTools({ sql, log }: Pick<TaskParts, 'sql' | 'log'>): Promise<void> {
  if (await recordToolVersion(sql, dead_after_s))
    log.info('yt-dlp has a new version; downloads that the old version failed are tried again')
}

const queueUnreadFiles = unreadFilesQueue()

/** Deletes for good what was kept for some time. */
async function forgetOld({ sql }: TaskParts): Promise<void> {
  await sessionsIn(sql).forgetExpired()
  await forgetOldFailures(sql)
  await forgetLostImports(sql)
  await forgetOldPauses(sql)
  await forgetOldHolds(sql)
  await forgetOldSecrets(sql)
  await forgetToolOutcomes(sql)
  await forgetOldSegments(sql)
  await forgetUnfollowedFeeds(sql)
}

/** `repairQueue` asks for itself whether the time may be wrong. */
export const housekeepingTask = stepsTask(
  {
    queueFeeds,
    queuePushes,
    // Each worker also recovers with each of its heartbeats.
    recover,
    repairQueue,
    ...message_steps,
    applyDueRules,
    retryWithNewTools,
    requestOpened,
    // Looks at videos whose facts are due, and reads of listings that replace feeds.
    queueDueLooks: ({ sql }) => queueLooks(sql, { isKnownHost }),
    // Captions of videos that have no subtitles on disk.
    queueDueCaptions: ({ sql }) => queueCaptions(sql, { isKnownHost }),
    queueUnreadSubtitles: ({ sql }) => queueUnread(sql),
    // Files that were downloaded before their length, chapters and streams were stored.
    queueFilesToRead: ({ sql }) => queueUnreadFiles(sql),
    checkMedia,
    ...picture_steps,
    remakeWords: ({ sql }) => remakeWords(sql),
  },
  { deleteByRules, removeExpired, sweepBins },
)

export const forgetOldTask = stepsTask(
  {},
  { removeAbandonedFolders, forgetOld, forgetMessages: ({ sql }) => forgetOldMessages(sql), deleteUnusedPictures },
)

/** For people who have not looked at a page for long. */
export const countAgainTask = stepsTask({ keepSummaries: ({ sql }) => keepOutdatedSummaries(sql) })
