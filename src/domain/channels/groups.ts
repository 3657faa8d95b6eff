/** Changing groups of channels: an unknown group and another person's are one answer. */
import type { Library } from '../../db/library/library.ts'
import { DomainError } from '../../errors.ts'
import type { Channel } from '../../schema/channel.ts'
import type { Group } from '../../schema/group.ts'
import { getChannel } from './channels.ts'

export const renameGroup = async (library: Library, group_id: string, name: string): Promise<Group> =>
  orMissing(await library.groups.rename(group_id, name))

export const deleteGroup = async (library: Library, group_id: string): Promise<{ name: string }> =>
  orMissing(await library.groups.remove(group_id))

/** The channel is in these groups from now on, and in no other. If one of them is missing, nothing changes. */
export async function chooseGroups(library: Library, channel_id: string, group_ids: string[]): Promise<Channel> {
  const is_set = await library.groups.setOfChannel(channel_id, group_ids)
  const channel = await getChannel(library, channel_id)
  return is_set ? channel : orMissing<Channel>(undefined)
}

function orMissing<T>(found: T | undefined): T {
  if (found === undefined) throw new DomainError('not_found', 'There is no such group.')
  return found
}
