/** A list of channels in any format people bring → its kind and its lines, each channel once. Pure. */
import { ListLine, most_list_bytes, most_list_lines } from '../../schema/import.ts'
import { textOf } from '../markup/encoding.ts'
import { clean, titleOf } from '../markup/text.ts'
import { canonicalUrl } from '../markup/web-url.ts'
import { feedAddressOf } from '../pages/given-address.ts'
import { addressesIn } from './addresses.ts'
import { isTakeout, tableIn, tableLinesIn, takeoutLinesIn } from './csv.ts'
import { documentsIn, linesOfDocuments } from './json.ts'
import { type List, listRefusal, type RawLine, type RawList } from './list.ts'
import { isOpml, outlinesIn } from './opml.ts'

/**
 * Throws `too_large`, or `invalid` when there is no channel in it. What was meant as an address but is none stays in
 * the list: it fails under its own name.
 */
export function parseList(given: string): List {
  if (Buffer.byteLength(given) > most_list_bytes) throw tooLarge('This list is larger than 2 MB.')
  return listOf([rawListOf(given)])
}

/** Several lists as one, each channel once. */
export function listOf(lists: RawList[]): List {
  const { lines, passed_over } = distinct(lists)
  const [kind = 'addresses'] = lists.map(list => list.kind)
  if (lines.length === 0) throw kind === 'addresses' && passed_over === 0 ? nothingIn() : noChannelIn()
  return { kind, lines, passed_over }
}

/** A file as it was saved, in whatever encoding. Names in an unknown one come out garbled, addresses do not. */
export function listTextOf(bytes: Uint8Array): string {
  try {
    return textOf(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Throws `invalid` for a page, for a feed, and for JSON that broke off. */
export function rawListOf(given: string): RawList {
  const text = given.replace(/^[\s\ufeff]+/, '')
  const documents = documentsIn(text)
  if (documents) return linesOfDocuments(documents)
  if (isOpml(text)) return { kind: 'opml', lines: outlinesIn(text) }
  if (/^(?:<(?!(?:feed:)?https?:)|\{\s*["}]|\[\s*(?:["{]|\[\s*["{[\]]))/i.test(text)) throw noChannelIn()
  if (isTakeout(text)) return { kind: 'takeout', lines: takeoutLinesIn(text) }
  const table = tableIn(text)
  return { kind: 'addresses', lines: table ? tableLinesIn(text, table) : addressesIn(text) }
}

/** Stops at the first line too many, so that a hostile list costs no more than a long one. */
function distinct(lists: RawList[]): Pick<List, 'lines' | 'passed_over'> {
  const written = new Set<string>()
  const kept = new Map<string, ListLine>()
  let passed_over = 0
  for (const raw of allOf(lists)) {
    if (raw === null) passed_over += 1
    if (raw === null || written.has(raw.address)) continue
    if (written.size === most_list_lines) throw tooLarge('This list names more than 5,000 channels.')
    written.add(raw.address)
    const line = lineOf(raw.address, raw.title)
    const key = line && keyOf(line.address)
    if (line && key !== undefined && !kept.has(key)) kept.set(key, line)
  }
  return { lines: [...kept.values()], passed_over }
}

function* allOf(lists: RawList[]): Generator<RawLine> {
  for (const { lines } of lists) yield* lines
}
/** Addresses longer than the web's own limit are cut behind it, and so still fail. */
function lineOf(address: string, title: string | undefined): ListLine | undefined {
  const plain = clean(address).trim().slice(0, 2100).toWellFormed()
  return plain === '' ? undefined : ListLine.parse({ address: plain, title: titleOf(title, 'text') ?? null })
}

/** The same for every spelling that leads to the same feed. */
function keyOf(address: string): string {
  try {
    return canonicalUrl(feedAddressOf(address))
  } catch {
    return address
  }
}

const tooLarge = (sentence: string) =>
  listRefusal(`${sentence} Split it, and bring one part after the other.`, 'too_large')

const nothingIn = () =>
  listRefusal('There is nothing in this list. Paste addresses, one on each line, or choose a file.')

const noChannelIn = () =>
  listRefusal(
    'No channel is named in this. Bring an OPML file, the subscriptions of another app, or one address on each line.',
  )
