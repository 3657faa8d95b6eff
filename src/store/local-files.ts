/**
 * Stores files in a folder of this machine, and touches nothing outside of it. Copies are hard links where the file system has them.
 * Deleted files are in `.bin`, at the same path as before.
 */
import { constants } from 'node:fs'
import { lstat, mkdir, open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { SubtitleFile } from '../schema/sources/subtitles.ts'
import { arrivingIn } from './arriving.ts'
import { diskOf, type KnownFiles } from './disk.ts'
import type { Files, Staged } from './files.ts'
import { linkOrCopy, type MakeLink } from './link-or-copy.ts'
import { ignoreMissing, intoFolder, movesIn, namesIn } from './moves-in-folder.ts'
import { subtitlePath } from './paths.ts'
import { workIn } from './work.ts'

const bin = '.bin'

type Options = { knownFiles?: KnownFiles | undefined; makeLink?: MakeLink }

/** `makeLink`: by default, a hard link. */
export function filesIn(downloads_dir: string, { knownFiles, makeLink }: Options = {}): Files {
  const root = mkdir(downloads_dir, { recursive: true }).then(() => realpath(downloads_dir))
  root.catch(() => {})
  const { requireHere, writable, realPathOf } = diskOf(root, knownFiles)

  /** The real path; `undefined` when it is missing, no regular file, or leads out of the folder by `..` or a link. */
  const inside = async (download_path: string) => {
    const wanted = join(await root, download_path)
    if (download_path.includes('\0') || !wanted.startsWith((await root) + sep)) return undefined
    const real = await realPathOf(wanted)
    if (real !== wanted) return undefined
    // It may have been moved since.
    return (await lstat(real).catch(ignoreMissing))?.isFile() ? real : undefined
  }

  /** The folder of a file; `undefined` when it is missing, or leads out of the downloads folder. */
  const folderOf = async (download_path: string) => {
    const folder = dirname(join(await root, download_path))
    if (download_path.includes('\0') || !folder.startsWith((await root) + sep)) return undefined
    return (await realPathOf(folder)) === folder ? folder : undefined
  }

  const exists = async (download_path: string) => (await inside(download_path)) !== undefined

  const staged = async (file: string, download_path: string, subtitles: SubtitleFile[]): Promise<Staged> => ({
    file_size: (await stat(file)).size,
    async put() {
      const place = join(await writable(), download_path)
      for (const { language, file } of subtitles) {
        const next_to_it = join(await root, subtitlePath(download_path, language))
        await intoFolder(next_to_it, () => rename(file, next_to_it)).catch(ignoreMissing)
      }
      await intoFolder(place, () => rename(file, place)).catch(async (fault: NodeJS.ErrnoException) => {
        if (fault.code !== 'ENOENT' || !(await exists(download_path))) throw fault
      })
    },
    // The file is in a work folder, which is removed with its run.
    async drop() {},
  })

  const { remove, move } = movesIn(writable, { inside, folderOf })

  return {
    ...workIn(root, writable),
    arriving: arrivingIn(root, writable),

    stage: (file, download_path, subtitles = []) => staged(file, download_path, subtitles),

    async stageCopy(
      { download_path: from, languages },
      download_path,
      work_folder,
      { hasRoomFor = async () => true } = {},
    ) {
      const copies: string[] = []
      const drop = async () => {
        for (const copy of copies) await rm(copy, { force: true })
      }
      const copied = async (path: string, name: string) => {
        const source = await inside(path)
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
      return { ...(await staged(file, download_path, subtitles)), drop }
    },

    async open(download_path) {
      const path = await inside(download_path)
      if (!path) return undefined
      const source = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(ignoreMissing)
      if (!source) return undefined
      const { size, mtime, mtimeMs } = await source.stat()
      const etag = `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`
      return { download_path, source, size, modified_at: mtime, etag }
    },

    exists,

    async write(path, bytes) {
      const place = join(await writable(), path)
      const written = join(await root, '.work', 'small', 'files', crypto.randomUUID())
      try {
        await intoFolder(written, () => writeFile(written, bytes))
        await intoFolder(place, () => rename(written, place))
      } finally {
        await rm(written, { force: true })
      }
    },

    async read(path) {
      const file = await inside(path)
      return file === undefined ? undefined : readFile(file).catch(ignoreMissing)
    },

    localPath: inside,
    remove,

    async discard(...download_paths) {
      await move(download_paths, path => join(bin, path), 'subtitles')
    },
    recover: (...download_paths) =>
      move(
        download_paths.map(path => join(bin, path)),
        path => relative(bin, path),
        'file',
      ),
    purge: (...download_paths) => remove(...download_paths.map(path => join(bin, path))),

    async *binned() {
      await requireHere()
      const top = join(await root, bin)
      for (const person of await namesIn(top))
        for (const channel of await namesIn(join(top, person))) {
          const folder = join(top, person, channel)
          const videos: { download_path: string; binned_at: Date }[] = []
          for (const name of await namesIn(folder)) {
            if (name.endsWith('.vtt')) continue
            const found = await lstat(join(folder, name)).catch(ignoreMissing)
            // A move changes the time of the file's entry, and keeps that of its bytes.
            if (found?.isFile())
              videos.push({
                download_path: [person, channel, name].join('/'),
                binned_at: new Date(Math.max(found.ctimeMs, found.mtimeMs)),
              })
          }
          yield videos
        }
    },

    async forgetUser(user_id) {
      await writable()
      for (const folder of ['.work', bin, '.'])
        await rm(join(await root, folder, user_id), { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
