/** Tells people what has happened: a job for each person, and passes of every minute. */
import type { Task } from 'graphile-worker'
import { libraryOf } from '../../src/db/library.ts'
import {
  forgetOldMessages,
  peopleToAskOfSpace,
  queueTelling,
  waitingPeople,
} from '../../src/db/notifications/everyone/due.ts'
import { changeNotices, hearsOfService } from '../../src/db/notifications/everyone/notices.ts'
import { serviceIn } from '../../src/db/service/service.ts'
import { isQuiet } from '../../src/domain/notifications/quiet-hours.ts'
import { noteSpace } from '../../src/domain/notifications/space.ts'
import { tellPerson } from '../../src/domain/notifications/tell.ts'
import { lookForTrouble, noticesOf, wasWrong } from '../../src/domain/service/health.ts'
import { currentTime } from '../../src/runtime/clock.ts'
import { TellJob } from '../../src/schema/service/jobs.ts'
import type { TaskParts } from './task-parts.ts'

export function tellTask({
  sql,
  sendMessage,
  public_url,
}: Pick<TaskParts, 'sql' | 'sendMessage' | 'public_url'>): Task {
  return async (payload, { abortSignal }) => {
    const { user_id } = TellJob.parse(payload)
    if (!sendMessage) return
    const stopping = abortSignal ?? new AbortController().signal
    await tellPerson(libraryOf(sql, user_id), { send: sendMessage, public_url, stopping })
  }
}

/** Compares the state of the service with what administrators know of it. */
async function noteService({ sql, files }: TaskParts): Promise<void> {
  if (!(await hearsOfService(sql))) return
  await changeNotices(sql, noticesOf(await lookForTrouble(serviceIn(sql), files), currentTime()), wasWrong)
}

/** A person who was told of the space is told again once there has been room. */
async function noteRoom({ sql, room }: TaskParts): Promise<void> {
  for (const user_id of await peopleToAskOfSpace(sql)) await noteSpace(libraryOf(sql, user_id), room.quota_bytes)
}

async function queueMessages({ sql }: TaskParts): Promise<void> {
  const at = currentTime()
  const awake = (await waitingPeople(sql)).filter(person => !isQuiet(person, at))
  if (awake.length > 0)
    await queueTelling(
      sql,
      awake.map(({ user_id }) => user_id),
    )
}

const forgetMessages = ({ sql }: TaskParts) => forgetOldMessages(sql)

/** In every minute. */
export const message_steps = [noteService, noteRoom, queueMessages, forgetMessages]
