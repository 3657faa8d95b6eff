/** The bells of channels and groups: whether their new videos are told. */
import type { Library } from '../../db/library.ts'
import type { MessageEvent } from '../../schema/notifications/message.ts'
import { noSuchChannel, noSuchGroup, orThrow } from '../get.ts'

/** Returns the title of the channel. Throws `not_found`. */
export const ringForChannel = async ({ bells }: Library, channel_id: string, bell: boolean): Promise<string> =>
  orThrow(await bells.setOfChannel(channel_id, bell), noSuchChannel)

/** Returns the name of the group. Throws `not_found`. */
export const ringForGroup = async ({ bells }: Library, group_id: string, bell: boolean): Promise<string> =>
  orThrow(await bells.setOfGroup(group_id, bell), noSuchGroup)

/** Whether the person has a target for the event. */
export const isToldOf = async ({ targets }: Library, event: MessageEvent): Promise<boolean> =>
  (await targets.list()).some(({ events }) => events.includes(event))
