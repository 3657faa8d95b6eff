/** Cuts the sound out of films, for podcasts. */
import type { Task } from 'graphile-worker'
import { libraryOf } from '../../src/db/library.ts'
import { SoundJob } from '../../src/schema/service/jobs.ts'
import { type TaskParts, taskOf } from './task-parts.ts'

type SoundParts = Pick<TaskParts, 'sql' | 'files' | 'findTools' | 'room' | 'is_sharing'>

export const cutSoundTask = ({ sql, files, findTools, room, is_sharing }: SoundParts): Task =>
  taskOf(SoundJob, async ({ user_id, video_id }, signal) => {
    // Loaded with the first sound.
    const { cutSoundOf } = await import('../../src/domain/downloads/cut-sound.ts')
    const sharing = is_sharing ? sql : undefined
    await cutSoundOf({ library: libraryOf(sql, user_id), files, findTools, room, sharing, signal }, video_id)
  })
