/** A document → a feed. The formats end here. Pure, and bounded by the size of what it is given. */
import { DomainError } from '../../errors.ts'
import { type Feed, FeedEntry } from '../../schema/feed.ts'
import { type DateReader, dateReaderFor } from '../dates/dates.ts'
import type { FetchedDocument } from '../document.ts'
import { textOf } from '../markup/encoding.ts'
import { feedAround, withoutWarnings } from '../markup/preamble.ts'
import { childOf, type Element, elementOf, rootNameOf } from '../markup/xml.ts'
import { isYouTubeId } from '../platforms/youtube.ts'
import { readAtom } from './atom.ts'
import { channelIdOf } from './channel-id.ts'
import { type EntryClues, entryOf } from './entry.ts'
import { withOwnGuids } from './guid.ts'
import { distinct } from './identity.ts'
import { readJsonFeed } from './json-feed.ts'
import { channelPicture } from './picture.ts'
import { type FeedClues, readRss } from './rss.ts'
import { type Reason, warningOf } from './warning.ts'

/**
 * `address`: the one it is followed by, when redirects led elsewhere; identifiers come from it.
 * Throws `not_a_feed`. An entry that can't be read is skipped and counted, and never costs the others.
 */
export function parseFeed({ url, content_type, body }: FetchedDocument, address = url): Feed {
  const text = withoutWarnings(textOf(body, content_type))
  const { title, channel, entries, all_entries, every_minutes, pictures, base } = cluesIn(text, url)
  const image_url = channelPicture(pictures, base)
  const readDate = dateReaderFor(entries.flatMap(({ dates }) => dates))
  const read = entries.map(clues => entryOrReason(clues, readDate))
  const found = read.filter(entry => typeof entry !== 'string')
  const reasons: Reason[] = [
    ...read.filter(entry => typeof entry === 'string'),
    ...Array<Reason>(all_entries - entries.length).fill('too_many'),
  ]
  const warning = warningOf(found.length, reasons)
  return {
    channel_id: channelIdOf(address, channel, areYouTubes(found)),
    title: title ?? new URL(address).hostname,
    entries: withOwnGuids(distinct(found)),
    skipped: reasons.length,
    ...(warning !== undefined && { warning }),
    ...(every_minutes !== undefined && { every_minutes }),
    ...(image_url !== undefined && { image_url }),
  }
}

const areYouTubes = (entries: FeedEntry[]): boolean =>
  entries.length > 0 && entries.every(({ video_id }) => isYouTubeId(video_id))

/** What the first sign of life in the text says it is: a feed's root element, `html`, `json`, or anything else. */
export function formatOf(text: string): string {
  if (/^\s*\{/.test(text)) return 'json'
  const root = rootNameOf(withoutWarnings(text)) ?? ''
  return html_starts.includes(root) ? 'html' : root
}

/** `<html>` and `<head>` need not be written. */
const html_starts = [
  ...['html', 'head', 'body', 'title', 'meta', 'link', 'base', 'script', 'style', 'noscript'],
  ...['div', 'p', 'span', 'a', 'img', 'h1', 'h2', 'center', 'table', 'form', 'br', 'font', 'iframe'],
  ...['header', 'main', 'nav', 'section', 'article'],
]

function cluesIn(text: string, url: string): FeedClues {
  const kind = formatOf(text)
  if (kind === 'json') return readJsonFeed(text, url)
  if (kind === 'rss' || kind === 'rdf' || kind === 'feed') {
    const root = elementOf(text, kind)
    const clues = kind === 'feed' ? readAtom(root, url) : readRss(root, url)
    if (isLost(root, clues)) throw cutOff()
    return clues
  }
  const around = kind === 'entry' ? feedAround(text) : undefined
  if (around !== undefined) return readAtom(elementOf(around, 'feed'), url)
  throw new DomainError('not_a_feed', sentenceFor(kind, text))
}

function sentenceFor(kind: string, text: string): string {
  if (text.trim() === '') return 'There is nothing at this address.'
  if (kind === 'html') return 'This is a web page and no feed. Look on it for a link that says RSS or feed.'
  return 'What stands at this address is no feed that we know.'
}

/** Breaks off without one whole entry. Where only the end of the root is missing, nothing is. */
function isLost(root: Element, { entries }: FeedClues): boolean {
  const channel = root.name.endsWith('rss') ? childOf(root, 'channel') : undefined
  const is_cut = root.is_cut === true && (channel === undefined || channel.is_cut === true)
  return is_cut && entries.every(entry => entry.is_cut)
}

const cutOff = () => new DomainError('not_a_feed', 'The feed at this address breaks off before its first entry ends.')

function entryOrReason(clues: EntryClues, readDate: DateReader): FeedEntry | Reason {
  const read = FeedEntry.safeParse(entryOf(clues, readDate))
  return read.success ? read.data : clues.is_cut ? 'cut' : 'no_address'
}
