/** The feeds that a page names in the HTTP header `Link` (RFC 8288). Pure. */
import type { Choice } from '../../schema/discovery.ts'
import { attributesIn } from '../markup/html.ts'
import { titleOf } from '../markup/text.ts'
import { webUrlOf } from '../markup/web-url.ts'
import { isFeedLink } from './page-feeds.ts'

/** `url`: the page's own. Without `;` and `,` the parameters of a link read like the attributes of a tag. */
export const feedsInHeader = (header: string, url: string): Choice[] =>
  Array.from(header.matchAll(/<([^<>]*)>([^<>]*)/g)).flatMap(([, target, parameters = '']) => {
    const rss_url = webUrlOf(target, url)
    const attributes = attributesIn(parameters.replace(/[;,]/g, ' '))
    const isFeed = rss_url && isFeedLink(attributes.get('rel') ?? '', attributes.get('type') ?? '', rss_url)
    return isFeed ? [{ rss_url, kind: 'feed' as const, title: titleOf(attributes.get('title')) }] : []
  })
