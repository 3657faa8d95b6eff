/** Merges the groups of an archive into those of one person, by their names. What is there already stays. */
import { max_groups } from '../../schema/channels/group.ts'
import type { ArchiveChannel } from '../../schema/imports/archive.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Queryable } from '../postgres/client.ts'

/** Creates the groups that are missing, as many as one person may have. */
export async function mergeGroups(tx: Queryable, user_id: UserId, names: string[]): Promise<void> {
  if (names.length === 0) return
  await tx`
    insert into groups (user_id, name)
    select   ${user_id}, name
    from     unnest(${names}::text[]) name
    where    not exists (select from groups where user_id = ${user_id} and lower(groups.name) = lower(name.name) and deleted_at is null)
    limit    greatest(0, ${max_groups} - (select count(*) from groups where user_id = ${user_id} and deleted_at is null))
    on conflict do nothing`
}

/** Adds the channels, which are here, to their groups. */
export async function mergeGroupsOf(
  tx: Queryable,
  user_id: UserId,
  channels: Pick<ArchiveChannel, 'channel_id' | 'groups'>[],
): Promise<void> {
  const members = channels.flatMap(({ channel_id, groups }) => groups.map(name => ({ channel_id, name })))
  await mergeGroups(tx, user_id, [...new Set(members.map(({ name }) => name))])
  await tx`
    insert into channel_groups (user_id, channel_id, group_id)
    select   ${user_id}, given.channel_id, owned.group_id
    from     unnest(${members.map(({ channel_id }) => channel_id)}::text[], ${members.map(({ name }) => name)}::text[])
             as given (channel_id, name)
    join     groups owned on owned.user_id = ${user_id} and lower(owned.name) = lower(given.name) and deleted_at is null
    order by 2, 3
    on conflict do nothing`
}
