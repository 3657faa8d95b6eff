/** Changing groups of channels: an unknown group and another person's are one answer. */
import type { Library } from '../../db/library.ts'
import { DomainError } from '../../errors.ts'
import type { Channel } from '../../schema/channels/channel.ts'
import type { Group } from '../../schema/channels/group.ts'
import { getChannel } from '../get.ts'

export const renameGroup = async (library: Library, group_id: string, name: string): Promise<Group> =>
  orMissing(await library.groups.rename(group_id, name))

/** A group with the ids of its channels. */
export async function getGroup(library: Library, group_id: string): Promise<{ group: Group; members: string[] }> {
  const [group, members] = await Promise.all([library.groups.find(group_id), library.groups.channelIds(group_id)])
  return { group: orMissing(group), members }
}

/** Renames it, and replaces its channels. */
export async function changeGroup(library: Library, group_id: string, name: string, channel_ids: string[]) {
  const group = await renameGroup(library, group_id, name)
  const is_set = await library.groups.setChannels(group_id, channel_ids)
  return is_set ? group : orMissing<Group>(undefined)
}

export const restoreGroup = async (library: Library, group_id: string): Promise<Group> =>
  orMissing(await library.groups.restore(group_id))

export const deleteGroup = async (library: Library, group_id: string): Promise<{ name: string }> =>
  orMissing(await library.groups.remove(group_id))

/** The channel is in these groups from now on, and in no other. If one of them is missing, nothing changes. */
export async function chooseGroups(library: Library, channel_id: string, group_ids: string[]): Promise<Channel> {
  const is_set = await library.groups.setOfChannel(channel_id, group_ids)
  const channel = await getChannel(library, channel_id)
  return is_set ? channel : orMissing<Channel>(undefined)
}

/** Also puts the channel into a new group of this name. No name: nothing happens. */
export async function addToNewGroup({ groups }: Library, channel_id: string, name: string | undefined): Promise<void> {
  if (name === undefined) return
  const { group_id } = await groups.create(name)
  await groups.addChannels(group_id, [channel_id])
}

function orMissing<T>(found: T | undefined): T {
  if (found === undefined) throw new DomainError('not_found', 'There is no such group.')
  return found
}
