/** Finds the tree of a person in MEDIA_DIR, and removes the trees of deleted accounts. The marker file of a tree names its person. */
import type { Everyone } from '../../db/everyone.ts'
import { hasAccount, strangersAmong } from '../../db/media/everyone/media.ts'
import type { User } from '../../schema/values/user.ts'
import { type MediaTree, mediaTree, namesIn } from '../../store/media-tree.ts'
import { m3u_extension, m3u_start } from './m3u.ts'
import { isEpisodeFile, isSeasonFolder, personFolder, show_files, strangerFolder } from './names.ts'

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
 * Removes our files, recognised by their names or first lines, because their rows are gone with the account. Then removes the folders that
 * are empty.
 */
async function removeTree(tree: MediaTree): Promise<void> {
  const ours: string[] = Object.values(show_files)
  for (const channel of await tree.names([])) {
    const is_playlist = channel.endsWith(m3u_extension) && (await tree.startsWith([], channel, m3u_start))
    if (is_playlist) await tree.remove([], [channel])
    const names = await tree.names([channel]).catch(() => new Set<string>())
    if (![...names].some(name => isSeasonFolder(name) || name === show_files.nfo)) continue
    for (const season of [...names].filter(isSeasonFolder)) {
      const files = await tree.names([channel, season]).catch(() => new Set<string>())
      await tree.remove([channel, season], [...files].filter(isEpisodeFile))
    }
    const left = await tree.names([channel])
    if ([...left].every(name => ours.includes(name))) await tree.remove([channel], ours)
  }
  await tree.removeMarker()
}
