/** Works on one import for a short time. The rest is another job, so that other imports get their turn in between. */
import type { Task } from 'graphile-worker'
import { libraryOf } from '../../src/db/library.ts'
import { performImport } from '../../src/domain/imports/perform-import.ts'
import { ImportJob } from '../../src/schema/service/jobs.ts'
import type { TaskParts } from './task.ts'

type Needed = Pick<TaskParts, 'sql' | 'findFeed' | 'max_channels' | 'log'> & Partial<Pick<TaskParts, 'max_videos'>>

export const importTask =
  ({ sql, findFeed, max_channels, max_videos, log }: Needed): Task =>
  async (payload, { abortSignal }) => {
    const { user_id, import_id } = ImportJob.parse(payload)
    const deps = {
      library: libraryOf(sql, user_id, max_channels, max_videos),
      findFeed,
      stopping: abortSignal,
      onFault: (fault: unknown) => log.error({ import_id, err: fault }, 'a part of an import failed by our own fault'),
    }
    const result = await performImport(deps, import_id)
    log.debug({ import_id, result }, 'a job of an import ended')
  }
