/** The JSON API: every route under `/api`, the OpenAPI document that is made from them, and the page that shows the document. */
import { Hono } from 'hono'
import type { Service } from '../db/service/service.ts'
import { bestOf, type Discover } from '../domain/channels/discovery.ts'
import type { NameSearches } from '../domain/channels/find-by-name.ts'
import type { SecretKey } from '../domain/downloads/site-cookies.ts'
import type { ServerManager } from '../domain/media/media-servers.ts'
import type { Notifier } from '../domain/notifications/targets.ts'
import type { FindSegments } from '../domain/watching/segments.ts'
import type { FeedReader } from '../feed/fetch/fetch-feed.ts'
import type { BinLimits } from '../schema/bin/bin.ts'
import { ApiDocsPage } from '../views/service/api-docs-page.tsx'
import type { VideoLooker } from '../ytdlp/ask/look-at.ts'
import { accountApi } from './account/account-routes.tsx'
import { type AdminDeps, adminApi } from './admin/admin-routes.tsx'
import { requireAdministrator } from './admin/require-administrator.ts'
import { binApi } from './bin/bin-routes.tsx'
import { channelsApi } from './channels/channels-routes.tsx'
import { feedsApi } from './channels/feeds-api.ts'
import { groupsApi } from './channels/groups-routes.tsx'
import { downloadsApi } from './downloads/downloads-routes.tsx'
import { cookiesApi } from './downloads/site-cookies-routes.tsx'
import { spaceApi } from './downloads/space-routes.tsx'
import { statusApi } from './downloads/status.tsx'
import type { Env } from './http/context.ts'
import { documentOf } from './http/openapi.ts'
import { operationsOf } from './http/operation.ts'
import { pageOf } from './http/page.ts'
import { jsonOnly } from './http/valid.ts'
import { archiveApi, importFileApi, importsApi } from './imports/imports-routes.tsx'
import { linksApi } from './links/links-routes.tsx'
import { mediaServersApi } from './media/media-servers-routes.tsx'
import { bellsApi } from './notifications/bells-routes.tsx'
import { notificationsApi } from './notifications/notifications-routes.tsx'
import { podcastsApi } from './podcasts/podcasts-routes.tsx'
import { rulesApi } from './rules/rules-routes.tsx'
import { searchApi } from './search/search-routes.tsx'
import { healthApi } from './service/health-routes.tsx'
import { settingsApi } from './settings/settings-routes.tsx'
import { videosApi } from './videos/videos-routes.tsx'
import { marksApi } from './watching/marks-routes.tsx'
import { playlistsApi } from './watching/playlists-routes.tsx'
import { watchingApi } from './watching/watching-api.ts'

export type ApiDeps = AdminDeps & {
  readFeed: FeedReader
  discover: Discover
  lookAt: VideoLooker
  names: NameSearches
  service: Service
  findSegments: FindSegments
  notifier: Notifier
  servers: ServerManager
  bin: BinLimits
  config: { SECRET_KEY?: SecretKey }
}

export function api(deps: ApiDeps) {
  const { readFeed, discover, lookAt, names, files, service, findSegments, bin, config } = deps
  const store = { files, bin }
  const routes = new Hono<Env>()
    .route('/', statusApi(bin.quota_bytes))
    .route('/', importFileApi)
    .route('/', archiveApi)
    .route('/', cookiesApi(config.SECRET_KEY))
    .use(jsonOnly)
    .route('/', importsApi)
    .route('/', settingsApi)
    .route('/', videosApi({ store, lookAt }))
    .route('/', accountApi(bin.quota_bytes))
    .route('/', searchApi)
    .route('/', watchingApi(findSegments))
    .route('/', marksApi)
    .route('/', playlistsApi)
    .route('/', linksApi)
    .route('/', feedsApi(discover, names))
    .use('/health', requireAdministrator(deps.sql, deps.sign_ins))
    .route('/', healthApi(service, files))
    .route('/', channelsApi({ readFeed, findFeed: bestOf(discover), store }))
    .route('/', groupsApi)
    .route('/', bellsApi)
    .route('/', podcastsApi)
    .route('/', notificationsApi(deps.notifier))
    .route('/', mediaServersApi(deps.servers))
    .route('/', rulesApi)
    .route('/', downloadsApi(store))
    .route('/', binApi(store))
    .route('/', spaceApi(store))
    .route('/', adminApi(deps))
  let document: ReturnType<typeof documentOf> | undefined
  return new Hono<Env>()
    .get('/openapi.json', c => {
      // Takes 50 ms, and most processes never serve it.
      document ??= documentOf(operationsOf(routes.routes))
      return c.json(document)
    })
    .get('/docs', c => c.render(<ApiDocsPage page={pageOf(c)} />))
    .route('/', routes)
}
