/** Reads Atom 0.3 and 1.0, with the extensions of YouTube and Media RSS. Pure. */
import type { Element } from '../markup/element.ts'
import { decodedAs } from '../markup/encoding.ts'
import { descriptionOf, hasTags, type TextKind, titleOf } from '../markup/html.ts'
import { webUrlOf } from '../markup/web-url.ts'
import { childOf, childrenOf, entriesIn, textAt, textIn } from '../markup/xml.ts'
import { type EntryClues, max_entries, pictureIn } from './entry.ts'
import { everyMinutesOf, mediaOf } from './extensions.ts'
import type { FeedClues } from './rss.ts'

export function readAtom(root: Element, url: string): FeedClues {
  const base = baseOf(root, url)
  const all = entriesIn(root, 'entry')
  const entries = all.slice(0, max_entries)
  const author = childOf(root, 'author')
  return {
    title: titleFor(root, titleIn(root), textAt(author, 'name')),
    channel: {
      channel: textAt(root, 'yt:channelid')?.trim(),
      playlist: textAt(root, 'yt:playlistid')?.trim(),
      entry_channels: entries.flatMap(entry => textAt(entry, 'yt:channelid')?.trim() ?? []),
      links: [...linksOf(root, 'alternate'), ...linksOf(root, 'self'), textAt(author, 'uri')].flatMap(
        link => webUrlOf(link, base) ?? [],
      ),
    },
    entries: entries.map(entry => entryIn(entry, base)),
    all_entries: all.length,
    every_minutes: everyMinutesOf(root),
    // Icons are square, as on our pages; logos may be twice as wide as high.
    pictures: [
      ...childrenOf(root, 'itunes:image').map(image => image.attributes.href),
      ...['icon', 'logo'].map(name => textAt(root, name)),
    ],
    page: linksOf(root, 'alternate')[0],
    base,
  }
}

/** YouTube calls the feed of all uploads "Videos", on every channel. */
const titleFor = (root: Element, title: string | undefined, author: string | undefined) =>
  title === undefined || (title === 'Videos' && textAt(root, 'yt:playlistid'))
    ? (titleOf(author, 'text') ?? title)
    : title

function entryIn(entry: Element, feed_base: string): EntryClues {
  const base = baseOf(entry, feed_base)
  const media = mediaOf(entry)
  return {
    base,
    is_cut: entry.is_cut,
    links: [...linksOf(entry, 'alternate'), permalinkOf(entry), ...media.players, ...sourcesOf(entry)],
    files: [...enclosuresOf(entry), ...media.files],
    youtube_id: textAt(entry, 'yt:videoid')?.trim(),
    guid: textAt(entry, 'id'),
    title: titleIn(entry) ?? media.title,
    description: media.description ?? descriptionIn(entry),
    thumbnails: [
      ...media.thumbnails,
      ...childrenOf(entry, 'itunes:image').map(image => image.attributes.href),
      ...enclosuresOf(entry).flatMap(({ type, url }) => (/^image\//i.test(type ?? '') ? [url] : [])),
      ...['content', 'summary'].map(name => pictureIn(textAt(entry, name))),
    ],
    dates: [
      'published',
      'issued',
      'created',
      'updated',
      'modified',
      'dc:date',
      'dc:created',
      'dc:issued',
      'dc:modified',
      'pubdate',
    ].map(name => textAt(entry, name)),
    durations: [textAt(entry, 'itunes:duration'), ...media.durations],
  }
}

const baseOf = (element: Element, outer: string) => webUrlOf(element.attributes['xml:base'], outer) ?? outer

/** A link without `rel` is the alternate one. Web pages come first. */
function linksOf(element: Element, rel: string): (string | undefined)[] {
  const links = childrenOf(element, 'link').map(({ attributes }) => attributes)
  const fitting = links.filter(link => (link.rel ?? 'alternate').toLowerCase() === rel)
  const isPage = ({ type }: Record<string, string>) => type === undefined || /html/i.test(type)
  return [...fitting.filter(isPage), ...fitting.filter(link => !isPage(link))].map(({ href }) => href)
}

const enclosuresOf = (entry: Element) =>
  childrenOf(entry, 'link').flatMap(({ attributes: { rel, href, type, length } }) =>
    rel?.toLowerCase() === 'enclosure' ? [{ url: href, type, quality: Number(length) || 0 }] : [],
  )

const sourcesOf = (entry: Element) => childrenOf(entry, 'content').map(({ attributes }) => attributes.src)

function permalinkOf(entry: Element): string | undefined {
  const id = textAt(entry, 'id')?.trim()
  return id && /^https?:/i.test(id) ? id : undefined
}

function titleIn(element: Element): string | undefined {
  const title = childOf(element, 'title')
  return title && titleOf(...textOf(title))
}

/** The full content, else its summary. */
function descriptionIn(entry: Element): string | undefined {
  for (const name of ['content', 'summary', 'tagline']) {
    const element = childOf(entry, name)
    const text = element && descriptionOf(...textOf(element))
    if (text !== undefined) return text
  }
  return undefined
}

function textOf(element: Element): [string | undefined, TextKind] {
  const type = element.attributes.type?.toLowerCase()
  const text = isBase64(element) ? fromBase64(textIn(element)) : textIn(element)
  return [text, textKindOf(type, text ?? '')]
}

/** Atom 0.3 has `mode`; in 1.0 every type that is neither text nor XML is base64. */
const isBase64 = ({ attributes: { mode, type = '' } }: Element) =>
  mode?.toLowerCase() === 'base64' || (mode === undefined && /^(?!text\/|[^;]*[+/]xml\b)[\w.+-]+\/[\w.+-]+/i.test(type))

/** Undefined when the result is not text. */
function fromBase64(text: string): string | undefined {
  const given = text.replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(given)) return undefined
  const decoded = decodedAs(Buffer.from(given, 'base64'), 'utf-8')
  return decoded === undefined || /[\u0000-\u0008]/.test(decoded) ? undefined : decoded
}

/** Without a type it should be plain text. If it has tags, it is HTML. */
function textKindOf(type: string | undefined, text: string): TextKind {
  if (type === undefined) return hasTags(text) ? 'html' : 'text'
  return type === 'html' || type === 'text/html' ? 'html' : 'text'
}
