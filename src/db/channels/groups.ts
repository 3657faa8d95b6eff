/**
 * One user's groups of channels: list, create, rename, delete, restore, and which channels are in them. `named-things.ts` keeps their names
 * apart and their number limited.
 */
import { type Group, max_groups, type NamedGroup } from '../../schema/channels/group.ts'
import type { LibraryColumn } from '../../schema/search/saved-search.ts'
import type { UserId } from '../../schema/values/user.ts'
import {
  countOf,
  eachValue,
  firstRow,
  firstValue,
  hasAny,
  onlyRow,
  type Piece,
  type Queryable,
  type Sql,
} from '../postgres/client.ts'
import { pictureUrl } from '../postgres/stored-pictures.ts'
import { isFollowed } from '../rows/channel-columns.ts'
import { keepSummaries, readSummaries } from '../rows/channel-summaries.ts'
import { namedThingsOf } from '../rows/named-things.ts'

export function groupsOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`
  const is_here = sql`deleted_at is null`
  const groups = namedThingsOf<NamedGroup>(sql, user_id, {
    table: 'groups',
    id: 'group_id',
    columns: ['group_id', 'name'],
    max: max_groups,
    max_deleted: 100,
    words: { one: 'group', many: 'groups', remove: 'Delete' },
  })

  const read = async (which = sql``): Promise<Group[]> => {
    await keepSummaries(sql, user_id)
    return sql<Group[]>`${countedGroups(sql, user_id, which)}`
  }
  const find = (group_id: string) => firstRow(read(sql`and group_id::text = ${group_id}`))

  const addChannels = async (group_id: string, channel_ids: string[]): Promise<number | undefined> => {
    const exists = await hasAny(sql`select from groups where ${mine} and ${is_here} and group_id::text = ${group_id}`)
    if (!exists) return undefined
    return countOf(sql`
      insert into channel_groups (user_id, channel_id, group_id)
      select   user_id, channel_id, ${group_id}::uuid
      from     channels
      where    ${mine} and channel_id = any(${channel_ids})
      order by channel_id
      for key share
      on conflict do nothing`)
  }

  return {
    /** By name. */
    list: (): Promise<Group[]> => read(),

    /** The names of the groups, by name, for pages that need no counts. */
    names: (): Promise<NamedGroup[]> => sql<NamedGroup[]>`
      select   group_id, name
      from     groups
      where    ${mine} and ${is_here}
      order by lower(name)`,

    find,

    /** The groups, and the channels with the newest videos, for the column beside the pages. */
    column: (): Promise<LibraryColumn> => columnOf(sql, user_id),

    /** Throws `conflict` if a group has this name, `invalid` if there are too many. */
    async create(name: string): Promise<Group> {
      return { ...(await groups.create({ name })), channels: 0, bell: false, unwatched: 0 }
    },

    /** `undefined`: there is no such group. Throws `conflict` if another group has this name. */
    async rename(group_id: string, name: string): Promise<Group | undefined> {
      const renamed = await groups.change(group_id, { name })
      return renamed && find(group_id)
    },

    /** Whether the person is notified of new videos of the group's channels. Returns the name; `undefined`: there is no such group. */
    setBell: (group_id: string, bell: boolean): Promise<string | undefined> =>
      firstValue<string>(sql`
        update groups set bell = ${bell}
        where  ${mine} and group_id::text = ${group_id} and ${is_here}
        returning name`),

    /** It can be restored for a day, unless many are deleted after it. `undefined`: there is no such group. */
    remove: (group_id: string): Promise<NamedGroup | undefined> => groups.remove(group_id),

    /** Brings a deleted group back with its channels. Throws `conflict` if a group has its name now, `invalid` if there are too many. */
    async restore(group_id: string): Promise<Group | undefined> {
      await groups.restore(group_id)
      return find(group_id)
    },

    /** The channel is in these groups, and in no other. `false`: there is no such channel, or one of the groups is missing. */
    setOfChannel: (channel_id: string, group_ids: string[]): Promise<boolean> =>
      sql.begin(async tx => {
        // Changes of one channel wait for each other, and a channel that is being deleted has no groups.
        const exists = await hasAny(tx`
          select from channels
          where  ${mine} and channel_id = ${channel_id}
          for no key update`)
        const found = await countOf(tx`
          select   from groups
          where    ${mine} and ${is_here} and group_id = any(${group_ids}::uuid[])
          order by group_id
          for key share`)
        if (!exists || found < new Set(group_ids).size) return false
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

    channelIds: (group_id: string): Promise<string[]> =>
      eachValue<string>(sql`
        select channel_id
        from   channel_groups
        where  ${mine} and group_id::text = ${group_id}`),

    /** These followed channels are in the group, and no other followed one. `false`: there is no such group. */
    async setChannels(group_id: string, channel_ids: string[]): Promise<boolean> {
      const added = await addChannels(group_id, channel_ids)
      if (added === undefined) return false
      await sql`
        delete from channel_groups
        where  ${mine} and group_id::text = ${group_id} and channel_id <> all(${channel_ids})
        and    channel_id in (select channel_id from channels where ${mine} and ${isFollowed(sql)})`
      return true
    },

    /** Adds channels that the person has. Returns how many were not in the group; `undefined`: there is no such group. */
    addChannels,
  }
}

/** A person would not look through more channels: the page of all channels has a filter. */
const max_channels_in_column = 40

/** The groups, by name. The number of a group is the sum of the numbers of its channels. */
const countedGroups = (sql: Queryable, user_id: UserId, which = sql``) => sql`
  select    group_id, name, bell, count(channel_id)::int as channels, coalesce(sum(unwatched), 0)::int as unwatched
  from      groups owned
  left join channel_groups    using (user_id, group_id)
  left join channel_summaries using (user_id, channel_id)
  where     user_id = ${user_id} and deleted_at is null ${which}
  group by  user_id, group_id
  order by  lower(name)`

/** What the column beside the pages shows: the groups and channels, each with what is still to watch, and the saved searches. */
function columnOf(sql: Queryable, user_id: UserId): Promise<LibraryColumn> {
  const mine = sql`user_id = ${user_id}`
  const read = (are_outdated: Piece) => sql<(LibraryColumn & { are_outdated: boolean })[]>`
    with shown as (
      select   channel_id, title, image_url, unwatched, ${pictureUrl(sql, 'channel', sql`image_url`)} as picture_url
      from     (select   channel_id, unwatched, newest_at, sort_name
                from     channel_summaries
                where    ${mine}
                order by newest_at desc nulls last, sort_name, channel_id) summary
      -- \`offset 0\` makes Postgres read the rows of the first channels only, and not of all that a person follows.
      cross join lateral (
                select title, image_url
                from   channels
                where  ${mine} and channel_id = summary.channel_id and ${isFollowed(sql)}
                offset 0) channel
      order by newest_at desc nulls last, sort_name, channel_id
      limit    ${max_channels_in_column}
    ),
    saved as (
      select   saved_search_id, name, q, sort
      from     saved_searches
      where    ${mine} and deleted_at is null
      order by lower(name)
    ),
    sorted as (${countedGroups(sql, user_id)})
    select ${are_outdated} as are_outdated,
           (select coalesce(json_agg(sorted), '[]') from sorted) as groups,
           (select coalesce(json_agg(saved), '[]') from saved)   as searches,
           (select coalesce(json_agg(shown), '[]') from shown)   as channels`
  return onlyRow(readSummaries(sql, user_id, read))
}
