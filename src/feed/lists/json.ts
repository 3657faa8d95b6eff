/** Reads the lists that other apps write as JSON, recognised by the names of their fields. Pure. */
import { jsonIn } from '../../runtime/json.ts'
import type { ListKind } from '../../schema/imports/import.ts'
import { isNamed, type RawLine } from '../pages/addresses.ts'
import { platformVideoIdOf } from '../platforms/by-address.ts'
import { channelPageOf, isChannelId } from '../platforms/youtube.ts'

/** Undefined when the text is not JSON. Some apps write one document per line; a document that breaks off is left out. */
export function documentsIn(text: string): unknown[] | undefined {
  if (!/^[[{]/.test(text)) return undefined
  const single = jsonIn(text)
  if (single !== undefined) return [single]
  const lines = text.split('\n', max_items).flatMap(line => (/^\{.*\}\r?$/.test(line) && jsonIn(line)) || [])
  return lines.length > 0 ? latestOf(lines) : undefined
}

/** More items than any list may have, so that a hostile file is not read to its end. */
const max_items = 20_000

export function linesOfDocuments(documents: unknown[]): { kind: ListKind; lines: RawLine[]; says_followed: boolean } {
  const items = documents.flatMap(itemsIn)
  return {
    kind: listKindOf(documents, items),
    lines: [...items.map(lineOf), ...documents.flat().flatMap(groupLinesIn), ...documents.flatMap(playlistsIn)],
    says_followed: items.some(item => followed(item) !== undefined),
  }
}

/** FreeTube's file is a log: of several documents with one `_id` the last one counts. A deletion has no subscriptions. */
const latestOf = (documents: unknown[]): unknown[] => [
  ...new Map(documents.map((document, at) => [textAt(document, '_id') ?? at, document])).values(),
]

/** The playlists beside a list. */
const playlistsIn = (document: unknown): RawLine[] =>
  [valueAt(document, 'playlists'), valueAt(document, 'localPlaylists')]
    .flatMap(held => (Array.isArray(held) ? held.slice(0, max_items).filter(hasVideos) : []))
    .map(() => 'playlists_unread')

const hasVideos = (item: unknown): boolean => [valueAt(item, 'videos')].flat().some(Boolean)

const isVideo = (item: unknown): boolean =>
  typeof item === 'string' && URL.canParse(item) && platformVideoIdOf(item) !== undefined

/** The document is the list, or contains it. Profiles may be in a list, too. What Grayjay watches later is a list of videos alone. */
function itemsIn(document: unknown): unknown[] {
  if (Array.isArray(document) && document.every(isVideo)) return [{ videos: document }]
  if (Array.isArray(document)) return document.slice(0, max_items).flatMap(item => heldBy(item, profiles) ?? [item])
  // Tube Archivist writes such a document before each of its channels.
  if (valueAt(document, 'index') !== undefined) return []
  const held = heldBy(document, holders) ?? (groupLinesIn(document).length > 0 ? [] : [document])
  return held.slice(0, max_items)
}

/**
 * The channels of groups, each with its group: profiles of FreeTube but that of all channels, groups of LibreTube, and the named lists of
 * identifiers and handles that PocketTube writes.
 */
const groupLinesIn = (document: unknown): RawLine[] =>
  [
    ...[document, ...[valueAt(document, 'groups')].flat().slice(0, max_items)].flatMap(linesOfGroup),
    ...[document, valueAt(document, 'ysc_collection')].flatMap(linesOfNamedLists),
  ].slice(0, max_items)

/** Without what names no channel, because profiles are read as lists, too. */
function linesOfGroup(group: unknown): RawLine[] {
  const name = textAt(group, 'name')
  const held = textAt(group, '_id') === 'allChannels' ? undefined : heldBy(group, profiles)
  return name === undefined || !held ? [] : inGroup(name, held).filter(isNamed)
}

const linesOfNamedLists = (holder: unknown): RawLine[] =>
  typeof holder !== 'object' || holder === null || Array.isArray(holder)
    ? []
    : Object.entries(holder)
        .slice(0, max_items)
        .flatMap(([name, held]) => (!holders.includes(name) && isOfChannels(held) ? inGroup(name, held) : []))

const isOfChannels = (held: unknown): held is unknown[] =>
  Array.isArray(held) && held.some(item => typeof item === 'string' && (isChannelId(item) || /^@[^\s/]+$/.test(item)))

const inGroup = (name: string, items: unknown[]): RawLine[] =>
  items
    .slice(0, max_items)
    .map(lineOf)
    .map(line => (isNamed(line) ? { ...line, groups: [name] } : line))

const profiles = ['subscriptions', 'channels']
const holders = [...profiles, 'localSubscriptions', 'feeds', 'sources', 'data']

/** All lists of the holder together; `undefined`: the holder has none. */
function heldBy(holder: unknown, names: string[]): unknown[] | undefined {
  const lists = names.map(name => valueAt(holder, name)).filter(held => Array.isArray(held))
  return lists.length === 0 ? undefined : lists.flat()
}

function lineOf(item: unknown): RawLine {
  // Grayjay writes a playlist as its name and the addresses of its videos, each in a line of its own.
  if (typeof item === 'string') return /\nhttps?:/.test(item) ? 'playlists_unread' : { address: addressOf(item) }
  if (followed(item) === false || textAt(item, ...of_something_else) !== undefined) return null
  if (textAt(item, 'model') === 'sync.source') return lineOfTubeSync(valueAt(item, 'fields'))
  const snippet = valueAt(item, 'snippet')
  const address =
    textAt(item, 'rss_url', 'feed_url', 'original_url', 'url') ??
    textAt(valueAt(snippet, 'resourceId'), 'channelId') ??
    textAt(item, 'channelId', 'authorId') ??
    [textAt(item, 'channel_id'), textAt(item, 'id')].find(id => id && /^(?:UC[\w-]{22}$|https?:|\/channel\/)/i.test(id))
  const title = textAt(snippet, 'title') ?? textAt(item, 'name', 'title', 'author', 'channel_name', 'custom_name')
  if (address !== undefined) return { address: addressOf(address), title }
  return hasVideos(item) ? 'playlists_unread' : null
}

/** Tube Archivist and YT Zero also list channels that are not followed. Undefined: the item does not say. */
function followed(item: unknown): boolean | undefined {
  const value = valueAt(item, 'followed') ?? valueAt(item, 'channel_subscribed')
  return value === undefined ? undefined : Boolean(value)
}

/** Videos, playlists and rules name the channel they belong to as well. */
const of_something_else = ['video_id', 'videoId', 'youtube_id', 'playlist_id', 'pattern']

/** The types `c`, `i` and `p`: a channel by name, a channel by identifier, a playlist. */
function lineOfTubeSync(source: unknown): RawLine {
  const [type, key] = [textAt(source, 'source_type'), textAt(source, 'key')]
  const path = { c: '/c/', i: '/channel/', p: '/playlist?list=' }[type ?? '']
  if (path === undefined || key === undefined) return null
  return { address: `https://www.youtube.com${path}${encodeURIComponent(key)}`, title: textAt(source, 'name') }
}

/** Piped writes addresses without the site, and PocketTube handles. */
function addressOf(given: string): string {
  if (isChannelId(given)) return channelPageOf(given)
  return /^[/@]/.test(given) ? `https://www.youtube.com${given.replace(/^@/, '/@')}` : given
}

function listKindOf(documents: unknown[], [first]: unknown[]): ListKind {
  if (typeof valueAt(first, 'service_id') === 'number' && textAt(first, 'url')?.startsWith('http')) return 'newpipe'
  const [profile] = documents.flat()
  return textAt(profile, '_id') !== undefined && heldBy(profile, profiles) ? 'freetube' : 'json'
}

/** Does without a schema, because a list may have a million items of any shape. */
const valueAt = (item: unknown, name: string): unknown =>
  typeof item === 'object' && item !== null && Object.hasOwn(item, name) ? Reflect.get(item, name) : undefined

/** The first of these fields that is a non-empty text. */
const textAt = (item: unknown, ...names: string[]): string | undefined =>
  names.map(name => valueAt(item, name)).find((value): value is string => typeof value === 'string' && value !== '')
