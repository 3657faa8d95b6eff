/** Reads a list of channels in any format: its kind and its lines, each channel once. Pure. */

import { max_groups } from '../../schema/channels/group.ts'
import {
  type ListKind,
  ListLine,
  type ListRead,
  max_list_bytes,
  max_list_lines,
  no_content,
  sumOf,
} from '../../schema/imports/import.ts'
import { max_name_letters, OwnName } from '../../schema/values/fields.ts'
import { listRefusal } from '../history/parts.ts'
import type { HistoryFound } from '../history/read-history.ts'
import { clean } from '../markup/clean.ts'
import { titleOf } from '../markup/html.ts'
import { canonicalUrl } from '../markup/web-url.ts'
import { addressesIn, isNamed, type RawList, type Unread } from '../pages/addresses.ts'
import { feedAddressOf } from '../pages/given-address.ts'
import { isPlaylist, isTakeout, tableIn, tableLinesIn, takeoutLinesIn } from './csv.ts'
import { documentsIn, linesOfDocuments } from './json.ts'
import { isOpml, outlinesIn } from './opml.ts'
import { storedLinksIn } from './stored-links.ts'

/**
 * Throws `too_large`, or `invalid` when there is no channel in it. Something that was meant as an address but is not valid
 * stays in the list, so that the import can report it as failed.
 */
export function parseList(given: string): ListRead {
  if (Buffer.byteLength(given) > max_list_bytes) throw listTooLarge()
  return listOf([rawListOf(given)])
}

/** Joins several lists into one, with each channel once. A list without a channel is refused, unless a history is beside it. */
export function listOf(lists: RawList[], history?: HistoryFound): ListRead {
  const { kind = lists[0]?.kind ?? 'addresses', lines, passed_over, groups, unread } = distinct(lists)
  const has_more = history || Object.keys(unread).length > 0
  const content = has_more ? { ...no_content, ...sumOf(history?.content, unread) } : null
  if (lines.length > 0) return { kind, lines, passed_over, content, ...(groups.length > 0 && { groups }) }
  if (history) return { kind: history.kind, lines, passed_over: 0, content }
  if (content) throw listRefusal(content.playlists_unread > 0 ? only_playlists : only_pages)
  throw kind === 'addresses' && passed_over === 0 ? nothingIn() : noChannelIn()
}

/** Throws `invalid` for a web page, a feed, and JSON that breaks off. */
export function rawListOf(given: string): RawList {
  // Excel reads the separator from a first line.
  const text = given.replace(/^[\s\ufeff]+/, '').replace(/^"?sep=[,;\t]"?\s*[\r\n]+/i, '')
  const documents = documentsIn(text)
  if (documents) return linesOfDocuments(documents)
  const links = storedLinksIn(text)
  if (links) return { kind: 'addresses', lines: links }
  if (isOpml(text)) return { kind: 'opml', lines: outlinesIn(text) }
  if (/^<(?:!doctype )?html[\s>]/i.test(text)) throw listRefusal(web_page)
  if (/^(?:<(?!(?:feed:)?https?:)|\{\s*["}]|\[\s*(?:["{]|\[\s*["{[\]]))/i.test(text)) throw noChannelIn()
  if (isPlaylist(text)) return { kind: 'takeout', lines: ['playlists_unread'] }
  if (isTakeout(text)) return { kind: 'takeout', lines: takeoutLinesIn(text) }
  const table = tableIn(text)
  return { kind: 'addresses', lines: table ? tableLinesIn(text, table) : addressesIn(text) }
}

/** Throws at the first line above the limit, so that a hostile list takes no more time than a long one. */
function distinct(lists: RawList[]) {
  const keys = new Map<string, string | undefined>()
  const kept = new Map<string, ListLine>()
  const groups = new Map<string, { name: string; keys: Set<string> }>()
  const unread: Partial<Record<Unread, number>> = {}
  let passed_over = 0
  let kind: ListKind | undefined
  const all = lists.values().flatMap(list => Iterator.from(list.lines).map(raw => [raw, list.kind] as const))
  for (const [raw, kind_of_list] of all) {
    if (raw === null) passed_over += 1
    if (typeof raw === 'string') unread[raw] = (unread[raw] ?? 0) + 1
    if (!isNamed(raw)) continue
    kind ??= kind_of_list
    if (!keys.has(raw.address)) {
      if (keys.size === max_list_lines) throw tooLarge('This list names more than 5,000 channels.')
      const line = lineOf(raw.address, raw.title)
      const key = line && keyOf(line.address)
      keys.set(raw.address, key)
      if (line && key !== undefined && !kept.has(key)) kept.set(key, line)
    }
    const key = keys.get(raw.address)
    if (key !== undefined) for (const given of raw.groups ?? []) addToGroup(groups, given, key)
  }
  const position = new Map([...kept.keys()].map((key, at) => [key, at]))
  return {
    kind,
    unread,
    lines: [...kept.values()],
    passed_over,
    groups: [...groups.values()].map(({ name, keys }) => ({
      name,
      positions: [...keys].flatMap(key => position.get(key) ?? []),
    })),
  }
}

/** A name is cut to its limit. A name that `OwnName` refuses is left out. */
function addToGroup(groups: Map<string, { name: string; keys: Set<string> }>, given: string, key: string): void {
  const name = OwnName.safeParse([...clean(given)].slice(0, max_name_letters).join('').toWellFormed()).data
  const folded = name?.toLowerCase()
  if (name === undefined || folded === undefined) return
  const group = groups.get(folded) ?? { name, keys: new Set() }
  if (!groups.has(folded) && groups.size === max_groups) return
  groups.set(folded, group)
  group.keys.add(key)
}

/** Addresses above 2,048 characters are cut, but stay too long, and so still fail. */
function lineOf(address: string, title: string | undefined): ListLine | undefined {
  const cut_address = clean(address).trim().slice(0, 2100).toWellFormed()
  return cut_address === ''
    ? undefined
    : ListLine.parse({ address: cut_address, title: titleOf(title, 'text') ?? null })
}

/** One key for all spellings of an address that lead to the same feed. */
function keyOf(address: string): string {
  try {
    return canonicalUrl(feedAddressOf(address))
  } catch {
    return address
  }
}

export const listTooLarge = () => tooLarge('This list is larger than 2 MB.')

const tooLarge = (sentence: string) => listRefusal(`${sentence} Split it and import one part at a time.`, 'too_large')

const only_playlists =
  'No channels found here, only playlists of another app, which are not imported. Choose the subscriptions, or follow a public playlist by its link.'
const only_pages =
  'No channels found here, only pages without a feed, of which another app makes one. Choose a list of feeds.'
const web_page = 'This is a web page and no list. Paste the links of its channels, one per line.'

const nothingIn = () => listRefusal('This list is empty. Paste addresses, one per line, or choose a file.')

const noChannelIn = () =>
  listRefusal(
    'No channels found in this list. Use an OPML file, the subscriptions of another app, or one address per line.',
  )
