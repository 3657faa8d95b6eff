/** Reads an imported file, packed or not: its list of channels, its watch history, or its archive of another Backlot. */
import { tmpdir } from 'node:os'
import { DomainError } from '../../errors.ts'
import { type ImportContent, no_content } from '../../schema/imports/import.ts'
import { notOurs } from '../history/archive-document.ts'
import { isDatabase } from '../history/newpipe-db.ts'
import type { Sink } from '../history/parts.ts'
import { histories } from '../history/read-history.ts'
import { listRefusal } from '../history/refusal.ts'
import { anyTextOf } from '../markup/any-text.ts'
import { isSubscriptions } from './csv.ts'
import { database_sentence, type FileKind, kindOfFile } from './file-kind.ts'
import type { List, RawLine, RawList } from './list.ts'
import { type GivenFile, headOf } from './members.ts'
import { listOf, parseList, rawListOf } from './parse-list.ts'
import { noListIn, unpack } from './unpack.ts'

export type ArchiveOptions = {
  /** Whether the downloads of an archive are requested again. */
  downloads?: boolean
  /** Whether nothing but an archive is accepted. */
  is_archive?: boolean
}
/** `sink` takes the parts of a history or an archive. `folder`: where a database is unpacked. */
type FileOptions = ArchiveOptions & { sink?: Sink; folder?: string }

/** What a file brings. `content`: null: it is a list of channels only. */
export type FileContent = List & { content: ImportContent | null }

/** Throws like `parseList`, and for files that are not text. Several lists in an archive become one. */
export async function parseFile(
  file: GivenFile,
  { sink = async () => {}, downloads = false, is_archive = false, folder = tmpdir() }: FileOptions = {},
): Promise<FileContent> {
  const beginning = await headOf(file)
  const kind = isDatabase(beginning) ? 'text' : kindOfFile(beginning)
  const found = histories(sink, { downloads, is_archive, folder })
  const { members, obstacles } = await unpack(file, kind, found.read)
  const history = await found.end(new Date())
  if (is_archive && history?.kind !== 'archive') throw notOurs()
  const list = await listIn(members, kind, [...found.subscriptions]).catch(async (fault: unknown) => {
    if (history && fault instanceof DomainError) return undefined
    throw fault
  })
  if (!list && !history) throw isDatabase(beginning) ? listRefusal(database_sentence) : noListIn(obstacles)
  const content = history ? { ...no_content, ...history.content } : null
  return { kind: history?.kind ?? 'addresses', lines: [], passed_over: 0, ...list, content }
}

/** Undefined: none of the files of an archive is a list. */
async function listIn(members: Uint8Array[], kind: FileKind, subscriptions: RawLine[]): Promise<List | undefined> {
  if (subscriptions.length > 0) return listOf([{ kind: 'newpipe', lines: subscriptions }])
  const [only] = members
  // A packed file is read like the file itself. Among several files, addresses in plain text are not the list.
  if (only && members.length === 1 && (kind === 'gzip' || kind === 'text')) return parseList(anyTextOf(only))
  const lists = members.flatMap(member => foundIn(anyTextOf(member)) ?? [])
  const meant = lists.filter(({ kind }) => kind !== 'addresses' || members.length === 1)
  return meant.length === 0 ? undefined : listOf(followedOf(meant))
}

type Found = RawList & { lines: RawLine[] }

/** Undefined: not a list of channels. Stricter than for a single file, because the person did not choose this one. */
function foundIn(text: string): Found | undefined {
  const list = readOrNothing(text)
  if (!list || (list.kind === 'takeout' && !isSubscriptions(text))) return undefined
  const lines = [...list.lines]
  const named = lines.filter(line => line !== null)
  const is_list = named.length > 0 && named.every(({ address }) => /^(?:feed:)?https?:\/\//i.test(address))
  return is_list ? { ...list, lines } : undefined
}

function readOrNothing(text: string): RawList | undefined {
  try {
    return rawListOf(text)
  } catch (fault) {
    if (fault instanceof DomainError) return undefined
    throw fault
  }
}

/** If one list says which channels are followed, the other lists of the archive only add titles. */
function followedOf(lists: Found[]): RawList[] {
  const saying = lists.filter(({ says_followed }) => says_followed)
  if (saying.length === 0) return lists
  const titles = new Map(
    lists.flatMap(({ lines }) => lines.flatMap(line => (line?.title ? [[line.address, line.title]] : []))),
  )
  return saying.map(({ kind, lines }) => ({
    kind,
    lines: lines.map(line => line && { address: line.address, title: line.title ?? titles.get(line.address) }),
  }))
}
