/** Gets a thing of a person. A thing that does not exist and a thing of another person have one answer. */
import type { Library } from '../db/library.ts'
import { DomainError } from '../errors.ts'
import type { Channel } from '../schema/channels/channel.ts'
import type { Video } from '../schema/videos/video.ts'

export const not_on_disk = 'This video is not on disk. Download it first.'

export const noSuchChannel = () => new DomainError('not_found', 'You do not follow this channel.')

export const notFollowed = (what_to_do: string) =>
  new DomainError('conflict', `You do not follow this channel. ${what_to_do}`)

export const noSuchGroup = () => new DomainError('not_found', 'There is no such group.')

export const getChannel = async (library: Library, channel_id: string): Promise<Channel> =>
  orThrow(await library.channels.find(channel_id), noSuchChannel)

export const getVideo = async (library: Library, video_id: string): Promise<Video> =>
  orThrow(await library.videos.find(video_id), noSuchVideo)

export const noSuchVideo = () => new DomainError('not_found', 'There is no such video in your library.')

/** Returns the thing; throws `fault` if there is none. */
export function orThrow<T>(thing: T | undefined, fault: () => DomainError): T {
  if (thing === undefined) throw fault()
  return thing
}
