/** The feeds that a page names in the HTTP header `Link`. Pure. */
import type { Choice } from '../../schema/sources/discovery.ts'
import { linksInHeader } from '../markup/link-header.ts'
import { titleOf } from '../markup/text.ts'
import { isFeedLink } from './page-feeds.ts'

/** `url`: the page's own. */
export const feedsInHeader = (header: string, url: string): Choice[] =>
  linksInHeader(header, url).flatMap(({ href, rel, type, title }) =>
    isFeedLink(rel, type, href) ? [{ rss_url: href, kind: 'feed' as const, title: titleOf(title) }] : [],
  )
