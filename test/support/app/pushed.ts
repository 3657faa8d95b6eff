/** In this process, over real connections: the app, its tasks, a feed and the hub that the feed names. */
import { onTestFinished } from 'vitest'
import { refreshFeedTask, subscribeTask } from '../../../jobs/tasks/feeds.ts'
import type { WorkerParts } from '../../../jobs/worker/parts.ts'
import type { Sql } from '../../../src/db/postgres/client.ts'
import { pushSettings } from '../../../src/domain/push/hubs.ts'
import { createChangeFetcher } from '../../../src/feed/fetch/fetch-feed.ts'
import { createHubSender } from '../../../src/feed/fetch/send-to-hub.ts'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { type Fetch, serve } from '../../../src/runtime/serve.ts'
import { siteWith } from '../media/feed-site.ts'
import { hubOnLoopback } from '../media/websub-hub.ts'
import { idleParts } from './parts.ts'

export const ours = ['127.0.0.1']

/** A worker that may call hubs and feeds on this machine, for a web process at `public_url`. */
export function pushingParts(sql: Sql, public_url: string): WorkerParts {
  const policy = addressPolicy(ours)
  const settings = { PUBLIC_URL: public_url, REFRESH_INTERVAL_MINUTES: 30, ALLOWED_ADDRESSES: ours }
  return {
    ...idleParts(sql),
    fetchChanges: createChangeFetcher({ policy }),
    sendToHub: createHubSender({ policy, timeout_ms: 2000 }),
    push: pushSettings(settings),
    refresh_interval_minutes: 30,
  }
}

/** Serves the app until the end of the test. */
export async function served(app: { fetch: Fetch }): Promise<string> {
  const server = await serve(app.fetch, '127.0.0.1', 0)
  onTestFinished(() => server.close())
  return server.url.replace('localhost', '127.0.0.1')
}

const item = (id: string) =>
  `<item><title>${id}</title><link>https://h.example/${id}</link><pubDate>Sat, 21 Nov 2026 ${id.slice(-2)}:00:00 GMT</pubDate></item>`

/** A feed with a hub, whose videos a test adds. Ids end in the hour at which they were published. */
export async function feedWithHub(options: Parameters<typeof hubOnLoopback>[0] = {}) {
  const hub = await hubOnLoopback(options)
  const feed = { videos: ['v01'], hub: hub.url as string | undefined, hangs: false }
  const site = await siteWith((request, response) => {
    if (feed.hangs) return
    const links = feed.hub ? `<${feed.hub}>; rel="hub", <${site.url}/self>; rel="self"` : undefined
    const body = `<rss><channel><title>Kitchen</title>${feed.videos.map(item).join('')}</channel></rss>`
    const etag = `"${feed.videos.join('-')} ${feed.hub}"`
    if (links) response.setHeader('link', links)
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end()
    response.setHeader('etag', etag).end(body)
  })
  return { hub, feed, site, rss_url: `${site.url}/feed`, topic: `${site.url}/self` }
}

/** The tasks, run to their end. */
export function pushTasks(parts: WorkerParts) {
  const helpers = { abortSignal: new AbortController().signal } as never
  const refresh = refreshFeedTask(parts)
  const subscribe = subscribeTask(parts)
  return {
    refresh: async (rss_url: string) => refresh({ rss_url }, helpers),
    subscribe: async (push_id: string, hub_host = 'feeds:hub.example', renewal = false) =>
      subscribe({ push_id, hub_host, renewal }, helpers),
  }
}
