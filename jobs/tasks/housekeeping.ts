/** What has to be done every minute: queue the feeds that are due, recover from dead workers, and delete what is out of date. */
import type { Task } from 'graphile-worker'
import { sessionsIn } from '../../src/auth/sessions.ts'
import { clearSpentJobs, forgetPlans, planVisits, queueDueFeeds } from '../../src/db/across/feed-plans.ts'
import { forgetOldHolds, noteToolVersion } from '../../src/db/across/holds.ts'
import { filesNotKeptByRules, forgetOldFailures } from '../../src/db/across/operations.ts'
import { forgetOldResets } from '../../src/db/across/people.ts'
import { forgetToolOutcomes } from '../../src/db/across/tool-outcomes.ts'
import { libraryOf } from '../../src/db/library/library.ts'
import { forgetOldPauses } from '../../src/db/queue/host-pauses.ts'
import { deleteByRule } from '../../src/domain/channels/rules.ts'
import { dead_after_s } from '../../src/domain/downloads/recovery.ts'
import { recover, repairQueue } from './recover.ts'
import type { TaskParts } from './task.ts'

/** At most five requests a second to one host, so 300 a minute. The other feeds stay due until the next minute. */
const host_pace = { most: 300, apart_ms: 200 }

export const housekeepingTask =
  (parts: TaskParts): Task =>
  async () => {
    for (const step of [queueFeeds, recover, repairQueue, deleteByRules, retryWithNewTools, forget])
      await orLog(parts, `housekeeping: ${step.name}`, () => step(parts))
  }

/** A step that fails, because a file cannot be removed for instance, must not prevent the others. */
const orLog = ({ log }: Pick<TaskParts, 'log'>, what: string, work: () => Promise<unknown>) =>
  work().catch((fault: unknown) => log.warn({ err: fault }, `${what} failed`))

async function queueFeeds({ sql, refresh_interval_minutes: minutes }: TaskParts): Promise<void> {
  await clearSpentJobs(sql)
  if (minutes === 0) return forgetPlans(sql)
  await planVisits(sql, minutes)
  await queueDueFeeds(sql, host_pace)
}

/** Deletes files that a rule downloaded, once that rule keeps them no longer. */
export async function deleteByRules({ sql, files, log }: Pick<TaskParts, 'sql' | 'files' | 'log'>): Promise<void> {
  for (const { user_id, video_id } of await filesNotKeptByRules(sql)) {
    await orLog({ log }, 'deleting a file by a rule', async () => {
      if (await deleteByRule(libraryOf(sql, user_id), files, video_id)) log.info({ video_id }, 'a rule deleted a file')
    })
  }
}

/** A new version of yt-dlp may manage what the one before it could not. */
export async function retryWithNewTools({ sql, log }: Pick<TaskParts, 'sql' | 'log'>): Promise<void> {
  if (await noteToolVersion(sql, dead_after_s))
    log.info('yt-dlp has a new version; downloads that failed for lack of it are tried again')
}

async function forget({ sql }: TaskParts): Promise<void> {
  await sessionsIn(sql).forgetExpired()
  await forgetOldFailures(sql)
  await forgetOldPauses(sql)
  await forgetOldHolds(sql)
  await forgetOldResets(sql)
  await forgetToolOutcomes(sql)
}
