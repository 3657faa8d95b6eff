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
import type { Files } from './domain/files.ts'
import { DomainError } from './errors.ts'
import type { FeedReader } from './feed/read.ts'
import type { Log } from './log.ts'
import { accounts } from './routes/accounts.tsx'
import { api } from './routes/api.ts'
import { assets, loadAssets } from './routes/assets.ts'
import { channels } from './routes/channels.tsx'
import type { Env } from './routes/context.ts'
import { downloads } from './routes/downloads.tsx'
import { health } from './routes/health.ts'
import { home } from './routes/home.tsx'
import { otherMethods } from './routes/methods.ts'
import { openapi } from './routes/openapi.ts'
import { onError } from './routes/render.tsx'
import { sameOrigin } from './routes/same-origin.ts'
import { serviceHealth } from './routes/service-health.tsx'
import { sessionCookies, signedIn } from './routes/session.ts'
import { status } from './routes/status.tsx'
import { stream } from './routes/stream.ts'
import { videos } from './routes/videos.tsx'

export type Deps = {
  sql: Sql
  files: Files
  readFeed: FeedReader
  log: Log
  config: Pick<Config, 'PUBLIC_URL' | 'REGISTRATION'>
}

export async function createApp({ sql, files, readFeed, log, config }: Deps) {
  const { PUBLIC_URL: public_url, REGISTRATION: registration } = config
  const session = sessionCookies(sessionsIn(sql), public_url)
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
  app.route(
    '/',
    health(() => sql`select`),
  )
  app.route('/', assets(await loadAssets()))

  app.use(bodyLimit({ maxSize: most_body_bytes, onError: tooLarge }))
  app.use(sameOrigin(public_url))
  app.use(neverStored)
  app.use(session.middleware)
  app.use(
    createMiddleware<Env>(async (c, next) => {
      c.set('registration_open', c.var.user === null && (await mayRegister(gate.accounts, registration)))
      await next()
    }),
  )
  app.route('/', accounts({ gate, session, registration }))
  app.route('/api', openapi)

  app.use(signedIn(user_id => libraryOf(sql, user_id)))

  app.route('/api/download/status', status)
  app.route('/api', api(readFeed, files))
  app.route('/', home)
  app.route('/channels', channels(readFeed, files))
  app.route('/', videos)
  app.route('/downloads', downloads(files))
  app.route('/', stream(files))
  app.route('/', serviceHealth(serviceIn(sql), files))
  return app
}

/** A batch of 500 identifiers at their longest, with room to spare. */
const most_body_bytes = 256 * 1024

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
  xFrameOptions: 'DENY',
  crossOriginEmbedderPolicy: false,
  permissionsPolicy: { camera: [], microphone: [], geolocation: [] },
})
