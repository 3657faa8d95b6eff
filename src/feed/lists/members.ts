/** Reads the files in an uploaded file, packed or not, as streams, and tells their kind. Judging their content is left to the caller. */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { extract, type Entry as TarEntry } from 'tar-stream'
// yauzl reads the directory at the end, and fails on a file that unpacks to more than its declared size.
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl'
import { upTo } from '../../runtime/up-to.ts'
import { max_unpacked_bytes } from '../../schema/imports/import.ts'
import { listRefusal } from '../history/parts.ts'

export type FileKind = 'text' | 'zip' | 'gzip' | 'tar'

/** The bytes of a file, or where it is stored. */
export type FileSource = Uint8Array | { path: string }

export type Member = {
  /** The name in the archive; empty for a file that is not packed. Only the ending of a name matters, so its characters may be wrong. */
  name: string
  is_locked: boolean
  /** The size of the unpacked file, as the archive says; undefined: not known. */
  size: number | undefined
  /** Read at most once, and before the next member. Throws `damaged`. */
  open(): AsyncIterable<Uint8Array>
}

const head_bytes = 64 * 1024

/** The first bytes of a file, enough to tell its kind. */
export async function headOf(file: FileSource): Promise<Uint8Array> {
  if (file instanceof Uint8Array) return file.subarray(0, head_bytes)
  return Buffer.concat(await Array.fromAsync<Uint8Array>(createReadStream(file.path, { end: head_bytes - 1 })))
}

export async function* membersOf(file: FileSource, kind: FileKind): AsyncGenerator<Member> {
  if (kind === 'zip') return yield* membersOfZip(file)
  if (kind === 'tar') return yield* membersOfTar(chunksOf(file))
  const open = () => (kind === 'gzip' ? unzipped(file) : chunksOf(file))
  if (kind !== 'gzip' || !(await isTar(unzipped(file)))) {
    return yield { name: '', is_locked: false, size: undefined, open }
  }
  yield* membersOfTar(unzipped(file))
}

/** Files in one archive; Google's archives have one for each playlist. */
const max_files = 20_000

export const tooMuch = () =>
  listRefusal('There is too much in this archive. Unpack it, and choose only the list inside.', 'too_large')
/** The archive is damaged. The caller has the sentence for people. */
export class Damaged extends Error {}

async function* chunksOf(file: FileSource): AsyncGenerator<Uint8Array> {
  if (file instanceof Uint8Array) yield file
  else yield* createReadStream(file.path, { highWaterMark: 256 * 1024 })
}

/** Throws `too_large` for a file that unpacks to more than the limit. */
async function* unzipped(file: FileSource): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 })
  const source = file instanceof Uint8Array ? undefined : createReadStream(file.path)
  source?.on('error', fault => gunzip.destroy(fault)).pipe(gunzip)
  if (file instanceof Uint8Array) gunzip.end(file)
  try {
    yield* upTo<Uint8Array>(max_unpacked_bytes, gunzip, tooMuch)
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault && /^Z_|ERR_/.test(String(fault.code))) throw new Damaged()
    throw fault
  } finally {
    source?.destroy()
    gunzip.destroy()
  }
}

async function isTar(chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
  for await (const head of chunks) return beginsTar(latin1(head))
  return false
}

async function* membersOfZip(file: FileSource): AsyncGenerator<Member> {
  // File names as bytes: only their endings matter, and a strange name must not make the archive unreadable.
  const options = { decodeStrings: false, autoClose: false }
  const zip = await (file instanceof Uint8Array
    ? fromBufferPromise(Buffer.from(file), options)
    : openPromise(file.path, options))
  try {
    if (zip.entryCount > max_files) throw tooMuch()
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileNameRaw.toString('latin1')
      if (name.endsWith('/')) continue
      yield { name, is_locked: entry.isEncrypted(), size: entry.uncompressedSize, open: () => contentOf(zip, entry) }
    }
  } finally {
    zip.close()
  }
}

async function* contentOf(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  try {
    yield* await zip.openReadStreamPromise(entry)
  } catch (fault) {
    throw new Damaged(undefined, { cause: fault })
  }
}

/** Bytes before the header of a file: of long names, which tar-stream keeps in memory, and of what was read ahead. */
const max_between_files = 4 * 1024 * 1024

/** Folders, links and empty files are left out. An archive that breaks off gives the files before. */
async function* membersOfTar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Member> {
  const bytes = { read: 0, most: max_between_files }
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const piece of chunks) {
      bytes.read += piece.length
      if (bytes.read > bytes.most) throw tooMuch()
      yield piece
    }
  }
  const archive = extract({ filenameEncoding: 'latin1' })
  const source = Readable.from(counted())
  source.on('error', fault => archive.destroy(fault)).pipe(archive)
  let files = 0
  try {
    for await (const entry of archive) {
      if (files++ === max_files) throw tooMuch()
      const { name, size = 0, type } = entry.header
      bytes.most = bytes.read + size + max_between_files
      if (type === 'file' && size > 0) yield { name, is_locked: false, size, open: () => piecesOf(entry) }
      entry.resume()
    }
  } catch (fault) {
    if (fault instanceof Error && fault.message.startsWith('Invalid')) throw new Damaged(undefined, { cause: fault })
    if (!isCutOff(fault)) throw fault
  } finally {
    source.destroy()
  }
}

/** As much as there is. A reader that stops early leaves the rest of the archive readable. */
async function* piecesOf(entry: TarEntry): AsyncGenerator<Uint8Array> {
  const pieces = entry[Symbol.asyncIterator]()
  try {
    for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) yield piece.value
  } catch (fault) {
    if (!isCutOff(fault)) throw fault
  }
}

const isCutOff = (fault: unknown) => fault instanceof Error && fault.message === 'Unexpected end of data'

/**
 * The kind of a file by its first bytes, because names and media types are often wrong. Throws `invalid` for files that cannot be read,
 * with a sentence that says what to choose instead.
 */
export function kindOfFile(bytes: Uint8Array): FileKind {
  const head = latin1(bytes)
  if (/^PK(?:\u0003\u0004|\u0005\u0006|\u0007\u0008)/.test(head)) return 'zip'
  if (head.startsWith('\u001f\u008b')) return 'gzip'
  if (beginsTar(head)) return 'tar'
  const sentence = unreadable_formats.find(([signature]) => signature.test(head))?.[1]
  if (sentence) throw listRefusal(sentence)
  if (isBinary(bytes)) throw listRefusal(`This file contains no text. ${what_to_choose}`)
  return 'text'
}

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 512)).toString('latin1')
const beginsTar = (head: string) => head.startsWith('ustar', 257)

const what_to_choose =
  'Choose an OPML file, the subscriptions of another app, a list of addresses, or a ZIP file with one of these.'

export const office_sentence = `This is an office document. Save it as CSV or plain text, and choose that file.`

export const database_sentence =
  'This is a database. Export the subscriptions in the app, and choose that file. NewPipe, for example, exports a JSON file.'

const unreadable_formats: [signature: RegExp, sentence: string][] = [
  [/^SQLite format 3\0/, database_sentence],
  [/^\u00d0\u00cf\u0011\u00e0/, office_sentence],
  [/^%PDF-/, `This is a PDF document. ${what_to_choose}`],
  [
    /^(?:\u0089PNG|\u00ff\u00d8\u00ff|GIF8|RIFF....WEBP|....ftyp(?:avif|heic|mif1))/s,
    `This is a picture. ${what_to_choose}`,
  ],
  [
    /^(?:7z\u00bc\u00af|Rar!|\u00fd7zXZ|BZh[1-9]|\u0028\u00b5\u002f\u00fd)/,
    'This kind of archive is not supported. Unpack it, and choose the list inside.',
  ],
]

/** Text has almost no control characters. UTF-16 has many zeros, but begins with a mark, `<`, `{` or `[`. */
function isBinary(bytes: Uint8Array): boolean {
  const [a = 0, b = 0] = bytes
  const is_utf16 = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || (a === 0) !== (b === 0)
  if (is_utf16 && [a, b].some(byte => [0xff, 0x3c, 0x7b, 0x5b].includes(byte))) return false
  const head = bytes.subarray(0, 4096)
  const controls = head.filter(byte => byte < 32 && ![9, 10, 12, 13, 27].includes(byte)).length
  return controls * 50 > head.length
}
