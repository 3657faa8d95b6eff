/** Choosing how large a picture is wanted. It holds for downloads that start from then on; what is on disk stays. */
import type { Library } from '../../db/library/library.ts'
import type { Channel } from '../../schema/channel.ts'
import type { Quality } from '../../schema/quality.ts'
import { noSuchChannel } from '../channels/no-such-channel.ts'

/** `null`: as for everything else. */
export async function chooseQuality(library: Library, channel_id: string, quality: Quality | null): Promise<Channel> {
  const channel = await library.channels.setQuality(channel_id, quality)
  if (!channel) throw noSuchChannel()
  return channel
}
