/** Switches the bells of channels and groups: with a bell, new videos are notified. */
import type { Library } from '../../db/library.ts'
import { noSuchChannel, noSuchGroup, orThrow } from '../get.ts'

/** Returns the title of the channel. Throws `not_found`. */
export const setChannelBell = async ({ bells }: Library, channel_id: string, bell: boolean): Promise<string> =>
  orThrow(await bells.setOfChannel(channel_id, bell), noSuchChannel)

/** Returns the name of the group. Throws `not_found`. */
export const setGroupBell = async ({ bells }: Library, group_id: string, bell: boolean): Promise<string> =>
  orThrow(await bells.setOfGroup(group_id, bell), noSuchGroup)
