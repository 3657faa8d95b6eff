/** Writes the pictures of the episodes of one person's tree. They follow the videos, because converting one takes a tenth of a second. */
import type { NewPicture } from '../../db/media/media-changes.ts'
import type { Folder } from '../../store/media-tree.ts'
import { seasonFolder } from './names.ts'
import { episodeFiles, show_files } from './our-files.ts'
import type { TreeParts } from './tree-parts.ts'
import { jpegOf } from './write-shows.ts'

/** So that a job ends within seconds, and other people's trees get their turn. */
const most = 50

/** `more`: there are further pictures. */
export async function writePictures(parts: TreeParts): Promise<'done' | 'more'> {
  const { library, signal, log } = parts
  const pictures = await library.media.newPictures(most)
  let written = 0
  for (const picture of pictures) {
    signal.throwIfAborted()
    try {
      await writePicture(parts, picture)
      // A damaged picture is noted as well, so that it is not tried again.
      await library.media.notePicture(picture.video_id, picture.picture_id)
      written++
    } catch (fault) {
      log.warn(
        { err: fault, user_id: library.user_id, video_id: picture.video_id },
        'a picture was not written to MEDIA_DIR',
      )
    }
  }
  return pictures.length === most && written > 0 ? 'more' : 'done'
}

async function writePicture(
  parts: TreeParts,
  { picture_id, folder: channel, season, name }: NewPicture,
): Promise<void> {
  const { tree } = parts
  const jpeg = await jpegOf(parts, picture_id)
  if (!jpeg) return
  const folder: Folder = [channel, seasonFolder(season)]
  const { thumb, picture } = episodeFiles(name, { extension: 'mp4', languages: [] })
  await tree.write(jpeg, folder, thumb)
  await tree.link(await tree.path(folder, thumb), folder, picture)
  if (!(await tree.names([channel])).has(show_files.fanart)) await tree.write(jpeg, [channel], show_files.fanart)
}
