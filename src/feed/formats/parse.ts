/** Turns a document of any feed format into a feed. Pure; time and memory grow with the size of the document. */
import { DomainError } from '../../errors.ts'
import { type Feed, FeedEntry } from '../../schema/sources/feed.ts'
import { max_entries } from '../../schema/values/stored.ts'
import { type DateReader, dateReaderFor } from '../dates/dates.ts'
import type { Element } from '../markup/element.ts'
import { textOf } from '../markup/encoding.ts'
import { webUrlOf } from '../markup/web-url.ts'
import { childOf, elementOf, rootNameOf } from '../markup/xml.ts'
import { isYouTubeId } from '../platforms/youtube.ts'
import { readAtom } from './atom.ts'
import { channelPicture, type EntryClues, entryOf } from './entry.ts'
import { channelIdOf, distinct, withOwnGuids } from './identity.ts'
import { readJsonFeed } from './json-feed.ts'
import { type FeedClues, readRss } from './rss.ts'

/** A document as the web gave it, before anything in it is read. */
export type FetchedDocument = {
  /** Where the redirects ended. */
  url: string
  /** Empty when the site gives none. */
  content_type: string
  body: Uint8Array
  /** The HTTP header `Link`. */
  link?: string | undefined
}

/**
 * `address`: the feed's own, if redirects led elsewhere; identifiers are made from it.
 * Throws `not_a_feed`. An entry that cannot be read is skipped and counted; it never affects the others.
 */
export function parseFeed({ url, content_type, body }: FetchedDocument, address = url): Feed {
  const text = withoutWarnings(textOf(body, content_type))
  const { title, channel, entries, all_entries, every_minutes, pictures, page, base } = cluesIn(text, url)
  const image_url = channelPicture(pictures, base)
  const page_url = webUrlOf(page, base)
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
    ...(page_url !== undefined && page_url !== address && { page_url }),
  }
}

const areYouTubes = (entries: FeedEntry[]): boolean =>
  entries.length > 0 && entries.every(({ video_id }) => isYouTubeId(video_id))

/** `html`, `json`, or the name of the root element, such as `rss`. */
export function formatOf(text: string): string {
  if (/^\s*\{/.test(text)) return 'json'
  const root = rootNameOf(withoutWarnings(text)) ?? ''
  return html_starts.includes(root) ? 'html' : root
}

/** A page may leave out `<html>` and `<head>`. */
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
  if (text.trim() === '') return 'This page is empty.'
  if (kind === 'html') return 'This is a web page, not a feed. Look on it for a link called RSS or feed.'
  return 'This is not a feed in a format we know.'
}

/** Whether the document breaks off before its first entry ends. If only the end of the root is missing, nothing is lost. */
function isLost(root: Element, { entries }: FeedClues): boolean {
  const channel = root.name.endsWith('rss') ? childOf(root, 'channel') : undefined
  const is_cut = root.is_cut === true && (channel === undefined || channel.is_cut === true)
  return is_cut && entries.every(entry => entry.is_cut)
}

const cutOff = () => new DomainError('not_a_feed', "This channel's feed is damaged right now. Try again later.")

function entryOrReason(clues: EntryClues, readDate: DateReader): FeedEntry | Reason {
  const read = FeedEntry.safeParse(entryOf(clues, readDate))
  return read.success ? read.data : clues.is_cut ? 'cut' : 'no_address'
}

/** Why an entry is left out. */
type Reason = 'no_address' | 'cut' | 'too_many'

/**
 * The warning for a feed that was read in part; undefined when everything was read. `read`: how many entries were read. `reasons`: one for
 * each entry that is left out.
 */
function warningOf(read: number, reasons: Reason[]): string | undefined {
  const count = reasons.length
  if (count === 0) return read === 0 ? 'This feed no longer lists any entries.' : undefined
  const which =
    read > 0
      ? `${count} ${count === 1 ? 'entry' : 'entries'} of this feed`
      : count === 1
        ? 'The only entry of this feed'
        : `All ${count} entries of this feed`
  return `${which} could not be read: ${becauseOf(reasons)}.`
}

/** The most common reason. */
function becauseOf(reasons: Reason[]): string {
  const counts = (['no_address', 'cut', 'too_many'] as const).map(reason => ({
    reason,
    count: reasons.filter(other => other === reason).length,
  }))
  const [{ reason, count } = { reason: 'no_address' as const, count: 0 }] = counts.toSorted((a, b) => b.count - a.count)
  const words = reason === 'no_address' && reasons.length === 1 ? 'it has no address' : sentences[reason]
  return count === reasons.length ? words : `mostly because ${words}`
}

const sentences: Record<Reason, string> = {
  no_address: 'they have no address',
  cut: 'the feed breaks off',
  too_many: `only the first ${max_entries.toLocaleString('en')} of a feed are`,
}

/** Each comment ends at its first `-->`, so that the expression has only one way to match many comments. */
const warnings =
  /^(?:\s|<br\s*\/?>|<!--(?:(?!-->)[\s\S])*-->)*<b>(?:warning|notice|deprecated|strict standards|(?:recoverable )?fatal error|parse error)<\/b>/i
const feed_start = /<\?xml\s|<(?:[\w.-]{1,20}:)?(?:rss|feed|rdf)[\s>]/i

/** The text from where the feed begins, if warnings of PHP come before it; otherwise the whole text. */
function withoutWarnings(text: string): string {
  if (!warnings.test(text.slice(0, 8192))) return text
  const start = text.slice(0, 65_536).search(feed_start)
  return start === -1 ? text : text.slice(start)
}

/** Puts an Atom document that is a single entry inside a feed. Undefined for other formats. */
function feedAround(text: string): string | undefined {
  const start = text.search(/<(?:[\w.-]{1,50}:)?entry[\s>]/i)
  const is_atom = /["']http:\/\/(?:www\.w3\.org\/2005\/Atom|purl\.org\/atom\/ns#)["']/.test(text.slice(0, start + 4096))
  return start !== -1 && is_atom ? `<feed>${text.slice(start)}</feed>` : undefined
}
