/** The web app as one `fetch` handler, for Node and Deno. It reads in the order in which a request passes through it. */
import { Hono } from 'hono'
import type { OpenIdProvider } from './auth/oidc.ts'
import { passwords } from './auth/passwords.ts'
import { sessionsIn } from './auth/sessions.ts'
import type { WebConfig } from './config/config.ts'
import { accountsIn } from './db/account/accounts.ts'
import { identitiesIn } from './db/account/identities.ts'
import { limitsIn } from './db/account/limits.ts'
import { passkeysIn } from './db/account/passkeys.ts'
import { secretsIn } from './db/account/secrets.ts'
import { type Library, libraryOf } from './db/library.ts'
import { mailEndsIn } from './db/notifications/targets.ts'
import type { Sql } from './db/postgres/client.ts'
import { pushCallbacksIn } from './db/push/push-callbacks.ts'
import { pictureWishesIn } from './db/queue/picture-plans.ts'
import { serviceIn } from './db/service/service.ts'
import { proxyPeopleIn } from './domain/account/proxy-people.ts'
import type { ServerManager } from './domain/media/media-servers.ts'
import { notifierOf, type Senders } from './domain/notifications/targets.ts'
import { type JpegConverter, jpegsOf } from './domain/podcasts/jpegs.ts'
import type { FindSegments } from './domain/watching/segments.ts'
import type { FeedReader } from './feed/fetch/fetch-feed.ts'
import { accountPageOf, accountPages } from './routes/account/account-routes.tsx'
import { identityPages, oidcPages } from './routes/account/oidc-page.tsx'
import { passkeyPages, passkeySignInPages } from './routes/account/passkeys.ts'
import { resetPasswordPages, signInPages } from './routes/account/sign-in-page.tsx'
import { tokenPages } from './routes/account/tokens-page.tsx'
import { adminPages } from './routes/admin/admin-routes.tsx'
import { requireAdministrator } from './routes/admin/require-administrator.ts'
import { api } from './routes/api.tsx'
import { binPages } from './routes/bin/bin-routes.tsx'
import { backfillPages, channelPages } from './routes/channels/channel-page.tsx'
import { channelSettingsPages } from './routes/channels/channel-settings-page.tsx'
import { channelsPages } from './routes/channels/channels-routes.tsx'
import { groupPages } from './routes/channels/groups-routes.tsx'
import { newChannelPages, type Searches } from './routes/channels/new-channel-page.tsx'
import { downloadsPages } from './routes/downloads/downloads-routes.tsx'
import { spacePages } from './routes/downloads/space-routes.tsx'
import { limitUnread } from './routes/http/answer-limits.ts'
import { assets, loadAssets } from './routes/http/assets.ts'
import { addBase, answerBelow, importMapBelow, pathIn } from './routes/http/base-path.ts'
import { limitBodies, limitCookieBodies, limitImportBodies } from './routes/http/body-limits.ts'
import { clientFrom, knownHosts } from './routes/http/client.ts'
import type { Env } from './routes/http/context.ts'
import { compressAnswer, inBytes } from './routes/http/encoding.ts'
import { notFound, onError } from './routes/http/error-answers.tsx'
import { headers, noStoreByDefault } from './routes/http/headers.ts'
import { openAnswers, recordAnswers } from './routes/http/open-answers.ts'
import { defaults, readForEveryPage, registrationOpen } from './routes/http/page.ts'
import { createProxyPerson, readProxyPerson, takeProxyHeader } from './routes/http/proxy-sign-in.ts'
import { requestFigures } from './routes/http/request-figures.ts'
import { cookie_paths, list_paths } from './routes/http/request-kind.ts'
import {
  limitRequestsByAddress,
  limitRequestsByPerson,
  type RequestLimits,
  signedOutCounter,
} from './routes/http/request-limits.ts'
import { sameOrigin } from './routes/http/same-origin.ts'
import { fileSender } from './routes/http/send-file.ts'
import { bearer, requireSignIn, sessionCookies } from './routes/http/sign-in.ts'
import { after, before } from './routes/http/steps.ts'
import { fetchInTurn, pageInTurn, searchInTurn, takeTurns } from './routes/http/turn-limits.ts'
import { importPages, importsPages } from './routes/imports/imports-routes.tsx'
import { linkDoor } from './routes/links/link-door.tsx'
import { linksPages } from './routes/links/links-routes.tsx'
import { shared } from './routes/links/shared.tsx'
import { endMailsPages } from './routes/notifications/end-mails-page.tsx'
import { notificationsPages } from './routes/notifications/notifications-routes.tsx'
import { podcastFiles } from './routes/podcasts/podcast-files.ts'
import { podcastPages } from './routes/podcasts/podcasts-routes.tsx'
import { push } from './routes/push/hub-callbacks.ts'
import { defaultRulePages, rulesPages } from './routes/rules/rules-routes.tsx'
import { searchPages } from './routes/search/search-routes.tsx'
import { databaseState, healthPages, probes } from './routes/service/health-routes.tsx'
import { metrics } from './routes/service/metrics.ts'
import { settingsPages } from './routes/settings/settings-routes.tsx'
import { homePages, monthPages } from './routes/videos/new-page.tsx'
import { missingPictures, pictures } from './routes/videos/pictures.ts'
import { addedVideoPages } from './routes/videos/videos-routes.tsx'
import { historyPages } from './routes/watching/history-page.tsx'
import { markPages } from './routes/watching/marks-routes.tsx'
import { playlistPages } from './routes/watching/playlists-routes.tsx'
import { stream } from './routes/watching/stream.ts'
import { transcriptPages, watchNowPages, watchPages } from './routes/watching/watch-page.tsx'
import { memoized } from './runtime/cache.ts'
import type { Log } from './runtime/log.ts'
import { rememberSignIns } from './runtime/sign-ins.ts'
import { speakPlainly } from './schema/http/problem.ts'
import type { UserId } from './schema/values/user.ts'
import type { Files } from './store/files.ts'
import { importMapsOf } from './views/frames/layout.tsx'

type Outside = Searches & Senders & Pick<ServerManager, 'openServer'>

export type Deps = Outside & {
  sql: Sql
  /** Only searches use these connections. When all are busy, a query waits behind another one, and a search can take long. */
  search_sql: Sql
  files: Files
  toJpeg: JpegConverter
  readFeed: FeedReader
  findSegments: FindSegments
  log: Log
  config: WebConfig
  /** By which people may sign in, too. */
  provider?: OpenIdProvider | undefined
  /** Where browsers fetch videos from, when that is not this service. */
  video_origin?: string | undefined
  /** Default: `usual_limits`. */
  limits?: RequestLimits
  /** Milliseconds of a clock that is never set back. It decides how long a sign-in is remembered. */
  now?: () => number
}

export async function createApp(deps: Deps) {
  speakPlainly()
  const parts = await partsOf(deps)
  const app = new Hono<Env>()
  app.onError(onError(deps.log))
  app.notFound(notFound(app))
  answerEveryone(app, parts)
  identifySender(app, parts)
  app.route('/', publicPages(parts))
  // Everything after this line needs a sign-in.
  requirePerson(app, parts)
  app.route('/api', api(parts))
  app.route('/', pages(parts))
  app.route('/', sentFiles(parts))
  return parts.base ? answerBelow(app, parts.base) : app
}

type Parts = Awaited<ReturnType<typeof partsOf>>

/** The parts that several routes use. */
async function partsOf(deps: Deps) {
  const { sql, config, limits, now } = deps
  const { USER_QUOTA_GB: quota_gb = 0, BIN_HOURS: hours = 24 } = config
  const sign_ins = rememberSignIns(now)
  const sessions = sessionsIn(sql, sign_ins)
  const accounts = accountsIn(sql, sign_ins)
  const service = serviceIn(sql)
  const identities = identitiesIn(sql)
  const secrets = secretsIn(sql, sign_ins)
  const { AUTH_HEADER: header, REGISTRATION: registration } = config
  // A library has no data of its own, only functions, so one serves all requests of a person.
  const libraryIn = (on: Sql): ((user_id: UserId) => Library) =>
    memoized(user_id => libraryOf(on, user_id as UserId, sign_ins), 200)
  return {
    ...deps,
    base: pathIn(config.PUBLIC_URL),
    quota_gb,
    bin: { hours, quota_bytes: quota_gb * 1e9 },
    sign_ins,
    sessions,
    cookies: sessionCookies(sessions),
    proxy_people: header ? proxyPeopleIn({ identities, sign_ins, header, registration }) : undefined,
    rules: { registration: config.OIDC_REGISTRATION ?? 'off', admin_group: config.OIDC_ADMIN_GROUP },
    authenticator: {
      accounts,
      identities,
      passkeys: passkeysIn(sql),
      secrets,
      limits: limitsIn(sql),
      passwords: passwords(),
    },
    open_answers: openAnswers(accounts.stillIn),
    secrets,
    open_links: openAnswers(secrets.stillValid),
    sender: fileSender(config, limits?.streams),
    requests: requestFigures(),
    libraryIn,
    libraryOf: libraryIn(sql),
    limitByAddress: limitRequestsByAddress(limits),
    countSignedOut: signedOutCounter(limits),
    service,
    databaseState: databaseState(service),
    picture_wishes: pictureWishesIn(sql),
    notifier: notifierOf(deps, config, limitsIn(sql)),
    servers: { secret_key: config.SECRET_KEY, openServer: deps.openServer, limits: limitsIn(sql) },
    static_files: await loadAssets(),
  }
}

/** Answers what needs no person: probes, static files and the calls of hubs. */
function answerEveryone(app: Hono<Env>, parts: Parts) {
  const { sql, log, config, base, bin, requests, static_files, video_origin, provider } = parts
  if (config.METRICS_TOKEN) app.use(requests.measure)
  // Compression can fail, and then the error answer keeps the headers that are set already.
  app.use(after(noStoreByDefault, ...(base ? [addBase(base)] : []), compressAnswer))
  const client = clientFrom(config.TRUSTED_PROXIES ?? [], config.PUBLIC_URL)
  app.use(before(inBytes(base), defaults(static_files, bin.hours, provider?.label), client, takeProxyHeader(config)))
  const import_maps = importMapsOf(static_files).map(map => importMapBelow(map, base))
  app.use(headers(import_maps, video_origin))
  app.route('/', probes(parts.databaseState))
  if (config.METRICS_TOKEN) app.route('/', metrics(config.METRICS_TOKEN, parts))
  app.use(before(knownHosts(config)))
  app.route('/', assets(static_files))
  // Hubs have no session, and neither an origin nor a limit per address applies to them.
  app.route('/', push(pushCallbacksIn(sql), log))
  // Links need no session, and must not read one.
  app.route('/', links(parts))
}

function links(parts: Parts) {
  const { files, sender, toJpeg, sql } = parts
  return new Hono<Env>()
    .route('/', linkDoor('/s', ['play', 'share'], parts, shared(files, sender)))
    .route('/', linkDoor('/f', ['podcast'], parts, podcastFiles(files, sender, jpegsOf(files, toJpeg))))
    .route('/', endMailsPages(mailEndsIn(sql), parts))
}

/** Finds out who sent the request, and refuses too much. */
function identifySender(app: Hono<Env>, parts: Parts) {
  const { config, limits, secrets, cookies, authenticator, proxy_people, limitByAddress, countSignedOut } = parts
  app.use(
    before(
      limitByAddress,
      bearer(secrets, countSignedOut),
      sameOrigin,
      readProxyPerson(proxy_people, countSignedOut),
      cookies.readSession,
      createProxyPerson(proxy_people),
      limitRequestsByPerson(countSignedOut, limits),
      registrationOpen(authenticator.accounts, config.REGISTRATION),
    ),
  )
  app.use(limitBodies)
}

const publicPages = (parts: Parts) => {
  const { config, authenticator, cookies, sessions } = parts
  return new Hono<Env>()
    .route('/', signInPages({ ...parts, registration: config.REGISTRATION }))
    .route('/', oidcPages(parts))
    .route('/', passkeySignInPages(authenticator, cookies))
    .route('/', resetPasswordPages({ authenticator, sessions }))
}

/** Refuses requests without a sign-in. The others get the library of the person, and take turns. */
function requirePerson(app: Hono<Env>, { search_sql, config, libraryIn, libraryOf, open_answers }: Parts) {
  app.use(before(requireSignIn(libraryOf), readForEveryPage))
  app.use(recordAnswers(open_answers), limitUnread(open_answers))
  app.on('ALL', list_paths, limitImportBodies((config.MIN_FREE_MB ?? 0) * 1e6))
  app.on('ALL', cookie_paths, limitCookieBodies)
  app.use(takeTurns({ search: searchInTurn(libraryIn(search_sql)), fetch: fetchInTurn(), page: pageInTurn() }))
}

function pages(parts: Parts) {
  const { sql, files, readFeed, discover, lookAt, names, config, bin, quota_gb, sign_ins } = parts
  const store = { files, bin }
  const administrator = requireAdministrator(sql, sign_ins)
  return (
    new Hono<Env>()
      .route('/', homePages)
      .route('/', monthPages)
      .route('/', groupPages)
      .route('/', notificationsPages(parts.notifier, config.PUBLIC_URL !== undefined))
      // The pages of one channel come last, because their paths begin with its id.
      .route('/channels', newChannelPages({ discover, lookAt, names }, store))
      .route('/channels/rules', rulesPages)
      .route('/channels', channelsPages(store))
      .route('/channels', channelSettingsPages)
      .route('/channels', backfillPages)
      .route('/channels', channelPages(readFeed, store))
      .route('/', searchPages)
      .route('/', watchPages)
      .route('/', transcriptPages)
      .route('/', watchNowPages(files, config))
      .route('/', markPages)
      .route('/', historyPages)
      .route('/', playlistPages)
      .route('/', podcastPages)
      .route('/', linksPages)
      .route('/videos', addedVideoPages(store, lookAt))
      .route('/downloads', downloadsPages(store))
      .route('/bin', binPages(store))
      .route('/', importsPages)
      .route('/import', importPages)
      .route('/', settingsPages(bin.quota_bytes, parts.servers))
      .route('/space', spacePages(store))
      .route('/settings/auto-download', defaultRulePages)
      .route('/settings', accountPages(parts))
      .route('/settings', identityPages(parts, accountPageOf(parts)))
      .route('/settings/passkeys', passkeyPages(parts.authenticator))
      .route('/settings/tokens', tokenPages)
      .use('/health/*', administrator)
      .use('/admin/*', administrator)
      .route('/', healthPages(parts.service, files, parts.libraryOf))
      .route('/', adminPages(files, quota_gb))
  )
}

const sentFiles = ({ files, config, sender, picture_wishes }: Parts) =>
  new Hono<Env>()
    .route('/', pictures(files, picture_wishes))
    .route('/', missingPictures(picture_wishes))
    .route('/', stream(files, config, sender))
