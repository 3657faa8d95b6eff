/** The folders the service writes to, made before anything needs them. */
import { access, chmod, constants, mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import process from 'node:process'

/**
 * Throws a sentence that names the variable when nothing can be written there. A folder of ours that was made with more
 * permissions loses those that the umask takes, where the disk can say so; `true`: it lost some. What is in it stays as
 * it is.
 */
export async function requireFolder(variable: string, path: string): Promise<boolean> {
  try {
    await make(resolve(path))
    await access(path, constants.W_OK)
    return await tighten(path)
  } catch (cause) {
    throw new Error(`${variable} should be a folder that can be written to, and ${path} is none.`, { cause })
  }
}

/** Not by `recursive`: where a folder can't be, in /proc for instance, that tries for ever. */
async function make(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) return
  if (dirname(path) !== path) await make(dirname(path))
  await mkdir(path).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code !== 'EEXIST' || found) throw fault
  })
}

/** Passing through a folder that cannot be listed stays possible: the embedded Postgres of root may need that. */
const pass_through = 0o001

async function tighten(path: string): Promise<boolean> {
  const { mode, uid } = await stat(path)
  if (process.getuid?.() !== uid) return false
  const permissions = mode & 0o777
  const kept = permissions & (~process.umask() | pass_through)
  if (kept === permissions) return false
  // On exFAT and on some network file systems permissions are set for the whole disk, by its mount.
  return chmod(path, kept).then(
    () => true,
    () => false,
  )
}
