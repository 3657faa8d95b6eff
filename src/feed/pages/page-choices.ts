/** Whether a document is a web page, and which feeds it names. Pure. */
import type { Choice } from '../../schema/sources/discovery.ts'
import type { FetchedDocument } from '../document.ts'
import { formatOf } from '../formats/parse.ts'
import { textOf } from '../markup/encoding.ts'
import { distinctChoices } from '../platforms/platform.ts'
import { feedsInHeader } from './link-header.ts'
import { feedsOnPage } from './page-feeds.ts'

/** By its beginning. */
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
