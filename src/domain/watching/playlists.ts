/** Playlists: read, rename, delete and restore them, and choose their videos. */
import type { Library } from '../../db/library.ts'
import type { PageWanted } from '../../db/rows/cursor.ts'
import { DomainError } from '../../errors.ts'
import type { Page, Video } from '../../schema/videos/video.ts'
import type { Playlist, ShownPlaylist, Step } from '../../schema/watching/playlist.ts'
import { noSuchVideo, orThrow } from '../get.ts'

export const getPlaylist = async ({ playlists }: Library, playlist_id: string): Promise<Playlist> =>
  orThrow(await playlists.find(playlist_id), noSuchPlaylist)

/** The playlist with a page of its videos. */
export async function showPlaylist(library: Library, playlist_id: string, part: PageWanted): Promise<ShownPlaylist> {
  const playlist = await getPlaylist(library, playlist_id)
  const { first, ...videos } = await library.playlists.videos(playlist_id, part)
  return { playlist, videos, first }
}

/** The playlist with the ids of all of its videos, and a page of them. */
export async function readPlaylist(
  library: Library,
  playlist_id: string,
  part: PageWanted,
): Promise<Playlist & Page<Video> & { video_ids: string[] }> {
  const playlist = await getPlaylist(library, playlist_id)
  const [{ entries, next_cursor }, video_ids] = await Promise.all([
    library.playlists.videos(playlist_id, part),
    library.playlists.videoIds(playlist_id),
  ])
  return { ...playlist, video_ids, entries, next_cursor }
}

export const renamePlaylist = async ({ playlists }: Library, playlist_id: string, name: string): Promise<Playlist> =>
  orThrow(await playlists.rename(playlist_id, name), noSuchPlaylist)

export const deletePlaylist = async ({ playlists }: Library, playlist_id: string): Promise<{ name: string }> =>
  orThrow(await playlists.remove(playlist_id), noSuchPlaylist)

export const restorePlaylist = async ({ playlists }: Library, playlist_id: string): Promise<Playlist> =>
  orThrow(await playlists.restore(playlist_id), noSuchPlaylist)

/** The playlist has these videos from now on. If a video is not in the library, nothing changes. */
export async function choosePlaylistVideos(
  library: Library,
  playlist_id: string,
  video_ids: string[],
): Promise<Playlist> {
  const is_set = orThrow(await library.playlists.setVideos(playlist_id, video_ids), noSuchPlaylist)
  if (!is_set) throw new DomainError('not_found', 'One of these videos is not in your library.')
  return getPlaylist(library, playlist_id)
}

/**
 * Adds the videos at the end. `found`: how many are in the library; `added`: how many were not in the playlist. Undo finds them by
 * `added_at`.
 */
export async function addToPlaylist(library: Library, playlist_id: string, video_ids: string[]) {
  const added = orThrow(await library.playlists.addVideos(playlist_id, video_ids), noSuchPlaylist)
  return { ...(await getPlaylist(library, playlist_id)), ...added }
}

/** Moves a video to a place, or adds it there; or moves it by a step. */
export async function putInPlaylist({ playlists }: Library, playlist_id: string, video_id: string, to: number | Step) {
  const is_put = orThrow(await playlists.put(playlist_id, video_id, to), noSuchPlaylist)
  if (!is_put) throw noSuchVideo()
}

/** Creates a playlist with these videos. */
export async function addToNewPlaylist(library: Library, name: string, video_ids: string[]) {
  const { playlist_id } = await library.playlists.create(name)
  return addToPlaylist(library, playlist_id, video_ids)
}

/** `removed`: how many of the videos were in it. Undo finds them by `removed_at`. */
export async function takeFromPlaylist(library: Library, playlist_id: string, video_ids: string[]) {
  const { name } = await getPlaylist(library, playlist_id)
  return { name, ...orThrow(await library.playlists.takeOut(playlist_id, video_ids), noSuchPlaylist) }
}

export const takeBackFromPlaylist = async ({ playlists }: Library, playlist_id: string, added_at: string) =>
  orThrow(await playlists.takeBack(playlist_id, added_at), noSuchPlaylist)

export const putBackInPlaylist = async ({ playlists }: Library, playlist_id: string, removed_at: string) =>
  orThrow(await playlists.putBack(playlist_id, removed_at), noSuchPlaylist)

const noSuchPlaylist = () => new DomainError('not_found', 'There is no such playlist.')
