/** Writes the changed files of one person's tree in MEDIA_DIR, and removes files of videos and channels that are gone. */
import type { Everyone } from '../../db/everyone.ts'
import type { Library } from '../../db/library.ts'
import type { ChangedEpisode, MediaFile, MediaShow, NewPicture, WrittenEpisode } from '../../db/media/media-changes.ts'
import type { Log } from '../../runtime/log.ts'
import type { BinLimits } from '../../schema/bin/bin.ts'
import { extensionOf } from '../../schema/downloads/quality.ts'
import type { Template } from '../../schema/values/media-names.ts'
import type { Files } from '../../store/files.ts'
import type { Folder, MediaTree } from '../../store/media-tree.ts'
import { picturePath, subtitlePath } from '../../store/paths.ts'
import { recovered } from '../downloads/deletions.ts'
import { episodeFiles, filesByEpisode, isEpisodeFile, show_files } from './names.ts'
import { nfo_start, showNfo, videoNfo } from './nfo.ts'
import { partsOf, showFolderOf } from './video-paths.ts'

/** The parts that an update of one person's tree in MEDIA_DIR needs. */
export type TreeParts = {
  everyone: Everyone
  library: Library
  files: Files
  tree: MediaTree
  /** The template of the person. */
  template: Template
  /** The limits of the bin, into which videos are moved that a media server deletes. */
  bin: BinLimits
  /** `undefined`: the bytes are no picture. */
  toJpeg(picture: Uint8Array): Promise<Uint8Array | undefined>
  signal: AbortSignal
  log: Log
}

/** Episodes that are read at once. */
const batch = 500
/** A job writes no more, so that it ends within seconds, and other people's trees get their turn. */
const [max_episodes_at_once, max_pictures_at_once] = [2000, 50]

/**
 * Writes and removes the files of episodes that changed: the link, the subtitles and the NFO file. `last_stamp`: the stamp in the marker
 * file of the tree. `more`: there are further episodes.
 */
export async function writeEpisodes(
  parts: TreeParts,
  last_stamp: string,
  max_written = max_episodes_at_once,
): Promise<'done' | 'more'> {
  const { media } = parts.library
  let stamp: string | undefined
  let written = 0
  for (let after = ''; written < max_written; ) {
    parts.signal.throwIfAborted()
    const limit = Math.min(batch, max_written - written)
    const changed = await media.changed(after, limit)
    after = changed.at(-1)?.video_id ?? ''
    if (changed.length > 0) {
      stamp ??= await renewStamp(parts, last_stamp)
      // An episode that cannot be written does not count: otherwise many such episodes would keep the others from being written.
      written += await writeBatch(parts, changed, stamp)
    }
    if (changed.length < limit) return 'done'
  }
  return 'more'
}

/**
 * With a new stamp, the folder differs from its older copies, in which the new links are missing. The marker is written first: after a
 * crash, the stamps of marker and database differ, so the folder is filled again.
 */
async function renewStamp({ library: { media, user_id }, tree }: TreeParts, before: string): Promise<string> {
  const after = crypto.randomUUID()
  await tree.mark(user_id, after)
  if (!(await media.renewStamp(before, after))) throw new Error('Another worker fills a tree of this person.')
  return after
}

/** Returns how many episodes were written or removed. */
async function writeBatch(
  { library: { media, downloads, user_id }, files, tree, template, signal, log }: TreeParts,
  changed: ChangedEpisode[],
  stamp: string,
): Promise<number> {
  await media.recordUnsure(changed.map(({ video_id }) => video_id))
  const present: WrittenEpisode[] = []
  const absent: string[] = []
  const faults: { err: unknown; video_id: string }[] = []
  const folders = new Map<string, (name: string) => string[]>()
  for (const episode of changed) {
    if (signal.aborted) break
    const folder = partsOf(episode.folders)
    try {
      const known = folders.get(episode.folders) ?? filesByEpisode(await tree.names(folder))
      folders.set(episode.folders, known)
      const there = known(episode.name)
      const are_ours = await areOurs(episode, folder, there)
      if (episode.file && !are_ours) throw new Error(`${there.join(', ')}: not written by Backlot. Move them.`)
      if (episode.file) present.push(await write(episode, episode.file, folder, there))
      else {
        if (are_ours) await tree.remove(folder, there)
        absent.push(episode.video_id)
      }
    } catch (fault) {
      faults.push({ err: fault, video_id: episode.video_id })
    }
  }
  // The next run tries again. On a full or read-only disk all episodes fail, and one line is enough.
  if (faults[0]) log.warn({ ...faults[0], user_id, videos: faults.length }, 'videos could not be written to MEDIA_DIR')
  await media.recordPresent(present, stamp)
  await media.recordAbsent(absent)
  signal.throwIfAborted()
  return present.length + absent.length

  /** Otherwise they are files of the person with the name that the video has by the template. Earlier versions wrote no first lines. */
  async function areOurs({ name, was_written }: ChangedEpisode, folder: Folder, [file]: string[]) {
    if (was_written || file === undefined || isEpisodeFile(file)) return true
    return tree.startsWith(folder, `${name}.nfo`, nfo_start)
  }

  async function write(episode: ChangedEpisode, file: MediaFile, folder: Folder, there: string[]) {
    const { video_id, name } = episode
    const extension = extensionOf(file.download_path)
    const named = episodeFiles(name, { extension, languages: file.subtitles })
    const links: [file: string, name: string][] = []
    if (episode.needs_link) {
      if (!(await files.localPath(file.download_path))) await downloads.findFile(video_id, fromBin)
      links.push([await onDisk(file.download_path), named.video])
      for (const { language, file: subtitles } of named.subtitles)
        links.push([await onDisk(subtitlePath(file.download_path, language)), subtitles])
    }
    // First, because the files of a deleted account are known by it.
    await tree.write(Buffer.from(videoNfo({ ...episode, ...file }, template)), folder, named.nfo)
    for (const [linked, as] of links) await tree.link(linked, folder, as)
    const kept = new Set([
      named.video,
      named.nfo,
      named.thumb,
      named.picture,
      ...named.subtitles.map(({ file }) => file),
    ])
    const outdated = there.filter(other => !kept.has(other))
    if (outdated.length > 0) await tree.remove(folder, outdated)
    const { file_hash, words_hash } = file
    return { video_id, file_hash, words_hash, extension, subtitles: file.subtitles }
  }

  /** A channel is restored before its files. A file that is missing in both places counts as downloaded: its disk may be away. */
  async function fromBin(download_path: string) {
    await recovered(files)(download_path)
    return true
  }

  async function onDisk(download_path: string) {
    const path = await files.localPath(download_path)
    if (path === undefined) throw new Error('The file is missing in DOWNLOADS_DIR.')
    return path
  }
}

/**
 * Writes the pictures of episodes. They follow the videos, because converting a picture takes a tenth of a second. `more`: there are
 * further pictures.
 */
export async function writePictures(parts: TreeParts): Promise<'done' | 'more'> {
  const { library, signal, log } = parts
  const pictures = await library.media.newPictures(max_pictures_at_once)
  let written = 0
  for (const picture of pictures) {
    signal.throwIfAborted()
    try {
      await writePicture(parts, picture)
      // A damaged picture is recorded as well, so that it is not tried again.
      await library.media.recordPicture(picture.video_id, picture.picture_id)
      written++
    } catch (fault) {
      log.warn(
        { err: fault, user_id: library.user_id, video_id: picture.video_id },
        'a picture was not written to MEDIA_DIR',
      )
    }
  }
  return pictures.length === max_pictures_at_once && written > 0 ? 'more' : 'done'
}

async function writePicture(parts: TreeParts, { picture_id, folders, name, show_folder }: NewPicture) {
  const { tree } = parts
  const jpeg = await jpegOf(parts, picture_id)
  if (!jpeg) return
  const folder = partsOf(folders)
  const { thumb, picture } = episodeFiles(name, { extension: 'mp4', languages: [] })
  await tree.write(jpeg, folder, thumb)
  await tree.link(await tree.path(folder, thumb), folder, picture)
  if (show_folder === null) return
  const show = partsOf(show_folder)
  if (!(await tree.names(show)).has(show_files.fanart)) await tree.write(jpeg, show, show_files.fanart)
}

/**
 * Writes the files of each channel, and removes those of channels without videos, and those in folders of an earlier template. `is_due`:
 * missing files are written again.
 */
export async function writeShows(parts: TreeParts, { is_due }: { is_due: boolean }): Promise<void> {
  const { media, user_id } = parts.library
  for (const show of await media.shows()) {
    parts.signal.throwIfAborted()
    try {
      const wanted = show.episodes > 0 ? showFolderOf(parts.template, show) : 'none'
      const is_elsewhere = show.show_folder !== null && show.show_folder !== wanted
      if (is_elsewhere) await removeShow(parts, show, partsOf(show.show_folder ?? ''))
      const written = is_elsewhere ? { written_words_hash: null, written_picture_id: null } : {}
      if (wanted !== 'none') await writeShow(parts, { ...show, ...written, show_folder: wanted }, is_due)
    } catch (fault) {
      parts.log.warn(
        { err: fault, user_id, channel_id: show.channel_id },
        'a channel could not be written to MEDIA_DIR',
      )
    }
  }
}

type WrittenShow = MediaShow & { show_folder: string }

async function writeShow(
  { library, files, tree, toJpeg }: TreeParts,
  show: WrittenShow,
  is_due: boolean,
): Promise<void> {
  const folder = partsOf(show.show_folder)
  const there = is_due ? await tree.names(folder) : undefined
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
    await tree.write(Buffer.from(showNfo({ ...show, title: show.title ?? show.folder })), folder, show_files.nfo)
  if (picture_is_old && show.picture_id) {
    const jpeg = await jpegOf({ files, toJpeg }, show.picture_id)
    if (jpeg) await tree.write(jpeg, folder, show_files.poster)
  }
  await library.media.recordShow(show.channel_id, {
    words_hash: show.words_hash,
    picture_id: show.picture_id ?? show.written_picture_id,
    show_folder: show.show_folder,
  })
}

/** The files of a channel without videos stay if other programs or people have files in the folder. */
async function removeShow({ library, tree }: TreeParts, { channel_id, episodes }: MediaShow, folder: Folder) {
  const ours: string[] = Object.values(show_files)
  const others = [...(await tree.names(folder))].filter(name => !ours.includes(name))
  if (others.length === 0 || episodes > 0) await tree.remove(folder, ours)
  await library.media.forgetShow(channel_id)
}

/** A stored picture as JPEG, because Kodi and Plex do not read WebP. `undefined`: the picture is missing or damaged. */
async function jpegOf(
  { files, toJpeg }: Pick<TreeParts, 'files' | 'toJpeg'>,
  picture_id: string,
): Promise<Uint8Array | undefined> {
  const picture = await files.read(picturePath(picture_id, 'large'))
  return picture && toJpeg(picture)
}
