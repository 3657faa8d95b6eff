/** What appeared in the followed channels, newest first. */
import type { Filter, Library } from '../db/library.ts'
import { DomainError } from '../errors.ts'
import type { Channel } from '../schema/channel.ts'
import type { DownloadStatus } from '../schema/download.ts'
import type { Page, Video } from '../schema/video.ts'
import { getChannel } from './channels.ts'

export async function channelHistory(
  library: Library,
  channel_id: string,
  filter: Omit<Filter, 'channel_id'>,
): Promise<{ channel: Channel; history: Page<Video>; counts: Record<DownloadStatus, number> }> {
  const channel = await getChannel(library, channel_id)
  const [history, counts] = await Promise.all([
    library.videos.list({ ...filter, channel_id }),
    library.videos.counts({ channel_id, q: filter.q }),
  ])
  return { channel, history, counts }
}

/** The newest over all channels; `followed`: how many channels there are. */
export async function newestVideos(
  library: Library,
  filter: Omit<Filter, 'channel_id'>,
): Promise<{ videos: Page<Video>; followed: number }> {
  const [videos, channels] = await Promise.all([library.videos.list(filter), library.channels.list()])
  return { videos, followed: channels.length }
}

export async function getVideo(library: Library, video_id: string): Promise<Video> {
  const video = await library.videos.find(video_id)
  if (!video) throw new DomainError('not_found', 'There is no such video in the channels you follow.')
  return video
}

/** A video with a few others of its channel. */
export async function watchVideo(library: Library, video_id: string): Promise<{ video: Video; more: Video[] }> {
  const video = await getVideo(library, video_id)
  const { entries } = await library.videos.list({ channel_id: video.channel_id, limit: 9 })
  return { video, more: entries.filter(other => other.video_id !== video_id).slice(0, 8) }
}

export type DownloadsOverview = {
  running: Video[]
  queued: Video[]
  failed: Video[]
  done: Video[]
  on_disk_bytes: number
}

export async function downloadsOverview(library: Library): Promise<DownloadsOverview> {
  const list = async (filter: Partial<Filter>) => (await library.videos.list({ limit: 200, ...filter })).entries
  const [running, queued, failed, done, on_disk_bytes] = await Promise.all([
    list({ status: 'downloading' }),
    list({ status: 'pending', queued: true }),
    list({ status: 'failed' }),
    list({ status: 'completed' }),
    library.videos.onDisk(),
  ])
  return { running, queued, failed, done, on_disk_bytes }
}
