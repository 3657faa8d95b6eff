/** Marks several videos of one user at once, with one time, by which the marks are taken back. One video is marked by `viewings.ts`. */
import type { UserId } from '../../schema/values/user.ts'
import type { Queryable } from '../postgres/client.ts'

/** Watched, on Watch later, or not for this person. */
export type Mark = 'seen_at' | 'later_at' | 'not_for_me_at'

export interface Marks {
  /** Marks those that lack the mark. Returns how many. */
  markSome(mark: Mark, video_ids: string[], at: Date): Promise<number>
  /** Takes the mark off these videos. Returns how many had it. */
  unmarkSome(mark: Mark, video_ids: string[]): Promise<number>
  /** Takes back all marks with this time. Returns how many. */
  unmarkAll(at: Date, mark?: Mark): Promise<number>
}

export function marksOf(sql: Queryable, user_id: UserId): Marks {
  const mine = sql`user_id = ${user_id}`
  /** A video on Watch later is shown. One that is not for this person keeps its place there, which does not count. */
  const others = { seen_at: sql``, later_at: sql`, not_for_me_at = null`, not_for_me_at: sql`` }

  return {
    async markSome(mark, video_ids, at) {
      const { count } = await sql`
        insert into viewings as known (user_id, video_id, ${sql(mark)})
        select distinct user_id, video_id, ${at}::timestamptz
        from   video_entries entry
        where  ${mine} and video_id = any(${video_ids})
        order by video_id
        on conflict on constraint viewings_pkey do update
        set    ${sql(mark)} = excluded.${sql(mark)} ${others[mark]}
        where  known.${sql(mark)} is null ${mark === 'later_at' ? sql`or known.not_for_me_at is not null` : sql``}`
      return count
    },

    async unmarkSome(mark, video_ids) {
      const { count } = await sql`
        update viewings
        set    ${sql(mark)} = null
        where  ${mine} and video_id = any(${video_ids}) and ${sql(mark)} is not null`
      return count
    },

    async unmarkAll(at, mark = 'seen_at') {
      const { count } = await sql`
        update viewings
        set    ${sql(mark)} = null
        where  ${mine} and ${sql(mark)} = ${at}`
      return count
    },
  }
}
