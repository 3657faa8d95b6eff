/** One stretch of one import. The next one is a job of its own, so that other work gets its turn in between. */
import type { Task } from 'graphile-worker'
import { libraryOf } from '../../src/db/library/library.ts'
import { performImport } from '../../src/domain/imports/perform-import.ts'
import { ImportJob } from '../../src/schema/jobs.ts'
import type { Parts } from '../worker/parts.ts'

type Needed = Pick<Parts, 'sql' | 'readFeed' | 'most_channels' | 'log'> & Partial<Pick<Parts, 'most_videos'>>

export const importChannels =
  ({ sql, readFeed, most_channels, most_videos, log }: Needed): Task =>
  async (payload, { abortSignal }) => {
    const { user_id, import_id } = ImportJob.parse(payload)
    const onFault = (fault: unknown) => log.error({ import_id, err: fault }, 'a line of an import broke')
    const stretch = {
      library: libraryOf(sql, user_id, most_channels, most_videos),
      readFeed,
      stopping: abortSignal,
      onFault,
    }
    const outcome = await performImport(stretch, import_id)
    log.debug({ import_id, outcome }, 'a stretch of an import is over')
  }
