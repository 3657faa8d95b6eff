/** Whether a document is a web page, and which feeds it names or implies, in its tags and in the HTTP header `Link`. Pure. */
import type { Choice } from '../../schema/sources/discovery.ts'
import { type FetchedDocument, formatOf } from '../formats/parse.ts'
import { textOf } from '../markup/encoding.ts'
import { attributesIn, linksInHeader, piecesOf, titleOf, withoutEntities } from '../markup/html.ts'
import { webUrlOf } from '../markup/web-url.ts'
import { knownFeedsOf } from '../platforms/by-address.ts'
import { feedsOnPeertubePage } from '../platforms/peertube.ts'
import { distinctChoices, type PageClues } from '../platforms/platform.ts'
import { feedsOnYouTubePage, isYouTube } from '../platforms/youtube.ts'

/** Whether a document is a web page, by its beginning. */
export const isPage = (document: FetchedDocument): boolean => formatOf(beginningOf(document)) === 'html'

/** Call it for web pages only. */
export const choicesOn = (document: FetchedDocument): Choice[] =>
  distinctChoices([
    ...feedsOnPage(pageTextOf(document), document.url),
    ...feedsInHeader(document.link ?? '', document.url),
  ])

/** Enough to tell a page from a feed, in any encoding, without decoding all of it. Some pages begin with a long comment. */
const beginningOf = ({ body }: FetchedDocument): string => latin1.decode(body.subarray(0, 65_536)).replaceAll('\0', '')
const latin1 = new TextDecoder('latin1')

/** A big page is read as UTF-8, which nearly all of them are, and only its beginning. */
const pageTextOf = ({ body, content_type }: FetchedDocument): string =>
  body.length <= 256 * 1024 ? textOf(body, content_type) : new TextDecoder().decode(body.subarray(0, 2 * 1024 * 1024))

/** The best first. `url`: the page's own, where the redirects ended. */
export function feedsOnPage(html: string, url: string): Choice[] {
  const clues = cluesIn(html, url)
  if (isYouTube(new URL(url).hostname)) return feedsOnYouTubePage(html, clues)
  if (clues.says_peertube) return feedsOnPeertubePage(url, clues)
  return distinctChoices([...clues.addresses.flatMap(knownFeedsOf), ...clues.named])
}

const telling = { base: true, link: true, meta: true }
/** The clues are near the beginning of a page. A page without end is not read to its end, because other requests wait meanwhile. */
const max_pieces = 20_000
const max_tags = 500

function cluesIn(html: string, url: string): PageClues {
  const named: (Choice & { is_secondary: boolean })[] = []
  const found: PageClues = { named: [], addresses: [], ids: [], says_peertube: false }
  let base = url
  let pieces = 0
  let tags = 0
  for (const piece of piecesOf(html)) {
    pieces += 1
    if (pieces > max_pieces || tags > max_tags) break
    if (!('tag' in piece) || piece.is_end || !(piece.tag in telling) || piece.attributes.length > 2000) continue
    tags += 1
    const attributes = attributesIn(piece.attributes)
    const value = (name: string) => withoutEntities(attributes.get(name) ?? '').trim()
    if (piece.tag === 'base') base = webUrlOf(value('href'), url) ?? base
    if (piece.tag === 'meta') {
      if (value('property') === 'og:platform' && value('content') === 'PeerTube') found.says_peertube = true
      if (/^(identifier|channelId)$/.test(value('itemprop'))) found.ids.push(value('content'))
    }
    if (piece.tag !== 'link') continue
    const href = webUrlOf(value('href'), base)
    if (!href) continue
    if (/^canonical$/i.test(value('rel'))) found.addresses.push(href)
    if (!isFeedLink(value('rel'), value('type'), href)) continue
    const title = titleOf(value('title'))
    named.push({ rss_url: href, kind: 'feed', title, is_secondary: isSecondary(`${title ?? ''} ${href}`) })
  }
  const inOrder = [...named.filter(({ is_secondary }) => !is_secondary), ...named.filter(link => link.is_secondary)]
  return { ...found, named: distinctChoices(inOrder.map(({ is_secondary: _, ...choice }) => choice)) }
}

/** Many pages link to oEmbed data and WordPress's own API in the same way. */
const isFeedLink = (rel: string, type: string, href: string) =>
  /(^|\s)alternate(\s|$)/i.test(rel) &&
  /^(application\/(rss|atom|feed)\+(xml|json)|application\/(json|rdf\+xml)|text\/xml)\s*(;|$)/i.test(type) &&
  !href.includes('/wp-json/')

/** Feeds of comments, and PeerTube's feed for podcast players, which has fewer pictures. */
const isSecondary = (words: string) => /comment|\/feeds\/podcast\//i.test(words)

/** The feeds that a page names in the HTTP header `Link`. `url`: the page's own. */
const feedsInHeader = (header: string, url: string): Choice[] =>
  linksInHeader(header, url).flatMap(({ href, rel, type, title }) =>
    isFeedLink(rel, type, href) ? [{ rss_url: href, kind: 'feed' as const, title: titleOf(title) }] : [],
  )
