/** Looks at what stands at an address: a feed, a page with what it names, or an answer to where a video belongs. */
import { z } from 'zod'
import type { Choice } from '../../schema/discovery.ts'
import type { Feed } from '../../schema/feed.ts'
import type { FetchedDocument } from '../document.ts'
import { textOf } from '../markup/encoding.ts'
import { type FetchOptions, fetchDocument } from './fetch.ts'
import { choicesApart, parseApart } from './parse-apart.ts'

/** `choices` may be empty; `owners` are pages of the channel. */
export type Content = { feed: Feed } | { choices: Choice[] } | { owners: string[] }

/** Rejects like `fetchDocument` and `parseFeed`. `whose`: who takes the turn at reading what is big. */
export async function fetchContent(url: string, options: FetchOptions, whose?: string): Promise<Content> {
  const document = await fetchDocument(url, options)
  const turn = { whose, signal: options.signal }
  const choices = await choicesApart(document, turn)
  if (choices) return { choices }
  const owners = ownersIn(document)
  return owners.length > 0 ? { owners } : { feed: await parseApart(document, url, turn) }
}

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
