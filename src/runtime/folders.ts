/** Makes the folders that the service writes to, with the right permissions. */
import { access, chmod, constants, mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import process from 'node:process'

/**
 * Throws a sentence that names the variable when the folder is not writable. Removes the permissions of the folder that the
 * umask excludes, if the folder is ours and the disk supports it; `true`: some were removed. Does not change its contents.
 */
export async function requireFolder(variable: string, path: string): Promise<boolean> {
  try {
    await make(resolve(path))
    await access(path, constants.W_OK)
    return await tighten(path)
  } catch (cause) {
    throw new Error(`${variable} should be a writable folder, but ${path} is not one.`, { cause })
  }
}

/** Not with `recursive`, which never ends where folders cannot be made, such as in /proc. */
async function make(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) return
  if (dirname(path) !== path) await make(dirname(path))
  await mkdir(path).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code !== 'EEXIST' || found) throw fault
  })
}

/** This permission is kept: the embedded Postgres of root may have to pass through a folder that it cannot list. */
const pass_through = 0o001

async function tighten(path: string): Promise<boolean> {
  const { mode, uid } = await stat(path)
  if (process.getuid?.() !== uid) return false
  const permissions = mode & 0o777
  const kept = permissions & (~process.umask() | pass_through)
  if (kept === permissions) return false
  // On exFAT and some network file systems, permissions are fixed for the whole disk when it is mounted.
  return chmod(path, kept).then(
    () => true,
    () => false,
  )
}
