import { jsonText } from '../../runtime/json.ts'
import type { Settings, SettingsRequest } from '../../schema/settings/settings.ts'
import type { Category } from '../../schema/sources/segment.ts'
import type { UserId } from '../../schema/values/user.ts'
import { NewFilter } from '../../schema/videos/video-api.ts'
import type { Queryable } from '../postgres/client.ts'

export interface OwnSettings {
  get(): Promise<Settings>
  /** Absent fields are not changed. */
  save(changes: Partial<SettingsRequest>): Promise<Settings>
  /** The kinds of parts that the player skips in the videos of a channel. */
  skipsIn(channel_id: string): Promise<Category[]>
  /** Whether nothing is skipped in the videos of a channel; `undefined`: there is no such channel. */
  playsWhole(channel_id: string): Promise<boolean | undefined>
  /** `false`: there is no such channel. */
  setPlaysWhole(channel_id: string, plays_whole: boolean): Promise<boolean>
}

export function settingsOf(sql: Queryable, user_id: UserId): OwnSettings {
  const mine = sql`owner.id = ${user_id}`

  return {
    async get() {
      const [settings] = await sql<Settings[]>`
        select quality, keyboard_shortcuts, skip_categories, captions_of_all
        from   users owner
        where  ${mine}`
      if (!settings) throw new Error('the account of this user is gone')
      return settings
    },

    async save({ quality, keyboard_shortcuts, skip_categories, captions_of_all }) {
      const [settings] = await sql<Settings[]>`
        update users owner
        set    quality            = coalesce(${quality ?? null}, quality),
               keyboard_shortcuts = coalesce(${keyboard_shortcuts ?? null}::boolean, keyboard_shortcuts),
               skip_categories    = coalesce(${skip_categories ?? null}::text[], skip_categories),
               captions_of_all    = coalesce(${captions_of_all ?? null}::boolean, captions_of_all)
        where  ${mine}
        returning quality, keyboard_shortcuts, skip_categories, captions_of_all`
      if (!settings) throw new Error('the account of this user is gone')
      return settings
    },

    async skipsIn(channel_id) {
      const [owner] = await sql<{ skip_categories: Category[] }[]>`
        select    case when channel.plays_whole then '{}' else owner.skip_categories end as skip_categories
        from      users owner
        left join channels channel on channel.user_id = owner.id and channel.channel_id = ${channel_id}
        where     ${mine}`
      return owner?.skip_categories ?? []
    },

    async playsWhole(channel_id) {
      const [channel] = await sql<{ plays_whole: boolean }[]>`
        select plays_whole is true as plays_whole
        from   channels
        where  user_id = ${user_id} and channel_id = ${channel_id}`
      return channel?.plays_whole
    },

    async setPlaysWhole(channel_id, plays_whole) {
      const { count } = await sql`
        update channels
        set    plays_whole = ${plays_whole || null}
        where  user_id = ${user_id} and channel_id = ${channel_id}`
      return count > 0
    },
  }
}

// The filter of the page New that one user chose last.

export interface RememberedFilter {
  get(): Promise<NewFilter>
  save(filter: NewFilter): Promise<void>
}

export const newFilterOf = (sql: Queryable, user_id: UserId): RememberedFilter => ({
  async get() {
    const [owner] = await sql<{ new_filter: unknown }[]>`select new_filter from users where id = ${user_id}`
    return NewFilter.parse(owner?.new_filter ?? {})
  },

  async save(filter) {
    await sql`
      update users
      set    new_filter = ${jsonText(filter)}::text::jsonb
      where  id = ${user_id}`
  },
})
