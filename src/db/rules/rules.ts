/**
 * One user's rules: what downloads automatically, and how long it stays. `rule-judging.ts` reads what a rule still has to judge;
 * the domain judges.
 *
 * A rule never requests a video that was requested before (`download_asked_by`), whether its file was deleted,
 * cancelled, failed or removed by the rule. A changed rule applies only to videos from then on, so that a broader one
 * does not fetch last year's, unless it says that it includes older ones.
 */
import { type ChannelRule, type ChosenChannels, Rule } from '../../schema/rules/rule.ts'
import type { UserId } from '../../schema/values/user.ts'
import { movesOf } from '../downloads/moves.ts'
import { countOf, firstRow, hasAny, isDeadlock, type Piece, type Sql } from '../postgres/client.ts'
import { isFollowed } from '../rows/channel-columns.ts'
import { storedValues } from './rule-columns.ts'
import { judgingOf, ownPlaylist } from './rule-judging.ts'
import { areChosen, givenColumns, givenRule, outlooksOf, savedColumns } from './rule-outlook.ts'

export function rulesOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  const find = (channel_id: string) =>
    firstRow(sql<ChannelRule[]>`
      select on_since is not null as auto_download, ${storedValues(sql)},
             ${ownPlaylist(sql, user_id, sql`channel_rules.playlist_id::text`)} as playlist_id,
             on_since
      from   channels
      left join channel_rules using (user_id, channel_id)
      where  ${mine} and channel_id = ${channel_id}`)

  const saveWhere = async (rule: Rule, chosen: Piece) => {
    const saving = () =>
      countOf(sql`
        insert into channel_rules as known (user_id, channel_id, ${givenColumns(sql)})
        select user_id, channel_id, excluded.*
        from   channels
        cross join (${givenRule(sql, user_id, rule)}) excluded
        where  ${mine} and ${chosen} and ${isFollowed(sql)}
        order by channel_id
        -- An unfollow at the same moment deletes the rule, so this waits for it.
        for share of channels
        on conflict on constraint channel_rules_pkey do update
        set    (${givenColumns(sql)}) = (select ${savedColumns(sql)}),
               revision = known.revision + 1`)
    // A save of several feeds may have locked two of the rules in another order.
    return saving().catch(fault => (isDeadlock(fault) ? saving() : Promise.reject(fault)))
  }

  return {
    ...judgingOf(sql, user_id),
    ...outlooksOf(sql, user_id),

    /** A channel without a rule has one that is off; `undefined`: there is no such channel. */
    find,

    /** `undefined`: the person does not follow such a channel. */
    async save(channel_id: string, rule: Rule): Promise<ChannelRule | undefined> {
      const saved = await saveWhere(rule, sql`channel_id = ${channel_id}`)
      return saved > 0 ? find(channel_id) : undefined
    },

    /** Saves the rule for several followed channels in one statement. Returns how many channels of this user have it now. */
    saveMany: (channels: ChosenChannels, rule: Rule): Promise<number> => saveWhere(rule, areChosen(sql, channels)),

    /** The rule that a channel gets when it is followed; null: none. A trigger copies it (migration `rules`). */
    async findDefault(): Promise<Rule | null> {
      const [owner] = await sql<{ default_rule: object | null; playlist_id: string | null }[]>`
        select default_rule, ${ownPlaylist(sql, user_id, sql`default_rule ->> 'playlist_id'`)} as playlist_id
        from   users
        where  id = ${user_id}`
      return owner?.default_rule ? Rule.parse({ ...owner.default_rule, playlist_id: owner.playlist_id }) : null
    },

    async saveDefault(rule: Rule): Promise<void> {
      await sql`update users set default_rule = ${sql.json(rule)} where id = ${user_id}`
    },

    /** No rule deletes the file of a pinned video. `false`: there is no such video. */
    pin: (video_id: string, pinned: boolean): Promise<boolean> =>
      hasAny(sql`
        update video_entries
        set    pinned = ${pinned}
        where  ${mine} and ${movesOf(sql, user_id).inOrder([video_id])}`),
  }
}
