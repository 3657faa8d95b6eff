/** Brings a file into a work folder as a hard link or a copy, and removes it where it was. Never writes to the file. */
import { constants } from 'node:fs'
import { chmod, copyFile, link, open, stat, unlink } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { bytesOf, folderOf, nameOf, type RawPath, rawPathOf } from './raw-path.ts'

/**
 * `move`: the file is removed where it was, after the library has it. `link`: both are one file on the disk until one of them is removed;
 * a change of one is a change of the other.
 */
export type Manner = 'copy' | 'link' | 'move'

/** `umask`: permissions that a copy does not get. Returns whether the file is linked. Rejects when the disk fails. */
export async function bringFile(
  path: RawPath,
  target: string,
  manner: Manner,
  umask: number,
): Promise<{ is_linked: boolean }> {
  if (manner !== 'copy') {
    const is_linked = await link(bytesOf(path), target).then(
      () => true,
      (fault: NodeJS.ErrnoException) => {
        // On another disk, on a disk without links, of another user, or linked too often.
        if (/^(EXDEV|EPERM|EOPNOTSUPP|ENOTSUP|ENOSYS|EMLINK|EACCES)$/.test(String(fault.code))) return false
        throw fault
      },
    )
    if (is_linked) return { is_linked }
  }
  await copyFile(bytesOf(path), target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  await chmod(target, 0o666 & ~umask)
  return { is_linked: false }
}

/** Makes sure that a file in the library, and the names of its folders, survive a power cut. */
export async function onDisk(file: string): Promise<void> {
  const folder = dirname(file)
  for (const path of [file, folder, dirname(folder), dirname(dirname(folder))]) {
    const handle = await open(path, 'r')
    await handle.sync().finally(() => handle.close())
  }
}

/** Whether both are one name of one file. Under a mount, a folder has several paths. */
export async function isSamePlace(path: RawPath, other: string): Promise<boolean> {
  if (nameOf(path) !== rawPathOf(basename(other))) return false
  const [a, b] = await Promise.all([stat(bytesOf(folderOf(path))), stat(dirname(other))])
  return a.dev === b.dev && a.ino === b.ino
}

/** A plan cannot know whether a link will work, so this says only whether both are on one disk. */
export const areOnOneDisk = async (path: RawPath, folder: string): Promise<boolean> =>
  (await stat(bytesOf(path))).dev === (await stat(folder)).dev

export const removeFile = (path: RawPath): Promise<void> => unlink(bytesOf(path))

const chunk_bytes = 1024 * 1024

/** Whether two files have the same content, or are one file. `false` also if one of them cannot be read. */
export async function isSameContent(path: RawPath, other: string): Promise<boolean> {
  try {
    const [a, b] = await Promise.all([stat(bytesOf(path)), stat(other)])
    if (a.dev === b.dev && a.ino === b.ino) return true
    return a.size === b.size && (await isSameRead(path, other))
  } catch {
    return false
  }
}

async function isSameRead(path: RawPath, other: string): Promise<boolean> {
  const [a, b] = [await open(bytesOf(path), 'r'), await open(other, 'r')]
  try {
    const [left, right] = [Buffer.alloc(chunk_bytes), Buffer.alloc(chunk_bytes)]
    for (let at = 0; ; at += chunk_bytes) {
      const [{ bytesRead: first }, { bytesRead: second }] = await Promise.all([
        a.read(left, 0, chunk_bytes, at),
        b.read(right, 0, chunk_bytes, at),
      ])
      if (first !== second || !left.subarray(0, first).equals(right.subarray(0, second))) return false
      if (first < chunk_bytes) return true
    }
  } finally {
    await Promise.all([a.close(), b.close()])
  }
}
