/** Fetches an address and says what is there: a feed, a web page with the feeds it names, or the owners of a video. */
import type { Choice } from '../../schema/sources/discovery.ts'
import type { Feed } from '../../schema/sources/feed.ts'
import type { FetchedDocument } from '../document.ts'
import { textOf } from '../markup/encoding.ts'
import { isPeertubeVideo, peertubeOwnersIn } from '../platforms/peertube.ts'
import { type FetchOptions, fetchDocument } from './fetch.ts'
import { withMemory } from './memory.ts'
import { choicesApart, parseApart } from './parse-apart.ts'
import { withSecondAddress } from './second-address.ts'

/** `choices`: may be empty. `owners`: pages of the channel that a video belongs to. */
export type Content = { feed: Feed } | { choices: Choice[] } | { owners: string[] }

type ContentOptions = FetchOptions & {
  /** The person whose turn it takes to read a big document. */
  whose?: string
  /** Asked before the feed's second address is fetched. */
  mayFetch?: (address: string) => boolean
}

/** Rejects like `fetchDocument` and `parseFeed`. */
export function fetchContent(url: string, { whose, mayFetch, ...options }: ContentOptions): Promise<Content> {
  return withSecondAddress(
    url,
    (address, second) =>
      withMemory(whose, async share => {
        const document = await fetchDocument(address, options, share)
        const turn = { whose, signal: options.signal }
        const choices = await choicesApart(document, turn)
        if (choices) return { choices }
        const owners = ownersIn(document)
        if (owners.length > 0) return { owners }
        const feed = await parseApart(document, url, turn)
        return { feed: second?.keep(feed) ?? feed }
      }),
    mayFetch,
  )
}

const ownersIn = ({ url, body, content_type }: FetchedDocument): string[] =>
  isPeertubeVideo(url) ? peertubeOwnersIn(textOf(body, content_type)) : []
