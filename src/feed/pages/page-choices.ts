/** The feeds that a web page names, when a document is one. Pure. */
import type { Choice } from '../../schema/discovery.ts'
import type { FetchedDocument } from '../document.ts'
import { kindOf } from '../formats/parse.ts'
import { textOf } from '../markup/encoding.ts'
import { feedsInHeader } from './link-header.ts'
import { distinct, feedsOnPage } from './page-feeds.ts'

/** Whether it is a web page, by its beginning. */
export const isPage = (document: FetchedDocument): boolean => kindOf(beginningOf(document)) === 'html'

/** Of a document that is a web page. */
export const choicesOn = (document: FetchedDocument): Choice[] =>
  distinct([...feedsOnPage(pageTextOf(document), document.url), ...feedsInHeader(document.link ?? '', document.url)])

/** Enough to tell a page from a feed, in any encoding: nobody waits while all of it is decoded. Some begin with an essay. */
const beginningOf = ({ body }: FetchedDocument): string => latin1.decode(body.subarray(0, 65_536)).replaceAll('\0', '')
const latin1 = new TextDecoder('latin1')

/** Of a big page the beginning, in the encoding that nearly all big ones have: others wait while it is read. */
const pageTextOf = ({ body, content_type }: FetchedDocument): string =>
  body.length <= 256 * 1024 ? textOf(body, content_type) : new TextDecoder().decode(body.subarray(0, 2 * 1024 * 1024))
