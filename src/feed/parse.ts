/** A document → a feed. The formats end here. Pure, and bounded by the size of what it is given. */
import { DomainError } from '../errors.ts'
import { type Feed, FeedEntry } from '../schema/feed.ts'
import { readAtom } from './atom.ts'
import { channelIdOf } from './channel-id.ts'
import { type DateReader, dateReaderFor } from './dates.ts'
import { textOf } from './encoding.ts'
import { type EntryClues, entryOf, isYouTubeId } from './entry.ts'
import type { FetchedDocument } from './fetch.ts'
import { withOwnGuids } from './guid.ts'
import { readJsonFeed } from './json-feed.ts'
import { channelPicture } from './picture.ts'
import { type FeedClues, readRss } from './rss.ts'
import { elementOf, rootNameOf } from './xml.ts'

/**
 * `address`: the one it is followed by, when redirects led elsewhere; identifiers come from it.
 * Throws `not_a_feed`. An entry that can't be read is skipped and counted, and never costs the others.
 */
export function parseFeed({ url, content_type, body }: FetchedDocument, address = url): Feed {
  const text = textOf(body, content_type)
  const { title, channel, entries, all_entries, every_minutes, pictures, base } = cluesIn(text, url)
  const image_url = channelPicture(pictures, base)
  const readDate = dateReaderFor(entries.flatMap(({ dates }) => dates))
  const read = entries.map(clues => entryOrNone(clues, readDate))
  const found = read.filter(entry => entry !== undefined)
  return {
    channel_id: channelIdOf(address, channel, areYouTubes(found)),
    title: title ?? new URL(address).hostname,
    entries: withOwnGuids([...distinct(found)]),
    skipped: all_entries - found.length,
    ...(every_minutes !== undefined && { every_minutes }),
    ...(image_url !== undefined && { image_url }),
  }
}

const areYouTubes = (entries: FeedEntry[]): boolean =>
  entries.length > 0 && entries.every(({ video_id }) => isYouTubeId(video_id))

/** What the first sign of life in the text says it is: a feed's root element, `html`, `json`, or anything else. */
export function kindOf(text: string): string {
  if (/^\s*\{/.test(text)) return 'json'
  const root = rootNameOf(text) ?? ''
  return html_starts.includes(root) ? 'html' : root
}

/** `<html>` and `<head>` need not be written. */
const html_starts = [
  ...['html', 'head', 'body', 'title', 'meta', 'link', 'base', 'script', 'style', 'noscript'],
  ...['div', 'p', 'span', 'a', 'img', 'h1', 'h2', 'center', 'table', 'form', 'br', 'font', 'iframe'],
  ...['header', 'main', 'nav', 'section', 'article'],
]

function cluesIn(text: string, url: string): FeedClues {
  const kind = kindOf(text)
  if (kind === 'json') return readJsonFeed(text, url)
  if (kind === 'rss' || kind === 'rdf') return whole(text, kind, readRss(elementOf(text, kind), url))
  if (kind === 'feed') return whole(text, kind, readAtom(elementOf(text, kind), url))
  throw new DomainError('not_a_feed', sentenceFor(kind, text))
}

function sentenceFor(kind: string, text: string): string {
  if (text.trim() === '') return 'There is nothing at this address.'
  if (kind === 'html') return 'This is a web page and no feed. Look on it for a link that says RSS or feed.'
  return 'What stands at this address is no feed that we know.'
}

/** Where the text breaks off, the last entry may be half of one: it counts as unreadable until the next fetch. */
function whole(text: string, root: string, clues: FeedClues): FeedClues {
  const end = new RegExp(`</(?:[\\w.-]{1,50}:)?${root}\\s*>`, 'i')
  if (end.test(text.slice(-2000)) || end.test(text)) return clues
  if (clues.all_entries < 2)
    throw new DomainError('not_a_feed', 'The feed at this address breaks off before its first entry ends.')
  const last = clues.all_entries - 1
  return { ...clues, entries: clues.entries.map((entry, index) => (index === last ? nowhere(entry) : entry)) }
}

const nowhere = (entry: EntryClues): EntryClues => ({ ...entry, links: [], files: [], youtube_id: undefined })

function entryOrNone(clues: EntryClues, readDate: DateReader): FeedEntry | undefined {
  const read = FeedEntry.safeParse(entryOf(clues, readDate))
  return read.success ? read.data : undefined
}

/** By identifier; the first one wins. */
const distinct = (entries: FeedEntry[]): Iterable<FeedEntry> =>
  entries
    .reduce(
      (seen, entry) => (seen.has(entry.video_id) ? seen : seen.set(entry.video_id, entry)),
      new Map<string, FeedEntry>(),
    )
    .values()
