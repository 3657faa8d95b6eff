/** From the address a person gives to the address of a feed: by what is known of a platform, or by what a page names. Pure. */
import { DomainError } from '../errors.ts'
import { withoutEntities } from './entities.ts'
import { attributeIn, piecesOf } from './html.ts'
import { webUrlOf } from './web-url.ts'

/** The address to fetch. `example.com/feed` gets its https://. Throws what to write instead. */
export function feedAddressOf(given: string): string {
  const text = given
    .trim()
    .replace(/^feed:(\/\/)?(?=https?:)/i, '')
    .replace(/^feed:\/\//i, 'https://')
  const [, scheme] = /^([a-z][a-z0-9+.-]*):(?!\d)/i.exec(text) ?? []
  if (scheme !== undefined && !/^https?$/i.test(scheme)) throw notTheWeb()
  const full =
    scheme !== undefined ? text : text.startsWith('@') ? `https://www.youtube.com/${text}` : `https://${text}`
  const url = /[\s\u0000-\u001f]/.test(text) ? undefined : webUrlOf(full)
  if (url === undefined) throw noAddress()
  return knownFeedOf(url) ?? url
}

const notTheWeb = () =>
  new DomainError('address_refused', 'Only addresses that start with http:// or https:// are fetched.')
const noAddress = () => new DomainError('invalid', 'This is not a web address. It looks like https://example.com/feed.')

/** Feeds of platforms whose pages do not need to be asked. */
function knownFeedOf(url: string): string | undefined {
  const { hostname, pathname, searchParams } = new URL(url)
  const host = hostname.replace(/^(www|m|music)\./, '')
  if (host === 'odysee.com') {
    const channel = /^\/(@[^/:]{1,100}:[0-9a-f]{1,40})\/?$/.exec(pathname)?.[1]
    return channel && `https://odysee.com/$/rss/${channel}`
  }
  if (host !== 'youtube.com' || pathname.startsWith('/feeds/')) return undefined
  const feed = 'https://www.youtube.com/feeds/videos.xml'
  const channel = /^\/channel\/(UC[A-Za-z0-9_-]{22})(?:\/|$)/.exec(pathname)?.[1]
  if (channel) return `${feed}?channel_id=${channel}`
  const user = /^\/user\/([A-Za-z0-9._-]{1,100})(?:\/|$)/.exec(pathname)?.[1]
  if (user) return `${feed}?user=${user}`
  // Not the mixes and private lists, which have no feed.
  const list = searchParams.get('list')
  return list && /^(PL|UU|FL|OLAK5uy_)[A-Za-z0-9_-]{10,60}$/.test(list) ? `${feed}?playlist_id=${list}` : undefined
}

/** The feed that a page names in a `<link rel="alternate">`; the first that is not of comments. `url` is the page's. */
export function feedNamedBy(html: string, url: string): string | undefined {
  const named: { href: string; is_comments: boolean }[] = []
  let base = url
  for (const piece of piecesOf(html)) {
    if (!('tag' in piece) || piece.is_end) continue
    const value = (name: string) => withoutEntities(attributeIn(piece.attributes, name) ?? '').trim()
    if (piece.tag === 'base') base = webUrlOf(value('href'), url) ?? base
    if (piece.tag !== 'link' || !/(^|\s)alternate(\s|$)/i.test(value('rel')) || !feed_type.test(value('type'))) continue
    const href = webUrlOf(value('href'), base)
    if (href) named.push({ href, is_comments: /comment/i.test(value('title') + href) })
    if (named.length === 50) break
  }
  return (named.find(({ is_comments }) => !is_comments) ?? named[0])?.href
}

const feed_type = /^application\/(rss|atom|feed)\+(xml|json)|^application\/(json|rdf\+xml)|^text\/xml/i
