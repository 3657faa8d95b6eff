/** Names what a podcast lists, for the page that makes the podcast. */
import type { Library } from '../../db/library.ts'
import { list_titles, type PodcastOf } from '../../schema/podcasts/podcast.ts'
import { getGroup } from '../channels/groups.ts'
import { getChannel } from '../get.ts'
import { getPlaylist } from '../watching/playlists.ts'

/** Throws `not_found`. */
export async function titleOf(library: Library, of: PodcastOf): Promise<string> {
  if ('channel_id' in of) return (await getChannel(library, of.channel_id)).title
  if ('group_id' in of) return (await getGroup(library, of.group_id)).group.name
  if ('playlist_id' in of) return (await getPlaylist(library, of.playlist_id)).name
  return list_titles[of.list]
}
