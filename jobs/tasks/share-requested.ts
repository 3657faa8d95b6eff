/** Gives a person the files of requested videos that others have already. Those that no one has are left to the queue. */
import type { Task } from 'graphile-worker'
import { noteWaiting, waitingOf } from '../../src/db/downloads/everyone/shared-files.ts'
import { giveFiles } from '../../src/domain/downloads/give-files.ts'
import { wantedBy } from '../../src/domain/downloads/shared-files.ts'
import { ShareRequestedJob } from '../../src/schema/service/jobs.ts'
import { giveParts } from './sharing.ts'
import type { TaskParts } from './task.ts'

/** Videos that are read at once. */
const batch = 200

export const shareRequestedTask =
  (parts: TaskParts): Task =>
  async (payload, { abortSignal }) => {
    const { user_id, video_ids } = ShareRequestedJob.parse(payload)
    if (!parts.is_sharing) return
    for (let at = 0; at < video_ids.length; at += batch) {
      const waiting = await waitingOf(parts.sql, user_id, video_ids.slice(at, at + batch))
      const there = await noteWaiting(parts.sql, user_id, waiting.map(wantedBy))
      const may_be_there = waiting.filter(video => there.has(wantedBy(video).address_hash))
      await giveFiles(giveParts(parts, abortSignal), may_be_there)
    }
  }
