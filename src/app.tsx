/** The whole web app as one `fetch` handler, the same on Node and Deno: middleware in reading order, the sign-in line, routes, errors. */
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { secureHeaders } from 'hono/secure-headers'
import { passwords } from './auth/passwords.ts'
import { sessionsIn } from './auth/sessions.ts'
import type { Config } from './config.ts'
import { accountsIn } from './db/accounts.ts'
import type { Sql } from './db/client.ts'
import { libraryOf } from './db/library.ts'
import { serviceIn } from './db/service.ts'
import { mayRegister } from './domain/accounts.ts'
import { bestOf, type Discover } from './domain/discovery.ts'
import type { Files } from './domain/files.ts'
import { DomainError } from './errors.ts'
import type { FeedReader } from './feed/read.ts'
import type { Log } from './log.ts'
import { accounts } from './routes/accounts.tsx'
import { api } from './routes/api.ts'
import { apiImports } from './routes/api-imports.ts'
import { assets, loadAssets } from './routes/assets.ts'
import { channelSettings } from './routes/channel-settings.tsx'
import { channels } from './routes/channels.tsx'
import type { Env } from './routes/context.ts'
import { apiDiscover, newChannel } from './routes/discover.tsx'
import { downloads } from './routes/downloads.tsx'
import { health } from './routes/health.ts'
import { home } from './routes/home.tsx'
import { imports } from './routes/imports.tsx'
import { otherMethods } from './routes/methods.ts'
import { openapi } from './routes/openapi.ts'
import { onError } from './routes/render.tsx'
import { sameOrigin } from './routes/same-origin.ts'
import { apiSearch, search } from './routes/search.tsx'
import { serviceHealth } from './routes/service-health.tsx'
import { sessionCookies, signedIn } from './routes/session.ts'
import { apiSettings, settings } from './routes/settings.tsx'
import { status } from './routes/status.tsx'
import { stream } from './routes/stream.ts'
import { videos } from './routes/videos.tsx'
import { most_list_bytes } from './schema/import.ts'

export type Deps = {
  sql: Sql
  files: Files
  readFeed: FeedReader
  discover: Discover
  log: Log
  config: Pick<Config, 'PUBLIC_URL' | 'REGISTRATION'>
}

export async function createApp({ sql, files, readFeed, discover, log, config }: Deps) {
  const { PUBLIC_URL: public_url, REGISTRATION: registration } = config
  const session = sessionCookies(sessionsIn(sql))
  const gate = { accounts: accountsIn(sql), passwords: passwords() }
  const app = new Hono<Env>()

  app.onError(onError(log))
  app.notFound(c => {
    const allowed = otherMethods(app, c.req.path)
    if (allowed.length === 0 || allowed.includes(c.req.method))
      throw new DomainError('not_found', 'There is nothing at this address.')
    c.header('Allow', allowed.join(', '))
    throw new DomainError('method_not_allowed', `Only ${allowed.join(', ')} is possible here.`)
  })

  app.use(headers)
  app.use(
    createMiddleware<Env>(async (c, next) => {
      c.set('here', new URL(public_url ?? c.req.url))
      await next()
    }),
  )
  app.route(
    '/',
    health(() => sql`select`),
  )
  app.route('/', assets(await loadAssets()))

  const limited = bodyLimit({ maxSize: most_body_bytes, onError: tooLarge })
  app.use((c, next) => (list_paths.includes(c.req.path) ? next() : limited(c, next)))
  app.use(sameOrigin)
  app.use(neverStored)
  app.use(session.middleware)
  app.use(
    createMiddleware<Env>(async (c, next) => {
      c.set('registration_open', c.var.user === null && (await mayRegister(gate.accounts, registration)))
      await next()
    }),
  )
  app.route('/', accounts({ gate, session, registration }))

  app.use(signedIn(user_id => libraryOf(sql, user_id)))
  for (const path of list_paths) app.use(path, bodyLimit({ maxSize: most_list_body_bytes, onError: tooLarge }))

  app.route('/api', openapi)
  app.route('/api/download/status', status)
  app.route('/api', apiImports)
  app.route('/api', apiSettings)
  app.route('/api', apiSearch)
  app.route('/api/discover', apiDiscover(discover))
  app.route('/api', api(readFeed, bestOf(discover), files))
  app.route('/', home)
  // Before the channels themselves, none of which is called `new`.
  app.route('/channels/new', newChannel(discover))
  app.route('/channels', channelSettings)
  app.route('/channels', channels(readFeed, bestOf(discover), files))
  app.route('/', search)
  app.route('/', videos)
  app.route('/downloads', downloads(files))
  app.route('/', imports)
  app.route('/', settings)
  app.route('/', stream(files))
  app.route('/', serviceHealth(serviceIn(sql), files))
  return app
}

/** A batch of 500 identifiers at their longest, with room to spare. */
const most_body_bytes = 256 * 1024

/** Lists of channels are larger, and only somebody who is signed in may bring one; JSON needs room for its escapes. */
const list_paths = ['/import', '/api/import']
const most_list_body_bytes = most_list_bytes * 1.5

const tooLarge = () => {
  throw new DomainError('too_large', 'This is too much at once. Send less.')
}

/** What a page shows belongs to one person: no cache keeps it, unless a route says otherwise. */
const neverStored = createMiddleware(async (c, next) => {
  await next()
  if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'private, no-store')
})

/** Thumbnails come from wherever the feeds say; everything else is ours. Forms need the Referer to find back. */
const headers = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'https:', 'http:'],
    mediaSrc: ["'self'"],
    connectSrc: ["'self'"],
    manifestSrc: ["'self'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    baseUri: ["'none'"],
  },
  referrerPolicy: 'same-origin',
  // Of this host alone: what else stands on its domain is not ours to decide.
  strictTransportSecurity: 'max-age=31536000',
  xFrameOptions: 'DENY',
  crossOriginEmbedderPolicy: false,
  permissionsPolicy: { camera: [], microphone: [], geolocation: [] },
})
