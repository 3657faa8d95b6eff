/** Reads RSS 0.9 to 2.0 and RDF, with the extensions of iTunes, Dublin Core and Media RSS. Pure. */
import type { Element } from '../markup/element.ts'
import { descriptionOf, titleOf } from '../markup/html.ts'
import { webUrlOf } from '../markup/web-url.ts'
import { childOf, childrenOf, entriesIn, textAt, textIn } from '../markup/xml.ts'
import type { ChannelClues } from '../platforms/youtube-channel.ts'
import { type EntryClues, max_entries, pictureIn } from './entry.ts'
import { alternatesOf, everyMinutesOf, mediaOf } from './extensions.ts'

/** What the reader of each format returns. */
export type FeedClues = {
  title: string | undefined
  channel: ChannelClues
  /** The first `max_entries` of `all_entries`. */
  entries: EntryClues[]
  all_entries: number
  /** The feed wants to be fetched at most this often. */
  every_minutes?: number | undefined
  /** Pictures of the channel, the best first; as written, relative to `base`. */
  pictures: (string | undefined)[]
  /** The page that the feed belongs to; as written, relative to `base`. */
  page: string | undefined
  base: string
}

export function readRss(root: Element, url: string): FeedClues {
  const channel = childOf(root, 'channel') ?? root
  // Items are inside the channel, in RDF next to it, and in broken documents anywhere.
  const all = entriesIn(root, 'item')
  const items = all.slice(0, max_entries)
  const link = linkOf(channel)
  const base = webUrlOf(root.attributes['xml:base'] ?? channel.attributes['xml:base'] ?? link, url) ?? url
  return {
    title: titleOf(textAt(channel, 'title', 'itunes:title', 'dc:title')),
    channel: {
      channel: textAt(channel, 'yt:channelid')?.trim(),
      playlist: textAt(channel, 'yt:playlistid')?.trim(),
      entry_channels: items.flatMap(item => textAt(item, 'yt:channelid')?.trim() ?? []),
      links: link === undefined ? [] : [link],
    },
    entries: items.map(item => entryIn(item, base)),
    all_entries: all.length,
    every_minutes: everyMinutesOf(channel),
    // The square picture of iTunes first, then the small logo, which in RDF is next to the channel.
    pictures: [
      ...childrenOf(channel, 'itunes:image').map(image => image.attributes.href ?? image.attributes.url),
      textAt(childOf(channel, 'image') ?? childOf(root, 'image'), 'url'),
      ...childrenOf(channel, 'media:thumbnail').map(({ attributes }) => attributes.url),
      ...['atom:logo', 'atom:icon'].map(name => textAt(channel, name)),
    ],
    page: link,
    base,
  }
}

function entryIn(item: Element, feed_base: string): EntryClues {
  const media = mediaOf(item)
  const base = webUrlOf(item.attributes['xml:base'], feed_base) ?? feed_base
  const enclosures = childrenOf(item, 'enclosure').map(({ attributes }) => attributes)
  const files = enclosures.map(({ url, type, length }) => ({ url, type, quality: Number(length) || 0 }))
  return {
    base,
    is_cut: item.is_cut,
    links: [...linksOf(item), permalinkOf(item), item.attributes['rdf:about'], ...media.players],
    files: [...files, ...media.files],
    alternates: alternatesOf(item),
    youtube_id: textAt(item, 'yt:videoid')?.trim(),
    guid: textAt(item, 'guid', 'atom:id') ?? item.attributes['rdf:about'],
    title: titleOf(textAt(item, 'title')) ?? media.title ?? titleOf(textAt(item, 'itunes:title', 'dc:title')),
    description:
      media.description ??
      descriptionOf(textAt(item, 'content:encoded', 'atom:content', 'itunes:summary')) ??
      descriptionOf(textAt(item, 'description', 'dc:description', 'atom:summary', 'itunes:subtitle')),
    thumbnails: [
      ...media.thumbnails,
      ...childrenOf(item, 'itunes:image').map(image => image.attributes.href ?? image.attributes.url),
      ...enclosures.filter(isPicture).map(({ url }) => url),
      ...imagesIn(item),
      pictureIn(textAt(item, 'content:encoded', 'atom:content')),
      pictureIn(textAt(item, 'description')),
    ],
    dates: [
      'pubdate',
      'dc:date',
      'dc:created',
      'dc:issued',
      'dc:modified',
      'atom:published',
      'atom:updated',
      'published',
      'date',
    ].map(name => textAt(item, name)),
    durations: [textAt(item, 'itunes:duration'), ...media.durations],
  }
}

const isPicture = ({ type = '', url = '' }: Record<string, string>) =>
  /^image\//i.test(type) || (type === '' && /\.(?:jpe?g|png|webp|gif|avif)(?:[?#]|$)/i.test(url))

/** `<image>` in any namespace: the address is in an attribute, in `<url>`, or the only text inside. */
const imagesIn = (item: Element): (string | undefined)[] =>
  item.children.flatMap(child => {
    if (typeof child === 'string' || !/^(?:[\w.-]+:)?(?:image|image_link|featuredimage)$/.test(child.name)) return []
    const is_leaf = child.children.every(inside => typeof inside === 'string')
    return [
      child.attributes.href ?? child.attributes.url ?? textAt(child, 'url') ?? (is_leaf ? textIn(child) : undefined),
    ]
  })

/** A guid counts as an address unless `isPermaLink` is false; a relative one only if it is true. */
function permalinkOf(item: Element): string | undefined {
  const said = childOf(item, 'guid')?.attributes.ispermalink?.trim().toLowerCase()
  const text = textAt(item, 'guid')?.trim()
  const isAddress = said === 'true' ? /^https?:|^[/?]|^[\w.-]+\// : /^https?:/i
  return text && said !== 'false' && isAddress.test(text) ? text : undefined
}

const linkOf = (element: Element) => linksOf(element)[0]

/** RSS puts the address between the tags; Atom's links, which RSS feeds use too, have it in an attribute. */
function linksOf(element: Element): string[] {
  const plain = textAt(element, 'link')?.trim()
  const atom = [...childrenOf(element, 'atom:link'), ...childrenOf(element, 'link')].flatMap(
    ({ attributes: { href, rel } }) => (href !== undefined && (rel === undefined || rel === 'alternate') ? [href] : []),
  )
  return plain === undefined ? atom : [plain, ...atom]
}
