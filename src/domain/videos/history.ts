/** The videos of the followed channels: one channel's, the newest of all, or a single one. */
import type { Library } from '../../db/library/library.ts'
import type { VideoFilter } from '../../db/library/videos.ts'
import { DomainError } from '../../errors.ts'
import type { Channel } from '../../schema/channel.ts'
import type { DownloadStatus } from '../../schema/download.ts'
import type { Neighbours, News, Page, Video } from '../../schema/video.ts'
import { getChannel } from '../channels/channels.ts'
import { nextLook } from './seen.ts'

export async function channelHistory(
  library: Library,
  channel_id: string,
  filter: Omit<VideoFilter, 'channel_id'>,
): Promise<{ channel: Channel; history: Page<Video>; counts: Record<DownloadStatus, number> }> {
  const channel = await getChannel(library, channel_id)
  const [history, counts] = await Promise.all([
    library.videos.list({ ...filter, channel_id }),
    library.videos.counts({ channel_id, q: filter.q, seen: filter.seen }),
  ])
  return { channel, history, counts }
}

/** The newest videos of all channels. Notes this look, so that the next one knows which videos are new. */
export async function newestVideos(
  library: Library,
  filter: Omit<VideoFilter, 'channel_id'>,
  now: Date,
): Promise<News> {
  const is_first = filter.cursor === undefined && filter.seen !== true
  const [videos, channels, look, unfinished] = await Promise.all([
    library.videos.list(filter),
    library.channels.list(),
    library.viewings.lastLook(),
    is_first ? library.viewings.unfinished(6) : [],
  ])
  const this_look = nextLook(look, now)
  await library.viewings.noteLook(this_look)
  return { videos, followed: channels.length, new_since: this_look.new_since, unfinished }
}

export async function getVideo(library: Library, video_id: string): Promise<Video> {
  const video = await library.videos.find(video_id)
  if (!video) throw noSuchVideo()
  return video
}

export const noSuchVideo = () => new DomainError('not_found', 'There is no such video in the channels you follow.')

export type WatchedVideo = { video: Video; neighbours: Neighbours; more: Video[] }

/** A video with the older and newer one of its channel, and a few others. */
export async function watchVideo(library: Library, video_id: string): Promise<WatchedVideo> {
  const video = await getVideo(library, video_id)
  const [neighbours, { entries }] = await Promise.all([
    library.videos.neighbours(video),
    library.videos.list({ channel_id: video.channel_id, limit: 9 }),
  ])
  return { video, neighbours, more: entries.filter(other => other.video_id !== video_id).slice(0, 8) }
}
