/** The JSON API: every route under `/api`, the OpenAPI document that is made from them, and the page that shows the document. */
import { Hono } from 'hono'
import type { Service } from '../db/service/service.ts'
import { bestOf, type Discover } from '../domain/channels/discovery.ts'
import type { NameSearches } from '../domain/channels/find-by-name.ts'
import type { FindSegments } from '../domain/watching/segments.ts'
import type { FeedReader } from '../feed/fetch/fetch-feed.ts'
import type { BinLimits } from '../schema/bin/bin.ts'
import type { Files } from '../store/files.ts'
import { ApiDocsPage } from '../views/service/api-docs-page.tsx'
import type { VideoLooker } from '../ytdlp/run/look-at.ts'
import { account } from './account/account-api.ts'
import { binRoutes } from './bin/bin-api.ts'
import { backfills } from './channels/backfills-api.ts'
import { channels } from './channels/channels-api.ts'
import { discoverFeeds } from './channels/discover-api.ts'
import { feed } from './channels/feed-api.ts'
import { groups } from './channels/groups-api.ts'
import { history } from './channels/history-api.ts'
import { downloads } from './downloads/downloads-api.ts'
import { pauses } from './downloads/pauses-api.ts'
import { space } from './downloads/space-api.ts'
import { status } from './downloads/status.tsx'
import type { Env } from './http/context.ts'
import { documentOf } from './http/openapi.ts'
import { operationsOf } from './http/operation.ts'
import { pageOf } from './http/page.ts'
import { jsonOnly } from './http/valid.ts'
import { archive } from './imports/archive-api.ts'
import { importFiles, imports } from './imports/imports-api.ts'
import { rules } from './rules/rules-api.ts'
import { savedSearches } from './search/saved-searches-api.ts'
import { search } from './search/search-api.ts'
import { transcripts } from './search/transcripts-api.ts'
import { health } from './service/health-api.ts'
import { settings } from './settings/settings-api.ts'
import { videos } from './videos/videos-api.ts'
import { marks } from './watching/marks-api.ts'
import { segments } from './watching/segments-api.ts'

export type ApiDeps = {
  readFeed: FeedReader
  discover: Discover
  lookAt: VideoLooker
  names: NameSearches
  files: Files
  service: Service
  findSegments: FindSegments
  bin: BinLimits
  /** `null`: no quota. */
  quota_bytes: number | null
}

export function api({ readFeed, discover, lookAt, names, files, service, findSegments, bin, quota_bytes }: ApiDeps) {
  const findFeed = bestOf(discover)
  const routes = new Hono<Env>()
    .route('/', status(quota_bytes))
    .route('/', importFiles)
    .route('/', archive)
    .use(jsonOnly)
    .route('/', imports)
    .route('/', settings)
    .route('/', videos({ files, bin, lookAt }))
    .route('/', account(quota_bytes))
    .route('/', search)
    .route('/', savedSearches)
    .route('/', transcripts)
    .route('/', segments(findSegments))
    .route('/', discoverFeeds(discover, names))
    .route('/', health(service, files))
    .route('/', backfills)
    .route('/', channels({ readFeed, findFeed, files, bin }))
    .route('/', groups)
    .route('/', marks)
    .route('/', rules)
    .route('/', feed(findFeed))
    .route('/', history)
    .route('/', downloads(files, bin))
    .route('/', pauses)
    .route('/', binRoutes(files, bin))
    .route('/', space(files, bin, quota_bytes))
  let document: ReturnType<typeof documentOf> | undefined
  return new Hono<Env>()
    .get('/openapi.json', c => {
      // Takes 50 ms, and most processes never serve it.
      document ??= documentOf(operationsOf(routes.routes))
      return c.json(document)
    })
    .get('/docs', c => c.html(<ApiDocsPage page={pageOf(c)} />))
    .route('/', routes)
}
