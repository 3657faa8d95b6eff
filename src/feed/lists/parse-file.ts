/** Reads an imported file, packed or not: its list of channels, its watch history, or its archive of another Backlot. */
import { tmpdir } from 'node:os'
import { DomainError } from '../../errors.ts'
import { type ListRead, max_list_bytes, max_unpacked_bytes, type Sink } from '../../schema/imports/import.ts'
import { notOurs } from '../history/archive-document.ts'
import { isDatabase } from '../history/newpipe-db.ts'
import { listRefusal } from '../history/parts.ts'
import { type HistoryKind, type HistoryRead, histories, historyKindOf } from '../history/read-history.ts'
import { anyTextOf } from '../markup/any-text.ts'
import { isNamed, type RawLine, type RawList } from '../pages/addresses.ts'
import { isSubscriptions } from './csv.ts'
import {
  Damaged,
  database_sentence,
  type FileKind,
  type FileSource,
  headOf,
  kindOfFile,
  type Member,
  membersOf,
  office_sentence,
  tooMuch,
} from './members.ts'
import { listOf, listTooLarge, rawListOf } from './parse-list.ts'

export type ArchiveOptions = {
  /** Whether the downloads of an archive are requested again. */
  downloads?: boolean | undefined
  /** Whether nothing but an archive is accepted. */
  is_archive?: boolean
}
/** `sink` takes the parts of a history or an archive. `folder`: where a database is unpacked. */
type FileOptions = ArchiveOptions & { sink?: Sink; folder?: string }

/** Throws like `parseList`, and for files that are not text. Several lists in an archive become one. */
export async function parseFile(
  file: FileSource,
  { sink = async () => {}, downloads = false, is_archive = false, folder = tmpdir() }: FileOptions = {},
): Promise<ListRead> {
  const beginning = await headOf(file)
  const kind = isDatabase(beginning) ? 'text' : kindOfFile(beginning)
  const found = histories(sink, { downloads, is_archive, folder })
  const { members, obstacles } = await unpack(file, kind, found.read)
  const history = await found.end(new Date())
  if (is_archive && history?.kind !== 'archive') throw notOurs()
  try {
    const lists = listsIn(members, kind, found.subscriptions)
    if (lists.length > 0) return listOf(lists, history)
  } catch (fault) {
    if (!history || !(fault instanceof DomainError)) throw fault
  }
  if (!history) throw isDatabase(beginning) ? listRefusal(database_sentence) : noListIn(obstacles)
  return listOf([], history)
}

/** Empty: none of the files of an archive is a list. */
function listsIn(members: Uint8Array[], kind: FileKind, subscriptions: RawLine[]): RawList[] {
  if (subscriptions.length > 0) return [{ kind: 'newpipe', lines: subscriptions }]
  const [only] = members
  // A packed file is read like the file itself. Among several files, addresses in plain text are not the list.
  if (only && members.length === 1 && (kind === 'gzip' || kind === 'text')) return [rawListOf(anyTextOf(only))]
  const lists = members.flatMap(member => listInArchive(anyTextOf(member)) ?? [])
  return followedOf(lists.filter(({ kind }) => kind !== 'addresses' || members.length === 1))
}

type ListInArchive = RawList & { lines: RawLine[] }

/** Undefined: nothing of a list. Stricter than for a single file, because the person did not choose this one. */
function listInArchive(text: string): ListInArchive | undefined {
  const list = readOrNothing(text)
  if (!list) return undefined
  const lines = [...list.lines]
  const named = lines.filter(isNamed)
  const is_list =
    named.length > 0 &&
    named.every(({ address }) => /^(?:feed:)?https?:\/\//i.test(address)) &&
    (list.kind !== 'takeout' || isSubscriptions(text))
  const kept = is_list ? lines : unreadIn(lines)
  return kept.length > 0 ? { ...list, lines: kept } : undefined
}

const unreadIn = (lines: RawLine[]): RawLine[] => lines.filter(line => typeof line === 'string')

function readOrNothing(text: string): RawList | undefined {
  try {
    return rawListOf(text)
  } catch (fault) {
    if (fault instanceof DomainError) return undefined
    throw fault
  }
}

/** If one list says which channels are followed, the other lists of the archive only add titles. */
function followedOf(lists: ListInArchive[]): RawList[] {
  if (!lists.some(({ says_followed }) => says_followed)) return lists
  const titles = new Map(
    lists.flatMap(({ lines }) =>
      lines.filter(isNamed).flatMap(({ address, title }) => (title ? [[address, title]] : [])),
    ),
  )
  const titled = (line: RawLine): RawLine =>
    isNamed(line) ? { ...line, title: line.title ?? titles.get(line.address) } : line
  return lists.map(({ kind, lines, says_followed }) => ({
    kind,
    lines: says_followed ? lines.map(titled) : unreadIn(lines),
  }))
}

type Unpacked = {
  members: Uint8Array[]
  /** Why there may be no list among the members. */
  obstacles: Set<Obstacle>
}

type Obstacle = keyof typeof sentences

type ReadHistory = (kind: HistoryKind, chunks: AsyncIterable<Uint8Array>) => Promise<HistoryRead>

/**
 * Sorts the files of an upload, packed or not: histories and archives are read at once, as a stream; files that may be lists of channels
 * are returned. Throws `invalid` for an archive that cannot be read, `too_large` for one that contains too much.
 */
async function unpack(file: FileSource, kind: FileKind, readHistory: ReadHistory): Promise<Unpacked> {
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

/** A web page is not a list. */
const has_only_history_name = /\.html?$/i

/** Bytes of all lists together. */
const max_lists_bytes = 32 * 1024 * 1024

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

/** The first sentence that applies says why there is no list. */
const sentences = {
  locked: 'This ZIP file has a password. Unpack it, and choose the list inside.',
  damaged: 'This archive is damaged. Download it again, or unpack it and choose the list inside.',
  large: 'The list in this archive is larger than 2 MB. Split it and import one part at a time.',
  office: office_sentence,
  database: database_sentence,
  nested: 'There is another archive in this one. Unpack it, and choose the list inside.',
}

/** Why no list was found in an archive. */
function noListIn(obstacles: Set<Obstacle>) {
  const found = (Object.keys(sentences) as Obstacle[]).find(obstacle => obstacles.has(obstacle))
  const nothing = `There is no list of channels in this archive. From Google Takeout, choose YouTube with its subscriptions.`
  return listRefusal(found ? sentences[found] : nothing)
}
