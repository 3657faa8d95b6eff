/** Asks a PeerTube server for channels by their name. It also knows channels of the servers that it follows. */
import { z } from 'zod'
import { DomainError } from '../../errors.ts'
import { jsonIn } from '../../runtime/json.ts'
import type { NamedChannel } from '../../schema/sources/discovery.ts'
import { webUrlOf } from '../markup/web-url.ts'
import { type FetchOptions, fetchDocument } from './fetch.ts'
import { withMemory } from './memory.ts'

type PeertubeSearch = { origin: string; words: string; signal: AbortSignal; whose?: string | undefined }

/** Rejects with a refusal, or when `signal` is aborted. */
export type PeertubeSearcher = (search: PeertubeSearch) => Promise<NamedChannel[]>

const max_results = 10

export const createPeertubeSearcher =
  (options: FetchOptions): PeertubeSearcher =>
  ({ origin, words, signal, whose }) => {
    const query = new URLSearchParams({ search: words, start: '0', count: String(max_results) })
    return withMemory(whose, async share => {
      const url = `${origin}/api/v1/search/video-channels?${query}`
      const { body } = await fetchDocument(url, { ...options, signal }, share)
      return channelsIn(new TextDecoder().decode(body)).slice(0, max_results)
    })
  }

const ChannelList = z.object({
  data: z.array(z.object({ displayName: z.string().min(1).max(200), url: z.string() })),
})

function channelsIn(json: string): NamedChannel[] {
  const read = ChannelList.safeParse(jsonIn(json))
  if (!read.success) throw new DomainError('feed_failed', 'This site sent something that is not a list of channels.')
  return read.data.data.flatMap(({ displayName, url }) => {
    const page_url = webUrlOf(url)
    // The server also says on which host the channel is, but following leads to the page.
    return page_url ? [{ title: displayName, page_url, site: new URL(page_url).host }] : []
  })
}
