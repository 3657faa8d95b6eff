/** Over all people: who has something to be told, what is no longer needed, and how many messages there are. */
import type { MessageCounts } from '../../../schema/notifications/message.ts'
import type { QuietHours } from '../../../schema/notifications/quiet-hours.ts'
import { UserId } from '../../../schema/values/user.ts'
import type { Everyone } from '../../everyone.ts'
import { isLocked } from '../../queue/paused.ts'
import { isTold } from '../outbox.ts'

export type Waiting = Pick<QuietHours, 'quiet_from' | 'quiet_to' | 'time_zone'> & { user_id: UserId }

/** People with something in the outbox, or a message that is due. */
export async function waitingPeople(sql: Everyone): Promise<Waiting[]> {
  const rows = await sql<(Omit<Waiting, 'user_id'> & { user_id: string })[]>`
    select id as user_id, time_zone, to_char(quiet_from, 'HH24:MI') as quiet_from, to_char(quiet_to, 'HH24:MI') as quiet_to
    from   users
    where  id in (
             select user_id from notifications where not (event = 'space' and coalesce(details ? 'told', false))
             union
             select user_id from messages where next_at <= now())
    and    not ${isLocked(sql, sql`users.id`)}`
  return rows.map(row => ({ ...row, user_id: UserId.parse(row.user_id) }))
}

/** The jobs of one person run one after the other, and at most one waits. */
export async function queueTelling(sql: Everyone, user_ids: UserId[]): Promise<void> {
  await sql`
    select graphile_worker.add_job(
      'tell',
      payload      := json_build_object('user_id', user_id),
      queue_name   := 'tell:' || user_id,
      job_key      := 'tell:' || user_id,
      max_attempts := 1)
    from   unnest(${user_ids}::text[]) user_id`
}

/**
 * People whose space is to be looked at: they were told that their quota is nearly full; or they have a target for it, and a film that was
 * completed just now, by a worker that may have died before it looked.
 */
export async function peopleToAskOfSpace(sql: Everyone): Promise<UserId[]> {
  const rows = await sql<{ user_id: string }[]>`
    select user_id from notifications where event = 'space'
    union
    select user_id
    from   video_entries
    where  download_completed_at > now() - interval '10 minutes' and standing = 'done'
    and    ${isTold(sql, sql`video_entries.user_id`, 'space')}`
  return rows.map(({ user_id }) => UserId.parse(user_id))
}

/** Of a locked person, for instance, what has happened long ago is told no more. */
export async function forgetOldMessages(sql: Everyone): Promise<void> {
  await sql`delete from messages where created_at < now() - interval '3 days'`
  await sql`
    delete from notifications
    where  created_at < now() - interval '3 days' and not (event = 'space' and coalesce(details ? 'told', false))`
}

/** The messages of the last three days. */
export async function countMessages(sql: Everyone): Promise<MessageCounts> {
  const [counts] = await sql<MessageCounts[]>`
    select count(*) filter (where next_at is not null)                       as waiting,
           count(*) filter (where next_at is null and not body ? 'given_up') as delivered,
           count(*) filter (where next_at is null and body ? 'given_up')     as given_up
    from   messages`
  return counts ?? { waiting: 0, delivered: 0, given_up: 0 }
}
