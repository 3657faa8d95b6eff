/** What has to happen every minute: due refreshes, recovery of what dead workers held, and throwing away what is over. */
import { setTimeout } from 'node:timers/promises'
import type { Task } from 'graphile-worker'
import { sessionsIn } from '../../src/auth/sessions.ts'
import { clearSpentJobs, forgetPlans, planVisits, queueDueFeeds } from '../../src/db/across/feed-plans.ts'
import {
  claimsHeld,
  forgetOldFailures,
  forgottenDownloads,
  letGoByRules,
  silentWorkers,
  staleDownloads,
  unlockDeadWorkers,
} from '../../src/db/across/operations.ts'
import { forgetOldResets } from '../../src/db/across/people.ts'
import { forgetOldHolds, noteToolVersion } from '../../src/db/across/rule-turns.ts'
import { forgetToolOutcomes } from '../../src/db/across/tool-outcomes.ts'
import { libraryOf } from '../../src/db/library/library.ts'
import { forgetOldPauses } from '../../src/db/queue/host-pauses.ts'
import { addDownload } from '../../src/db/queue/queue.ts'
import { letGo } from '../../src/domain/channels/rules.ts'
import { dead_after_s, recoverDownload, second_look_s } from '../../src/domain/downloads/recovery.ts'
import type { Parts } from '../worker/parts.ts'

/** One host is asked five times a second at most, and so gets a minute's worth; the rest stays due until the next one. */
const host_pace = { most: 300, apart_ms: 200 }

export const housekeeping =
  (parts: Parts): Task =>
  async () => {
    for (const step of [scheduleVisits, recover, tidy, keepToRules, tryWithNewTools, forget]) {
      await orSay(parts, `housekeeping: ${step.name}`, () => step(parts))
    }
  }

/** A fault in one thing, a file that cannot be removed for instance, must not keep the others from being done. */
async function orSay({ log }: Pick<Parts, 'log'>, what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (fault) {
    log.warn({ err: fault }, `${what} failed`)
  }
}

/** Another version of yt-dlp may be able to do what the one before it could not. */
export async function tryWithNewTools({ sql, log }: Pick<Parts, 'sql' | 'log'>): Promise<void> {
  if (await noteToolVersion(sql, dead_after_s))
    log.info('yt-dlp has another version; what failed for lack of it is tried again')
}

async function forget({ sql }: Parts): Promise<void> {
  await sessionsIn(sql).forgetExpired()
  await forgetOldFailures(sql)
  await forgetOldPauses(sql)
  await forgetOldHolds(sql)
  await forgetOldResets(sql)
  await forgetToolOutcomes(sql)
}

/** Files that a rule fetched stay for as long as that rule says. */
export async function keepToRules({ sql, files, log }: Recovering): Promise<void> {
  for (const { user_id, video_id } of await letGoByRules(sql)) {
    await orSay({ log }, 'letting a file go', async () => {
      if (await letGo(libraryOf(sql, user_id), files, video_id)) log.info({ video_id }, 'a rule let a file go')
    })
  }
}

async function scheduleVisits({ sql, refresh_interval_minutes: minutes }: Parts): Promise<void> {
  await clearSpentJobs(sql)
  if (minutes === 0) return forgetPlans(sql)
  await planVisits(sql, minutes)
  await queueDueFeeds(sql, host_pace)
}

type Recovering = Pick<Parts, 'sql' | 'files' | 'log'>

/** Downloads without a sign of life go back into the queue; what dead workers hold there is set free. Who is silent is looked at twice. */
export async function recover({ sql, files, log }: Recovering): Promise<void> {
  const silent = new Set((await staleDownloads(sql, dead_after_s)).map(({ claim }) => claim))
  const suspects = await silentWorkers(sql, dead_after_s)
  if (silent.size + suspects.length === 0) return
  await setTimeout(second_look_s * 1000)

  const dead = await unlockDeadWorkers(sql, dead_after_s, suspects)
  if (dead.length > 0) log.warn({ workers: dead }, 'set free what dead workers held')
  for (const stale of await staleDownloads(sql, dead_after_s)) {
    if (!silent.has(stale.claim)) continue
    log.warn({ video_id: stale.video_id }, 'a download lost its worker')
    await orSay({ log }, 'recovering a download', () => recoverDownload(libraryOf(sql, stale.user_id), files, stale))
  }
}

/** Puts what somebody waits for back into the queue, should it have fallen out of it; and clears away what runs left behind. */
export async function tidy({ sql, files, log }: Recovering): Promise<void> {
  for (const { run_at, is_again, ...job } of await forgottenDownloads(sql, dead_after_s)) {
    log.warn({ video_id: job.video_id }, 'a download had no job')
    await addDownload(sql, job, { run_at, place: is_again ? 'last' : 'same' })
  }
  await files.forgetAbandoned(await claimsHeld(sql), new Date())
}
