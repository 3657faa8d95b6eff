/** Makes the web app from the configuration, and serves it. */
import { createApp } from './app.tsx'
import { openIdProvider } from './auth/oidc.ts'
import type { Config } from './config/config.ts'
import { accountsIn } from './db/account/accounts.ts'
import { connect, idle_timeout_s } from './db/postgres/client.ts'
import { keepTime } from './db/postgres/clock.ts'
import { serviceIn } from './db/service/service.ts'
import { segmentsStored } from './db/watching/segments.ts'
import { createDiscover } from './domain/channels/discovery.ts'
import { webSources } from './domain/channels/feed-search.ts'
import { webNameSearches } from './domain/channels/find-by-name.ts'
import { webListings } from './domain/listings/listings.ts'
import { lazySender } from './domain/notifications/sender.ts'
import { segmentFinder } from './domain/watching/segments.ts'
import type { AddressPolicy } from './net/addresses.ts'
import { operatorProxyOf, throughProxy } from './net/operator-proxy.ts'
import { search_connections } from './routes/http/turn-limits.ts'
import { lazily } from './runtime/cache.ts'
import { setDownloadTimes, timesIn } from './runtime/download-times.ts'
import type { Log } from './runtime/log.ts'
import { serve } from './runtime/serve.ts'
import { serverOpener } from './servers/kinds.ts'
import { openStorage, videoOrigin } from './store/storage.ts'
import { lazyTools } from './ytdlp/tools/lazy-tools.ts'

/**
 * Returns the address, and what asks whether there is no account. `opened` gets what has to be closed, in the order in which it was opened.
 */
export async function openWeb(
  config: Config,
  database_url: string,
  log: Log,
  opened: ((patiently?: boolean) => Promise<unknown>)[],
  policy: AddressPolicy,
  listen = serve,
): Promise<{ url: string; isNew: () => Promise<boolean> }> {
  setDownloadTimes(timesIn(config))
  const sql = connect(database_url, { idle_timeout_s })
  const search_sql = connect(database_url, { max: search_connections, idle_timeout_s, plans: 'each' })
  for (const pool of [sql, search_sql]) opened.push(() => pool.end({ timeout: 2 }))
  opened.push(await keepTime(sql, log))
  // Messages and sign-in stay direct.
  const outside = throughProxy(policy, config, operatorProxyOf(config))
  const readFeed = lazily(async () =>
    (await import('./feed/fetch/fetch-feed.ts')).createFeedReader({ policy: outside }),
  )
  const { SPONSORBLOCK_URL: url } = config
  const askSegments = url
    ? lazily(async () =>
        (await import('./feed/fetch/ask-sponsorblock.ts')).createSegmentAsker({ policy: outside, url }),
      )
    : undefined
  // Does not fetch tools: a page would have to wait for them, and the worker fetches them anyway.
  const findTools = lazyTools(config, { fetch: false })
  const discover = createDiscover(webSources(outside, findTools))
  const { lookAt } = webListings({ policy: outside, findTools })
  const files = openStorage(config, serviceIn(sql).someFiles)
  const app = await createApp({
    sql,
    search_sql,
    files,
    toJpeg: lazily(async () => (await import('./ytdlp/convert/convert-picture.ts')).jpegConverter(findTools, 'square')),
    readFeed,
    findSegments: segmentFinder({ store: segmentsStored(sql), ask: askSegments }),
    discover,
    lookAt,
    ...lazySender(sql, policy, config),
    openServer: serverOpener({ policy }),
    names: webNameSearches(outside, findTools),
    log,
    config,
    provider: openIdProvider(config, policy),
    video_origin: videoOrigin(config),
  })
  const server = await listen(app.fetch, config.HOST, config.PORT)
  opened.push(server.close)
  return { url: config.PUBLIC_URL ?? server.url, isNew: async () => !(await accountsIn(sql).any()) }
}
