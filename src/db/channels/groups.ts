/** One user's groups of channels: list, create, rename, delete, restore, and which channels are in them. */
import { DomainError } from '../../errors.ts'
import { type Group, max_groups, type NamedGroup } from '../../schema/channels/group.ts'
import type { LibraryColumn } from '../../schema/search/saved-search.ts'
import type { UserId } from '../../schema/values/user.ts'
import { isolated } from '../../schema/values/words.ts'
import { hasBroken, type Queryable, type Sql } from '../postgres/client.ts'
import { pictureUrl } from '../postgres/pictures.ts'
import { isFollowed } from '../rows/channel-columns.ts'
import { countedGroups, newestVideos } from '../watching/unwatched.ts'

export type Groups = ReturnType<typeof groupsOf>

export function groupsOf(sql: Sql, user_id: UserId) {
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
    /** By name. */
    list: (): Promise<Group[]> => read(),

    /** The same without counting, for pages that need only names. */
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
      const group_id = await sql.begin(tx => createIn(tx, user_id, name))
      return { group_id, name, channels: 0, unwatched: 0 }
    },

    /** `undefined`: there is no such group. Throws `conflict` if another group has this name. */
    async rename(group_id: string, name: string): Promise<Group | undefined> {
      const renaming = sql`
        update groups
        set    name = ${name}
        where  ${mine} and ${is_here} and group_id::text = ${group_id}`
      const { count } = await orConflict(renaming, nameTaken(name))
      return count === 0 ? undefined : find(group_id)
    },

    /** It can be restored for a day, unless many are deleted after it. `undefined`: there is no such group. */
    remove: (group_id: string): Promise<{ name: string } | undefined> =>
      sql.begin(tx => removeIn(tx, user_id, group_id)),

    /** Brings a deleted group back with its channels. Throws `conflict` if a group has its name now, `invalid` if there are too many. */
    async restore(group_id: string): Promise<Group | undefined> {
      await sql.begin(tx => restoreIn(tx, user_id, group_id))
      return find(group_id)
    },

    /** The channel is in these groups, and in no other. `false`: there is no such channel, or one of the groups is missing. */
    setOfChannel: (channel_id: string, group_ids: string[]): Promise<boolean> =>
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

    /** The ids of its channels. */
    async channelIds(group_id: string): Promise<string[]> {
      const members = await sql<{ channel_id: string }[]>`
        select channel_id
        from   channel_groups
        where  ${mine} and group_id::text = ${group_id}`
      return members.map(({ channel_id }) => channel_id)
    },

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

    /** Adds those of the channels that the person has. Returns how many were not in the group; `undefined`: there is no such group. */
    addChannels,
  }
}

// Creates, deletes and restores the groups of one person within a transaction, so that they stay as few as they may be.

/** Returns the id. Throws `conflict` if a group has this name, `invalid` if there are too many. */
async function createIn(tx: Queryable, user_id: UserId, name: string): Promise<string> {
  await oneAtATime(tx, user_id)
  await requireRoom(tx, user_id)
  const [created] = await tx<{ group_id: string }[]>`
    insert into groups (user_id, name)
    values (${user_id}, ${name})
    on conflict do nothing
    returning group_id`
  if (!created) throw nameTaken(name)
  return created.group_id
}

/** The most deleted groups of one person that can be restored. */
const most_deleted = 100

/** `undefined`: there is no such group. */
async function removeIn(tx: Queryable, user_id: UserId, group_id: string): Promise<{ name: string } | undefined> {
  const mine = tx`user_id = ${user_id}`
  await oneAtATime(tx, user_id)
  const [group] = await tx<{ name: string }[]>`
    update groups
    set    deleted_at = now()
    where  ${mine} and deleted_at is null and group_id::text = ${group_id}
    returning name`
  await tx`
    delete from groups
    where  ${mine} and deleted_at is not null
    and    group_id not in (
             select   group_id
             from     groups
             where    ${mine} and deleted_at > now() - interval '1 day'
             order by deleted_at desc, group_id
             limit    ${most_deleted})`
  return group
}

/** Does nothing unless the group is deleted. Throws `conflict` if a group has its name now, `invalid` if there are too many. */
async function restoreIn(tx: Queryable, user_id: UserId, group_id: string): Promise<void> {
  const mine = tx`user_id = ${user_id}`
  await oneAtATime(tx, user_id)
  const [deleted] = await tx<{ name: string }[]>`
    select name from groups where ${mine} and deleted_at is not null and group_id::text = ${group_id}`
  if (!deleted) return
  await requireRoom(tx, user_id)
  const restoring = tx`
    update groups
    set    deleted_at = null
    where  ${mine} and group_id::text = ${group_id}`
  const taken = `You have another group called ${isolated(deleted.name)} by now. Rename that one, then restore this one.`
  await orConflict(restoring, new DomainError('conflict', taken))
}

/** Changes of the groups of one person wait here for each other, so that a count includes all of them. */
const oneAtATime = (tx: Queryable, user_id: UserId) => tx`
  select from users
  where  id = ${user_id}
  for no key update`

async function requireRoom(tx: Queryable, user_id: UserId): Promise<void> {
  const [counted] = await tx<{ groups: number }[]>`
    select count(*) as groups
    from   groups
    where  user_id = ${user_id} and deleted_at is null`
  if ((counted?.groups ?? 0) >= max_groups)
    throw new DomainError('invalid', `You have ${max_groups} groups, the most there can be. Delete one first.`)
}

/** Throws `conflict` instead, if another group has the name. */
const orConflict = <T>(writing: Promise<T>, conflict: DomainError): Promise<T> =>
  writing.catch((fault: unknown) => {
    throw hasBroken(fault, 'groups_name_key') ? conflict : fault
  })

const nameTaken = (name: string) =>
  new DomainError('conflict', `You have a group called ${isolated(name)} already. Choose another name.`, {
    fields: { name: 'You have a group with this name.' },
  })

// What the column beside the pages shows of one user: the groups and channels, each with what is still to watch, and the saved searches.

/** More channels would not be looked through: the page of all channels has a filter. */
const most_channels = 40

/** In one statement, so that the newest videos are read once for both. */
async function columnOf(sql: Queryable, user_id: UserId): Promise<LibraryColumn> {
  const mine = sql`user_id = ${user_id}`
  const [column] = await sql<LibraryColumn[]>`
    with newest as materialized (${newestVideos(sql, user_id)}),
    counted as (
      select   channel_id, max(sort_at) as newest_at, count(*) filter (where is_unwatched) as unwatched
      from     newest
      group by channel_id
    ),
    shown as (
      select    channel_id, title, image_url, coalesce(unwatched, 0) as unwatched, newest_at
      from      channels
      left join counted using (channel_id)
      where     ${mine} and ${isFollowed(sql)}
      order by  newest_at desc nulls last, lower(title), channel_id
      limit     ${most_channels}
    ),
    sorted as (${countedGroups(sql, user_id)})
    select (select coalesce(json_agg(sorted), '[]')
            from   sorted) as groups,
           (select coalesce(json_agg(json_build_object(
                     'saved_search_id', saved_search_id, 'name', name, 'q', q, 'sort', sort)
                   order by lower(name)), '[]')
            from   saved_searches
            where  ${mine} and deleted_at is null) as searches,
           (select coalesce(json_agg(json_build_object(
                     'channel_id', channel_id, 'title', title, 'image_url', image_url, 'unwatched', unwatched,
                     'picture_url', ${pictureUrl(sql, 'channel', sql`image_url`)})
                   order by newest_at desc nulls last, lower(title), channel_id), '[]')
            from   shown) as channels`
  return column ?? { groups: [], searches: [], channels: [] }
}
