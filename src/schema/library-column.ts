/** What the column beside New and the channels shows: groups and channels, each with what is still to watch. */
import type { Channel } from './channel.ts'
import type { Group } from './group.ts'

export type ColumnChannel = Pick<Channel, 'channel_id' | 'title' | 'picture_url' | 'image_url'> & {
  /** How many of its newest videos are neither watched nor dismissed. */
  unwatched: number
}

/** `channels`: those with the newest videos first. */
export type LibraryColumn = { groups: Group[]; channels: ColumnChannel[] }
