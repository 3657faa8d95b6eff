/** Adds channels of an import, and loads older videos of a channel. */
import type { Task } from 'graphile-worker'
import { libraryOf } from '../../src/db/library.ts'
import { performImport } from '../../src/domain/imports/perform-import.ts'
import { lazily } from '../../src/runtime/cache.ts'
import { BackfillJob, ImportJob } from '../../src/schema/service/jobs.ts'
import { type TaskParts, taskOf } from './task-parts.ts'

type ImportTaskParts = Pick<TaskParts, 'sql' | 'findFeed' | 'log'>

/** Works on one import for a short time. The rest is another job, so that other imports get their turn in between. */
export const importTask = ({ sql, findFeed, log }: ImportTaskParts): Task =>
  taskOf(ImportJob, async ({ user_id, import_id }, stopping) => {
    const deps = {
      library: libraryOf(sql, user_id),
      findFeed,
      stopping,
      onFault: (fault: unknown) => log.error({ import_id, err: fault }, 'a part of an import failed by our own fault'),
    }
    const result = await performImport(deps, import_id)
    log.debug({ import_id, result }, 'a job of an import ended')
  })

/** Loaded with the first backfill. */
const performBackfill = lazily(
  async () => (await import('../../src/domain/channels/perform-backfill.ts')).performBackfill,
)

type OlderParts = Pick<TaskParts, 'sql' | 'listings' | 'log'>

/** Reads the list of a channel once, to load its older videos for one person. Another attempt is a job of its own. */
export const loadOlderTask = ({ sql, listings, log }: OlderParts): Task =>
  taskOf(BackfillJob, async ({ user_id, channel_id }, stopping) => {
    const parts = {
      library: libraryOf(sql, user_id),
      listChannel: listings.listChannel,
      stopping,
      onFailure: (failure: object) => log.warn({ channel_id, ...failure }, 'the list of a channel could not be read'),
      onFault: (fault: unknown) =>
        log.error({ channel_id, err: fault }, 'loading older videos failed by our own fault'),
    }
    const outcome = await performBackfill(parts, channel_id)
    log.debug({ channel_id, outcome }, 'a run of a backfill ended')
  })
