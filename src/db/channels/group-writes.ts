/** Creates, deletes and restores the groups of one person within a transaction, so that they stay as few as they may be. */
import { DomainError } from '../../errors.ts'
import { max_groups } from '../../schema/channels/group.ts'
import { isolated } from '../../schema/values/isolated.ts'
import type { UserId } from '../../schema/values/user.ts'
import { hasBroken, type Queryable } from '../postgres/client.ts'

/** Returns the id. Throws `conflict` if a group has this name, `invalid` if there are too many. */
export async function createIn(tx: Queryable, user_id: UserId, name: string): Promise<string> {
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
export async function removeIn(
  tx: Queryable,
  user_id: UserId,
  group_id: string,
): Promise<{ name: string } | undefined> {
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
export async function restoreIn(tx: Queryable, user_id: UserId, group_id: string): Promise<void> {
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
export const orConflict = <T>(writing: Promise<T>, conflict: DomainError): Promise<T> =>
  writing.catch((fault: unknown) => {
    throw hasBroken(fault, 'groups_name_key') ? conflict : fault
  })

export const nameTaken = (name: string) =>
  new DomainError('conflict', `You have a group called ${isolated(name)} already. Choose another name.`, {
    fields: { name: 'You have a group with this name.' },
  })
