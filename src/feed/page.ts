/** Looks at what stands at an address: a feed, a page with what it names, or an answer to where a video belongs. */
import { z } from 'zod'
import type { Choice } from '../schema/discovery.ts'
import type { Feed } from '../schema/feed.ts'
import { textOf } from './encoding.ts'
import { type FetchedDocument, type FetchOptions, fetchDocument } from './fetch.ts'
import { feedsInHeader } from './link-header.ts'
import { distinct, feedsOnPage } from './page-feeds.ts'
import { kindOf } from './parse.ts'
import { parseApart } from './parse-apart.ts'

/** `choices` may be empty; `owners` are pages of the channel. */
export type Page = { feed: Feed } | { choices: Choice[] } | { owners: string[] }

/** Rejects like `fetchDocument` and `parseFeed`. */
export async function lookAt(url: string, options: FetchOptions): Promise<Page> {
  const document = await fetchDocument(url, options)
  const choices = choicesIn(document)
  if (choices) return { choices }
  const owners = ownersIn(document)
  return owners.length > 0 ? { owners } : { feed: await parseApart(document, url) }
}

/** The feeds that a page names; undefined when it is none. */
export const choicesIn = (document: FetchedDocument): Choice[] | undefined =>
  kindOf(beginningOf(document)) === 'html'
    ? distinct([
        ...feedsOnPage(pageTextOf(document), document.url),
        ...feedsInHeader(document.link ?? '', document.url),
      ])
    : undefined

/** Enough to tell a page from a feed, in any encoding: nobody waits while all of it is decoded. Some begin with an essay. */
const beginningOf = ({ body }: FetchedDocument): string => latin1.decode(body.subarray(0, 65_536)).replaceAll('\0', '')
const latin1 = new TextDecoder('latin1')

/** Of a big page the beginning, in the encoding that nearly all big ones have: others wait while it is read. */
const pageTextOf = ({ body, content_type }: FetchedDocument): string =>
  body.length <= 256 * 1024 ? textOf(body, content_type) : new TextDecoder().decode(body.subarray(0, 2 * 1024 * 1024))

/** PeerTube's own words on a video; its channel may live on another host, where the feed has all of it. */
const Video = z.object({ channel: z.object({ url: z.url({ protocol: /^https?$/ }) }) })

function ownersIn({ url, body, content_type }: FetchedDocument): string[] {
  if (!/^\/api\/v1\/videos\//.test(new URL(url).pathname)) return []
  try {
    const read = Video.safeParse(JSON.parse(textOf(body, content_type)))
    return read.success ? [read.data.channel.url] : []
  } catch {
    return []
  }
}
