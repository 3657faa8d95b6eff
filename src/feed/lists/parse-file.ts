/** Reads the list of channels in an imported file, packed or not. */
import { DomainError } from '../../errors.ts'
import { isSubscriptions } from './csv.ts'
import { kindOfFile } from './file-kind.ts'
import type { List, RawLine, RawList } from './list.ts'
import { listOf, listTextOf, parseList, rawListOf } from './parse-list.ts'
import { noListIn, unpack } from './unpack.ts'

/** Throws like `parseList`, and for files that are not text. Several lists in an archive become one. */
export async function parseFile(bytes: Uint8Array): Promise<List> {
  const kind = kindOfFile(bytes)
  if (kind === 'text') return parseList(listTextOf(bytes))
  const { members, obstacles } = await unpack(bytes, kind)
  const [only] = members
  // A packed file is read like the file itself. Among several files, addresses in plain text are not the list.
  if (only && members.length === 1 && kind === 'gzip') return parseList(listTextOf(only))
  const lists = members.flatMap(member => listIn(listTextOf(member)) ?? [])
  const meant = lists.filter(({ kind }) => kind !== 'addresses' || members.length === 1)
  if (meant.length === 0) throw noListIn(obstacles)
  return listOf(followedOf(meant))
}

type Found = RawList & { lines: RawLine[] }

/** Undefined: not a list of channels. Stricter than for a single file, because the person did not choose this one. */
function listIn(text: string): Found | undefined {
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
