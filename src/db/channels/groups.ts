/** One user's groups of channels: list, create, rename, delete, restore, and which channels are in them. */
import type { Group, NamedGroup } from '../../schema/channels/group.ts'
import type { LibraryColumn } from '../../schema/search/library-column.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Sql } from '../postgres/client.ts'
import { isFollowed } from '../rows/channel-columns.ts'
import { countedGroups, newestVideos } from '../watching/unwatched.ts'
import { createIn, nameTaken, orConflict, removeIn, restoreIn } from './group-writes.ts'
import { columnOf } from './library-column.ts'

export interface Groups {
  /** By name. */
  list(): Promise<Group[]>
  /** The same without counting, for pages that need only names. */
  names(): Promise<NamedGroup[]>
  find(group_id: string): Promise<Group | undefined>
  /** The groups, and the channels with the newest videos, for the column beside the pages. */
  column(): Promise<LibraryColumn>
  /** Throws `conflict` if a group has this name, `invalid` if there are too many. */
  create(name: string): Promise<Group>
  /** `undefined`: there is no such group. Throws `conflict` if another group has this name. */
  rename(group_id: string, name: string): Promise<Group | undefined>
  /** It can be restored for a day, unless many are deleted after it. `undefined`: there is no such group. */
  remove(group_id: string): Promise<{ name: string } | undefined>
  /** Brings a deleted group back with its channels. Throws `conflict` if a group has its name now, `invalid` if there are too many. */
  restore(group_id: string): Promise<Group | undefined>
  /** The channel is in these groups, and in no other. `false`: there is no such channel, or one of the groups is missing. */
  setOfChannel(channel_id: string, group_ids: string[]): Promise<boolean>
  /** The ids of its channels. */
  channelIds(group_id: string): Promise<string[]>
  /** These followed channels are in the group, and no other followed one. `false`: there is no such group. */
  setChannels(group_id: string, channel_ids: string[]): Promise<boolean>
  /** Adds those of the channels that the person has. Returns how many were not in the group; `undefined`: there is no such group. */
  addChannels(group_id: string, channel_ids: string[]): Promise<number | undefined>
}

export function groupsOf(sql: Sql, user_id: UserId): Groups {
  const mine = sql`user_id = ${user_id}`
  const is_here = sql`deleted_at is null`

  const read = (which = sql``) => sql<Group[]>`
    with newest as materialized (${newestVideos(sql, user_id)})
    ${countedGroups(sql, user_id, which)}`
  const find = async (group_id: string) => (await read(sql`and group_id::text = ${group_id}`))[0]

  const addChannels = async (group_id: string, channel_ids: string[]): Promise<number | undefined> => {
    const [group] = await sql`select from groups where ${mine} and ${is_here} and group_id::text = ${group_id}`
    if (!group) return undefined
    const { count } = await sql`
      insert into channel_groups (user_id, channel_id, group_id)
      select   user_id, channel_id, ${group_id}::uuid
      from     channels
      where    ${mine} and channel_id = any(${channel_ids})
      order by channel_id
      for key share
      on conflict do nothing`
    return count
  }

  return {
    list: () => read(),

    names: () => sql<NamedGroup[]>`
      select   group_id, name
      from     groups
      where    ${mine} and ${is_here}
      order by lower(name)`,

    find,

    column: () => columnOf(sql, user_id),

    async create(name) {
      const group_id = await sql.begin(tx => createIn(tx, user_id, name))
      return { group_id, name, channels: 0, unwatched: 0 }
    },

    async rename(group_id, name) {
      const renaming = sql`
        update groups
        set    name = ${name}
        where  ${mine} and ${is_here} and group_id::text = ${group_id}`
      const { count } = await orConflict(renaming, nameTaken(name))
      return count === 0 ? undefined : find(group_id)
    },

    remove: group_id => sql.begin(tx => removeIn(tx, user_id, group_id)),

    async restore(group_id) {
      await sql.begin(tx => restoreIn(tx, user_id, group_id))
      return find(group_id)
    },

    setOfChannel: (channel_id, group_ids) =>
      sql.begin(async tx => {
        // Changes of one channel wait for each other, and a channel that is being deleted has no groups.
        const [channel] = await tx`
          select from channels
          where  ${mine} and channel_id = ${channel_id}
          for no key update`
        const found = await tx`
          select   from groups
          where    ${mine} and ${is_here} and group_id = any(${group_ids}::uuid[])
          order by group_id
          for key share`
        if (!channel || found.length < new Set(group_ids).size) return false
        await tx`
          delete from channel_groups
          where  ${mine} and channel_id = ${channel_id} and group_id <> all(${group_ids}::uuid[])
          and    group_id in (select group_id from groups where ${mine} and ${is_here})`
        await tx`
          insert into channel_groups (user_id, channel_id, group_id)
          select ${user_id}, ${channel_id}, unnest(${group_ids}::uuid[])
          on conflict do nothing`
        return true
      }),

    async channelIds(group_id) {
      const members = await sql<{ channel_id: string }[]>`
        select channel_id
        from   channel_groups
        where  ${mine} and group_id::text = ${group_id}`
      return members.map(({ channel_id }) => channel_id)
    },

    async setChannels(group_id, channel_ids) {
      const added = await addChannels(group_id, channel_ids)
      if (added === undefined) return false
      await sql`
        delete from channel_groups
        where  ${mine} and group_id::text = ${group_id} and channel_id <> all(${channel_ids})
        and    channel_id in (select channel_id from channels where ${mine} and ${isFollowed(sql)})`
      return true
    },

    addChannels,
  }
}
