/** Judging by the rules of one user: what is still to be judged, and requesting what the domain chose of it. */
import type { UserId } from '../../schema/values/user.ts'
import { requestIn } from '../downloads/requests.ts'
import type { Piece, Sql } from '../postgres/client.ts'
import { readToJudge, type ToJudge, today } from './rule-candidates.ts'
import { outlooksOf } from './rule-outlook.ts'

export type Judgement = {
  revision: number
  /** The videos to request, the newest first. */
  chosen: string[]
  /**
   * Where the next judgement begins. `from`: with this video, at the next refresh, or the next day (UTC) if `wait`. `after`: after this
   * one, soon. Null: all are judged.
   */
  next: { from: string; wait: boolean } | { after: string } | null
}

export function judgingOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`
  const stored = (channel_id: string) => sql`
    select *
    from   channel_rules
    where  ${mine} and channel_id = ${channel_id}`
  return {
    ...outlooksOf(sql, user_id),

    /** `undefined`: the rule is off, has nothing to judge, or waits for the next day. */
    toJudge: (channel_id: string): Promise<ToJudge | undefined> => readToJudge(sql, user_id, stored(channel_id)),

    /** Requests the chosen videos. Returns those that were queued; `undefined`: rule or videos have changed, so judge again. */
    async settle(channel_id: string, { revision, chosen, next }: Judgement): Promise<string[] | undefined> {
      const given_up = new Error('the rule has changed')
      return sql
        .begin(async tx => {
          // The videos first and then the rule, as a save does.
          const results = await requestIn(tx, user_id, chosen, 'rule')
          const queued = chosen.filter(video_id => results.get(video_id) === 'queued')
          const { count } = await tx`
            update channel_rules
            set    ${rangeAfter(sql, user_id, channel_id, next)},
                   requested_count = ${queued.length} + case when requested_on = ${today(sql)} then requested_count else 0 end,
                   requested_on    = ${today(sql)},
                   revision        = revision + 1
            where  ${mine} and channel_id = ${channel_id} and revision = ${revision}`
          if (count === 0) throw given_up
          return queued
        })
        .catch((fault: unknown) => {
          if (fault !== given_up) throw fault
          return undefined
        })
    },

    /** After a fault, so that housekeeping does not try it every minute. */
    async postpone(channel_id: string): Promise<void> {
      await sql`
        update channel_rules
        set    apply_at = now() + interval '1 hour'
        where  ${mine} and channel_id = ${channel_id} and apply_at <= now()`
    },
  }
}

/** A part of an update of a rule. */
function rangeAfter(sql: Sql, user_id: UserId, channel_id: string, next: Judgement['next']): Piece {
  if (next === null) return sql`judge_from = null, judge_to = null, apply_at = null`
  const place = (video_id: string) => sql`
    (select sort_at
     from   video_entries
     where  user_id = ${user_id} and channel_id = ${channel_id} and video_id = ${video_id})`
  // A video that is gone leaves the range as it is.
  if ('after' in next) return sql`judge_from = coalesce(${place(next.after)}, judge_from), apply_at = now()`
  return sql`
    judge_from = coalesce(${place(next.from)} + interval '1 microsecond', judge_from),
    apply_at   = ${next.wait ? sql`(${today(sql)} + 1)::timestamp at time zone 'UTC'` : sql`null`}`
}
