/** Gives a file of this machine a second path: as a hard link where the file system can, otherwise as a copy. */
import { constants } from 'node:fs'
import { copyFile, link, stat } from 'node:fs/promises'

export type MakeLink = (from: string, to: string) => Promise<void>

/**
 * Where a hard link is impossible, the file is copied; the copy shares its blocks where the file system can. `false`: there is no room for
 * a copy.
 */
export async function linkOrCopy(
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
