/**
 * Finds the real paths of stored files, and distinguishes a missing file from a missing disk: the mount point of an unmounted disk is
 * an empty folder of another one, but no file of it is lost.
 */
import { realpath, stat } from 'node:fs/promises'

/** `undefined`: nothing is there. Throws when the folder is gone or on another disk than before, and for errors of the disk. */
export function realPathsOn(folder: Promise<string>): (path: string) => Promise<string | undefined> {
  const diskNow = async () => (await stat(await folder)).dev
  const disk = diskNow()
  disk.catch(() => {})
  return async path => {
    const real = await realpath(path).catch(ignoreMissing)
    if (real === undefined && (await diskNow().catch(ignoreMissing)) !== (await disk)) throw new DiskAway()
    return real
  }
}

/** The code is one of those in `away.ts`. */
class DiskAway extends Error {
  override name = 'DiskAway'
  readonly code = 'STORAGE_AWAY'
  constructor() {
    super('The downloads folder is on another disk than at the start. Mount its disk again.')
  }
}

/** These also mean that no such file can exist. */
const missing_codes = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']

const ignoreMissing = (fault: NodeJS.ErrnoException): undefined => {
  if (!missing_codes.includes(fault.code ?? '')) throw fault
}
