/**
 * Makes the tree of one person in MEDIA_DIR what it should be. It compares what should be there with what was written, and writes only the
 * difference. Runs of one person follow each other; a run that dies at any moment is completed by the next one.
 */
import { recordGuarded } from '../../db/media/everyone/media.ts'
import type { PresentEpisode, TreeState } from '../../db/media/media.ts'
import { removeFiles } from '../downloads/downloads.ts'
import { episodeFiles } from './names.ts'
import { giveNumbers } from './numbers.ts'
import { partsOf, pathOf } from './video-paths.ts'
import { writePlaylists } from './write-playlists.ts'
import { type TreeParts, writeEpisodes, writePictures, writeShows } from './write-tree.ts'

/** `is_due`: the folders are read, to see what a media server has deleted. `more`: call it again. */
export async function updateTree(
  parts: TreeParts,
  { stamp: last, is_due, names, wanted }: TreeState,
): Promise<'done' | 'more'> {
  const { library, tree } = parts
  const marked = await tree.stamp()
  const stamp = last !== null && marked === last ? last : await fillAgain(parts, last)
  if (is_due) await checkTree(parts, stamp)
  if (names !== wanted) await library.media.startNames(wanted)
  await numberEpisodes(parts)
  await nameVideos(parts, wanted)
  const episodes = await writeEpisodes(parts, stamp)
  const renamed = await nameVideos(parts, wanted)
  await writeShows(parts, { is_due })
  await writePlaylists(parts, { is_due })
  const pictures = episodes === 'more' ? 'more' : await writePictures(parts)
  if (is_due) await library.media.recordChecked()
  return renamed > 0 ? 'more' : pictures
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
  // First, because a full or read-only disk fails here. After a crash, the stored stamp differs, so the folder is filled again.
  await tree.mark(user_id, stamp)
  const lost = await media.forgetWritten(stamp)
  if (lost > 0 && last !== null) {
    await recordGuarded(everyone, lost)
    const videos = { user_id, videos: lost }
    log.warn(videos, 'a tree in MEDIA_DIR is not the one written last; it is filled again, and no video is deleted')
  }
  return stamp
}

/** Videos that get their numbers, or their names, at once. */
const batch = 2000

async function numberEpisodes({ library: { media }, signal }: TreeParts): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const videos = await media.unnumbered(batch)
    if (videos.length > 0) await media.giveNumbers(videos, giveNumbers)
    if (videos.length < batch) return
  }
}

/** Returns how many videos it named. A video gets a name by a new template once its files with the earlier name are removed. */
async function nameVideos({ library: { media }, template, signal }: TreeParts, names: string | null): Promise<number> {
  for (let all = 0; ; ) {
    signal.throwIfAborted()
    const named = await media.giveNames(names, batch, (video, nth) => pathOf(template, video, nth))
    all += named
    if (named < batch) return all
  }
}

/** Whether so many videos are missing that a folder was emptied, or a disk is not mounted. */
export const isTooMany = (missing: number, all: number): boolean => missing > 20 && missing > all / 2

/**
 * Compares the folders of one person's tree with what was written. A missing video was deleted in a media server, so it is deleted here
 * too, into the bin. When too many videos are missing at once, none is deleted. Reads names only, and no file. `stamp`: the stamp in the
 * marker file of the tree.
 */
export async function checkTree(parts: TreeParts, stamp: string): Promise<void> {
  const { library, tree, signal } = parts
  const present = await library.media.present(stamp)
  const folders = Map.groupBy(present, episode => episode.folders)
  const missing: (PresentEpisode & { strangers: string[] })[] = []
  const incomplete = { file: [] as string[], nfo: [] as string[], picture: [] as string[] }
  for (const [path, episodes] of folders) {
    signal.throwIfAborted()
    const folder = partsOf(path)
    const names = await tree.names(folder)
    await tree.tidy(folder, names)
    const expected = new Set(episodes.map(episode => filesOf(episode).video))
    for (const episode of episodes) {
      const { video, nfo, thumb, subtitles } = filesOf(episode)
      const { video_id, has_picture } = episode
      if (!names.has(video)) missing.push({ ...episode, strangers: [...names].filter(name => !expected.has(name)) })
      else if (subtitles.some(({ file }) => !names.has(file))) incomplete.file.push(video_id)
      else if (!names.has(nfo)) incomplete.nfo.push(video_id)
      if (has_picture && !names.has(thumb)) incomplete.picture.push(video_id)
    }
  }
  if (missing.length > 0) incomplete.file.push(...(await judge(parts, stamp, missing, present.length)))
  for (const what of ['file', 'nfo', 'picture'] as const)
    if (incomplete[what].length > 0) await library.media.writeAgain(what, incomplete[what])
}

/** Deletes the videos that were deleted in a media server. Returns the videos that are linked again. */
async function judge(
  { everyone, library, files, bin, tree, log }: TreeParts,
  stamp: string,
  missing: (PresentEpisode & { strangers: string[] })[],
  all: number,
): Promise<string[]> {
  const { user_id } = library
  if (isTooMany(missing.length, all)) {
    await recordGuarded(everyone, missing.length)
    log.warn(
      { user_id, missing: missing.length, all },
      'many links in MEDIA_DIR were missing at once; no video is deleted',
    )
    return missing.map(({ video_id }) => video_id)
  }
  const gone: PresentEpisode[] = []
  for (const { strangers, ...episode } of missing) {
    const file = await files.localPath(episode.download_path)
    // The file itself is missing, or a media server gave the link another name: that is no deletion.
    if (file && !(await tree.linkTo(file, partsOf(episode.folders), strangers))) gone.push(episode)
  }
  // While the folders were read, the person may have deleted a video and downloaded it again.
  const same =
    gone.length > 0
      ? new Map((await library.media.present(stamp)).map(now => [now.video_id, now.file_hash]))
      : new Map()
  const deleted = gone
    .filter(({ video_id, file_hash }) => same.get(video_id) === file_hash)
    .map(({ video_id }) => video_id)
  // The disk may have been unmounted while its folders were read.
  if (deleted.length > 0 && (await tree.stamp()) === stamp) {
    await removeFiles(library, { files, bin }, deleted)
    log.info({ user_id, videos: deleted.length }, 'videos were deleted in a media server')
  }
  return missing.map(({ video_id }) => video_id).filter(video_id => !deleted.includes(video_id))
}

const filesOf = ({ name, extension, subtitles }: PresentEpisode) =>
  episodeFiles(name, { extension, languages: subtitles })
