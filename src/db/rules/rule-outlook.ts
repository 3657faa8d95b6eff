/** What saving a rule of one user would change now, by the queries that apply rules. Nothing is saved. */
import type { Rule } from '../../schema/rules/rule.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Video } from '../../schema/videos/video.ts'
import { filesNotKept } from '../downloads/retention.ts'
import type { Piece, Sql } from '../postgres/client.ts'
import { isFollowed } from '../rows/channel-columns.ts'
import {
  isHeld,
  isMeant,
  type JudgedVideo,
  judgedColumns,
  page_size,
  readToJudge,
  type ToJudge,
} from './rule-candidates.ts'
import { givenRule, savedColumns } from './rule-saving.ts'

/** What saving a rule would change now. */
export type Outlook = ToJudge & {
  /** The newest videos of the channel, whether the rule is for them or not. */
  newest: JudgedVideo[]
  to_delete: Pick<Video, 'video_id' | 'title' | 'published_at'>[]
  delete_count: number
  /** How many more files would be deleted if they could be downloaded again. */
  only_copies: number
}

export function outlooksOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`
  const wouldBe = (channel_id: string, rule: Rule) => sql`
    select user_id, channel_id, revision, requested_on, requested_count, ${savedColumns(sql)}
    from   (select user_id, channel_id from channels where ${mine} and channel_id = ${channel_id} and ${isFollowed(sql)}) channel
    cross join (${givenRule(sql, rule)}) excluded
    left join channel_rules known using (user_id, channel_id)`

  return {
    /** `undefined`: the person does not follow such a channel. */
    async outlook(channel_id: string, rule: Rule): Promise<Outlook | undefined> {
      const then = wouldBe(channel_id, rule)
      const newest = await sql<(JudgedVideo | { video_id: null })[]>`
        select   ${judgedColumns(sql)},
                 case when ${isHeld(sql)} then 'held'
                      when download_asked_by is not null then 'spent'
                      when ${isMeant(sql)} then 'new'
                      else 'earlier' end as state
        from     channels channel
        join     (${then}) rule using (user_id, channel_id)
        left join lateral (
          select   *
          from     video_entries newest
          where    newest.user_id = channel.user_id and newest.channel_id = channel.channel_id
          order by sort_at desc, id desc
          limit    ${page_size}
        ) entry on true
        where    channel.user_id = ${user_id}
        order by entry.sort_at desc, entry.id desc`
      if (newest.length === 0) return undefined
      const files = await sql<
        (Pick<Video, 'video_id' | 'title' | 'published_at'> & {
          is_only_copy: boolean
          only_copies: number
          count: number
        })[]
      >`
        select   video_id, title, published_at, is_only_copy,
                 count(*) filter (where is_only_copy) over () as only_copies,
                 count(*) filter (where not is_only_copy) over () as count
        from     (${filesNotKept(sql, rulesWith(sql, user_id, channel_id, then))}) file
        join     video_entries entry using (user_id, video_id)
        where    ${mine} and channel_id = ${channel_id}
        order by is_only_copy, sort_at desc, id desc
        limit    ${page_size}`
      const to_judge = await readToJudge(sql, user_id, then)
      return {
        ...(to_judge ?? { rule, revision: 0, left_today: null, videos: [], has_more: false }),
        newest: newest.filter(isVideo),
        to_delete: files
          .filter(({ is_only_copy }) => !is_only_copy)
          .map(({ video_id, title, published_at }) => ({ video_id, title, published_at })),
        delete_count: files[0]?.count ?? 0,
        only_copies: files[0]?.only_copies ?? 0,
      }
    },
  }
}

const isVideo = (row: JudgedVideo | { video_id: null }): row is JudgedVideo => row.video_id !== null

/** All rules of one user that are on, with `changed` instead of the one of its channel. */
const rulesWith = (sql: Sql, user_id: UserId, channel_id: string, changed: Piece): Piece => sql`
  select user_id, channel_id, keep_newest, keep_days, delete_watched_days, keep_newest_watched
  from   channel_rules
  where  user_id = ${user_id} and channel_id <> ${channel_id} and on_since is not null
  union all
  select user_id, channel_id, keep_newest, keep_days, delete_watched_days, keep_newest_watched
  from   (${changed}) changed
  where  on_since is not null`
