/** A list of channels in any format people bring → its kind and its lines, each channel once. Pure. */
import { DomainError } from '../../errors.ts'
import { type ListKind, ListLine, most_list_bytes, most_list_lines } from '../../schema/import.ts'
import { feedAddressOf } from '../discover.ts'
import { textOf } from '../encoding.ts'
import { clean, titleOf } from '../text.ts'
import { canonicalUrl } from '../web-url.ts'
import { addressesIn } from './addresses.ts'
import { isTakeout, takeoutLinesIn } from './csv.ts'
import { documentsIn, linesOfDocuments } from './json.ts'
import { isOpml, outlinesIn } from './opml.ts'

/** As a list writes it, before anything is judged. */
export type RawLine = { address: string; title?: string | undefined }
export type List = { kind: ListKind; lines: ListLine[] }

/** Throws `too_large`, or `invalid` when there is no channel in it. Lines that name no address are kept: they fail by name. */
export function parseList(given: string): List {
  if (Buffer.byteLength(given) > most_list_bytes) throw tooLarge('This list is larger than 2 MB.')
  const text = given.replace(/^[\s\ufeff]+/, '')
  const { kind, lines } = readerOf(text)
  const once = distinct(lines)
  if (once.length === 0) throw nothingIn(kind)
  return { kind, lines: once }
}

/** A file as it was saved, in whatever encoding. Names in an unknown one come out garbled, addresses do not. */
export function listTextOf(bytes: Uint8Array): string {
  try {
    return textOf(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function readerOf(text: string): { kind: ListKind; lines: Iterable<RawLine> } {
  const documents = documentsIn(text)
  if (documents) return linesOfDocuments(documents)
  if (isOpml(text)) return { kind: 'opml', lines: outlinesIn(text) }
  // A page, a feed, or JSON that broke off.
  if (/^(?:[<{]|\[\s*["[{])/.test(text)) throw nothingIn('json')
  if (isTakeout(text)) return { kind: 'takeout', lines: takeoutLinesIn(text) }
  return { kind: 'addresses', lines: addressesIn(text) }
}

/** Stops at the first line too many, so that a hostile list costs no more than a long one. */
function distinct(lines: Iterable<RawLine>): ListLine[] {
  const written = new Set<string>()
  const kept = new Map<string, ListLine>()
  for (const { address, title } of lines) {
    if (written.has(address)) continue
    if (written.size === most_list_lines) throw tooLarge('This list names more than 5,000 channels.')
    written.add(address)
    const line = lineOf(address, title)
    const key = line && keyOf(line.address)
    if (key !== undefined && !kept.has(key)) kept.set(key, line as ListLine)
  }
  return [...kept.values()]
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

const tooLarge = (sentence: string) => {
  const message = `${sentence} Split it, and bring one part after the other.`
  return new DomainError('too_large', message, { fields: { text: message } })
}

function nothingIn(kind: ListKind): DomainError {
  const message =
    kind === 'addresses'
      ? 'There is nothing in this list. Paste addresses, one on each line, or choose a file.'
      : 'No channel is named in this. Bring an OPML file, the subscriptions of another app, or one address on each line.'
  return new DomainError('invalid', message, { fields: { text: message } })
}
