/**
 * Makes and checks the list of stored files of a backup. In a folder each file has its size and its SHA-256, which is read again only if
 * the file has changed since the list before. In a bucket it has its size and its ETag: what a bucket knows without being read.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { closeSource } from '../runtime/sending.ts'
import { isBefore, type KeptFiles, type ListedFile, type ListLine } from '../schema/service/backup.ts'
import { picture_sizes } from '../schema/values/picture.ts'
import type { Files } from './files.ts'
import { picturePath, soundPath, subtitlePath } from './paths.ts'

/** Reads of different files at the same time. */
const at_once = 4

/** `before`: the list of an earlier backup, in the same order. Yields some lines at a time. */
export async function* listFiles(
  files: Files,
  kept: AsyncIterable<KeptFiles>,
  before: AsyncIterator<ListLine>,
): AsyncGenerator<ListLine[]> {
  const hashes = new Map<string, string>()
  const earlier = earlierLines(before)
  const some: { kept: KeptFiles; earlier: ListedFile[] }[] = []
  const list = () =>
    Promise.all(
      some.splice(0).map(async ({ kept, earlier }) => {
        const { kind, name } = kept
        const listed: ListedFile[] = []
        for (const places of placesOf(files, kept)) listed.push(await listFile(files, places, { earlier, hashes }))
        return { kind, name, files: listed }
      }),
    )
  try {
    for await (const one of kept) {
      some.push({ kept: one, earlier: (await earlier(one))?.files ?? [] })
      if (some.length === at_once) yield await list()
    }
    yield await list()
  } finally {
    // Closes the file of the earlier list.
    await before.return?.()
  }
}

/** Finds the line of the same name by going through both lists together. */
function earlierLines(before: AsyncIterator<ListLine>): (wanted: KeptFiles) => Promise<ListLine | undefined> {
  let next: ListLine | undefined
  let is_over = false
  return async wanted => {
    while (!is_over && (next === undefined || isBefore(next, wanted))) {
      const read = await before.next()
      next = read.done ? undefined : read.value
      is_over = read.done === true
    }
    return next?.kind === wanted.kind && next.name === wanted.name ? next : undefined
  }
}

/** For each file the place where it should be, and the one where a process that died may have left it. */
function placesOf(files: Files, { kind, name, languages = [], has_sound = false }: KeptFiles): string[][] {
  if (kind === 'picture') return picture_sizes.map(size => [picturePath(name, size)])
  const subtitles = languages.map(language => subtitlePath(name, language))
  const paths = [name, ...subtitles, ...(has_sound ? [soundPath(name)] : [])]
  const places = paths.map(path => [path, files.inBin(path)])
  return kind === 'deleted' ? places.map(both => both.toReversed()) : places
}

/** `hashes`: of files that have several names on the disk, by their inode, so that each is read once. */
type Known = { earlier: ListedFile[]; hashes: Map<string, string> }

async function listFile(files: Files, places: string[], known: Known): Promise<ListedFile> {
  for (const place of places) {
    const listed = await listAt(files, place, known)
    if (!listed.missing) return listed
  }
  return { path: places[0] ?? '', missing: true }
}

async function listAt(files: Files, path: string, { earlier, hashes }: Known): Promise<ListedFile> {
  const on_disk = await files.localPath(path)
  const found = on_disk === undefined ? undefined : await stat(on_disk).catch(() => undefined)
  if (on_disk === undefined || !found) return listObject(files, path)
  const { size, mtimeMs: modified_ms, ino: inode, dev, nlink } = found
  const same = earlier.find(
    other => other.path === path && other.size === size && other.modified_ms === modified_ms && other.inode === inode,
  )
  const inode_key = `${dev}:${inode}`
  const sha256 = same?.sha256 ?? hashes.get(inode_key) ?? (await hashOf(on_disk))
  if (sha256 === undefined) return { path, missing: true }
  if (nlink > 1) hashes.set(inode_key, sha256)
  return { path, size, sha256, modified_ms, inode }
}

/** A file of a bucket, or one that is missing. */
async function listObject(files: Files, path: string): Promise<ListedFile> {
  const opened = await files.open(path)
  if (!opened) return { path, missing: true }
  const { size, etag, source } = opened
  await closeSource(source)
  return { path, size, etag }
}

/** `undefined`: the file is gone. */
async function hashOf(file: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const piece of createReadStream(file, { highWaterMark: 512 * 1024 })) hash.update(piece)
    return hash.digest('hex')
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw fault
  }
}

export type FileFault = 'missing' | 'other size' | 'other content'

/**
 * What is wrong with a listed file; `undefined`: nothing. `hash`: also reads the file. A list of a folder fits a bucket, and the reverse.
 */
export async function faultOf(files: Files, listed: ListedFile, hash: boolean): Promise<FileFault | undefined> {
  if (listed.missing) return undefined
  const on_disk = await files.localPath(listed.path)
  const found = on_disk === undefined ? await listObject(files, listed.path) : await stat(on_disk)
  if ('missing' in found || found.size === undefined) return 'missing'
  if (found.size !== listed.size) return 'other size'
  if (on_disk === undefined)
    return 'etag' in found && listed.etag && found.etag !== listed.etag ? 'other content' : undefined
  return hash && listed.sha256 && (await hashOf(on_disk)) !== listed.sha256 ? 'other content' : undefined
}
