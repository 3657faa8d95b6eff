/**
 * The folders that the service writes to: those of the operator, one for compiled code, and temporary ones; and files that appear as a
 * whole.
 */
import { accessSync, constants, lstatSync, mkdirSync } from 'node:fs'
import { access, chmod, mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import process, { pid } from 'node:process'
import { succeeds } from './within.ts'

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

/** Does without `recursive`, which never ends where folders cannot be made, such as in /proc. */
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
  return succeeds(chmod(path, kept))
}

/**
 * A folder for code that is run later, to which no other user may write: the first of these folders that is ours alone, created if its
 * parent exists; `undefined`: none is. Never throws.
 */
export const privateFolder = (folders: string[]): string | undefined => folders.find(isOurs)

function isOurs(folder: string): boolean {
  try {
    create(folder)
    accessSync(folder, constants.W_OK)
    const found = lstatSync(folder)
    // Windows has no such permissions: there a folder belongs to the user whose folder it is in.
    const is_private = process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0)
    return found.isDirectory() && is_private
  } catch {
    return false
  }
}

function create(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'EEXIST') throw fault
  }
}

/** For files that are needed while one request is answered. They are deleted afterwards, also those of a killed process. */
const prefix = 'backlot-upload-'
/** An upload arrives, waits and is read in less than an hour. */
const abandoned_ms = 2 * 60 * 60_000

/** Gives `work` a temporary folder: `make` creates the folder when it is first called. The folder is deleted when `work` has ended. */
export async function inTemporaryFolder<T>(work: (make: () => Promise<string>) => Promise<T>): Promise<T> {
  let made: Promise<string> | undefined
  const make = () => {
    made ??= removeAbandoned(prefix, abandoned_ms).then(() => makeTemporary(join(tmpdir(), prefix)))
    return made
  }
  try {
    return await work(make)
  } finally {
    const path = await made?.catch(() => undefined)
    if (path) await removeTemporary(path)
  }
}

/** The beginning of the names of folders in which tools work. */
const work_prefix = 'backlot-work-'
/** The longest work, the listing of a channel, takes four hours. */
const abandoned_work_ms = 6 * 60 * 60_000

/** Gives `work` a new temporary folder in `parent`, with `subject` in its name, and removes it afterwards. */
export async function inNewFolder<T>(
  subject: string,
  work: (folder: string) => Promise<T>,
  parent = tmpdir(),
): Promise<T> {
  const folder = await makeTemporary(join(parent, `${work_prefix}${subject}-`))
  try {
    return await work(folder)
  } finally {
    await removeTemporary(folder)
  }
}

/** The temporary folders of this process. They seem old, but are not abandoned, while the clock is ahead. */
const in_use = new Set<string>()

async function makeTemporary(beginning: string): Promise<string> {
  const folder = await mkdtemp(beginning)
  in_use.add(folder)
  return folder
}

async function removeTemporary(folder: string): Promise<void> {
  in_use.delete(folder)
  await rm(folder, { recursive: true, force: true })
}

/** Removes what `inNewFolder` of killed processes has left. Do not call it while the clock may be ahead: work of others seems left then. */
export const removeAbandonedFolders = (): Promise<void> => removeAbandoned(work_prefix, abandoned_work_ms)

/** Removes the folders of other processes whose names begin with `prefix`, and to which nothing was written for `abandoned_ms`. */
export async function removeAbandoned(prefix: string, abandoned_ms: number): Promise<void> {
  const names = (await readdir(tmpdir()).catch(() => [])).filter(name => name.startsWith(prefix))
  for (const name of names) {
    const path = join(tmpdir(), name)
    if (in_use.has(path)) continue
    const found = await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > abandoned_ms)
      await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

/** Writes the whole file or nothing, and to the disk before it returns. A link of that name is replaced, not followed. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const aside = `${file}.${pid}`
  await rm(aside, { force: true })
  const handle = await open(aside, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(aside, file)
}
