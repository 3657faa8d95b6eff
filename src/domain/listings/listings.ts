/** Connects listings, looks and captions to the web and to yt-dlp, which are loaded when they are first needed. */
import type { AddressPolicy } from '../../net/addresses.ts'
import { lazily } from '../../runtime/cache.ts'
import type { CaptionFetcher } from '../../ytdlp/ask/captions.ts'
import type { VideoLooker } from '../../ytdlp/ask/look-at.ts'
import type { ToolFinder } from '../../ytdlp/process/programs.ts'
import type { ChannelLister } from './list-channel.ts'

/** What can be asked of platforms, besides their feeds. */
export type Listings = { listChannel: ChannelLister; lookAt: VideoLooker; fetchCaptions: CaptionFetcher }

/** `pause_s`: between two requests of one listing. */
export type WebListingsOptions = { policy: AddressPolicy; findTools: ToolFinder; pause_s?: number }

export const webListings = ({ policy, findTools, ...pace }: WebListingsOptions): Listings => ({
  listChannel: lazily(async () => {
    const [{ createChannelLister }, { createLister }, { createPeertubeLister }] = await Promise.all([
      import('./list-channel.ts'),
      import('../../ytdlp/ask/list-videos.ts'),
      import('../../feed/fetch/list-peertube.ts'),
    ])
    return createChannelLister({
      listVideos: createLister({ policy, findTools, ...pace }),
      listPeertube: createPeertubeLister({ policy, ...pace }),
    })
  }),
  lookAt: lazily(async () => (await import('../../ytdlp/ask/look-at.ts')).createLooker({ policy, findTools })),
  fetchCaptions: lazily(async () =>
    (await import('../../ytdlp/ask/captions.ts')).createCaptionFetcher({ policy, findTools }),
  ),
})
