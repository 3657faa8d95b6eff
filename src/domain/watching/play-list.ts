/** Finds the place of a video in the list through which a person watches, and what comes before and after it. */
import type { Library } from '../../db/library.ts'
import type { ListedVideo, PlaceInList } from '../../schema/videos/video.ts'
import type { PlayList } from '../../schema/watching/viewing.ts'

/** Only videos on disk can be played one after another. `undefined`: no list, or a list that is gone. */
export async function placeInList(
  library: Library,
  list: PlayList,
  video_id: string,
): Promise<PlaceInList | undefined> {
  if (list === undefined) return undefined
  if (list.startsWith(of_playlist)) return placeInPlaylist(library, list, video_id)
  const [name, videos] = await Promise.all([nameOf(library, list), videosOf(library, list)])
  if (name === undefined) return undefined
  const at = videos.findIndex(video => video.video_id === video_id)
  return {
    list,
    name,
    place: at < 0 ? undefined : at + 1,
    total: videos.length,
    previous: videos[at - 1],
    // A list without this video is watched from its start.
    next: videos[at + 1],
  }
}

const of_playlist = 'playlist:'

/** A playlist may be long, so only the videos before and after this one are read. */
async function placeInPlaylist(library: Library, list: string, video_id: string): Promise<PlaceInList | undefined> {
  const playlist_id = list.slice(of_playlist.length)
  const [playlist, on_disk] = await Promise.all([
    library.playlists.find(playlist_id),
    library.playlists.videoIds(playlist_id, { on_disk: true }),
  ])
  if (!playlist) return undefined
  const at = on_disk.indexOf(video_id)
  const videoAt = async (nth: number) => {
    const found = on_disk[nth]
    return found === undefined ? undefined : library.videos.find(found)
  }
  const [previous, next] = await Promise.all([videoAt(at - 1), videoAt(at + 1)])
  const place = at < 0 ? undefined : at + 1
  const missing = next ? undefined : await nextOf(library, playlist_id, video_id)
  return { list, name: playlist.name, place, total: on_disk.length, previous, next, missing }
}

async function nextOf(library: Library, playlist_id: string, video_id: string): Promise<ListedVideo | undefined> {
  const all = await library.playlists.videoIds(playlist_id)
  const next = all.includes(video_id) ? all[all.indexOf(video_id) + 1] : undefined
  return next === undefined ? undefined : library.videos.find(next)
}

/** Videos of a list that are considered. */
const max_listed_videos = 100

async function nameOf(library: Library, list: string): Promise<string | undefined> {
  if (!list.startsWith(of_group)) return names[list]
  return (await library.groups.names()).find(({ group_id }) => list === `${of_group}${group_id}`)?.name
}

const of_group = 'group:'
const names: Record<string, string> = { new: 'New', later: 'Watch later', continue: 'Continue watching' }

/** In the order in which the page of the list shows them. */
async function videosOf(library: Library, list: string): Promise<ListedVideo[]> {
  if (list === 'continue') return library.viewings.unfinished({ limit: max_listed_videos })
  const group = list.startsWith(of_group) ? list.slice(of_group.length) : undefined
  const later = list === 'later' || undefined
  const filter = { group, later, ...(list === 'new' && { older: false as const }) }
  const { entries } = await library.videos.listed({
    ...filter,
    on_disk: true,
    dismissed: false,
    limit: max_listed_videos,
  })
  return entries
}
