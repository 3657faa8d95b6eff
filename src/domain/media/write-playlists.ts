/**
 * Writes the playlists of one person into the root of their tree in MEDIA_DIR, and removes those that are gone. A folder for them would be
 * an empty show in Jellyfin. A file is replaced or removed only if it begins as ours do.
 */
import type { MediaPlaylist } from '../../db/media/media-playlists.ts'
import type { MediaTree } from '../../store/media-tree.ts'
import { m3u_extension, m3u_start, m3uOf } from './m3u.ts'
import { folderKey, playlistName } from './names.ts'
import type { TreeParts } from './write-tree.ts'

/** `is_due`: files that are missing are written again. */
export async function writePlaylists(parts: TreeParts, { is_due }: { is_due: boolean }): Promise<void> {
  const { library, tree, signal, log } = parts
  const playlists = await library.media.playlists()
  const isWritten = ({ content_hash, written_hash }: MediaPlaylist) => content_hash === written_hash
  if (!is_due && playlists.every(isWritten)) return
  const there = await tree.names([])
  if (is_due) await tree.tidy([], there)
  const taken = new Set(playlists.flatMap(({ name }) => (name === null ? [] : folderKey(name))))
  // The names of removed playlists are free for the others.
  for (const playlist of playlists.toSorted((a, b) => Number(b.title === null) - Number(a.title === null))) {
    signal.throwIfAborted()
    if (isWritten(playlist) && (playlist.name === null || there.has(playlist.name + m3u_extension))) continue
    try {
      if (playlist.title === null) await removePlaylist(parts, playlist, { there, taken })
      else await writePlaylist(parts, { ...playlist, title: playlist.title }, { there, taken })
    } catch (fault) {
      const { user_id } = library
      log.warn(
        { err: fault, user_id, playlist_id: playlist.playlist_id },
        'a playlist could not be written to MEDIA_DIR',
      )
    }
  }
}

/** `there`: the names in the folder. `taken`: the names of playlists, as `folderKey`. Both change with the files. */
type Names = { there: Set<string>; taken: Set<string> }

async function writePlaylist(parts: TreeParts, playlist: MediaPlaylist & { title: string }, names: Names) {
  const { media } = parts.library
  const { playlist_id, content_hash } = playlist
  const name = await nameOf(parts, playlist, names)
  const entries = await media.playlistEntries(playlist_id)
  await parts.tree.write(Buffer.from(m3uOf(entries)), [], name + m3u_extension)
  await media.recordPlaylist(playlist_id, content_hash)
}

/** The name of its file: the first that is free. It changes when the playlist is renamed, or when a file of others has the name. */
async function nameOf(
  { library: { media }, tree }: TreeParts,
  { playlist_id, title, name: before }: MediaPlaylist & { title: string },
  { there, taken }: Names,
): Promise<string> {
  const others = new Set(there)
  if (before !== null) {
    taken.delete(folderKey(before))
    if (await isOurs(tree, before)) others.delete(before + m3u_extension)
  }
  let name = playlistName(title)
  for (let nth = 2; taken.has(folderKey(name)) || !(await isFree(tree, name, others)); nth++)
    name = playlistName(title, nth)
  taken.add(folderKey(name))
  if (name === before) return name
  if (before !== null) await removeOurs(tree, before, there)
  await media.nameOfPlaylist(playlist_id, { name, name_key: folderKey(name) })
  return name
}

/** Whether no file, folder or link of others has the name, in any case. */
async function isFree(tree: MediaTree, name: string, there: ReadonlySet<string>): Promise<boolean> {
  const file = name + m3u_extension
  const same = [...there].filter(other => folderKey(other) === folderKey(file))
  return same.length === 0 || (same.length === 1 && same[0] === file && (await isOurs(tree, name)))
}

async function removePlaylist({ library: { media }, tree }: TreeParts, playlist: MediaPlaylist, names: Names) {
  const { playlist_id, name } = playlist
  if (name === null) return
  await removeOurs(tree, name, names.there)
  names.taken.delete(folderKey(name))
  await media.forgetPlaylist(playlist_id)
}

async function removeOurs(tree: MediaTree, name: string, there: Set<string>): Promise<void> {
  if (!(await isOurs(tree, name))) return
  await tree.remove([], [name + m3u_extension])
  there.delete(name + m3u_extension)
}

const isOurs = (tree: MediaTree, name: string) => tree.startsWith([], name + m3u_extension, m3u_start)
