/** In this process, over real connections: the app, its tasks, a channel's feed and the hub that announces it. */
import { onTestFinished } from 'vitest'
import { refreshFeedTask, subscribeTask } from '../../../jobs/tasks/feeds.ts'
import type { WorkerParts } from '../../../jobs/worker/parts.ts'
import type { Sql } from '../../../src/db/postgres/client.ts'
import { createChangeFetcher } from '../../../src/feed/fetch/fetch-feed.ts'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { type Fetch, serve } from '../../../src/runtime/serve.ts'
import { createPost } from '../../../src/senders/post.ts'
import { siteWith } from '../media/feed-site.ts'
import { hubOnLoopback } from '../media/websub-hub.ts'
import { idleParts } from './parts.ts'

/** Serves the app until the end of the test. */
export async function served(app: { fetch: Fetch }): Promise<string> {
  const server = await serve(app.fetch, '127.0.0.1', 0)
  onTestFinished(() => server.close())
  return server.url.replace('localhost', '127.0.0.1')
}

const item = (id: string) =>
  `<item><title>${id}</title><link>https://h.example/${id}</link><pubDate>Sat, 21 Nov 2026 ${id.slice(-2)}:00:00 GMT</pubDate></item>`

/** The feed of a channel of YouTube, which is also the name of the feed at the hub. */
export const feedOf = (letter: string) => `https://www.youtube.com/feeds/videos.xml?channel_id=UC${letter.repeat(22)}`
export const rss_url = feedOf('a')

/** Stands in for YouTube and its hub. A test adds videos by their ids. The end of an id is the hour at which the video was published. */
export async function channelWithHub(options: Parameters<typeof hubOnLoopback>[0] = {}) {
  const hub = await hubOnLoopback(options)
  const feed = { videos: ['v01'] }
  const site = await siteWith((request, response) => {
    const etag = `"${feed.videos.join('-')}"`
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end()
    const body = `<rss><channel><title>Kitchen</title>${feed.videos.map(item).join('')}</channel></rss>`
    response.setHeader('etag', etag).end(body)
  })
  const policy = addressPolicy(['127.0.0.1'])
  const fetchChanges = createChangeFetcher({ policy })
  const post = createPost({ policy, timeout_ms: 2000 })
  /** A worker for a web process at `public_url`. */
  const partsAt = (sql: Sql, public_url: string): WorkerParts => ({
    ...idleParts(sql),
    fetchChanges: (_, known, signal) => fetchChanges(`${site.url}/feed`, known, signal),
    sendToHub: (_, outgoing, signal) => post(hub.url, outgoing, signal),
    callbacks: `${public_url}/push/`,
    refresh_interval_minutes: 30,
  })
  return { hub, feed, site, partsAt }
}

/** The tasks, run to their end. */
export function pushTasks(parts: WorkerParts) {
  const helpers = { abortSignal: new AbortController().signal } as never
  const refresh = refreshFeedTask(parts)
  const subscribe = subscribeTask(parts)
  return {
    refresh: async (job: { rss_url: string; pushed?: boolean }) => refresh(job, helpers),
    subscribe: async () => subscribe({}, helpers),
  }
}
