/** Finds the tree of a person in MEDIA_DIR, and removes the trees of deleted accounts. The marker file of a tree names its person. */
import type { Everyone } from '../../db/everyone.ts'
import { hasAccount, strangersAmong } from '../../db/media/everyone/media.ts'
import { max_folders } from '../../schema/values/media-names.ts'
import type { User } from '../../schema/values/user.ts'
import { type Folder, type MediaTree, mediaTree, namesIn } from '../../store/media-tree.ts'
import { m3u_extension, m3u_start } from './m3u.ts'
import {
  filesByEpisode,
  isEpisodeFile,
  isSeasonFolder,
  nameIn,
  personFolder,
  show_files,
  strangerFolder,
} from './names.ts'
import { nfo_start } from './nfo.ts'

/** `is_new`: nothing was ever written to the tree. */
export async function treeOf(
  everyone: Everyone,
  media_dir: string,
  user: Pick<User, 'user_id' | 'username'> & { is_new: boolean },
): Promise<MediaTree> {
  const tree = mediaTree(media_dir, personFolder(user))
  const owner = await tree.owner()
  if (owner === user.user_id) return tree
  const other = mediaTree(media_dir, strangerFolder(user.username, user.user_id))
  if ((await other.owner()) === user.user_id) return other
  if (owner !== undefined) {
    // The name of a deleted account may be given to another person.
    if (await hasAccount(everyone, owner)) return other
    await removeTree(tree)
  }
  // A person who registers with the name of the operator's own folder must not get into it.
  return user.is_new && (await tree.names([])).size > 0 ? other : tree
}

/** Removes the trees of deleted accounts. Returns how many. */
export async function removeForgottenTrees(everyone: Everyone, media_dir: string): Promise<number> {
  let removed = 0
  for (const name of await strangersAmong(everyone, await namesIn(media_dir))) {
    const tree = mediaTree(media_dir, name)
    // A folder that is a link, or no folder at all, is not ours.
    const owner = await tree.owner().catch(() => undefined)
    if (owner === undefined || (await hasAccount(everyone, owner))) continue
    await removeTree(tree)
    removed++
  }
  return removed
}

/**
 * Removes our files, recognised by their first lines or names, because their rows are gone with the account. Then removes the folders that
 * are empty.
 */
async function removeTree(tree: MediaTree): Promise<void> {
  for (const name of await tree.names([]))
    if (name.endsWith(m3u_extension) && (await tree.startsWith([], name, m3u_start))) await tree.remove([], [name])
  await removeOurs(tree, [])
  await tree.removeMarker()
}

async function removeOurs(tree: MediaTree, folder: Folder): Promise<void> {
  // What is no folder has no names.
  const names = await tree.names(folder).catch(() => new Set<string>())
  const files = filesByEpisode(names)
  const ours = new Set<string>()
  for (const name of names) {
    if (folder.length < max_folders) await removeOurs(tree, [...folder, name])
    // Earlier versions wrote no first lines, but knew one template only.
    if (isSeasonFolder(folder.at(-1) ?? '') && isEpisodeFile(name)) ours.add(name)
    if (name.endsWith('.nfo') && name !== show_files.nfo && (await tree.startsWith(folder, name, nfo_start)))
      for (const file of files(nameIn(name))) ours.add(file)
  }
  if (ours.size > 0) await tree.remove(folder, [...ours])
  if (![...names].some(name => isSeasonFolder(name) || name === show_files.nfo)) return
  const of_show: string[] = Object.values(show_files)
  const left = [...(await tree.names(folder))]
  const is_ours = folder.length === 1 || (await tree.startsWith(folder, show_files.nfo, nfo_start))
  if (is_ours && left.every(name => of_show.includes(name))) await tree.remove(folder, of_show)
}
