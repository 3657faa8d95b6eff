/**
 * The hub that a feed names, which announces its new entries, and the name of the feed at that hub (WebSub §4). Which hubs are used
 * is up to `domain/push`. Pure.
 */
import type { FeedHub } from '../../schema/sources/feed.ts'
import type { Element } from '../markup/element.ts'
import { type HeaderLink, linksInHeader } from '../markup/link-header.ts'
import { webUrlOf } from '../markup/web-url.ts'
import { childrenOf } from '../markup/xml.ts'

/** As written, relative to the feed's base. `self`: the address that the feed gives itself. */
export type HubClues = { hubs: (string | undefined)[]; self: string | undefined }

/** `names`: of link elements, in lower case with their prefix. */
export function hubsIn(element: Element, ...names: string[]): HubClues {
  const links = names.flatMap(name => childrenOf(element, name)).map(({ attributes }) => attributes)
  const hrefs = (rel: string) => links.flatMap(link => (isRel(link.rel, rel) ? [link.href] : []))
  return { hubs: hrefs('hub'), self: hrefs('self')[0] }
}

/**
 * The header comes before the document, as the standard says. `address`: the feed's own, its name at the hub where it gives itself
 * none.
 */
export function hubOf(
  { hubs, self }: HubClues,
  base: string,
  { link = '', url }: { link?: string | undefined; url: string },
  address: string,
): FeedHub | undefined {
  const header = link === '' ? [] : linksInHeader(link, url)
  const [hub] = [...hrefsIn(header, 'hub'), ...hubs.flatMap(named => webUrlOf(named, base) ?? [])]
  if (hub === undefined) return undefined
  return { hub, topic: hrefsIn(header, 'self')[0] ?? webUrlOf(self, base) ?? address }
}

const hrefsIn = (links: HeaderLink[], rel: string) => links.flatMap(link => (isRel(link.rel, rel) ? [link.href] : []))

/** One link may have several relations. */
const isRel = (given: string | undefined, rel: string) => (given ?? '').toLowerCase().split(/\s+/).includes(rel)
