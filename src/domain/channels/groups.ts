/** Groups of channels: rename, change, delete and restore them, add channels, and choose the groups of a channel. */
import type { Library } from '../../db/library.ts'
import { DomainError } from '../../errors.ts'
import type { Channel } from '../../schema/channels/channel.ts'
import type { Group } from '../../schema/channels/group.ts'
import { OwnName } from '../../schema/values/fields.ts'
import { getChannel, noSuchGroup, orThrow } from '../get.ts'

export const renameGroup = async (library: Library, group_id: string, name: string): Promise<Group> =>
  orThrow(await library.groups.rename(group_id, name), noSuchGroup)

/** A group with the ids of its channels. */
export async function getGroup(library: Library, group_id: string): Promise<{ group: Group; members: string[] }> {
  const [group, members] = await Promise.all([library.groups.find(group_id), library.groups.channelIds(group_id)])
  return { group: orThrow(group, noSuchGroup), members }
}

/** Renames a group, and replaces its channels. */
export async function changeGroup(library: Library, group_id: string, name: string, channel_ids: string[]) {
  const group = await renameGroup(library, group_id, name)
  const is_set = await library.groups.setChannels(group_id, channel_ids)
  return orThrow(is_set ? group : undefined, noSuchGroup)
}

export const restoreGroup = async (library: Library, group_id: string): Promise<Group> =>
  orThrow(await library.groups.restore(group_id), noSuchGroup)

export const deleteGroup = async (library: Library, group_id: string): Promise<{ name: string }> =>
  orThrow(await library.groups.remove(group_id), noSuchGroup)

/** Puts the channel into these groups, and takes it out of all others. If a group is missing, nothing changes. */
export async function chooseGroups(library: Library, channel_id: string, group_ids: string[]): Promise<Channel> {
  const is_set = await library.groups.setOfChannel(channel_id, group_ids)
  const channel = await getChannel(library, channel_id)
  return orThrow(is_set ? channel : undefined, noSuchGroup)
}

/** Adds channels to one of the person's groups, or to a new group. Returns the name of the group, and how many channels were not in it. */
export async function addToGroup(
  { groups }: Library,
  channel_ids: string[],
  { group_id, name }: { group_id?: string | undefined; name: string },
): Promise<{ name: string; added: number }> {
  const group = group_id === undefined ? await groups.create(nameOf(name)) : await groups.find(group_id)
  if (!group) throw noSuchGroup()
  return { name: group.name, added: orThrow(await groups.addChannels(group.group_id, channel_ids), noSuchGroup) }
}

function nameOf(typed: string): string {
  const { data, error } = OwnName.safeParse(typed)
  if (data === undefined) throw new DomainError('invalid', error?.issues[0]?.message ?? 'Enter a name.')
  return data
}

/** With a bell, new videos are notified. Returns the name of the group. Throws `not_found`. */
export const setGroupBell = async ({ groups }: Library, group_id: string, bell: boolean): Promise<string> =>
  orThrow(await groups.setBell(group_id, bell), noSuchGroup)
