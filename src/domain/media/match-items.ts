/** Finds the videos of a media server's items by the ends of their paths, because folders are mounted elsewhere there. Pure. */

/** As file systems compare names that ignore case. `path`: below the person's folder, without the extension. */
export const pathKey = (path: string): string => path.replaceAll('\\', '/').normalize('NFC').toLowerCase()

/** Folders and the name of the file that are compared. */
const most_parts = 6

/**
 * Returns the item of each video. `videos`: by the key of their path. Of several items of one video, one in the person's own folder is
 * preferred: another person may have the same videos in a folder beside it.
 */
export function itemsByVideo<Item extends { path: string }>(
  items: Iterable<Item>,
  videos: ReadonlyMap<string, string>,
  own_folder: string,
): Map<string, Item> {
  const found = new Map<string, { item: Item; is_own: boolean }>()
  for (const item of items) {
    const parts = pathKey(item.path)
      .replace(/\.[^./]+$/, '')
      .split('/')
    for (let at = Math.max(0, parts.length - most_parts); at < parts.length; at++) {
      const video_id = videos.get(parts.slice(at).join('/'))
      if (video_id === undefined) continue
      const is_own = parts[at - 1] === pathKey(own_folder)
      if (!found.has(video_id) || (is_own && !found.get(video_id)?.is_own)) found.set(video_id, { item, is_own })
      break
    }
  }
  return new Map([...found].map(([video_id, { item }]) => [video_id, item]))
}
