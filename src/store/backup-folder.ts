/**
 * The folder of one backup: a manifest, and compressed files. A backup is written aside and renamed when it is whole, so a folder with its
 * name is never half a backup. A backup may be damaged or changed, so all of it is checked: each file has its hash and its length in the
 * manifest, no link is followed, and no name comes from the manifest alone.
 */
import { createHash } from 'node:crypto'
import { constants, createWriteStream } from 'node:fs'
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { jsonIn } from '../runtime/json.ts'
import { type BackupPart, Manifest, manifest_name } from '../schema/service/backup.ts'
import { bytesWords } from '../schema/values/words.ts'

export const part_names = { jobs: 'jobs', files: 'files', ofTable: (table: string) => `table.${table}` }

export type NewBackup = {
  /** Where the backup is when it is whole. */
  path: string
  /** The path of a file for intermediate data, which `finish` deletes. */
  aside: string
  write(part: string, source: AsyncIterable<Uint8Array | string>): Promise<BackupPart>
  finish(manifest: Manifest): Promise<void>
  drop(): Promise<void>
}

const name_format = /^backlot-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/
const unfinished = '.unfinished'
const day_ms = 24 * 3_600_000

/** Makes a folder with the date in `folder`. Throws a sentence if there is no room for so many bytes. */
export async function beginBackup(folder: string, now: Date, needed_bytes: number): Promise<NewBackup> {
  const parent = resolve(folder)
  await mkdir(parent, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
    throw new Error(`${folder} should be a folder that can be written.`, { cause })
  })
  await forgetUnfinished(parent, now)
  await requireRoom(parent, needed_bytes)
  const path = join(parent, `backlot-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`)
  const aside = path + unfinished
  await mkdir(aside, { mode: 0o700 }).catch((cause: NodeJS.ErrnoException) => {
    const busy = 'Another backup is being written to this folder. Try again in a moment.'
    throw new Error(cause.code === 'EEXIST' ? busy : `${folder} should be a folder that can be written.`, { cause })
  })
  // The umask may have taken permissions of ours.
  await chmod(aside, 0o700)
  return {
    path,
    aside: join(aside, 'aside'),
    write: (part, source) => writePart(join(aside, fileOf(part)), source),
    async finish(manifest) {
      await rm(join(aside, 'aside'), { force: true })
      await writeFile(join(aside, manifest_name), `${JSON.stringify(manifest, null, 2)}\n`, {
        flag: 'wx',
        mode: 0o600,
        flush: true,
      })
      await rename(aside, path)
    },
    drop: () => rm(aside, { recursive: true, force: true }),
  }
}

const fileOf = (part: string) => `${part}.gz`

/** Deletes what killed commands left. */
async function forgetUnfinished(parent: string, now: Date): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.endsWith(unfinished) || !name_format.test(name.slice(0, -unfinished.length))) continue
    const found = await stat(join(parent, name)).catch(() => undefined)
    if (found && now.getTime() - found.mtimeMs > day_ms) await rm(join(parent, name), { recursive: true, force: true })
  }
}

async function requireRoom(parent: string, needed_bytes: number): Promise<void> {
  const found = await statfs(parent).catch(() => undefined)
  const free = found ? found.bavail * found.bsize : Number.POSITIVE_INFINITY
  if (free < needed_bytes)
    throw new Error(`${parent} has ${bytesWords(free)} free, and the backup needs about ${bytesWords(needed_bytes)}.`)
}

/** Large texts lose two thirds at this level, in half the time of the usual one. */
const level = 3
const piece_bytes = 64 * 1024

async function writePart(file: string, source: AsyncIterable<Uint8Array | string>): Promise<BackupPart> {
  const hash = createHash('sha256')
  const counted = { lines: 0, bytes: 0 }
  await pipeline(
    pieces(source, counted),
    createGzip({ level }),
    async function* (compressed: AsyncIterable<Buffer>) {
      for await (const piece of compressed) {
        hash.update(piece)
        yield piece
      }
    },
    createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
  )
  return { ...counted, sha256: hash.digest('hex') }
}

/** Joins lines to pieces, because the compression of each has a price, and counts them. */
async function* pieces(source: AsyncIterable<Uint8Array | string>, counted: { lines: number; bytes: number }) {
  let held: Uint8Array[] = []
  let size = 0
  const joined = () => {
    const piece = Buffer.concat(held, size)
    ;[held, size] = [[], 0]
    counted.bytes += piece.length
    counted.lines += linesIn(piece)
    return piece
  }
  for await (const given of source) {
    const bytes = typeof given === 'string' ? Buffer.from(given) : given
    held.push(bytes)
    size += bytes.length
    if (size >= piece_bytes) yield joined()
  }
  if (size > 0) yield joined()
}

function linesIn(piece: Buffer): number {
  let lines = 0
  for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) lines += 1
  return lines
}

export type Backup = {
  manifest: Manifest
  /** The text of a part. Throws a sentence at its end, or as soon as it is longer than the manifest says, if it is damaged. */
  read(part: string, expected: BackupPart): AsyncGenerator<Buffer>
}

/** Enough for thousands of tables. */
const max_manifest_bytes = 4_000_000

export async function openBackup(folder: string): Promise<Backup> {
  const path = resolve(folder)
  const text = await readSmall(join(path, manifest_name))
  if (text === undefined) throw new Error(await noBackup(folder))
  const json = jsonIn(text)
  const { format } = Object(json) as { format?: unknown }
  if (typeof format === 'number' && format > 1)
    throw new Error(`${folder} was made by a newer version of Backlot. Install that version, or a newer one.`)
  const parsed = Manifest.safeParse(json)
  if (!parsed.success) throw damaged(join(path, manifest_name))
  return { manifest: parsed.data, read: (part, expected) => readPart(join(path, fileOf(part)), expected) }
}

async function noBackup(folder: string): Promise<string> {
  const newest = await newestBackup(folder)
  const hint = newest === undefined ? '' : ` The newest one in it is ${join(folder, newest)}.`
  return `${folder} is no backup: it has no ${manifest_name}.${hint}`
}

/** The name of the newest whole backup in this folder; `undefined`: there is none. */
export async function newestBackup(folder: string): Promise<string | undefined> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter(name => name_format.test(name))
    .toSorted()
    .at(-1)
}

const no_link = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)

/** `undefined`: there is no such regular file, or it is too long. */
async function readSmall(file: string): Promise<string | undefined> {
  const handle = await open(file, no_link).catch(() => undefined)
  if (!handle) return undefined
  try {
    const found = await handle.stat()
    return found.isFile() && found.size <= max_manifest_bytes ? await readFile(handle, 'utf8') : undefined
  } finally {
    await handle.close()
  }
}

async function* readPart(file: string, expected: BackupPart): AsyncGenerator<Buffer> {
  const handle = await open(file, no_link).catch((cause: unknown) => {
    throw damaged(file, cause)
  })
  try {
    if (!(await handle.stat()).isFile()) throw damaged(file)
    const hash = createHash('sha256')
    const compressed = handle.createReadStream({ autoClose: false, highWaterMark: piece_bytes })
    compressed.on('data', (piece: string | Buffer) => hash.update(piece))
    const unpacked = compressed.pipe(createGunzip())
    compressed.on('error', (fault: Error) => unpacked.destroy(fault))
    let [lines, bytes] = [0, 0]
    for await (const piece of unpacked as AsyncIterable<Buffer>) {
      lines += linesIn(piece)
      bytes += piece.length
      if (bytes > expected.bytes) throw damaged(file)
      yield piece
    }
    const is_whole = bytes === expected.bytes && lines === expected.lines && hash.digest('hex') === expected.sha256
    if (!is_whole) throw damaged(file)
  } catch (fault) {
    throw fault instanceof Error && 'code' in fault && String(fault.code).startsWith('Z_')
      ? damaged(file, fault)
      : fault
  } finally {
    await handle.close()
  }
}

const damaged = (file: string, cause?: unknown) =>
  new Error(`The backup is damaged: ${file} is not as it was written. Use another backup.`, { cause })

/** Characters of one line, so that a damaged list does not fill the memory. */
const max_line = 1_000_000

/** The lines of a text, without their ends. */
export async function* linesOf(text: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of text) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > max_line) throw new Error('The list of files has a line that is too long.')
    yield* lines
  }
}
