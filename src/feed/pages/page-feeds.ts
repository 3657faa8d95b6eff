/** Whether a document is a web page, and which feeds it names or implies, in its tags and in the HTTP header `Link`. Pure. */
import type { Choice } from '../../schema/sources/discovery.ts'
import { type FetchedDocument, formatOf } from '../formats/parse.ts'
import { textOf } from '../markup/encoding.ts'
import { attributesIn, linksInHeader, type Piece, piecesOf, titleOf, withoutEntities } from '../markup/html.ts'
import { webUrlOf } from '../markup/web-url.ts'
import { isOfOneSite, knownFeedsOf } from '../platforms/by-address.ts'
import { feedsOnPeertubePage } from '../platforms/peertube.ts'
import { distinctChoices, type PageClues } from '../platforms/platform.ts'
import { feedsOnYouTubePage, isYouTube } from '../platforms/youtube.ts'

/** Whether a document is a web page, by its beginning. */
export const isPage = (document: FetchedDocument): boolean => formatOf(beginningOf(document)) === 'html'

/** Call it for web pages only. Guesses are last. */
export function choicesOn(document: FetchedDocument): Choice[] {
  const found = feedsOnPage(pageTextOf(document), document.url)
  const declared = [...found.filter(({ is_guess }) => !is_guess), ...feedsInHeader(document.link ?? '', document.url)]
  return distinctChoices([...declared, ...found])
}

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
  return distinctChoices([...clues.addresses.flatMap(knownFeedsOf), ...clues.named, ...clues.guessed])
}

const telling = { base: true, link: true, meta: true }
/** The clues are near the beginning of a page. A page without end is not read to its end, because other requests wait meanwhile. */
const max_pieces = 20_000
const max_tags = 500

function cluesIn(html: string, url: string): PageClues {
  const named: (Choice & { is_secondary: boolean })[] = []
  const links: Link[] = []
  const found: PageClues = { named: [], guessed: [], addresses: [], ids: [], says_peertube: false }
  let base = url
  let refresh: string | undefined
  let pieces = 0
  let tags = 0
  for (const piece of piecesOf(html)) {
    pieces += 1
    if (pieces > max_pieces || tags > max_tags) break
    noteLink(links, piece)
    if (!('tag' in piece) || piece.is_end || !(piece.tag in telling) || piece.attributes.length > 2000) continue
    tags += 1
    const value = valuesIn(piece.attributes)
    if (piece.tag === 'base') base = webUrlOf(value('href'), url) ?? base
    if (piece.tag === 'meta') {
      if (value('property') === 'og:platform' && value('content') === 'PeerTube') found.says_peertube = true
      if (/^(identifier|channelId)$/.test(value('itemprop'))) found.ids.push(value('content'))
      if (/^refresh$/i.test(value('http-equiv'))) refresh ??= webUrlOf(refreshed.exec(value('content'))?.[1], base)
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
  found.named = distinctChoices(inOrder.map(({ is_secondary: _, ...choice }) => choice))
  // Many pages lead browsers without scripts to another page.
  found.guessed = [...likelyFeeds(links, base, url), refresh ?? []].flat().map(guessOf)
  return found
}

const valuesIn = (text: string) => {
  const attributes = attributesIn(text)
  return (name: string) => withoutEntities(attributes.get(name) ?? '').trim()
}

const guessOf = (rss_url: string): Choice => ({ rss_url, kind: 'feed', is_guess: true })

/** A refresh within seconds leads elsewhere; a later one reloads the page. */
const refreshed = /^\d\s*[;,]\s*url\s*=\s*["']?([^"']+)/i

/** `words`: what people read in the link. */
type Link = { tag: string; attributes: string; words: string }

/** Keeps each link, and adds the words in it. */
function noteLink(links: Link[], piece: Piece): void {
  const last = links.at(-1)
  if (!('tag' in piece) || piece.tag === 'img') {
    if (last?.tag === 'a' && last.words.length <= max_words)
      last.words += ` ${('tag' in piece ? valuesIn(piece.attributes)('alt') : piece.text.trim()).slice(0, max_words)}`
  } else if (piece.tag === 'a' || piece.tag === 'link')
    links.push({ tag: piece.is_end ? '' : piece.tag, attributes: piece.attributes, words: '' })
}

/** Characters. More are the title of an article. */
const max_words = 60

/** The three links that look most like a feed of the page's site. */
function likelyFeeds(links: Link[], base: string, url: string): string[] {
  const found = links.flatMap(({ tag, attributes, words }) => {
    if (attributes.length > 2000 || !/rss|atom|feed|xml/i.test(attributes + words)) return []
    const value = valuesIn(attributes)
    const said = [words, ...['title', 'aria-label', 'rel', 'type'].map(value)]
    const [href = ''] = webUrlOf(value('href'), base)?.split('#') ?? []
    const is_likely = said.some(text => text.length <= max_words && feed_words.test(text))
    if (href === '' || no_feed.test(`${said} ${pathIn(href)}`)) return []
    return is_likely || (tag === 'a' && feed_path.test(href)) ? [href] : []
  })
  const likeness = (href: string) => Number(feed_path.test(href)) + Number(isOfOneSite(href, url))
  return [...new Set(found)].sort((one, other) => likeness(other) - likeness(one)).slice(0, 3)
}

/** By the address alone. */
export const looksLikeFeed = (url: string): boolean => feed_path.test(url) && !no_feed.test(pathIn(url))

const pathIn = (url: string) => url.slice(new URL(url).origin.length)

const feed_words = /\b(?:rss|atom)\b|\bfeeds?\s*$/i
const feed_path = /[/?&](?:rss2?|atom|feeds?)(?:[/.?=]|$)|\.(?:rss|atom|xml)(?:\?|$)/i
const no_feed = /com+ent|komment|\/wp-json\/|oembed|sitemap/i

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
