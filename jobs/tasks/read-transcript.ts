/** Reads the subtitles of a video, after its download or once for those that were there before. */
import type { Task } from 'graphile-worker'
import { libraryOf } from '../../src/db/library.ts'
import { TranscriptJob } from '../../src/schema/service/jobs.ts'
import type { TaskParts } from './task.ts'

export const transcriptTask =
  ({ sql, files }: Pick<TaskParts, 'sql' | 'files'>): Task =>
  async payload => {
    const { user_id, video_id } = TranscriptJob.parse(payload)
    // Loaded with the first subtitles.
    const { readTranscript } = await import('../../src/domain/search/transcripts.ts')
    await readTranscript(libraryOf(sql, user_id), files, video_id)
  }
