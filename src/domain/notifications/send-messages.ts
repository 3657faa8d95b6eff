/** Makes messages of a person's outbox, and sends those that are due. */
import type { Library } from '../../db/library.ts'
import type { Recipient } from '../../db/notifications/messages.ts'
import { currentTime } from '../../runtime/clock.ts'
import type { SendMessage } from '../../schema/notifications/message.ts'
import { isQuiet } from '../../schema/notifications/quiet-hours.ts'
import { localTime } from '../../schema/values/local-time.ts'
import { formMessage } from './forming.ts'

export type SendParts = {
  send: SendMessage
  /** PUBLIC_URL. */
  public_url: string | undefined
  /** Aborted when this worker stops. */
  stopping: AbortSignal
}

export async function sendMessages(library: Library, { send, public_url, stopping }: SendParts): Promise<void> {
  const { messages, targets } = library
  const at = currentTime()
  const recipient = await messages.recipient()
  if (!recipient || isQuiet(recipient, at)) return
  const left = messagesLeft(recipient, at)
  if (left > 0) await messages.makeMessages(left, (event, rows, named) => formMessage(public_url, event, rows, named))
  // A target that does not answer must not delay the others.
  const sent = await Promise.allSettled((await messages.dueTargets()).map(sendDue))
  for (const result of sent) if (result.status === 'rejected' && !stopping.aborted) throw result.reason

  /** Sends the messages to one target, one after the other. A message that is taken as the worker stops is sent again later. */
  async function sendDue(target_id: string): Promise<void> {
    while (!stopping.aborted) {
      const due = await messages.take(target_id)
      if (!due) return
      const delivery = await send(due.message, due.target, stopping)
      await targets.recordDelivery(target_id, delivery)
      await messages.recordAttempt(due, delivery)
      if (!delivery.delivered && delivery.retry) return
    }
  }
}

/** How many messages the person may get today: as many as the target that got the most may. */
function messagesLeft({ messages_a_day, time_zone, made }: Recipient, at: Date): number {
  const today = localTime(at, time_zone).day
  const of_today = made.filter(({ created_at }) => localTime(created_at, time_zone).day === today)
  const counts = [...Map.groupBy(of_today, ({ target_id }) => target_id).values()].map(({ length }) => length)
  return messages_a_day - Math.max(0, ...counts)
}
