/**
 * What saving a rule of one user would change now, by the queries that apply rules; and the columns that saving writes, from which the
 * outlook follows. `rules.ts` saves them. A given rule is named `excluded`, and the stored one `known`.
 */
import type { ChosenChannels, Rule, RuleDeletions, VideoOfPreview } from '../../schema/rules/rule.ts'
import type { UserId } from '../../schema/values/user.ts'
import { filesNotKept } from '../downloads/retention.ts'
import type { Piece, Sql } from '../postgres/client.ts'
import { commaList } from '../postgres/column-lists.ts'
import { isFollowed } from '../rows/channel-columns.ts'
import { givenValues, renewing_fields, rule_columns } from './rule-columns.ts'
import {
  isHeld,
  isMeant,
  type JudgedVideo,
  judgedColumns,
  ownPlaylist,
  page_size,
  readToJudge,
  type ToJudge,
} from './rule-judging.ts'

/** `newest`: the newest videos of the channels, whether the rule is for them or not. */
type OutlookOfSeveral = { newest: JudgedVideo[]; deletions: RuleDeletions }
export type Outlook = ToJudge & OutlookOfSeveral

export function outlooksOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`
  const wouldBe = (chosen: Piece, rule: Rule) => sql`
    select user_id, channel_id, revision, requested_on, requested_count, ${savedColumns(sql)}
    from   (select user_id, channel_id from channels where ${mine} and ${chosen} and ${isFollowed(sql)}) channel
    cross join (${givenRule(sql, user_id, rule)}) excluded
    left join channel_rules known using (user_id, channel_id)`

  const newestOf = (then: Piece, of_each: number) => sql<(JudgedVideo | { video_id: null })[]>`
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
      limit    ${of_each}
    ) entry on true
    where    channel.user_id = ${user_id}
    order by entry.sort_at desc nulls last, entry.id desc
    limit    ${page_size}`

  const deletionsBy = async (chosen: Piece, then: Piece): Promise<RuleDeletions> => {
    const files = await sql<
      (VideoOfPreview & { is_only_copy: boolean; only_copies: number; count: number; bytes: number })[]
    >`
      select   video_id, title, published_at, is_only_copy,
               count(*) filter (where is_only_copy) over () as only_copies,
               count(*) filter (where not is_only_copy) over () as count,
               coalesce(sum(file_size) filter (where not is_only_copy) over (), 0)::bigint as bytes
      from     (
        select   distinct on (video_id) video_id, title, published_at, is_only_copy, file_size, sort_at, id
        from     (${filesNotKept(sql, rulesWith(sql, user_id, chosen, then))}) file
        join     video_entries entry using (user_id, video_id)
        where    ${mine} and ${chosen}
        order by video_id, id
      ) entry
      order by is_only_copy, sort_at desc, id desc
      limit    ${page_size}`
    return {
      would_delete: files
        .filter(({ is_only_copy }) => !is_only_copy)
        .map(({ video_id, title, published_at }) => ({ video_id, title, published_at })),
      delete_count: files[0]?.count ?? 0,
      delete_bytes: files[0]?.bytes ?? 0,
      only_copies: files[0]?.only_copies ?? 0,
    }
  }

  return {
    /** `undefined`: the person does not follow such a channel. */
    async outlook(channel_id: string, rule: Rule): Promise<Outlook | undefined> {
      const chosen = sql`channel_id = ${channel_id}`
      const then = wouldBe(chosen, rule)
      const newest = await newestOf(then, page_size)
      if (newest.length === 0) return undefined
      const to_judge = await readToJudge(sql, user_id, then)
      return {
        ...(to_judge ?? { rule, revision: 0, left_today: null, videos: [], has_more: false }),
        newest: newest.filter(isVideo),
        deletions: await deletionsBy(chosen, then),
      }
    },

    async outlookOfSeveral(channels: ChosenChannels, rule: Rule): Promise<OutlookOfSeveral> {
      const chosen = areChosen(sql, channels)
      const then = wouldBe(chosen, rule)
      return {
        newest: (await newestOf(then, of_each_of_several)).filter(isVideo),
        deletions: await deletionsBy(chosen, then),
      }
    },
  }
}

/** So that several thousand channels can be previewed while a person types. */
const of_each_of_several = 20

/** A condition on `channel_id`. */
export const areChosen = (sql: Sql, { all, channel_ids }: ChosenChannels): Piece =>
  all ? sql`true` : sql`channel_id = any(${channel_ids ?? []})`

const isVideo = (row: JudgedVideo | { video_id: null }): row is JudgedVideo => row.video_id !== null

/** All rules of one user that are on, with `changed` instead of the stored rules of the `chosen` channels. */
const rulesWith = (sql: Sql, user_id: UserId, chosen: Piece, changed: Piece): Piece => sql`
  select user_id, channel_id, keep_newest, keep_days, delete_watched_days, keep_newest_watched
  from   channel_rules
  where  user_id = ${user_id} and not (${chosen}) and on_since is not null
  union all
  select user_id, channel_id, keep_newest, keep_days, delete_watched_days, keep_newest_watched
  from   (${changed}) changed
  where  on_since is not null`

const given_columns = [...rule_columns, 'playlist_id']
const times = ['on_since', 'also_since', 'judge_from', 'judge_to'] as const

/** The names, in the order of `givenRule` and `savedColumns`. */
export const givenColumns = (sql: Sql): Piece =>
  listed(sql, [...given_columns, ...times, 'apply_at'], column => sql`${sql(column)}`)

/** One row: the rule, as it would be for a channel without one. */
export const givenRule = (sql: Sql, user_id: UserId, rule: Rule): Piece => sql`
  select ${givenValues(sql, rule)},
         ${ownPlaylist(sql, user_id, sql`${rule.playlist_id}::text`)} as playlist_id,
         ${ifTrue(sql, rule.auto_download, sql`now()`)} as on_since,
         ${ifTrue(sql, rule.auto_download && rule.also_days !== null, sql`now() - ${rule.also_days}::int * interval '1 day'`)} as also_since,
         ${ifTrue(sql, reachesBack(rule), sql`timestamptz 'infinity'`)} as judge_from,
         ${ifTrue(sql, reachesBack(rule), sql`timestamptz '-infinity'`)} as judge_to,
         ${ifTrue(sql, reachesBack(rule), sql`now()`)} as apply_at`

/** Whether videos that are there already are to be judged. */
const reachesBack = ({ auto_download, also_days, include_older }: Rule) =>
  auto_download && (also_days !== null || include_older)

const ifTrue = (sql: Sql, condition: boolean, value: Piece): Piece => (condition ? value : sql`null::timestamptz`)

/** What is stored in `given_columns` after `excluded` was saved over `known`. */
export const savedColumns = (sql: Sql): Piece => sql`
  ${listed(sql, given_columns, column => sql`excluded.${sql(column)}`)},
  ${listed(sql, times, column => sql`case when ${isKept(sql)} then known.${sql(column)} else excluded.${sql(column)} end as ${sql(column)}`)},
  -- Another limit may allow more at once.
  case when not ${isKept(sql)} then excluded.apply_at when known.judge_from is not null then now() end as apply_at`

const listed = (sql: Sql, columns: readonly string[], piece: (column: string) => Piece): Piece =>
  commaList(sql, columns.map(piece))

/** Changing the conditions makes the rule begin anew: a broader rule must not fetch older videos. A rule that was off begins too. */
const isKept = (sql: Sql): Piece => sql`(
  known.on_since is not null and excluded.on_since is not null
  and (${listed(sql, renewing_fields, column => sql`known.${sql(column)}`)})
      is not distinct from
      (${listed(sql, renewing_fields, column => sql`excluded.${sql(column)}`)})) is true`
