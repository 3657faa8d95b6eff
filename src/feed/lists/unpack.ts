/**
 * Sorts the files of an upload, packed or not: histories and archives are read at once, as a stream; files that may be lists of channels
 * are given to the caller. Within limits.
 */
import { max_list_bytes, max_unpacked_bytes } from '../../schema/imports/import.ts'
import { type HistoryFound, type HistoryKind, historyKindOf } from '../history/read-history.ts'
import { listRefusal } from '../history/refusal.ts'
import { database_sentence, type FileKind, kindOfFile, office_sentence } from './file-kind.ts'
import { Damaged, type GivenFile, type Member, membersOf, tooMuch } from './members.ts'
import { listTooLarge } from './parse-list.ts'

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

/** Bytes of all lists together. */
const max_lists_bytes = 32 * 1024 * 1024

export type ReadHistory = (kind: HistoryKind, chunks: AsyncIterable<Uint8Array>) => Promise<HistoryFound>

/** Throws `invalid` for an archive that cannot be read, `too_large` for one that contains too much. */
export async function unpack(file: GivenFile, kind: FileKind, readHistory: ReadHistory): Promise<Unpacked> {
  const unpacked: Unpacked = { members: [], obstacles: new Set() }
  const total = { lists: 0, all: 0, is_packed: kind !== 'text' }
  try {
    for await (const member of membersOf(file, kind)) {
      if (!mayBeRead(unpacked, member)) continue
      await read(unpacked, member, total, readHistory).catch((fault: unknown) => {
        if (!(fault instanceof Damaged)) throw fault
        unpacked.obstacles.add('damaged')
      })
    }
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault && ['too_large', 'invalid'].includes(String(fault.code))) throw fault
    if (kind !== 'zip' && !(fault instanceof Damaged)) throw fault
    unpacked.obstacles.add(/encrypt/i.test(String(fault)) ? 'locked' : 'damaged')
  }
  return unpacked
}

/** Decides by name and size. */
function mayBeRead({ obstacles }: Unpacked, { name, is_locked, size }: Member): boolean {
  if (/^(?:\[Content_Types\]\.xml|META-INF\/manifest\.xml)$/.test(name)) obstacles.add('office')
  if (/\.(?:zip|gz|tgz|tar|7z|rar|xz|bz2)$/i.test(name)) obstacles.add('nested')
  if (name !== '' && !has_list_name.test(name) && !has_history_name.test(name)) return false
  if (is_locked) obstacles.add('locked')
  if ((size ?? 0) > max_list_bytes && /\.(?:csv|opml)$/i.test(name)) obstacles.add('large')
  return !is_locked && size !== 0 && ((size ?? 0) <= max_list_bytes || has_history_name.test(name))
}

const has_list_name = /(?:^|\/)[^./]*$|\.(?:csv|tsv|opml|xml|jsonl?|ndjson|db|txt|md)$/i
/** A history may be of any size. */
const has_history_name = /(?:^|\/)[^./]*$|\.(?:jsonl?|ndjson|db|html?)$/i

/** Bytes so far, of lists and of everything that was read. */
type Total = { lists: number; all: number; is_packed: boolean }

async function read(unpacked: Unpacked, member: Member, total: Total, readHistory: ReadHistory): Promise<void> {
  const stream = member.open()[Symbol.asyncIterator]()
  const counted = async () => {
    const next = await stream.next()
    if (!next.done) total.all += next.value.length
    if (total.all > max_unpacked_bytes) throw tooMuch()
    return next.done ? undefined : next.value
  }
  try {
    const { head, is_whole } = await beginningOf(counted)
    const kind = historyKindOf(head)
    const found = kind ? await readHistory(kind, restAfter(head, counted)) : 'no'
    if (found === 'only') return
    if (is_whole) {
      total.lists += head.length
      if (total.lists > max_lists_bytes) throw tooMuch()
      if (!has_only_history_name.test(member.name)) keep(unpacked, member.name, head)
    } else if (member.name === '') throw total.is_packed ? tooMuch() : listTooLarge()
  } finally {
    await stream.return?.()
  }
}

/** A web page is no list. */
const has_only_history_name = /\.html?$/i

type Next = () => Promise<Uint8Array | undefined>

/** As much as a list may have. `is_whole`: it is all. */
async function beginningOf(next: Next): Promise<{ head: Uint8Array; is_whole: boolean }> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  while (bytes <= max_list_bytes) {
    const piece = await next()
    if (!piece) return { head: Buffer.concat(pieces), is_whole: true }
    pieces.push(piece)
    bytes += piece.length
  }
  return { head: Buffer.concat(pieces), is_whole: false }
}

async function* restAfter(head: Uint8Array, next: Next): AsyncGenerator<Uint8Array> {
  yield head
  for (let piece = await next(); piece; piece = await next()) yield piece
}

function keep({ members, obstacles }: Unpacked, name: string, bytes: Uint8Array): void {
  try {
    if (kindOfFile(bytes) === 'text') members.push(bytes)
    else obstacles.add('nested')
  } catch {
    if (/\.db$/i.test(name)) obstacles.add('database')
  }
}
