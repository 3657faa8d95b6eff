/** The videos of one channel, as its page and the API show them. */
import type { Library } from '../../db/library.ts'
import type { VideoFilter } from '../../db/videos/videos.ts'
import type { ShownChannel } from '../../schema/channels/channel-api.ts'
import type { StatusCounts } from '../../schema/downloads/download.ts'
import type { Page, Video } from '../../schema/videos/video.ts'
import { getChannel, noSuchChannel, orThrow } from '../get.ts'
import { faultsAfter } from '../videos/video-lists.ts'
import { getBackfill } from './backfills.ts'

type Filter = Omit<VideoFilter, 'channel_id'>

/** With descriptions, for the API. `counts`: of the videos that fit `q` and `seen`. */
export async function channelVideos(
  library: Library,
  channel_id: string,
  filter: Filter,
): Promise<Page<Video> & { counts: StatusCounts }> {
  const of = { ...filter, channel_id }
  const counting = getCounts(library, of)
  const [counts, page] = await Promise.all([counting, faultsAfter(counting, library.videos.list(of))])
  return { ...page, counts }
}

/** Without descriptions, for the page of the channel. All parts are read at the same time. */
export async function shownChannel(library: Library, channel_id: string, filter: Filter): Promise<ShownChannel> {
  const of = { ...filter, channel_id }
  const finding = getChannel(library, channel_id)
  const [channel, backfill, counts, videos, outlook] = await Promise.all([
    finding,
    getBackfill(library, channel_id),
    getCounts(library, of),
    faultsAfter(finding, library.videos.listed(of)),
    library.channels.unfollowOutlook(channel_id),
  ])
  return { channel, backfill, videos, counts, ...outlook }
}

const getCounts = async ({ videos }: Library, of: Filter & { channel_id: string }): Promise<StatusCounts> =>
  orThrow(await videos.counts(of), noSuchChannel)
