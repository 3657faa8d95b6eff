/**
 * Notices that the disk of the downloads folder is away or read-only. The mount point of an unmounted disk is an empty folder of another
 * one: no file of it counts as missing, and nothing may be written there.
 *
 * A marker file shows that the disk is there. The number of the device would not: a disk that is plugged in again gets another one, and
 * a service that starts on an empty mount point has never seen the right one.
 */
import { access, constants, lstat, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type Disk = {
  /** Throws `DiskTrouble` while the disk is away. */
  requireHere(): Promise<void>
  /** The real path of the folder. Throws `DiskTrouble` while nothing can be written there. */
  writable(): Promise<string>
  /** `undefined`: nothing is there. Throws `DiskTrouble` while the disk is away, and for errors of the disk. */
  realPathOf(path: string): Promise<string | undefined>
}

/** Paths of some stored files, relative to the folder; empty: none is stored. */
export type KnownFiles = () => Promise<string[]>

/** The name of a file in each folder that has stored files of ours. */
export const marker = '.backlot'

export function diskOf(folder: Promise<string>, knownFiles: KnownFiles = async () => []): Disk {
  let was_here = false

  const isThere = async (path: string) => (await lstat(join(await folder, path)).catch(ignoreMissing)) !== undefined

  /**
   * Without a marker, at least half of the known files must be there. A service without files takes the folder that it starts with, and no
   * other one later.
   */
  const isOurs = async () => {
    const known = await knownFiles()
    const there = await Promise.all(known.map(isThere))
    return known.length === 0 ? !was_here : there.filter(Boolean).length * 2 >= known.length
  }

  const requireHere = async () => {
    const is_marked = await isThere(marker).catch((cause: unknown) => {
      throw new DiskTrouble('STORAGE_AWAY', cause)
    })
    if (!is_marked) {
      if (!(await isOurs())) throw new DiskTrouble('STORAGE_AWAY')
      await writeFile(join(await folder, marker), marker_note, { flag: 'wx' }).catch((cause: NodeJS.ErrnoException) => {
        // The disk may be full or read-only, and another process may have been first.
        if (cause.code === 'ENOENT') throw new DiskTrouble('STORAGE_AWAY', cause)
      })
    }
    was_here = true
  }

  return {
    requireHere,

    async writable() {
      await requireHere()
      await access(await folder, constants.W_OK).catch((cause: unknown) => {
        throw new DiskTrouble('STORAGE_READ_ONLY', cause)
      })
      return folder
    },

    async realPathOf(path) {
      const real = await realpath(path).catch(ignoreMissing)
      if (real === undefined) await requireHere()
      return real
    },
  }
}

/** The codes are among those of `awaySentence`; the message is for the administrator. */
export class DiskTrouble extends Error {
  override name = 'DiskTrouble'
  readonly code: keyof typeof sentences
  constructor(code: keyof typeof sentences, cause?: unknown) {
    super(sentences[code], { cause })
    this.code = code
  }
}

const sentences = {
  STORAGE_AWAY: `The disk of DOWNLOADS_DIR is away, so downloads wait: the folder has neither its file ${marker} nor the stored videos. Mount the disk again. Only if its videos are lost for good, create an empty file ${marker} in the folder.`,
  STORAGE_READ_ONLY:
    'DOWNLOADS_DIR is read-only, so downloads wait and nothing can be deleted. Check its disk and its permissions.',
}

const marker_note =
  'Backlot made this file. It shows that the disk of this folder is mounted. Without it, Backlot may wait for the disk.\n'

/** These codes also mean that no such file can exist. */
const missing_codes = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']

const ignoreMissing = (fault: NodeJS.ErrnoException): undefined => {
  if (!missing_codes.includes(fault.code ?? '')) throw fault
}
