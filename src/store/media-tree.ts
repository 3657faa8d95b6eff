/**
 * The tree of one person in MEDIA_DIR: folders, links to stored files, and small files. It writes only into real folders below its own
 * root, so no planted link leads it elsewhere. Names are made by `domain/media`.
 */
import {
  chmod,
  constants,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Config } from '../config/config.ts'
import { requireFolder } from '../runtime/folders.ts'
import { Late, within } from '../runtime/within.ts'
import { ignoreNoFolder } from './moves-in-folder.ts'

/** The names of the folders below that of the person; empty: it itself. */
export type Folder = string[]

export type MediaTree = ReturnType<typeof mediaTree>

const marker = '.backlot.json'
const unfinished = '.backlot-new-'

/** `folder_name`: the name of the person's folder. */
export function mediaTree(media_dir: string, folder_name: string) {
  const root: Root = async () => join(await realpath(media_dir), folder_name)
  return {
    folder_name,
    /** The person whose tree it is, as the marker file says; `undefined`: the folder is missing, or was never filled. */
    owner: () => idInMarker(root, 'user_id'),
    /** The stamp in the marker file; `undefined`: it has none. */
    stamp: () => idInMarker(root, 'stamp'),
    /** Writes the marker file. Only a tree with the last stamp is compared with what should be in it. */
    mark: (user_id: string, stamp: string) =>
      put(root, [], marker, path =>
        writeFile(path, `${JSON.stringify({ user_id, stamp, note: marker_note }, null, 2)}\n`, { flag: 'wx' }),
      ),
    /** The names in a folder; empty when it is missing. */
    async names(folder: Folder) {
      const path = await existing(root, folder)
      return new Set(path && (await readdir(path).catch(ignoreNoFolder)))
    },
    path: async (folder: Folder, name: string) => join(await root(), ...folder, name),
    /**
     * Makes the name another link to the file, or a symbolic link where the file is on another file system. Replaces what is there. Takes
     * the permission to write into the file away from all users but its owner.
     */
    link: (file: string, folder: Folder, name: string) => linkInto(root, file, folder, name),
    /** Replaces the file as a whole, unless it has these bytes already. */
    write: (bytes: Uint8Array, folder: Folder, name: string) => writeInto(root, bytes, folder, name),
    /** Whether it is a file that begins with this text. A link is not followed. */
    async startsWith(folder: Folder, name: string, text: string) {
      const path = await existing(root, folder)
      return path !== undefined && beginsWith(join(path, name), Buffer.from(text))
    },
    /** Removes files, and then the folder and those above it that are empty. A file that is missing already is not an error. */
    async remove(folder: Folder, names: string[]) {
      const path = await existing(root, folder)
      if (path) await removeFrom(path, names, folder.length)
    },
    /** Removes what a run that died has left in the folder. */
    async tidy(folder: Folder, names: Set<string>) {
      const path = await existing(root, folder)
      if (!path) return
      for (const name of names) if (name.startsWith(unfinished)) await rm(join(path, name), { force: true })
    },
    /** Which of these names is a link to the file. */
    async linkTo(file: string, folder: Folder, names: string[]) {
      const path = await existing(root, folder)
      if (!path) return undefined
      for (const name of names) if (await isLinkTo(file, join(path, name))) return name
      return undefined
    },
    /** Removes the marker, and the root if it is empty. */
    async removeMarker() {
      const path = await existing(root, [])
      if (path) await removeFrom(path, [marker])
    },
  }
}

/** The path of the person's folder. */
type Root = () => Promise<string>

async function idInMarker(root: Root, name: 'user_id' | 'stamp'): Promise<string | undefined> {
  const path = await existing(root, [])
  const text = path && (await readFile(join(path, marker), 'utf8').catch(ignoreNoFolder))
  return text ? new RegExp(`"${name}":\\s*"([0-9a-f-]{36})"`).exec(text)?.[1] : undefined
}

async function linkInto(root: Root, file: string, folder: Folder, name: string): Promise<void> {
  const path = await made(root, folder)
  if (await isLinkTo(file, join(path, name))) return
  await protect(file)
  await put(root, folder, name, async written => {
    await link(file, written).catch((fault: NodeJS.ErrnoException) => {
      if (fault.code === 'ENOENT') throw fault
      // Relative, so that it also leads there when both folders are mounted elsewhere.
      return symlink(relative(path, file), written)
    })
  })
}

async function writeInto(root: Root, bytes: Uint8Array, folder: Folder, name: string): Promise<void> {
  const path = await existing(root, folder)
  const place = path && join(path, name)
  // A link that was planted at this name is replaced, not read.
  const status = place === undefined ? undefined : await lstat(place).catch(ignoreNoFolder)
  if (place !== undefined && status?.isFile() && (await readFile(place)).equals(bytes)) return
  await put(root, folder, name, written => writeFile(written, bytes, { flag: 'wx' }))
}

async function beginsWith(path: string, bytes: Buffer): Promise<boolean> {
  const status = await lstat(path).catch(ignoreNoFolder)
  if (!status?.isFile() || status.size < bytes.length) return false
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { buffer } = await file.read(Buffer.alloc(bytes.length), 0, bytes.length, 0)
    return buffer.equals(bytes)
  } finally {
    await file.close()
  }
}

/** Makes the file under another name and then renames it, so that no reader sees a part of it, and no link is followed. */
async function put(root: Root, folder: Folder, name: string, make: (path: string) => Promise<void>): Promise<void> {
  const path = await made(root, folder)
  const written = join(path, unfinished + crypto.randomUUID())
  try {
    await make(written)
    await rename(written, join(path, name))
  } finally {
    await rm(written, { force: true })
  }
}

/** Makes the folder, part by part, so that nothing is made behind a link. */
async function made(root: Root, folder: Folder): Promise<string> {
  let path = await root()
  for (const part of ['', ...folder]) {
    path = join(path, part)
    await mkdir(path).catch(async (fault: NodeJS.ErrnoException) => {
      if (fault.code !== 'EEXIST') throw fault
      if (!(await lstat(path)).isDirectory()) throw notOurs(path)
    })
  }
  return path
}

/** `undefined`: the folder is missing. Throws when a part of its path is a link or a file: its files are not ours then. */
async function existing(root: Root, folder: Folder): Promise<string | undefined> {
  const path = join(await root(), ...folder)
  const real = await realpath(path).catch(ignoreNoFolder)
  if (real !== undefined && real !== path) throw notOurs(path)
  return real
}

/** Removes the files, and then the folder if it is empty. `depth`: how many folders, with those above it, may go. */
async function removeFrom(path: string, names: string[], depth = 1): Promise<void> {
  for (const name of names) await rm(join(path, name), { force: true })
  for (let up = 0; up < depth; up++) {
    try {
      await rmdir(join(path, '../'.repeat(up)))
    } catch {
      return
    }
  }
}

/** The names in MEDIA_DIR. */
export const namesIn = (media_dir: string): Promise<string[]> => readdir(media_dir)

/**
 * A hard link is the stored file itself, which may be a file of other people as well. A media server that may delete links, because it is
 * in the group of the service, must not be able to write into it. The owner of a file that was imported as a link may be another user.
 */
async function protect(file: string): Promise<void> {
  const { mode } = await stat(file)
  if (mode & 0o022) await chmod(file, mode & 0o777 & ~0o022).catch(() => {})
}

const notOurs = (path: string) => new Error(`${path} was replaced by a link or a file, so nothing is written there.`)

const marker_note =
  'Backlot fills this folder. Without this file, or with an older copy of it, it fills the folder again and deletes no video.'

/** Whether the name is a hard link or a symbolic link to the file. */
async function isLinkTo(file: string, name: string): Promise<boolean> {
  const found = await lstat(name).catch(ignoreNoFolder)
  if (!found) return false
  if (found.isSymbolicLink()) return (await readlink(name)) === relative(join(name, '..'), file)
  const { dev, ino } = await stat(file)
  return found.dev === dev && found.ino === ino
}

type Folders = Pick<Config, 'MEDIA_DIR' | 'DOWNLOADS_DIR'>

/** MEDIA_DIR is on a network share that does not answer. The read of it never ends, and Node waits for it in `process.exit()`. */
export class NoAnswer extends Error {}

/** A disk that must start to turn, and a share that is mounted on its first use, answer within this time. */
const limit_ms = 20_000

/**
 * Checks MEDIA_DIR at the start of a worker. Throws a sentence when links in MEDIA_DIR to the files in DOWNLOADS_DIR are impossible.
 * `true`: the folder lost permissions.
 */
export async function requireMedia(
  { MEDIA_DIR, DOWNLOADS_DIR }: Folders,
  { within_ms = limit_ms, check = requireBoth } = {},
): Promise<boolean> {
  if (MEDIA_DIR === undefined) return false
  if (DOWNLOADS_DIR.startsWith('s3://'))
    throw new Error('MEDIA_DIR has links to files on this machine, so it cannot be used with a DOWNLOADS_DIR on s3://.')
  return within(within_ms, check(MEDIA_DIR, DOWNLOADS_DIR)).catch((fault: unknown) => {
    const late = `MEDIA_DIR did not answer within ${within_ms / 1000} seconds. Check that the disk or the network share of ${MEDIA_DIR} is there.`
    throw fault instanceof Late ? new NoAnswer(late) : fault
  })
}

async function requireBoth(media_dir: string, downloads_dir: string): Promise<boolean> {
  const lost = await requireFolder('MEDIA_DIR', media_dir)
  const [media, downloads] = await Promise.all([realpath(media_dir), realpath(downloads_dir)])
  if (isWithin(media, downloads) || isWithin(downloads, media))
    throw new Error('MEDIA_DIR and DOWNLOADS_DIR should be two folders of which neither is inside the other.')
  return lost
}

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(folder.replace(/\/$/, '') + sep)
