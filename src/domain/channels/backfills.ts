/** Loading the older videos of a channel: request it, show how far it is, cancel it. `perform-backfill.ts` does the work. */
import type { Library } from '../../db/library.ts'
import { DomainError } from '../../errors.ts'
import type { ShownBackfill } from '../../schema/channels/channel.ts'
import { siteOf } from '../../schema/values/address.ts'
import { getChannel, noSuchChannel } from '../get.ts'
import { firstListOf } from '../listings/lists-of-channel.ts'

/** Requests it, or returns the one that is unfinished. Throws `conflict` when the channel is not followed. */
export async function beginBackfill(library: Library, channel_id: string): Promise<ShownBackfill> {
  const { rss_url, page_url, followed } = await getChannel(library, channel_id)
  if (!followed) throw notFollowed()
  const site = siteOf(firstListOf(rss_url, page_url) ?? '')
  const begun = await library.backfills.begin(channel_id, site ?? null)
  if (!begun) throw noSuchChannel()
  return begun
}

const notFollowed = () =>
  new DomainError('conflict', 'You do not follow this channel. Follow it, then load its older videos.')

export async function getBackfill(library: Library, channel_id: string): Promise<ShownBackfill> {
  const found = await library.backfills.find(channel_id)
  if (!found) throw noSuchChannel()
  return found
}

/** What was loaded stays. Does nothing when none is unfinished. */
export async function cancelBackfill(library: Library, channel_id: string): Promise<void> {
  await getBackfill(library, channel_id)
  await library.backfills.cancel(channel_id)
}
