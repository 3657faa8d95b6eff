/**
 * One user's rules: what downloads automatically, and how long it stays. Leaves the judging of titles to the domain.
 *
 * A rule never requests a video that was requested before (`download_asked_by`), whether its file was deleted,
 * cancelled, failed or removed by the rule. A changed rule applies only to videos from then on, so that a broader one
 * does not fetch last year's.
 */
import type { ChannelRule, Judged, Rule } from '../../schema/rule.ts'
import type { UserId } from '../../schema/user.ts'
import type { Sql } from '../postgres/client.ts'

export interface Rules {
  /** A channel without a rule has one that is off; `undefined`: there is no such channel. */
  find(channel_id: string): Promise<ChannelRule | undefined>
  save(channel_id: string, rule: Rule): Promise<ChannelRule | undefined>
  /** The videos that the rule has requested, and those that have appeared since it is on and were never requested; newest first. */
  toJudge(channel_id: string): Promise<Judged[]>
  /** No rule deletes the file of a pinned video. `false`: there is no such video. */
  pin(video_id: string, pinned: boolean): Promise<boolean>
}

export function rulesOf(sql: Sql, user_id: UserId): Rules {
  const mine = sql`user_id = ${user_id}`

  const find = async (channel_id: string) => {
    const [rule] = await sql<ChannelRule[]>`
      select on_since is not null          as auto_download,
             coalesce(title_words, '{}')   as title_words,
             coalesce(without_words, '{}') as without_words,
             title_pattern,
             coalesce(skip_shorts, false)  as skip_shorts,
             keep_newest,
             keep_days,
             on_since
      from   channels
      left join channel_rules using (user_id, channel_id)
      where  ${mine} and channel_id = ${channel_id}`
    return rule
  }

  return {
    find,

    async save(channel_id, { auto_download, ...rule }) {
      const { title_words, without_words, title_pattern, skip_shorts, keep_newest, keep_days } = rule
      await sql`
        insert into channel_rules as known (
          user_id, channel_id, on_since, title_words, without_words, title_pattern, skip_shorts, keep_newest, keep_days)
        select user_id, channel_id, ${auto_download ? sql`now()` : null}, ${title_words}, ${without_words},
               ${title_pattern}, ${skip_shorts}, ${keep_newest}, ${keep_days}
        from   channels
        where  ${mine} and channel_id = ${channel_id}
        on conflict on constraint channel_rules_pkey do update
        set    on_since      = case when ${isSameSelection(sql)} and excluded.on_since is not null
                               then coalesce(known.on_since, excluded.on_since) else excluded.on_since end,
               title_words   = excluded.title_words,
               without_words = excluded.without_words,
               title_pattern = excluded.title_pattern,
               skip_shorts   = excluded.skip_shorts,
               keep_newest   = excluded.keep_newest,
               keep_days     = excluded.keep_days`
      return find(channel_id)
    },

    toJudge: channel_id => sql<Judged[]>`
      select   entry.video_id, entry.title, entry.video_url, entry.sort_at,
               case when entry.download_asked_by is null then 'new'
                    -- A failed download that waits for its next attempt is no file, and pinned files do not count.
                    when entry.pinned or entry.download_status = 'FAILED' or entry.standing is null then 'spent'
                    else 'held' end as state
      from     channels channel
      join     channel_rules rule using (user_id, channel_id)
      cross join lateral (${newestToJudge(sql)}) entry
      where    channel.user_id = ${user_id} and channel.channel_id = ${channel_id}
      order by entry.sort_at desc, entry.id desc`,

    async pin(video_id, pinned) {
      const { count } = await sql`
        update video_entries
        set    pinned = ${pinned}
        where  ${mine} and id = any(array(
                 select id
                 from   video_entries
                 where  ${mine} and video_id = ${video_id}
                 order by video_id, id
                 for update))`
      return count > 0
    },
  }
}

/**
 * The newest videos of `channel` that its `rule` has requested, or may request: published, as far as known, and first seen after the
 * channel was followed.
 */
export const newestToJudge = (sql: Sql) => sql`
  select   entry.*
  from     video_entries entry
  where    entry.user_id = channel.user_id and entry.channel_id = channel.channel_id
  and      entry.sort_at >= channel.created_at
  and      (entry.download_asked_by = 'rule'
            or entry.download_asked_by is null and entry.first_seen_at > rule.on_since)
  order by entry.sort_at desc, entry.id desc
  limit    500`

/** Changing the title conditions resets `on_since`: a broader rule must not fetch older videos. */
const isSameSelection = (sql: Sql) => sql`
  (known.title_words, known.without_words, known.title_pattern, known.skip_shorts)
  is not distinct from
  (excluded.title_words, excluded.without_words, excluded.title_pattern, excluded.skip_shorts)`
