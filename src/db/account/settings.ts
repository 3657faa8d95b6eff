/** What one user has chosen: quality, player, captions, shortcuts and quiet hours; channels that play whole; and the filter of the page New. */
import { jsonText } from '../../runtime/json.ts'
import type { Settings, SettingsRequest } from '../../schema/settings/settings.ts'
import type { Category } from '../../schema/sources/segment.ts'
import type { UserId } from '../../schema/values/user.ts'
import { NewFilter } from '../../schema/videos/video-api.ts'
import type { Queryable } from '../postgres/client.ts'
import { quietHourColumns } from '../rows/quiet-hours.ts'

export function settingsOf(sql: Queryable, user_id: UserId) {
  const mine = sql`owner.id = ${user_id}`
  const columns = sql`
    quality, keyboard_shortcuts, skip_categories, captions_of_all,
    ${quietHourColumns(sql)}`

  return {
    async get(): Promise<Settings> {
      const [settings] = await sql<Settings[]>`
        select ${columns}
        from   users owner
        where  ${mine}`
      if (!settings) throw new Error('the account of this user is gone')
      return settings
    },

    /** Absent fields are not changed. */
    async save({
      quality,
      keyboard_shortcuts,
      skip_categories,
      captions_of_all,
      quiet_from,
      quiet_to,
      time_zone,
      messages_a_day,
    }: Partial<SettingsRequest>): Promise<Settings> {
      const [settings] = await sql<Settings[]>`
        update users owner
        set    quality            = coalesce(${quality ?? null}, quality),
               keyboard_shortcuts = coalesce(${keyboard_shortcuts ?? null}::boolean, keyboard_shortcuts),
               skip_categories    = coalesce(${skip_categories ?? null}::text[], skip_categories),
               captions_of_all    = coalesce(${captions_of_all ?? null}::boolean, captions_of_all),
               quiet_from         = ${quiet_from === undefined ? sql`quiet_from` : sql`${quiet_from}::time`},
               quiet_to           = ${quiet_to === undefined ? sql`quiet_to` : sql`${quiet_to}::time`},
               time_zone          = coalesce(${time_zone ?? null}, time_zone),
               messages_a_day     = coalesce(${messages_a_day ?? null}::smallint, messages_a_day)
        where  ${mine}
        returning ${columns}`
      if (!settings) throw new Error('the account of this user is gone')
      return settings
    },

    /** The kinds of parts that the player skips in the videos of a channel. */
    async skipsIn(channel_id: string): Promise<Category[]> {
      const [owner] = await sql<{ skip_categories: Category[] }[]>`
        select    case when channel.plays_whole then '{}' else owner.skip_categories end as skip_categories
        from      users owner
        left join channels channel on channel.user_id = owner.id and channel.channel_id = ${channel_id}
        where     ${mine}`
      return owner?.skip_categories ?? []
    },

    /** Whether nothing is skipped in the videos of a channel; `undefined`: there is no such channel. */
    async playsWhole(channel_id: string): Promise<boolean | undefined> {
      const [channel] = await sql<{ plays_whole: boolean }[]>`
        select plays_whole is true as plays_whole
        from   channels
        where  user_id = ${user_id} and channel_id = ${channel_id}`
      return channel?.plays_whole
    },

    /** `false`: there is no such channel. */
    async setPlaysWhole(channel_id: string, plays_whole: boolean): Promise<boolean> {
      const { count } = await sql`
        update channels
        set    plays_whole = ${plays_whole || null}
        where  user_id = ${user_id} and channel_id = ${channel_id}`
      return count > 0
    },
  }
}

/** The filter of the page New that the person chose last. */
export const newFilterOf = (sql: Queryable, user_id: UserId) => ({
  async get(): Promise<NewFilter> {
    const [owner] = await sql<{ new_filter: unknown }[]>`select new_filter from users where id = ${user_id}`
    return NewFilter.parse(owner?.new_filter ?? {})
  },

  async save(filter: NewFilter): Promise<void> {
    await sql`
      update users
      set    new_filter = ${jsonText(filter)}::text::jsonb
      where  id = ${user_id}`
  },
})
