/** Reads the list of a channel once, to load its older videos for one person. Another attempt is a job of its own. */
import type { Task } from 'graphile-worker'
import { libraryOf } from '../../src/db/library.ts'
import { lazily } from '../../src/runtime/lazily.ts'
import { BackfillJob } from '../../src/schema/service/jobs.ts'
import type { TaskParts } from './task.ts'

/** Loaded with the first backfill. */
const performBackfill = lazily(
  async () => (await import('../../src/domain/channels/perform-backfill.ts')).performBackfill,
)

type Needed = Pick<TaskParts, 'sql' | 'listings' | 'max_videos' | 'log'>

export const loadOlderTask =
  ({ sql, listings, max_videos, log }: Needed): Task =>
  async (payload, { abortSignal }) => {
    const { user_id, channel_id } = BackfillJob.parse(payload)
    const parts = {
      library: libraryOf(sql, user_id, 0, max_videos),
      listChannel: listings.listChannel,
      stopping: abortSignal,
      max_videos,
      onFailure: (failure: object) => log.warn({ channel_id, ...failure }, 'the list of a channel could not be read'),
      onFault: (fault: unknown) =>
        log.error({ channel_id, err: fault }, 'loading older videos failed by our own fault'),
    }
    const outcome = await performBackfill(parts, channel_id)
    log.debug({ channel_id, outcome }, 'a run of a backfill ended')
  }
