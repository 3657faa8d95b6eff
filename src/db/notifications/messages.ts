/**
 * One user's messages. The rows of the outbox become messages, one for each event and target, and each message is sent until it is
 * delivered or given up. Taking a message plans its next attempt, so a worker that dies loses no message.
 */
import { jsonText } from '../../runtime/json.ts'
import {
  type Delivery,
  type Message,
  MessageEvent,
  type MessageTarget,
  type MessageVideo,
  max_videos_named,
} from '../../schema/notifications/message.ts'
import type { QuietHours } from '../../schema/notifications/quiet-hours.ts'
import type { Role, UserId } from '../../schema/values/user.ts'
import { eachValue, type Queryable, type Sql } from '../postgres/client.ts'
import { quietHourColumns } from '../rows/settings-columns.ts'

/** A row of the outbox, as a message needs it. `videos`: how many; `video_ids` names the first. `details`: depends on the event. */
export type OutboxRow = {
  channel_id: number | null
  /** Null: the event is of no channel, or the channel is gone. */
  channel_title: string | null
  video_ids: string[]
  videos: number
  details: unknown
  created_at: Date
}

/** The part of a message that is stored as JSON. */
export type MessageBody = Omit<Message, 'id' | 'event'>

/** `made`: the messages that were made within the last three days. */
export type Recipient = QuietHours & { made: { target_id: string; created_at: Date }[] }

type DueMessage = { message: Message; target: MessageTarget }

/** A video as a message names it, before it has an address. */
export type NamedVideo = Omit<MessageVideo, 'url'>

export const waits = {
  /**
   * The rows of one event become one message when no row was added for `silence`, and at the latest after `bundle`, which is also the
   * least time between two messages about one event.
   */
  silence: '1 minute',
  bundle: '10 minutes',
  /** New videos of a channel wait at most so long for the list of its older videos. */
  list: '1 day',
  /** Minutes until the next attempt, after the first, the second and so on; then every hour. */
  attempts_minutes: [1, 2, 5, 10, 30],
  /** A message that could not be sent for so long is given up. */
  given_up: '1 day',
  /** Messages and events stay so long, for the figures and against repeats. */
  forgotten: '3 days',
}

export function messagesOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  return {
    /** Also forgets what waits for an administrator who is none any more. `undefined`: the person is gone, or locked. */
    async recipient(): Promise<Recipient | undefined> {
      const [found] = await sql<(QuietHours & { role: Role })[]>`
        select ${quietHourColumns(sql)}, role
        from   users
        where  id = ${user_id} and locked_at is null`
      if (!found) return undefined
      const { role, ...quiet_hours } = found
      if (role !== 'admin')
        await sql`
          with unsent as (delete from messages where ${mine} and event = 'service' and next_at is not null)
          delete from notifications where ${mine} and event = 'service'`
      const made = await sql<Recipient['made']>`
        select target_id, created_at
        from   messages
        where  ${mine} and created_at between now() - ${waits.forgotten}::interval and now()`
      return { ...quiet_hours, made: [...made] }
    },

    /**
     * Makes messages of the outbox, about at most `max_events` events. `form`: what the message about these rows says, the newest row
     * first; `undefined`: there is nothing to say.
     */
    async makeMessages(
      max_events: number,
      form: (event: MessageEvent, rows: OutboxRow[], named: NamedVideo[]) => MessageBody | undefined,
    ): Promise<void> {
      await sql.begin(async tx => {
        for (const event of await readyEvents(tx, user_id, max_events)) {
          const rows = await takeFromOutbox(tx, user_id, event)
          const body = form(event, rows, await namedVideos(tx, user_id, rows))
          if (!body) continue
          await tx`
            -- Messages are sent in the order of created_at, and "now()" is the same for all of this transaction.
            insert into messages (user_id, target_id, event, body, created_at)
            select ${user_id}, target_id, ${event}, ${jsonText(body)}::text::jsonb, clock_timestamp()
            from   notification_targets
            where  ${mine} and ${event} = any(events)`
        }
      })
    },

    /** The targets whose oldest message is due. Later messages wait for the oldest one. */
    dueTargets: (): Promise<string[]> =>
      eachValue<string>(sql`
        select target_id
        from   (
          select   distinct on (target_id) target_id, next_at
          from     messages
          where    ${mine} and next_at is not null
          order by target_id, created_at, message_id
        ) oldest
        where  next_at <= now()`),

    /**
     * Takes the oldest message to this target if it is due, and plans its next attempt. Later messages wait for it. Its person may have
     * been locked, or have lost the role, since it was made or while other messages were sent.
     */
    async take(target_id: string): Promise<DueMessage | undefined> {
      const [taken] = await sql<(Pick<Message, 'id' | 'event'> & { body: MessageBody; target: MessageTarget })[]>`
        with taken as (
          update messages
          set    attempts = attempts + 1,
                 next_at = now() + coalesce((${waits.attempts_minutes}::int[])[attempts + 1], 60) * interval '1 minute'
          where  ${mine} and next_at <= now() and message_id = (
                   select   message_id
                   from     messages
                   where    ${mine} and target_id = ${target_id} and next_at is not null
                   and      exists (
                              select from users
                              where  id = ${user_id} and locked_at is null and (role = 'admin' or messages.event <> 'service'))
                   order by created_at, message_id
                   limit    1)
          returning message_id, target_id, event, body
        )
        select message_id as id, event, body,
               json_build_object('target_id', target_id, 'kind', kind, 'address', address, 'token_or_key', secret) as target
        from   taken
        join   notification_targets target using (target_id)
        where  target.user_id = ${user_id}`
      if (!taken) return undefined
      const { body, target, ...message } = taken
      return { message: { ...message, ...body }, target }
    },

    /** Ends a message that is delivered or given up, and deletes its content. */
    async recordAttempt({ message }: DueMessage, delivery: Delivery): Promise<void> {
      await sql`
        update messages
        set    next_at = null, body = ${delivery.delivered ? '{}' : '{"given_up": true}'}::text::jsonb
        where  ${mine} and message_id = ${message.id}
        and    (${delivery.delivered || !delivery.retry} or created_at < now() - ${waits.given_up}::interval)`
    },
  }
}

/** Condition: this row of the outbox waits. The older videos of a channel become one message when their list has been read. */
const isHeld = (sql: Queryable, user_id: UserId) => sql`
  (notification.event = 'new_video' and notification.created_at between now() - ${waits.list}::interval and now() and exists (
        select from channels own
        join   backfills using (user_id, channel_id)
        where  own.user_id = ${user_id} and own.id = notification.channel_id and backfills.state in ('queued', 'running')))`

/** The most urgent first. */
const readyEvents = (tx: Queryable, user_id: UserId, most: number): Promise<MessageEvent[]> =>
  eachValue<MessageEvent>(tx`
    select   event
    from     notifications notification
    where    user_id = ${user_id} and not ${isHeld(tx, user_id)}
    and      not exists (
               select from messages message
               where  message.user_id = ${user_id} and message.event = notification.event
               and    message.created_at between now() - ${waits.bundle}::interval and now())
    group by event
    having   max(created_at) not between now() - ${waits.silence}::interval and now()
    or       min(created_at) <= now() - ${waits.bundle}::interval
    order by array_position(${MessageEvent.options}::text[], event) desc
    limit    ${most}`)

/** Takes the rows of this event out of the outbox, the newest first. */
const takeFromOutbox = (tx: Queryable, user_id: UserId, event: MessageEvent): Promise<OutboxRow[]> => tx<OutboxRow[]>`
  with taken as (
    delete from notifications notification
    where  user_id = ${user_id} and event = ${event} and not ${isHeld(tx, user_id)}
    returning *
  )
  select   taken.video_ids, taken.videos, taken.details, taken.created_at, taken.channel_id, channel.title as channel_title
  from     taken
  left join channels channel on channel.user_id = ${user_id} and channel.id = taken.channel_id
  order by notification_id desc`

/** The videos of these rows that are still there, each once, in their order. */
async function namedVideos(tx: Queryable, user_id: UserId, rows: OutboxRow[]): Promise<NamedVideo[]> {
  const ids = [...new Set(rows.flatMap(({ video_ids }) => video_ids))].slice(0, max_videos_named)
  const found = await tx<NamedVideo[]>`
    select   distinct on (video_id) video_id, entry.title, channel.title as channel_title
    from     video_entries entry
    join     channels channel using (user_id, channel_id)
    where    user_id = ${user_id} and video_id = any(${ids})
    order by video_id, (channel.id = any(${rows.flatMap(({ channel_id }) => channel_id ?? [])}::bigint[])) desc, entry.id`
  const known = new Map(found.map(video => [video.video_id, video]))
  return ids.flatMap(id => known.get(id) ?? [])
}
