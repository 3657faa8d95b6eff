/** Finds the videos of a media server's items by the ends of their paths, because folders are mounted elsewhere there. Pure. */

/** As file systems compare names that ignore case. `path`: below the person's folder, without the extension. */
export const pathKey = (path: string): string => path.replaceAll('\\', '/').normalize('NFC').toLowerCase()

/** Folders and the name of the file that are compared. */
const most_parts = 6

/**
 * Returns the item of each video. `videos`: by the key of their path. Once the server has items in the person's own folder, only these
 * count: a file in a folder beside it may have the same name, such as one of another person.
 */
export function itemsByVideo<Item extends { path: string }>(
  items: Iterable<Item>,
  videos: ReadonlyMap<string, string>,
  own_folder: string,
): Map<string, Item> {
  const [own, elsewhere] = [new Map<string, Item>(), new Map<string, Item>()]
  for (const item of items) {
    const parts = pathKey(item.path)
      .replace(/\.[^./]+$/, '')
      .split('/')
    for (let at = Math.max(0, parts.length - most_parts); at < parts.length; at++) {
      const video_id = videos.get(parts.slice(at).join('/'))
      if (video_id === undefined) continue
      const found = parts[at - 1] === pathKey(own_folder) ? own : elsewhere
      if (!found.has(video_id)) found.set(video_id, item)
      break
    }
  }
  return own.size > 0 ? own : elsewhere
}
