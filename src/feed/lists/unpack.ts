/** The files inside an archive that may be lists of channels, unpacked within bounds. Knows nothing of lists. */
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
// It reads the list of files at the end and trusts no size: what unpacks to more than it says is an error.
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { most_list_bytes } from '../../schema/import.ts'
import { database_sentence, type FileKind, kindOfFile, office_sentence } from './file-kind.ts'
import { listRefusal } from './list.ts'

export type Unpacked = {
  members: Uint8Array[]
  /** What stands in the way of a list, for when there is none in the members. */
  obstacles: Set<Obstacle>
}

type Obstacle = keyof typeof sentences

/** The first that applies says why there is no list. */
const sentences = {
  locked: 'This ZIP file has a password. Unpack it, and choose the list inside.',
  damaged: 'This archive is damaged. Download it again, or unpack it and choose the list inside.',
  large: 'The list in this archive is larger than 2 MB. Split it, and bring one part after the other.',
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

/** Files in one archive; Google's have one for each playlist. */
const most_files = 20_000
/** Bytes of all members together, and of what a gzip file holds. */
const most_unpacked_bytes = 32 * 1024 * 1024

/** Throws `invalid` for an archive that cannot be read, `too_large` for one that holds too much. */
export async function unpack(bytes: Uint8Array, kind: Exclude<FileKind, 'text'>): Promise<Unpacked> {
  if (kind === 'zip') return unpackZip(bytes)
  const plain = kind === 'gzip' ? gunzipped(bytes) : bytes
  const unpacked: Unpacked = { members: [], obstacles: new Set() }
  if (kindOfFile(plain) === 'tar') for (const member of filesInTar(plain)) keep(unpacked, member.name, member.bytes)
  else keep(unpacked, '', plain)
  return unpacked
}

async function unpackZip(bytes: Uint8Array): Promise<Unpacked> {
  const unpacked: Unpacked = { members: [], obstacles: new Set() }
  try {
    // Names are read as bytes: only their endings count, and a strange one is no reason to refuse the others.
    const zip = await fromBufferPromise(Buffer.from(bytes), { decodeStrings: false })
    if (zip.entryCount > most_files) throw tooMuch()
    let total = 0
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileNameRaw.toString('latin1')
      if (!mayBeList(unpacked, name, entry)) continue
      total += entry.uncompressedSize
      if (total > most_unpacked_bytes) throw tooMuch()
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

/** By its name and size alone. */
function mayBeList({ obstacles }: Unpacked, name: string, entry: Entry): boolean {
  if (/^(?:\[Content_Types\]\.xml|META-INF\/manifest\.xml)$/.test(name)) obstacles.add('office')
  if (/\.(?:zip|gz|tgz|tar|7z|rar|xz|bz2)$/i.test(name)) obstacles.add('nested')
  if (!/(?:^|\/)[^./]*$|\.(?:csv|tsv|opml|xml|jsonl?|ndjson|db|txt|md)$/i.test(name) || name.endsWith('/')) return false
  if (entry.isEncrypted()) obstacles.add('locked')
  if (entry.uncompressedSize > most_list_bytes && /\.(?:csv|opml)$/i.test(name)) obstacles.add('large')
  return !entry.isEncrypted() && entry.uncompressedSize > 0 && entry.uncompressedSize <= most_list_bytes
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
    return gunzipSync(bytes, { maxOutputLength: most_unpacked_bytes })
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault && fault.code === 'ERR_BUFFER_TOO_LARGE') throw tooMuch()
    throw listRefusal(sentences.damaged)
  }
}

/** A tar file is a header of 512 bytes before each file, which is filled up to the next 512. Other entries are left out. */
function* filesInTar(bytes: Uint8Array): Generator<{ name: string; bytes: Uint8Array }> {
  const textAt = (from: number, to: number) =>
    Buffer.from(bytes.subarray(from, to)).toString('latin1').split('\0')[0] ?? ''
  for (let at = 0, files = 0; at + 512 <= bytes.length && bytes[at] !== 0; files += 1) {
    if (files === most_files) throw tooMuch()
    const size = Number.parseInt(textAt(at + 124, at + 136).trim(), 8)
    if (!(size >= 0)) throw listRefusal(sentences.damaged)
    const start = at + 512
    if (/[0\0]/.test(String.fromCharCode(bytes[at + 156] ?? 0)) && size > 0 && size <= most_list_bytes)
      yield { name: textAt(at, at + 100), bytes: bytes.subarray(start, start + size) }
    at = start + Math.ceil(size / 512) * 512
  }
}

const tooMuch = () =>
  listRefusal('There is too much in this archive. Unpack it, and choose only the list inside.', 'too_large')
