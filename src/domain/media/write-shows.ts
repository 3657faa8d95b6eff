/** Writes the files of each channel of one person's tree, and removes the folders of channels without videos. */
import type { MediaShow } from '../../db/media/media-changes.ts'
import { picturePath } from '../../store/paths.ts'
import { show_files } from './names.ts'
import { showNfo } from './nfo.ts'
import type { TreeParts } from './tree-parts.ts'

/** `is_due`: files that are missing are written again. */
export async function writeShows(parts: TreeParts, { is_due }: { is_due: boolean }): Promise<void> {
  const { media, user_id } = parts.library
  for (const show of await media.shows()) {
    parts.signal.throwIfAborted()
    try {
      if (show.episodes > 0) await writeShow(parts, show, is_due)
      else if (show.written_words_hash !== null) await removeShow(parts, show)
    } catch (fault) {
      parts.log.warn(
        { err: fault, user_id, channel_id: show.channel_id },
        'a channel could not be written to MEDIA_DIR',
      )
    }
  }
}

async function writeShow({ library, files, tree, toJpeg }: TreeParts, show: MediaShow, is_due: boolean): Promise<void> {
  const there = is_due ? await tree.names([show.folder]) : undefined
  const has = (name: string) => there?.has(name) ?? true
  const words_are_old =
    show.written_words_hash === null ||
    !has(show_files.nfo) ||
    // After the channel was unfollowed, the file stays as it is.
    (show.title !== null && show.words_hash !== show.written_words_hash)
  const picture_is_old =
    show.picture_id !== null && (show.picture_id !== show.written_picture_id || !has(show_files.poster))
  if (!words_are_old && !picture_is_old) return
  if (words_are_old)
    await tree.write(Buffer.from(showNfo({ ...show, title: show.title ?? show.folder })), [show.folder], show_files.nfo)
  if (picture_is_old && show.picture_id) {
    const jpeg = await jpegOf({ files, toJpeg }, show.picture_id)
    if (jpeg) await tree.write(jpeg, [show.folder], show_files.poster)
  }
  await library.media.noteShow(show.channel_id, {
    words_hash: show.words_hash,
    picture_id: show.picture_id ?? show.written_picture_id,
  })
}

/** The folder stays if it has files of others. */
async function removeShow({ library, tree }: TreeParts, { channel_id, folder }: MediaShow): Promise<void> {
  const ours: string[] = Object.values(show_files)
  const others = [...(await tree.names([folder]))].filter(name => !ours.includes(name))
  if (others.length === 0) await tree.remove([folder], ours)
  await library.media.forgetShow(channel_id)
}

/** `undefined`: the picture is missing or damaged. Kodi and Plex do not read WebP. */
export async function jpegOf(
  { files, toJpeg }: Pick<TreeParts, 'files' | 'toJpeg'>,
  picture_id: string,
): Promise<Uint8Array | undefined> {
  const picture = await files.read(picturePath(picture_id, 'large'))
  return picture && toJpeg(picture)
}
