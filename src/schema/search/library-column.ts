/** What the column beside New, the channels and the search shows: groups and channels, each with what is still to watch, and saved searches. */
import type { Channel } from '../channels/channel.ts'
import type { Group } from '../channels/group.ts'
import type { SavedSearch } from './saved-search.ts'

export type ColumnChannel = Pick<Channel, 'channel_id' | 'title' | 'picture_url' | 'image_url'> & {
  /** How many of its newest videos are neither watched nor dismissed. */
  unwatched: number
}

/** `channels`: those with the newest videos first. */
export type LibraryColumn = { groups: Group[]; searches: SavedSearch[]; channels: ColumnChannel[] }
