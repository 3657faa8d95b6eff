/** The whole web app as one `fetch` handler, the same on Node and Deno: middleware in reading order, the sign-in line, routes, errors. */
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { passwords } from './auth/passwords.ts'
import { sessionsIn } from './auth/sessions.ts'
import type { Config } from './config.ts'
import { accountsIn } from './db/accounts/accounts.ts'
import { passwordResetsIn } from './db/accounts/password-resets.ts'
import { tokenGateIn, tokensOf } from './db/accounts/tokens.ts'
import { libraryOf } from './db/library/library.ts'
import type { Sql } from './db/postgres/client.ts'
import { serviceIn } from './db/queue/service.ts'
import { mayRegister } from './domain/account/sign-in.ts'
import { bestOf, type Discover } from './domain/channels/discovery.ts'
import type { Files } from './domain/downloads/files.ts'
import { DomainError } from './errors.ts'
import type { FeedReader } from './feed/fetch/read.ts'
import { apiAccount } from './routes/api/account.ts'
import { api } from './routes/api/api.ts'
import { apiDiscover } from './routes/api/discover.ts'
import { apiHealth } from './routes/api/health.ts'
import { apiImports } from './routes/api/imports.ts'
import { openapi } from './routes/api/openapi.ts'
import { health } from './routes/api/probes.ts'
import { apiSearch } from './routes/api/search.ts'
import { apiSettings } from './routes/api/settings.ts'
import { status } from './routes/api/status.tsx'
import { apiVideos } from './routes/api/videos.ts'
import { assets, loadAssets, versionsOf } from './routes/files/assets.ts'
import { stream } from './routes/files/stream.ts'
import { bearer } from './routes/middleware/bearer.ts'
import { clientFrom } from './routes/middleware/client.ts'
import type { Env } from './routes/middleware/context.ts'
import { packPages } from './routes/middleware/encoding.ts'
import { headers } from './routes/middleware/headers.ts'
import { knownHosts } from './routes/middleware/known-hosts.ts'
import {
  type Limits,
  limitAddresses,
  limitBodies,
  limitLists,
  limitLooks,
  limitPeople,
  limitSearches,
  strangersIn,
} from './routes/middleware/limits.ts'
import { otherMethods } from './routes/middleware/methods.ts'
import { onError } from './routes/middleware/render.tsx'
import { sameOrigin } from './routes/middleware/same-origin.ts'
import { sessionCookies, signedIn } from './routes/middleware/session.ts'
import { limitUnread } from './routes/middleware/unread.ts'
import { account } from './routes/pages/account.tsx'
import { apiDocs } from './routes/pages/api-docs.tsx'
import { channel } from './routes/pages/channel.tsx'
import { channelSettings } from './routes/pages/channel-settings.tsx'
import { channels } from './routes/pages/channels.tsx'
import { downloads } from './routes/pages/downloads.tsx'
import { serviceHealth } from './routes/pages/health.tsx'
import { home } from './routes/pages/home.tsx'
import { singleImport } from './routes/pages/import.tsx'
import { imports } from './routes/pages/imports.tsx'
import { newChannel } from './routes/pages/new-channel.tsx'
import { passwordReset } from './routes/pages/reset-password.tsx'
import { search } from './routes/pages/search.tsx'
import { settings } from './routes/pages/settings.tsx'
import { accounts } from './routes/pages/sign-in.tsx'
import { tokens } from './routes/pages/tokens.tsx'
import { videos } from './routes/pages/watch.tsx'
import type { Log } from './runtime/log.ts'
import { speakPlainly } from './schema/sentences.ts'

export type Deps = {
  sql: Sql
  files: Files
  readFeed: FeedReader
  discover: Discover
  log: Log
  config: Pick<Config, 'PUBLIC_URL' | 'REGISTRATION'> &
    Partial<Pick<Config, 'HOST' | 'TRUSTED_PROXIES' | 'USER_CHANNELS' | 'USER_VIDEOS' | 'USER_QUOTA_GB'>>
  /** Not given: those that everybody has. */
  limits?: Limits
}

export async function createApp({ sql, files, readFeed, discover, log, config, limits }: Deps) {
  speakPlainly()
  const { REGISTRATION: registration, USER_QUOTA_GB: quota_gb = 0 } = config
  const quota_bytes = quota_gb === 0 ? null : quota_gb * 1e9
  const sessions = sessionsIn(sql)
  const session = sessionCookies(sessions)
  const countStranger = strangersIn(limits)
  const gate = { accounts: accountsIn(sql), passwords: passwords() }
  const service = serviceIn(sql)
  const all_assets = await loadAssets()
  const versions = versionsOf(all_assets)
  const app = new Hono<Env>()

  app.onError(onError(log))
  app.notFound(c => {
    const allowed = otherMethods(app, c.req.path)
    if (allowed.length === 0 || allowed.includes(c.req.method))
      throw new DomainError('not_found', 'There is nothing at this address.')
    c.header('Allow', allowed.join(', '))
    throw new DomainError('method_not_allowed', `Only ${allowed.join(', ')} is possible here.`)
  })

  app.use(clientFrom(config.TRUSTED_PROXIES ?? [], config.PUBLIC_URL))
  app.use(headers)
  app.use((c, next) => {
    c.set('versions', versions)
    return next()
  })
  app.route(
    '/',
    health(() => sql`select`),
  )
  app.use(knownHosts(config))
  app.route('/', assets(all_assets))

  app.use(neverStored)
  app.use(packPages)
  app.use(limitAddresses(limits))
  app.use(limitBodies)
  app.use(bearer(tokenGateIn(sql), countStranger))
  app.use(sameOrigin)
  app.use(session.middleware)
  app.use(limitPeople(countStranger, limits))
  app.use(
    createMiddleware<Env>(async (c, next) => {
      c.set('registration_open', c.var.user === null && (await mayRegister(gate.accounts, registration)))
      await next()
    }),
  )
  app.route('/', accounts({ gate, session, registration }))
  app.route('/', passwordReset({ gate, resets: passwordResetsIn(sql), sessions }))

  app.use(signedIn(user_id => libraryOf(sql, user_id, config.USER_CHANNELS, config.USER_VIDEOS)))
  app.use(limitUnread())
  app.use(limitLists())
  app.use(limitSearches())
  app.use(limitLooks())

  app.route('/api', openapi)
  app.route('/api', apiDocs)
  app.route('/api/download/status', status(quota_bytes))
  app.route('/api', apiImports)
  app.route('/api', apiSettings)
  app.route('/api/videos', apiVideos)
  app.route('/api', apiAccount(quota_bytes))
  app.route('/api', apiSearch)
  app.route('/api/discover', apiDiscover(discover))
  app.route('/api', apiHealth(service, files))
  app.route('/api', api(readFeed, bestOf(discover), files))
  app.route('/', home)
  // Before the channels themselves, none of which is called `new`.
  app.route('/channels/new', newChannel(discover))
  app.route('/channels', channelSettings)
  app.route('/channels', channels(bestOf(discover)))
  app.route('/channels', channel(readFeed, files))
  app.route('/', search)
  app.route('/', videos)
  app.route('/downloads', downloads(files, quota_bytes))
  app.route('/', imports)
  app.route('/import', singleImport)
  app.route('/', settings(quota_bytes))
  app.route('/settings', account({ gate, session, sessions, files }))
  app.route(
    '/settings/tokens',
    tokens(user_id => tokensOf(sql, user_id)),
  )
  app.route('/', stream(files, limits?.streams))
  app.route('/', serviceHealth(service, files))
  return app
}

/** What a page shows belongs to one person: no cache keeps it, unless a route says otherwise. */
const neverStored = createMiddleware(async (c, next) => {
  await next()
  if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'private, no-store')
})
