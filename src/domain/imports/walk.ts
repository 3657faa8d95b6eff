/**
 * Walks through a folder and finds the files that may be videos, with the subtitles next to them. In memory are the names of one folder,
 * and those names of the folders above it that are not done. It follows no symbolic links, which may lead in a circle.
 */
import { opendir, stat } from 'node:fs/promises'
import { haveIds, isPartialVideo, kindOf, subtitleRank, subtitlesOf } from './file-names.ts'
import type { FoundFile } from './judge.ts'
import { bytesOf, joined, type RawPath, rawPathOf, stemOf, textOf } from './raw-path.ts'

/** `list`: yt-dlp's list of downloads. `left_out`: files of other kinds. `unreadable`: a folder. */
export type FolderItem =
  | ({ kind: 'media' } & Pick<FoundFile, 'path' | 'is_sound' | 'problem' | 'subtitles' | 'among_ids'>)
  | { kind: 'list'; path: RawPath }
  | { kind: 'unreadable'; path: RawPath; sentence: string }
  | { kind: 'left_out'; count: number }

/** `own`: folders of the service (`folderKey`), which may be below the folder by a mount. */
export async function* walk(folder: RawPath, own: ReadonlySet<string> = new Set()): AsyncGenerator<FolderItem> {
  if (own.size > 0 && own.has((await folderKey(bytesOf(folder))) ?? '')) {
    yield { kind: 'unreadable', path: folder, sentence: 'This is a folder of the service, so it is left out.' }
    return
  }
  const names = await namesIn(folder).catch((fault: NodeJS.ErrnoException) => String(fault.code ?? fault.message))
  if (typeof names === 'string') {
    yield { kind: 'unreadable', path: folder, sentence: `This folder cannot be read (${names}).` }
    return
  }
  for (const name of names.download_lists) yield { kind: 'list', path: joined(folder, name) }
  yield { kind: 'left_out', count: names.others }
  const among_ids = haveIds(names.media.map(({ name }) => textOf(name)))
  for (const { name, problem } of names.media.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const is_sound = kindOf(name) === 'sound'
    const subtitles = (names.subtitles.get(stemOf(name)) ?? []).toSorted(
      (a, b) => subtitleRank(a.name) - subtitleRank(b.name) || (a.name < b.name ? -1 : 1),
    )
    yield { kind: 'media', path: joined(folder, name), is_sound, problem, subtitles, among_ids }
  }
  for (const name of names.folders.sort()) yield* walk(joined(folder, name), own)
}

/** Identifies a folder: all paths of one folder have one key. `undefined`: the folder is missing. */
export const folderKey = (folder: string | Buffer): Promise<string | undefined> =>
  stat(folder).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => undefined,
  )

type Names = {
  media: { name: RawPath; problem: string | null }[]
  subtitles: Map<RawPath, FoundFile['subtitles']>
  download_lists: RawPath[]
  folders: RawPath[]
  others: number
}

async function namesIn(folder: RawPath): Promise<Names> {
  const names: Names = { media: [], subtitles: new Map(), download_lists: [], folders: [], others: 0 }
  // The type of Node's own declarations does not know that names are bytes then.
  for await (const entry of await opendir(bytesOf(folder), { encoding: 'buffer' as BufferEncoding, bufferSize: 256 })) {
    const name = rawPathOf(entry.name as string | Uint8Array)
    if (entry.isDirectory()) names.folders.push(name)
    else addFile(names, name, entry)
  }
  return names
}

function addFile(names: Names, name: RawPath, entry: { isFile(): boolean; isSymbolicLink(): boolean }): void {
  const kind = kindOf(textOf(name))
  if (kind === 'video' || kind === 'sound') {
    const problem = entry.isSymbolicLink()
      ? 'It is a symbolic link. Import the folder that it leads to.'
      : entry.isFile()
        ? null
        : 'It is no regular file.'
    names.media.push({ name, problem })
  } else if (kind === 'partial' && isPartialVideo(name)) {
    names.media.push({ name, problem: 'It is an unfinished download, or one part of a video.' })
  } else if (kind === 'subtitles' && entry.isFile()) {
    for (const { stem, language } of subtitlesOf(name)) {
      const known = names.subtitles.get(stem) ?? []
      known.push({ name, language })
      names.subtitles.set(stem, known)
    }
    names.others += 1
  } else if (kind === 'list' && entry.isFile()) names.download_lists.push(name)
  else names.others += 1
}
