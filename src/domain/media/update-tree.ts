/**
 * Makes the tree of one person in MEDIA_DIR what it should be. It compares what should be there with what was written, and writes only the
 * difference. Runs of one person follow each other; a run that dies at any moment is completed by the next one.
 */
import { noteGuarded } from '../../db/media/everyone/media.ts'
import type { Begun } from '../../db/media/media.ts'
import { checkTree } from './check-tree.ts'
import { giveNumbers } from './give-numbers.ts'
import type { TreeParts } from './tree-parts.ts'
import { writeEpisodes } from './write-episodes.ts'
import { writePictures } from './write-pictures.ts'
import { writeShows } from './write-shows.ts'

/** `is_due`: the folders are read, to see what a media server has deleted. `more`: call it again. */
export async function updateTree(parts: TreeParts, { stamp: last, is_due }: Begun): Promise<'done' | 'more'> {
  const { library, tree } = parts
  const found = await tree.stamp()
  const stamp = last !== null && found === last ? last : await fillAgain(parts, last)
  if (is_due) await checkTree(parts, stamp)
  await numberEpisodes(parts)
  const episodes = await writeEpisodes(parts, stamp)
  await writeShows(parts, { is_due })
  const pictures = episodes === 'more' ? 'more' : await writePictures(parts)
  if (is_due) await library.media.noteChecked()
  return pictures
}

/**
 * Without the last stamp, nothing in the folder counts: it is new, empty, a copy, an earlier MEDIA_DIR, or its disk is not mounted.
 * Returns its new stamp.
 */
async function fillAgain(
  { library: { media, user_id }, tree, everyone, log }: TreeParts,
  last: string | null,
): Promise<string> {
  const stamp = crypto.randomUUID()
  // First, because a full or read-only disk fails here. After a crash, both differ, so the folder is filled again.
  await tree.mark(user_id, stamp)
  const lost = await media.forgetWritten(stamp)
  if (lost > 0 && last !== null) {
    await noteGuarded(everyone, lost)
    const videos = { user_id, videos: lost }
    log.warn(videos, 'a tree in MEDIA_DIR is not the one written last; it is filled again, and no video is deleted')
  }
  return stamp
}

const batch = 2000

async function numberEpisodes({ library: { media }, signal }: TreeParts): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const videos = await media.unnumbered(batch)
    if (videos.length > 0) await media.giveNumbers(videos, giveNumbers)
    if (videos.length < batch) return
  }
}
