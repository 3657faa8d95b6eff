/** What one user chose: the quality of downloads, for all or for one channel, and whether single keys do something. */
import type { Quality, Settings, SettingsRequest } from '../../schema/quality.ts'
import type { UserId } from '../../schema/user.ts'
import type { Queryable } from '../postgres/client.ts'

export interface OwnSettings {
  get(): Promise<Settings>
  /** Absent fields are not changed. */
  save(changes: Partial<SettingsRequest>): Promise<Settings>
  /** The quality of a channel's downloads. */
  qualityFor(channel_id: string): Promise<Quality>
}

export function settingsOf(sql: Queryable, user_id: UserId): OwnSettings {
  const mine = sql`owner.id = ${user_id}`

  return {
    async get() {
      const [settings] = await sql<Settings[]>`
        select quality, keyboard_shortcuts
        from   users owner
        where  ${mine}`
      if (!settings) throw new Error('the account of this user is gone')
      return settings
    },

    async save({ quality, keyboard_shortcuts }) {
      const [settings] = await sql<Settings[]>`
        update users owner
        set    quality            = coalesce(${quality ?? null}, quality),
               keyboard_shortcuts = coalesce(${keyboard_shortcuts ?? null}::boolean, keyboard_shortcuts)
        where  ${mine}
        returning quality, keyboard_shortcuts`
      if (!settings) throw new Error('the account of this user is gone')
      return settings
    },

    async qualityFor(channel_id) {
      const [chosen] = await sql<{ quality: Quality }[]>`
        select    coalesce(channel.quality, owner.quality) as quality
        from      users owner
        left join channels channel on channel.user_id = owner.id and channel.channel_id = ${channel_id}
        where     ${mine}`
      return chosen?.quality ?? 'best'
    },
  }
}
