/**
 * Stores files in a folder of this machine, and touches nothing outside of it. Copies are hard links where the file system has them.
 * Deleted files are in `.bin`, at the same path as before.
 */
import { constants } from 'node:fs'
import { copyFile, link, lstat, mkdir, open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { SubtitleFile } from '../schema/sources/subtitles.ts'
import { arrivingIn } from './arriving.ts'
import { type Disk, diskOf, type KnownFiles } from './disk.ts'
import type { Files, OpenFile, Staged } from './files.ts'
import { ignoreMissing, intoFolder, movesIn, namesIn } from './moves-in-folder.ts'
import { isSoundPath, subtitlePath } from './paths.ts'
import { workIn } from './work.ts'

const bin = '.bin'

type Options = { knownFiles?: KnownFiles | undefined; makeLink?: MakeLink }

/** `makeLink`: by default, a hard link. */
export function filesIn(downloads_dir: string, { knownFiles, makeLink }: Options = {}): Files {
  const root = mkdir(downloads_dir, { recursive: true }).then(() => realpath(downloads_dir))
  root.catch(() => {})
  const folder: Downloads = { root, ...diskOf(root, knownFiles) }
  const { writable } = folder
  const { remove, move } = movesIn(writable, {
    inside: path => inside(folder, path),
    folderOf: path => folderOf(folder, path),
  })
  const inBin = (paths: string[]) => paths.map(path => join(bin, path))
  return {
    ...workIn(root, writable),
    arriving: arrivingIn(root, writable),
    stage: (file, download_path, subtitles = []) => staged(folder, file, { download_path, subtitles }),
    stageCopy: (from, download_path, work_folder, { hasRoomFor = async () => true } = {}) =>
      stageCopy(folder, from, download_path, { work_folder, hasRoomFor, makeLink }),
    open: download_path => openFile(folder, download_path),
    exists: async download_path => (await inside(folder, download_path)) !== undefined,
    write: (path, bytes) => write(folder, path, bytes),
    async read(path) {
      const file = await inside(folder, path)
      return file === undefined ? undefined : readFile(file).catch(ignoreMissing)
    },
    localPath: download_path => inside(folder, download_path),
    remove,
    discard: async (...download_paths) => void (await move(download_paths, path => join(bin, path), 'others')),
    recover: (...download_paths) => move(inBin(download_paths), path => relative(bin, path), 'file'),
    purge: (...download_paths) => remove(...inBin(download_paths)),
    inBin: download_path => join(bin, download_path),
    binned: () => binned(folder),
    async forgetUser(user_id) {
      await writable()
      for (const parent of ['.work', bin, '.'])
        await rm(join(await root, parent, user_id), { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

type Downloads = Disk & { root: Promise<string> }

/** `put` may be repeated: a file that is at its place already is not an error. */
const staged = async (
  folder: Downloads,
  file: string,
  { download_path, subtitles }: { download_path: string; subtitles: SubtitleFile[] },
): Promise<Staged> => ({
  file_size: (await stat(file)).size,
  async put() {
    const place = join(await folder.writable(), download_path)
    for (const { language, file } of subtitles) {
      const next_to_it = join(await folder.root, subtitlePath(download_path, language))
      await intoFolder(next_to_it, () => rename(file, next_to_it)).catch(ignoreMissing)
    }
    await intoFolder(place, () => rename(file, place)).catch(async (fault: NodeJS.ErrnoException) => {
      if (fault.code !== 'ENOENT' || (await inside(folder, download_path)) === undefined) throw fault
    })
  },
  // The file is in a work folder, which is removed with its run.
  async drop() {},
})

type CopyOptions = {
  work_folder: string
  hasRoomFor(bytes: number): Promise<boolean>
  makeLink: MakeLink | undefined
}

async function stageCopy(
  folder: Downloads,
  { download_path: from, languages }: { download_path: string; languages: string[] },
  download_path: string,
  { work_folder, hasRoomFor, makeLink }: CopyOptions,
): Promise<Staged | undefined> {
  const copies: string[] = []
  const drop = async () => {
    for (const copy of copies) await rm(copy, { force: true })
  }
  const copied = async (path: string, name: string) => {
    const source = await inside(folder, path)
    if (!source) return undefined
    const copy = join(work_folder, name)
    await rm(copy, { force: true })
    copies.push(copy)
    const is_made = await linkOrCopy(source, copy, hasRoomFor, makeLink).catch(async (fault: unknown) => {
      await drop()
      throw fault
    })
    return is_made ? copy : undefined
  }
  const file = await copied(from, 'shared')
  if (file === undefined) return undefined
  const subtitles: SubtitleFile[] = []
  for (const language of languages) {
    const subtitle = await copied(subtitlePath(from, language), `shared.${language}.vtt`)
    if (subtitle !== undefined) subtitles.push({ language, file: subtitle })
  }
  return { ...(await staged(folder, file, { download_path, subtitles })), drop }
}

async function openFile(folder: Downloads, download_path: string): Promise<OpenFile | undefined> {
  const path = await inside(folder, download_path)
  if (!path) return undefined
  const source = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(ignoreMissing)
  if (!source) return undefined
  const { size, mtime, mtimeMs } = await source.stat()
  const etag = `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`
  return { source, size, modified_at: mtime, etag }
}

async function write({ root, writable }: Downloads, path: string, bytes: Uint8Array): Promise<void> {
  const place = join(await writable(), path)
  const written = join(await root, '.work', 'small', 'files', crypto.randomUUID())
  try {
    await intoFolder(written, () => writeFile(written, bytes))
    await intoFolder(place, () => rename(written, place))
  } finally {
    await rm(written, { force: true })
  }
}

type BinnedVideo = { download_path: string; binned_at: Date }

async function* binned({ root, requireHere }: Downloads): AsyncGenerator<BinnedVideo[]> {
  await requireHere()
  const top = join(await root, bin)
  for (const person of await namesIn(top))
    for (const channel of await namesIn(join(top, person))) yield await binnedOf(top, person, channel)
}

async function binnedOf(top: string, person: string, channel: string): Promise<BinnedVideo[]> {
  const folder = join(top, person, channel)
  const videos: BinnedVideo[] = []
  for (const name of await namesIn(folder)) {
    if (name.endsWith('.vtt') || isSoundPath(name)) continue
    const status = await lstat(join(folder, name)).catch(ignoreMissing)
    if (!status?.isFile()) continue
    // A move changes the time of the file's entry, and keeps that of its bytes.
    const binned_at = new Date(Math.max(status.ctimeMs, status.mtimeMs))
    videos.push({ download_path: [person, channel, name].join('/'), binned_at })
  }
  return videos
}

/** The real path of a file; `undefined` when it is missing, no regular file, or leads out of the folder by `..` or a link. */
async function inside({ root, realPathOf }: Downloads, download_path: string): Promise<string | undefined> {
  const wanted = join(await root, download_path)
  if (download_path.includes('\0') || !wanted.startsWith((await root) + sep)) return undefined
  const real = await realPathOf(wanted)
  if (real !== wanted) return undefined
  // The file may have been moved since.
  return (await lstat(real).catch(ignoreMissing))?.isFile() ? real : undefined
}

/** The folder of a file; `undefined` when it is missing, or leads out of the downloads folder. */
async function folderOf({ root, realPathOf }: Downloads, download_path: string): Promise<string | undefined> {
  const folder = dirname(join(await root, download_path))
  if (download_path.includes('\0') || !folder.startsWith((await root) + sep)) return undefined
  return (await realPathOf(folder)) === folder ? folder : undefined
}

export type MakeLink = (from: string, to: string) => Promise<void>

/**
 * Gives a file of this machine a second path: as a hard link, or as a copy where a hard link is impossible; the copy shares its blocks
 * where the file system can. `false`: there is no room for a copy.
 */
async function linkOrCopy(
  from: string,
  to: string,
  hasRoomFor: (bytes: number) => Promise<boolean>,
  makeLink: MakeLink = link,
): Promise<boolean> {
  const fault = await makeLink(from, to).catch((fault: NodeJS.ErrnoException) => fault)
  if (!fault) return true
  if (fault.code === 'ENOENT') throw fault
  if (!(await hasRoomFor((await stat(from)).size))) return false
  await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
  return true
}
