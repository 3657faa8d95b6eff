/** The lists that other apps write as JSON: NewPipe, FreeTube, Invidious, Piped, YouTube of old, and our own. Pure. */
import type { ListKind } from '../../schema/import.ts'
import { addressOfId, isChannelId } from './addresses.ts'
import type { RawLine } from './parse-list.ts'

/** Undefined when it is no JSON. FreeTube writes a document on each line; one that broke off is left out. */
export function documentsIn(text: string): unknown[] | undefined {
  if (!/^[[{]/.test(text)) return undefined
  const whole = parsed(text)
  if (whole !== undefined) return [whole]
  const lines = text.split('\n', most_items).flatMap(line => (line.startsWith('{') && parsed(line)) || [])
  return lines.length > 0 ? latestOf(lines) : undefined
}

/** More than any list may have, so that a hostile one is not walked to its end. */
const most_items = 20_000

export function linesOfDocuments(documents: unknown[]): { kind: ListKind; lines: RawLine[] } {
  const items = documents.flatMap(itemsIn)
  return { kind: kindOf(documents, items), lines: items.flatMap(item => lineOf(item) ?? []) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** FreeTube's file is a log: of several documents with one `_id` the last one counts; one that says it is gone holds nothing. */
const latestOf = (documents: unknown[]): unknown[] => [
  ...new Map(documents.map((document, at) => [textAt(document, '_id') ?? at, document])).values(),
]

/** The list itself, or what holds it; profiles may stand in a list as well. */
function itemsIn(document: unknown): unknown[] {
  if (Array.isArray(document)) return document.slice(0, most_items).flatMap(item => heldBy(item) ?? [item])
  return heldBy(document) ?? []
}

const heldBy = (holder: unknown): unknown[] | undefined =>
  [valueAt(holder, 'subscriptions'), valueAt(holder, 'channels')].find(held => Array.isArray(held))

function lineOf(item: unknown): RawLine | undefined {
  if (typeof item === 'string') return { address: addressOf(item) }
  const snippet = valueAt(item, 'snippet')
  const address =
    textAt(item, 'rss_url', 'url') ??
    textAt(valueAt(snippet, 'resourceId'), 'channelId') ??
    textAt(item, 'channelId', 'authorId', 'id')
  const title = textAt(snippet, 'title') ?? textAt(item, 'name', 'title', 'author')
  return address === undefined ? undefined : { address: addressOf(address), title }
}

/** Piped leaves the site out of its addresses. */
function addressOf(given: string): string {
  if (isChannelId(given)) return addressOfId(given)
  return given.startsWith('/') ? `https://www.youtube.com${given}` : given
}

function kindOf(documents: unknown[], [first]: unknown[]): ListKind {
  if (typeof valueAt(first, 'service_id') === 'number' && textAt(first, 'url')?.startsWith('http')) return 'newpipe'
  const [profile] = documents.flat()
  return textAt(profile, '_id') !== undefined && heldBy(profile) ? 'freetube' : 'json'
}

/** By hand and not by schema: a list may have a million items, each of any shape. */
const valueAt = (item: unknown, name: string): unknown =>
  typeof item === 'object' && item !== null && Object.hasOwn(item, name) ? Reflect.get(item, name) : undefined

/** The first of these that is a text and says something. */
const textAt = (item: unknown, ...names: string[]): string | undefined =>
  names.map(name => valueAt(item, name)).find((value): value is string => typeof value === 'string' && value !== '')
