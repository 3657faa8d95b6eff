/** Gets a channel or a video of a person. What does not exist and what belongs to another person are one answer. */
import type { Library } from '../db/library.ts'
import { DomainError } from '../errors.ts'
import type { Channel } from '../schema/channels/channel.ts'
import type { Video } from '../schema/videos/video.ts'

export const noSuchChannel = () => new DomainError('not_found', 'You do not follow this channel.')

export async function getChannel(library: Library, channel_id: string): Promise<Channel> {
  const channel = await library.channels.find(channel_id)
  if (!channel) throw noSuchChannel()
  return channel
}

export async function getVideo(library: Library, video_id: string): Promise<Video> {
  const video = await library.videos.find(video_id)
  if (!video) throw noSuchVideo()
  return video
}

export const noSuchVideo = () => new DomainError('not_found', 'There is no such video in your library.')
