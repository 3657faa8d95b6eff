/** Messages of all people: who has messages to send, which messages are no longer needed, and how many there are. */
import type { MessageCounts } from '../../../schema/notifications/message.ts'
import type { QuietHours } from '../../../schema/notifications/quiet-hours.ts'
import type { UserId } from '../../../schema/values/user.ts'
import type { Everyone } from '../../everyone.ts'
import { eachValue, onlyRow } from '../../postgres/client.ts'
import { quietHourColumns } from '../../rows/settings-columns.ts'
import { waits } from '../messages.ts'
import { hasTargetFor } from '../outbox.ts'

export type Waiting = QuietHours & { user_id: string }

/** People with something in the outbox, or with a target whose oldest message is due. */
export const waitingPeople = (sql: Everyone): Promise<Waiting[]> => sql<Waiting[]>`
  select id as user_id, ${quietHourColumns(sql)}
  from   users
  where  locked_at is null
  and    id in (
           select user_id from notifications
           union
           select user_id
           from   (
             select   distinct on (user_id, target_id) user_id, next_at
             from     messages
             where    next_at is not null
             order by user_id, target_id, created_at, message_id
           ) oldest
           where  next_at <= now())`

/** The jobs of one person run one after the other, and at most one waits. */
export async function queueSending(sql: Everyone, user_ids: string[]): Promise<void> {
  await sql`
    select graphile_worker.add_job(
      'send-messages',
      payload      := json_build_object('user_id', user_id),
      queue_name   := 'messages:' || user_id,
      job_key      := 'messages:' || user_id,
      max_attempts := 1)
    from   unnest(${user_ids}::text[]) user_id`
}

/** Those who were told of a nearly full quota, and those who have a target for it and completed a download just now. */
export const peopleWithSpaceToCheck = (sql: Everyone): Promise<UserId[]> =>
  eachValue<UserId>(sql`
    select user_id from space_notices
    union
    select user_id
    from   video_entries
    where  download_completed_at between now() - interval '10 minutes' and now() and standing = 'done'
    and    ${hasTargetFor(sql, sql`video_entries.user_id`, 'space')}`)

/** A person who was locked for more than three days is not notified of what happened before. */
export async function forgetOldMessages(sql: Everyone): Promise<void> {
  await sql`delete from messages where created_at < now() - ${waits.forgotten}::interval`
  await sql`delete from notifications where created_at < now() - ${waits.forgotten}::interval`
}

/** The messages of the last three days. */
export const countMessages = (sql: Everyone): Promise<MessageCounts> =>
  onlyRow(sql<MessageCounts[]>`
    select count(*) filter (where next_at is not null)                       as waiting,
           count(*) filter (where next_at is null and not body ? 'given_up') as delivered,
           count(*) filter (where next_at is null and body ? 'given_up')     as given_up
    from   messages`)
