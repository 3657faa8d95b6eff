/** The feeds that a web page names, or that follow from what it says of itself. Pure. */
import type { Choice } from '../../schema/discovery.ts'
import { withoutEntities } from '../markup/entities.ts'
import { attributesIn, piecesOf } from '../markup/html.ts'
import { titleOf } from '../markup/text.ts'
import { webUrlOf } from '../markup/web-url.ts'
import { knownFeedsOf, peertubeFeedsOf, peertubeVideoOf } from '../platforms/known-feeds.ts'
import { youtubeFeedsOf } from '../platforms/youtube-feeds.ts'

/** The best first. `url` is the page's own, where the redirects ended. */
export function feedsOnPage(html: string, url: string): Choice[] {
  const page = clues(html, url)
  const host = new URL(url).hostname
  if (/(^|\.)(youtube\.com|youtu\.be)$/.test(host)) {
    const channel = youtubeChannelIn(html, page)
    return channel === undefined ? [] : youtubeFeedsOf(channel)
  }
  if (page.is_peertube) return onPeerTube(url, page.named)
  return distinct([...page.addresses.flatMap(knownFeedsOf), ...page.named])
}

/** It names the feed of the whole place on every page, which nobody means who gives the address of one video. */
function onPeerTube(url: string, named: Choice[]): Choice[] {
  const of_one = named.filter(({ rss_url }) => new URL(rss_url).search !== '')
  return distinct([...peertubeFeedsOf(url, true), ...(peertubeVideoOf(url) ? of_one : named)])
}

const telling = { base: true, link: true, meta: true }
/** What a page has to say stands near its beginning; one that never ends is not read to its end, for others wait meanwhile. */
const most_pieces = 20_000
const most_looked_at = 500

type Clues = { named: Choice[]; addresses: string[]; ids: string[]; is_peertube: boolean }

function clues(html: string, url: string): Clues {
  const named: (Choice & { is_aside: boolean })[] = []
  const found: Clues = { named: [], addresses: [], ids: [], is_peertube: false }
  let base = url
  let pieces = 0
  let looked_at = 0
  for (const piece of piecesOf(html)) {
    pieces += 1
    if (pieces > most_pieces || looked_at > most_looked_at) break
    if (!('tag' in piece) || piece.is_end || !(piece.tag in telling) || piece.attributes.length > 2000) continue
    looked_at += 1
    const attributes = attributesIn(piece.attributes)
    const value = (name: string) => withoutEntities(attributes.get(name) ?? '').trim()
    if (piece.tag === 'base') base = webUrlOf(value('href'), url) ?? base
    if (piece.tag === 'meta') {
      if (value('property') === 'og:platform' && value('content') === 'PeerTube') found.is_peertube = true
      if (/^(identifier|channelId)$/.test(value('itemprop'))) found.ids.push(value('content'))
    }
    if (piece.tag !== 'link') continue
    const href = webUrlOf(value('href'), base)
    if (!href) continue
    if (/^canonical$/i.test(value('rel'))) found.addresses.push(href)
    if (!isFeedLink(value('rel'), value('type'), href)) continue
    const title = titleOf(value('title'))
    named.push({ rss_url: href, kind: 'feed', title, is_aside: isAside(`${title ?? ''} ${href}`) })
  }
  const inOrder = [...named.filter(({ is_aside }) => !is_aside), ...named.filter(({ is_aside }) => is_aside)]
  return { ...found, named: distinct(inOrder.map(({ is_aside: _, ...choice }) => choice)) }
}

/** Many pages name, in the same way, a recipe for embedding them (oEmbed) and WordPress's own data. */
export const isFeedLink = (rel: string, type: string, href: string) =>
  /(^|\s)alternate(\s|$)/i.test(rel) &&
  /^(application\/(rss|atom|feed)\+(xml|json)|application\/(json|rdf\+xml)|text\/xml)\s*(;|$)/i.test(type) &&
  !href.includes('/wp-json/')

/** Comments below the videos, and PeerTube's for podcast players, which has fewer pictures. */
const isAside = (words: string) => /comment|\/feeds\/podcast\//i.test(words)

/** What says whose page it is, the surest first. A single name among the scripts' is sure too; one of many is not. */
function youtubeChannelIn(html: string, { named, addresses, ids }: Clues): string | undefined {
  const linked = [...named.map(({ rss_url }) => rss_url), ...addresses].flatMap(
    href => channel_link.exec(href)?.[1] ?? [],
  )
  const [sure] = [...linked, ...ids.filter(id => /^UC[\w-]{22}$/.test(id))]
  if (sure) return sure
  for (const pattern of in_scripts) {
    const found = pattern.exec(html)?.[1]
    if (found) return found
  }
  const [first, ...others] = new Set(Array.from(html.matchAll(/"channelId":"(UC[\w-]{22})"/g), ([, id]) => id))
  return others.length === 0 ? first : undefined
}

const channel_link = /(?:\/channel\/|[?&]channel_id=)(UC[\w-]{22})(?![\w-])/
const in_scripts = [
  /"externalId":"(UC[\w-]{22})"/,
  /"videoDetails":\{[^{}]{0,4000}?"channelId":"(UC[\w-]{22})"/,
  /"externalChannelId":"(UC[\w-]{22})"/,
]

export const distinct = (choices: Choice[]): Choice[] =>
  choices.filter(({ rss_url }, at) => choices.findIndex(other => other.rss_url === rss_url) === at).slice(0, 12)
