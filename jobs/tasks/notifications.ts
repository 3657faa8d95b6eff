/** Notifies people of what has happened: a job for each person, and steps of the pass of every minute. */
import type { Task } from 'graphile-worker'
import { libraryOf } from '../../src/db/library.ts'
import { peopleWithSpaceToCheck, queueSending, waitingPeople } from '../../src/db/notifications/everyone/due.ts'
import { changeNotices, isServiceWatched } from '../../src/db/notifications/everyone/notices.ts'
import { serviceIn } from '../../src/db/service/service.ts'
import { recordSpace } from '../../src/domain/notifications/nearly-full.ts'
import { sendMessages } from '../../src/domain/notifications/send-messages.ts'
import { lookForTrouble, noticesOf, wasWrong } from '../../src/domain/service/health.ts'
import { currentTime } from '../../src/runtime/clock.ts'
import { isQuiet } from '../../src/schema/notifications/quiet-hours.ts'
import { SendMessagesJob } from '../../src/schema/service/jobs.ts'
import { type TaskParts, taskOf } from './task-parts.ts'

type SendParts = Pick<TaskParts, 'sql' | 'sendMessage' | 'public_url'>

export const sendMessagesTask = ({ sql, sendMessage: send, public_url }: SendParts): Task =>
  taskOf(SendMessagesJob, async ({ user_id }, stopping) => {
    if (send) await sendMessages(libraryOf(sql, user_id), { send, public_url, stopping })
  })

/** Notifies administrators of problems of the service that begin or are over. */
async function recordService({ sql, files }: TaskParts): Promise<void> {
  if (!(await isServiceWatched(sql))) return
  await changeNotices(sql, noticesOf(await lookForTrouble(serviceIn(sql), files), currentTime()), wasWrong)
}

/** Records who has nearly filled their quota, and forgets it once there is room. */
async function recordRoom({ sql, room }: TaskParts): Promise<void> {
  for (const user_id of await peopleWithSpaceToCheck(sql)) await recordSpace(libraryOf(sql, user_id), room.quota_bytes)
}

async function queueMessages({ sql }: TaskParts): Promise<void> {
  const at = currentTime()
  const awake = (await waitingPeople(sql)).filter(person => !isQuiet(person, at))
  await queueSending(
    sql,
    awake.map(({ user_id }) => user_id),
  )
}

/** Steps of the pass of every minute. */
export const message_steps = { recordService, recordRoom, queueMessages }
