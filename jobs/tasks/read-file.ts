/** Reads what one stored file says about its video. */
import type { Task } from 'graphile-worker'
import { libraryOf } from '../../src/db/library.ts'
import { FileJob } from '../../src/schema/service/jobs.ts'
import type { TaskParts } from './task.ts'

export const fileTask =
  ({ sql, files, findTools }: Pick<TaskParts, 'sql' | 'files' | 'findTools'>): Task =>
  async (payload, { abortSignal }) => {
    const { user_id, video_id } = FileJob.parse(payload)
    const { readFile } = await import('../../src/domain/downloads/read-file.ts')
    await readFile(libraryOf(sql, user_id), { files, findTools }, video_id, abortSignal ?? new AbortController().signal)
  }
