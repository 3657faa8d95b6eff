/** Loading the older videos of a channel: request it, show how far it is, cancel it. `perform-backfill.ts` does the work. */
import type { Library } from '../../db/library.ts'
import { knownSoFar, type ShownBackfill } from '../../schema/channels/channel.ts'
import { siteOf } from '../../schema/values/address.ts'
import { getChannel, noSuchChannel, notFollowed, orThrow } from '../get.ts'
import { firstListOf } from '../listings/lists-of-channel.ts'

/** Requests a backfill, or returns the unfinished backfill of the channel. Throws `conflict` when the channel is not followed. */
export async function beginBackfill(library: Library, channel_id: string): Promise<ShownBackfill> {
  const { rss_url, page_url, followed } = await getChannel(library, channel_id)
  if (!followed) throw notFollowed('Follow it, then load its older videos.')
  const site = siteOf(firstListOf(rss_url, page_url) ?? '')
  return orThrow(await library.backfills.begin(channel_id, site ?? null), noSuchChannel)
}

export const getBackfill = async (library: Library, channel_id: string): Promise<ShownBackfill> =>
  orThrow(await library.backfills.find(channel_id), noSuchChannel)

/** How many videos are known, if not all of them may be: see `knownSoFar`. */
export async function countKnown(library: Library, channel_id: string): Promise<number | undefined> {
  const [channel, backfill] = await Promise.all([getChannel(library, channel_id), getBackfill(library, channel_id)])
  return knownSoFar(channel, backfill)
}

/** Videos that were loaded stay. Does nothing if no backfill is unfinished. */
export async function cancelBackfill(library: Library, channel_id: string): Promise<void> {
  await getBackfill(library, channel_id)
  await library.backfills.cancel(channel_id)
}
