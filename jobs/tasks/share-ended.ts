/** A run has ended: gives its file to all who wait for the same video, or wakes the next of them, which then tries on its own. */
import type { Task } from 'graphile-worker'
import { type WaitingVideo, waitingFor } from '../../src/db/downloads/everyone/shared-files.ts'
import { oneAtATime } from '../../src/db/downloads/everyone/slots.ts'
import { everyoneIn } from '../../src/db/everyone.ts'
import { wakeNext } from '../../src/db/queue/same-video.ts'
import { giveFiles } from '../../src/domain/downloads/give-files.ts'
import { ShareEndedJob } from '../../src/schema/service/jobs.ts'
import { giveParts } from './sharing.ts'
import type { TaskParts } from './task.ts'

/** People who are read at once. */
const batch = 200

export const shareEndedTask =
  (parts: TaskParts): Task =>
  async (payload, { abortSignal }) => {
    const { address_hash } = ShareEndedJob.parse(payload)
    if (!parts.is_sharing) return
    let people: WaitingVideo[] = []
    do {
      people = await waitingFor(parts.sql, address_hash, people.at(-1), batch)
      await giveFiles(giveParts(parts, abortSignal), people)
    } while (people.length === batch)
    // A download that was about to wait for the run has done so when this has the lock.
    await parts.sql.begin(async tx => {
      await oneAtATime(everyoneIn(tx))
      await wakeNext(tx, address_hash)
    })
  }
