/** Writes and removes the files of the episodes of one person's tree that changed: the link, its subtitles and the NFO file. */
import type { ChangedEpisode, MediaFile, NewPicture, WrittenEpisode } from '../../db/media/media-changes.ts'
import { extensionOf } from '../../schema/downloads/quality.ts'
import type { Folder } from '../../store/media-tree.ts'
import { subtitlePath } from '../../store/paths.ts'
import { recovered } from '../downloads/deletions.ts'
import { episodeFiles, filesByEpisode, seasonFolder, show_files } from './names.ts'
import { episodeNfo } from './nfo.ts'
import type { TreeParts } from './tree-parts.ts'
import { jpegOf } from './write-shows.ts'

const batch = 500
/** So that a job ends within seconds, and other people's trees get their turn. */
const most_written = 2000

/** `last_stamp`: the one in the marker file of the tree. `more`: there are further episodes. */
export async function writeEpisodes(
  parts: TreeParts,
  last_stamp: string,
  most = most_written,
): Promise<'done' | 'more'> {
  const { media } = parts.library
  let stamp: string | undefined
  let written = 0
  for (let after = ''; written < most; ) {
    parts.signal.throwIfAborted()
    const limit = Math.min(batch, most - written)
    const changed = await media.changed(after, limit)
    after = changed.at(-1)?.video_id ?? ''
    if (changed.length > 0) {
      stamp ??= await renewStamp(parts, last_stamp)
      // One that cannot be written does not count: otherwise many of them would keep the others from being written.
      written += await writeBatch(parts, changed, stamp)
    }
    if (changed.length < limit) return 'done'
  }
  return 'more'
}

/**
 * With a new stamp, the folder differs from its older copies, in which the new links are missing. The marker is first: after a crash, both
 * differ, so the folder is filled again.
 */
async function renewStamp({ library: { media, user_id }, tree }: TreeParts, before: string): Promise<string> {
  const after = crypto.randomUUID()
  await tree.mark(user_id, after)
  if (!(await media.renewStamp(before, after))) throw new Error('Another worker fills a tree of this person.')
  return after
}

/** Returns how many episodes were written or removed. */
async function writeBatch(
  { library: { media, downloads, user_id }, files, tree, signal, log }: TreeParts,
  changed: ChangedEpisode[],
  stamp: string,
): Promise<number> {
  await media.noteUnsure(changed.map(({ video_id }) => video_id))
  const present: WrittenEpisode[] = []
  const absent: string[] = []
  const faults: { err: unknown; video_id: string }[] = []
  const folders = new Map<string, (name: string) => string[]>()
  for (const episode of changed) {
    if (signal.aborted) break
    const folder: Folder = [episode.folder, seasonFolder(episode.season)]
    try {
      const known = folders.get(folder.join('/')) ?? filesByEpisode(await tree.names(folder))
      folders.set(folder.join('/'), known)
      if (episode.file) present.push(await write(episode, episode.file, folder, known(episode.name)))
      else {
        await tree.remove(folder, known(episode.name))
        absent.push(episode.video_id)
      }
    } catch (fault) {
      faults.push({ err: fault, video_id: episode.video_id })
    }
  }
  // The next run tries again. A full or read-only disk fails all of them, and one line is enough.
  if (faults[0]) log.warn({ ...faults[0], user_id, videos: faults.length }, 'videos could not be written to MEDIA_DIR')
  await media.notePresent(present, stamp)
  await media.noteAbsent(absent)
  signal.throwIfAborted()
  return present.length + absent.length

  async function write(episode: ChangedEpisode, file: MediaFile, folder: Folder, there: string[]) {
    const { video_id, name } = episode
    const extension = extensionOf(file.download_path)
    const named = episodeFiles(name, { extension, languages: file.subtitles })
    if (episode.needs_link) {
      if (!(await files.localPath(file.download_path))) await downloads.findFile(video_id, fromBin)
      await tree.link(await onDisk(file.download_path), folder, named.video)
      for (const { language, file: subtitles } of named.subtitles)
        await tree.link(await onDisk(subtitlePath(file.download_path, language)), folder, subtitles)
    }
    const nfo = episodeNfo({ ...episode, ...file, added_at: file.download_completed_at })
    await tree.write(Buffer.from(nfo), folder, named.nfo)
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

  /** A channel is restored before its files are. A file that is nowhere stays downloaded: its disk may be away. */
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

// Writes the pictures of the episodes of one person's tree. They follow the videos, because converting one takes a tenth of a second.

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
