/** The JSON API: every route under `/api`, and the OpenAPI document that is made from them. */
import { Hono } from 'hono'
import type { Service } from '../../db/queue/service.ts'
import { bestOf, type Discover } from '../../domain/channels/discovery.ts'
import type { NameSearches } from '../../domain/channels/find-by-name.ts'
import type { FindSegments } from '../../domain/segments/segments.ts'
import type { FeedReader } from '../../feed/fetch/feed-reader.ts'
import type { BinLimits } from '../../schema/bin.ts'
import type { Files } from '../../store/files.ts'
import type { VideoLooker } from '../../ytdlp/run/look-at.ts'
import type { Env } from '../middleware/context.ts'
import { jsonOnly } from '../middleware/valid.ts'
import { account } from './account.ts'
import { archive } from './archive.ts'
import { backfills } from './backfills.ts'
import { binRoutes } from './bin.ts'
import { channels } from './channels.ts'
import { discoverFeeds } from './discover.ts'
import { downloads } from './downloads.ts'
import { feed } from './feed.ts'
import { groups } from './groups.ts'
import { health } from './health.ts'
import { history } from './history.ts'
import { importFiles, imports } from './imports.ts'
import { marks } from './marks.ts'
import { documentOf } from './openapi.ts'
import { operationsOf } from './operation.ts'
import { pauses } from './pauses.ts'
import { rules } from './rules.ts'
import { savedSearches } from './saved-searches.ts'
import { search } from './search.ts'
import { segments } from './segments.ts'
import { settings } from './settings.ts'
import { space } from './space.ts'
import { status } from './status.tsx'
import { transcripts } from './transcripts.ts'
import { videos } from './videos.ts'

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
  const made = () => {
    // Takes 50 ms, and most starts never serve it.
    document ??= documentOf(operationsOf(routes.routes))
    return document
  }
  return new Hono<Env>().get('/openapi.json', c => c.json(made())).route('/', routes)
}
