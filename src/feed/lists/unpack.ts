/** Unpacks the files of an archive that may be lists of channels, within limits. Reading the lists is up to the caller. */
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
// yauzl reads the directory at the end, and fails on a file that unpacks to more than its declared size.
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { max_list_bytes } from '../../schema/import.ts'
import { database_sentence, type FileKind, kindOfFile, office_sentence } from './file-kind.ts'
import { listRefusal } from './list.ts'

export type Unpacked = {
  members: Uint8Array[]
  /** Why there may be no list among the members. */
  obstacles: Set<Obstacle>
}

type Obstacle = keyof typeof sentences

/** In this order: the first that applies says why there is no list. */
const sentences = {
  locked: 'This ZIP file has a password. Unpack it, and choose the list inside.',
  damaged: 'This archive is damaged. Download it again, or unpack it and choose the list inside.',
  large: 'The list in this archive is larger than 2 MB. Split it and import one part at a time.',
  office: office_sentence,
  database: database_sentence,
  nested: 'There is another archive in this one. Unpack it, and choose the list inside.',
}

/** Why no list was found in an archive. */
export function noListIn(obstacles: Set<Obstacle>) {
  const found = (Object.keys(sentences) as Obstacle[]).find(obstacle => obstacles.has(obstacle))
  const nothing = `There is no list of channels in this archive. From Google Takeout, choose YouTube with its subscriptions.`
  return listRefusal(found ? sentences[found] : nothing)
}

/** Files in one archive; Google's archives have one for each playlist. */
const max_files = 20_000
/** Bytes of all members together, and of one unpacked gzip file. */
const max_unpacked_bytes = 32 * 1024 * 1024

/** Throws `invalid` for an archive that cannot be read, `too_large` for one that contains too much. */
export async function unpack(bytes: Uint8Array, kind: Exclude<FileKind, 'text'>): Promise<Unpacked> {
  if (kind === 'zip') return unpackZip(bytes)
  const unzipped = kind === 'gzip' ? gunzipped(bytes) : bytes
  const unpacked: Unpacked = { members: [], obstacles: new Set() }
  if (kindOfFile(unzipped) === 'tar')
    for (const member of filesInTar(unzipped)) keep(unpacked, member.name, member.bytes)
  else keep(unpacked, '', unzipped)
  return unpacked
}

async function unpackZip(bytes: Uint8Array): Promise<Unpacked> {
  const unpacked: Unpacked = { members: [], obstacles: new Set() }
  try {
    // File names as bytes: only their endings matter, and a strange name must not make the archive unreadable.
    const zip = await fromBufferPromise(Buffer.from(bytes), { decodeStrings: false })
    if (zip.entryCount > max_files) throw tooMuch()
    let total = 0
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileNameRaw.toString('latin1')
      if (!mayBeList(unpacked, name, entry)) continue
      total += entry.uncompressedSize
      if (total > max_unpacked_bytes) throw tooMuch()
      const member = await contentOf(zip, entry)
      if (member) keep(unpacked, name, member)
      else unpacked.obstacles.add('damaged')
    }
  } catch (fault) {
    if (isRefusal(fault)) throw fault
    unpacked.obstacles.add(/encrypt/i.test(String(fault)) ? 'locked' : 'damaged')
  }
  return unpacked
}

const isRefusal = (fault: unknown): boolean => fault instanceof Error && 'code' in fault && fault.code === 'too_large'

/** Decides by name and size. */
function mayBeList({ obstacles }: Unpacked, name: string, entry: Entry): boolean {
  if (/^(?:\[Content_Types\]\.xml|META-INF\/manifest\.xml)$/.test(name)) obstacles.add('office')
  if (/\.(?:zip|gz|tgz|tar|7z|rar|xz|bz2)$/i.test(name)) obstacles.add('nested')
  if (!/(?:^|\/)[^./]*$|\.(?:csv|tsv|opml|xml|jsonl?|ndjson|db|txt|md)$/i.test(name) || name.endsWith('/')) return false
  if (entry.isEncrypted()) obstacles.add('locked')
  if (entry.uncompressedSize > max_list_bytes && /\.(?:csv|opml)$/i.test(name)) obstacles.add('large')
  return !entry.isEncrypted() && entry.uncompressedSize > 0 && entry.uncompressedSize <= max_list_bytes
}

const contentOf = (zip: ZipFile, entry: Entry): Promise<Uint8Array | undefined> =>
  zip
    .openReadStreamPromise(entry)
    .then(buffer)
    .catch(() => undefined)

function keep({ members, obstacles }: Unpacked, name: string, bytes: Uint8Array): void {
  try {
    if (kindOfFile(bytes) === 'text') members.push(bytes)
    else obstacles.add('nested')
  } catch {
    if (/\.db$/i.test(name)) obstacles.add('database')
  }
}

function gunzipped(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: max_unpacked_bytes })
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault && fault.code === 'ERR_BUFFER_TOO_LARGE') throw tooMuch()
    throw listRefusal(sentences.damaged)
  }
}

/** In a tar file each file has a header of 512 bytes and is padded to a multiple of 512. Folders and links are left out. */
function* filesInTar(bytes: Uint8Array): Generator<{ name: string; bytes: Uint8Array }> {
  const textAt = (from: number, to: number) =>
    Buffer.from(bytes.subarray(from, to)).toString('latin1').split('\0')[0] ?? ''
  for (let at = 0, files = 0; at + 512 <= bytes.length && bytes[at] !== 0; files += 1) {
    if (files === max_files) throw tooMuch()
    const size = Number.parseInt(textAt(at + 124, at + 136).trim(), 8)
    if (!(size >= 0)) throw listRefusal(sentences.damaged)
    const start = at + 512
    if (/[0\0]/.test(String.fromCharCode(bytes[at + 156] ?? 0)) && size > 0 && size <= max_list_bytes)
      yield { name: textAt(at, at + 100), bytes: bytes.subarray(start, start + size) }
    at = start + Math.ceil(size / 512) * 512
  }
}

const tooMuch = () =>
  listRefusal('There is too much in this archive. Unpack it, and choose only the list inside.', 'too_large')
