/** Removes and moves stored files of a folder on this machine, with their subtitles and sounds, and keeps no empty folders. */
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { besideAmong } from './paths.ts'

type Places = {
  /** The real path of a file; `undefined`: it is missing, or leads out of the folder. */
  inside(path: string): Promise<string | undefined>
  /** The real path of the folder of a file; `undefined`: it is missing, or leads out of the folder. */
  folderOf(path: string): Promise<string | undefined>
}

/** `writable`: the real path to which all paths are relative. */
export function movesIn(writable: () => Promise<string>, { inside, folderOf }: Places) {
  /** Groups paths by their folder, because a folder may have thousands of names, and is read once for each group. */
  const byFolder = async (paths: string[]) => {
    const groups = Map.groupBy(paths, path => dirname(path)).values()
    const found: { folder: string; together: string[]; besideOf: (path: string) => string[] }[] = []
    for (const together of groups) {
      const folder = await folderOf(together[0] ?? '')
      if (folder) found.push({ folder, together, besideOf: besideAmong(await namesIn(folder)) })
    }
    return found
  }

  const remove = async (...download_paths: string[]) => {
    await writable()
    for (const { folder, together, besideOf } of await byFolder(download_paths)) {
      for (const download_path of together) {
        // What is beside a file is removed even when the file itself is missing.
        const path = await inside(download_path)
        for (const name of besideOf(download_path)) await rm(join(folder, name), { force: true })
        if (path) await rm(path, { force: true })
      }
      await removeEmpty(folder)
    }
  }

  /**
   * Moves files, with what is beside them, to other paths, and replaces what is there. A process may end between two moves, so subtitles
   * and the sound leave their place after the file and return before it. `false`: there is no such file for one of them.
   */
  const move = async (paths: string[], to: (path: string) => string, last: 'file' | 'others') => {
    const root = await writable()
    const isThere = async (path: string) => (await inside(path)) !== undefined
    let moved = 0
    for (const { folder, together, besideOf } of await byFolder(paths)) {
      const there = await filterBy(together, isThere)
      // Subtitles or a sound without a file are from a move that was not finished, and are kept.
      await remove(...(await filterBy(there.map(to), isThere)))
      for (const path of there) {
        const target = dirname(join(root, to(path)))
        const names = [basename(path), ...besideOf(path)]
        for (const name of last === 'file' ? names.toReversed() : names)
          await intoFolder(join(target, name), () => rename(join(folder, name), join(target, name)))
      }
      await removeEmpty(folder)
      moved += there.length
    }
    return moved === paths.length
  }

  return { remove, move }
}

async function filterBy<T>(list: T[], isKept: (item: T) => Promise<boolean>): Promise<T[]> {
  const kept = await Promise.all(list.map(isKept))
  return list.filter((_, nth) => kept[nth])
}

/** Returns no names if this is not a folder, or if another process has just removed the empty folder. */
export const namesIn = async (folder: string): Promise<string[]> => (await readdir(folder).catch(ignoreNoFolder)) ?? []

export const ignoreNoFolder = (fault: NodeJS.ErrnoException) =>
  fault.code === 'ENOTDIR' ? undefined : ignoreMissing(fault)

/** Removes the folder of a channel, and then that of its person, if they are empty. */
async function removeEmpty(folder: string): Promise<void> {
  for (const empty of [folder, dirname(folder)]) await rmdir(empty).catch(() => {})
}

/** Makes the folder of this path if it is missing. Another process may remove an empty folder at any moment, so this tries again. */
export async function intoFolder(path: string, put: () => Promise<void>): Promise<void> {
  for (const _ of [1, 2, 3]) {
    if (await put().then(() => true, ignoreMissing)) return
    // Node says ENOTDIR when the folder is removed while it is made.
    await mkdir(dirname(path), { recursive: true }).catch(ignoreNoFolder)
  }
  await put()
}

/** A move may be repeated, so a file that was moved already is not an error. */
export const ignoreMissing = (fault: NodeJS.ErrnoException): undefined => {
  if (fault.code !== 'ENOENT') throw fault
}
