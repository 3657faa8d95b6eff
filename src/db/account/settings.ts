/**
 * What one user has chosen: quality, player, captions, shortcuts and quiet hours; channels that play whole; and what the page New
 * remembers.
 */
import { jsonText } from '../../runtime/json.ts'
import { unlessReadOnly } from '../../runtime/read-only.ts'
import type { Settings, SettingsRequest } from '../../schema/settings/settings.ts'
import type { Category } from '../../schema/sources/segment.ts'
import type { UserId } from '../../schema/values/user.ts'
import { NewFilter } from '../../schema/videos/video-api.ts'
import type { Look } from '../../schema/watching/viewing.ts'
import { firstValue, hasAny, onlyRow, onlyValue, type Queryable } from '../postgres/client.ts'
import { addMediaUpdate } from '../queue/jobs.ts'
import { savedSettings, settingColumns } from '../rows/settings-columns.ts'

export function settingsOf(sql: Queryable, user_id: UserId) {
  const mine = sql`owner.id = ${user_id}`

  return {
    get: (): Promise<Settings> =>
      onlyRow(sql<Settings[]>`
        select ${settingColumns(sql)}
        from   users owner
        where  ${mine}`),

    /** Absent fields are not changed. Files in MEDIA_DIR get their new names at once, and without this job within minutes. */
    async save(changes: Partial<SettingsRequest>): Promise<Settings> {
      const settings = await onlyRow(sql<Settings[]>`
        update users owner
        set    ${savedSettings(sql, changes)}
        where  ${mine}
        returning ${settingColumns(sql)}`)
      if (changes.media_names !== undefined && (await hasAny(sql`select from media_service`)))
        await addMediaUpdate(sql, { user_id })
      return settings
    },

    /** The kinds of parts that the player skips in the videos of a channel. */
    skipsIn: (channel_id: string): Promise<Category[]> =>
      onlyValue<Category[]>(sql`
        select    case when channel.plays_whole then '{}' else owner.skip_categories end as skip_categories
        from      users owner
        left join channels channel on channel.user_id = owner.id and channel.channel_id = ${channel_id}
        where     ${mine}`),

    /** Whether nothing is skipped in the videos of a channel; `undefined`: there is no such channel. */
    playsWhole: (channel_id: string): Promise<boolean | undefined> =>
      firstValue<boolean>(sql`
        select plays_whole is true as plays_whole
        from   channels
        where  user_id = ${user_id} and channel_id = ${channel_id}`),

    /** `false`: there is no such channel. */
    setPlaysWhole: (channel_id: string, plays_whole: boolean): Promise<boolean> =>
      hasAny(sql`
        update channels
        set    plays_whole = ${plays_whole || null}
        where  user_id = ${user_id} and channel_id = ${channel_id}`),
  }
}

/** What the page New remembers: the filter that the person chose last, and their last look. */
export const newPageOf = (sql: Queryable, user_id: UserId) => ({
  async remembered(): Promise<{ filter: NewFilter; look: Look }> {
    const { new_filter, ...look } = await onlyRow(sql<(Look & { new_filter: unknown })[]>`
      select new_filter, looked_at, new_since
      from   users
      where  id = ${user_id}`)
    return { filter: NewFilter.parse(new_filter ?? {}), look }
  },

  async saveFilter(filter: NewFilter): Promise<void> {
    await unlessReadOnly(sql`
      update users
      set    new_filter = ${jsonText(filter)}::text::jsonb
      where  id = ${user_id}`)
  },

  /** Stores one of several looks within a minute. */
  async recordLook({ looked_at, new_since }: Look): Promise<void> {
    const at = sql`${looked_at}::timestamptz`
    await unlessReadOnly(sql`
      update users
      set    looked_at = ${at}, new_since = ${new_since}
      where  id = ${user_id}
      and    (looked_at is null or looked_at not between ${at} - interval '1 minute' and ${at} + interval '1 minute')`)
  },
})
