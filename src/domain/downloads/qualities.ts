/** Chooses the quality of a channel's downloads. Applies to downloads that start later; files on disk stay. */
import type { Library } from '../../db/library.ts'
import type { Channel } from '../../schema/channels/channel.ts'
import type { Quality } from '../../schema/downloads/quality.ts'
import { noSuchChannel } from '../get.ts'

/** `null`: the person's default quality. */
export async function chooseQuality(library: Library, channel_id: string, quality: Quality | null): Promise<Channel> {
  const channel = await library.channels.setQuality(channel_id, quality)
  if (!channel) throw noSuchChannel()
  return channel
}
