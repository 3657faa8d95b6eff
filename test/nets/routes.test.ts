/**
 * Requests every route of the app signed out and as another user, so that a new route is covered the day it is added. Then Postgres
 * describes the statements that were sent.
 */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { sessionsIn } from '../../src/auth/sessions.ts'
import { DomainError } from '../../src/errors.ts'
import { type Ask, unlimited, useApp } from '../support/app/app.ts'
import { useDatabase } from '../support/app/database.ts'
import { onDisk } from '../support/app/files.ts'
import { beginList } from '../support/app/imports.ts'
import { lock } from '../support/app/locks.ts'
import { administrator, follows, type Person, person } from '../support/app/people.ts'
import { isPlanned, keepStatements, resultsOf } from '../support/app/statements.ts'
import { tokensThrough } from '../support/app/tokens.ts'

const app = useApp({
  limits: unlimited,
  METRICS_TOKEN: 'a-token-for-metrics',
  findFeed: async () => {
    throw new DomainError('feed_failed', 'There are no feeds in this test.')
  },
})
const { ask, sql } = app
const { tokenOf } = tokensThrough(app)
const sent = keepStatements(sql)

/** The routes that need no sign-in. */
const is_public = new Set([
  'GET /healthz',
  'GET /readyz',
  // Opened by METRICS_TOKEN alone.
  'GET /metrics',
  'GET /static/:name',
  'GET /static/:folder/:name',
  'GET /favicon.ico',
  'GET /service-worker.js',
  // Hubs call these. The id is secret, and what is delivered counts only with a signature.
  'GET /push/:push_id',
  'POST /push/:push_id',
  // Their secret is their right.
  'GET /f/:secret/feed.xml',
  'GET /f/:secret/feed.jpg',
  'GET /f/:secret/:name',
  'GET /s/:secret',
  'GET /s/:secret/:name',
  'GET /register',
  'POST /register',
  'GET /login',
  'POST /login',
  'POST /login/passkey/options',
  'POST /login/passkey',
  'GET /login/oidc',
  'GET /login/oidc/callback',
  'POST /logout',
  'GET /reset-password',
  'POST /reset-password',
  'POST /theme',
  // The links in mails. The secret opens nothing but the end of the mails to one mailbox.
  'GET /mails/:token',
  'POST /mails/:token',
])

/** A request for each route whose path names no resource. Every route must have one or name a resource. */
const samples: Record<string, Ask & { query?: string }> = {
  'POST /api/channels': { json: { url: 'https://videos.example' } },
  'POST /api/feed': { json: { rss_url: 'https://videos.example' } },
  'POST /api/download/batch': { json: { video_ids: ['hers'] } },
  'GET /api/download/status': { query: '?video_id=hers' },
  'GET /settings': {},
  'GET /settings/downloads': {},
  'GET /settings/search': {},
  'GET /settings/import': {},
  'POST /settings': { form: { quality: '720' } },
  'GET /settings/account': {},
  'POST /settings/password': {
    form: { current_password: 'hers', password: 'hers, and new', password_confirmation: 'hers, and new' },
  },
  'POST /settings/proxy-name': { form: { current_password: 'hers' } },
  'POST /settings/identities': { form: { current_password: 'hers' } },
  'POST /settings/identities/unlink': { form: { issuer: 'https://id.example', subject: 'hers' } },
  'POST /settings/sessions/end': { form: { others: 'on' } },
  'POST /settings/passkeys/options': { form: { name: 'hers', current_password: 'hers' } },
  'POST /settings/passkeys': { form: { credential: '{}' } },
  'POST /settings/passkeys/:passkey_id/rename': { form: { name: 'Mine' } },
  'GET /settings/delete': {},
  'POST /settings/delete': { form: { password: 'hers' } },
  'GET /settings/links': {},
  'GET /settings/media': {},
  'POST /settings/media': { form: { media_names: '{title}' } },
  'POST /settings/media/preview': { form: { media_names: '{title}' } },
  'GET /settings/media/servers': {},
  'POST /settings/media/servers': { form: { kind: 'plex', address: 'https://tv.example', key: 'hers' } },
  'POST /settings/media/servers/:server_id': { form: { address: 'https://tv.example', key: '', person: 'hers' } },
  'GET /api/media-servers': {},
  'POST /api/media-servers': { json: { kind: 'plex', address: 'https://tv.example', key: 'hers' } },
  'PATCH /api/media-servers/:server_id': { json: { person: 'hers' } },
  'GET /settings/notifications': {},
  'POST /settings/notifications': { form: { kind: 'webhook', address: 'https://hook.example/', events: 'space' } },
  'POST /settings/notifications/times': {
    form: { quiet_from: '', quiet_to: '', time_zone: 'UTC', messages_a_day: '5' },
  },
  'POST /settings/notifications/:target_id': { form: { address: 'https://hook.example/', events: 'space' } },
  'POST /watch/:video_id/elsewhere': { form: { kind: 'play' } },
  'GET /settings/tokens': {},
  'POST /settings/tokens': { form: { name: 'hers' } },
  'GET /settings/cookies': {},
  'POST /settings/cookies': { form: { host: 'hers.example', text: 'hers' } },
  'POST /settings/cookies/:host/delete': {},
  'GET /api/cookies': {},
  'PUT /api/cookies/:host': { headers: { 'content-type': 'text/plain' } },
  'DELETE /api/cookies/:host': {},
  'GET /api/account': {},
  'GET /api/settings': {},
  'PUT /api/settings': { json: { quality: '720' } },
  'POST /settings/keyboard': { form: {} },
  'POST /settings/subtitles': { form: { subtitle_languages: 'de, en' } },
  'POST /settings/captions': { form: {} },
  'POST /settings/skipping': { form: {} },
  'POST /channels/:channel_id/plays-whole': { form: {} },
  'PUT /api/channels/:channel_id/plays-whole': { json: { plays_whole: true } },
  'POST /channels/:channel_id/bell': { form: { bell: 'on' } },
  'POST /groups/:group_id/bell': { form: { bell: 'on' } },
  'POST /channels/:channel_id/quality': { form: { quality: '720' } },
  'PUT /api/channels/:channel_id/quality': { json: { quality: '720' } },
  'GET /pictures': { query: '?video_id=hers&channel_id=hers' },
  // A picture has no owner: its path is a secret, and tells nothing about people.
  'GET /pictures/:picture_id/:size': {},
  'GET /api/channels': {},
  'GET /api/openapi.json': {},
  'GET /api/docs': {},
  'GET /': {},
  'GET /search': { query: '?q=video' },
  'GET /search/suggestions': { query: '?q=channel%3A' },
  'GET /api/search': { query: '?q=video' },
  'GET /channels': {},
  'POST /channels/chosen/watched': { form: { channel_id: 'hers' } },
  'POST /channels/chosen/auto-download': { form: { channel_id: 'hers', on: 'true' } },
  'POST /channels/chosen/group': { form: { channel_id: 'hers', name: 'hers' } },
  'POST /channels/chosen/unfollow': { form: { channel_id: 'hers', confirmed: 'on' } },
  'POST /channels/chosen/restore': { form: { channel_id: 'hers' } },
  'GET /channels/new': { query: '?url=videos.example' },
  'GET /api/discover': { query: '?url=videos.example' },
  'POST /channels': { form: { url: 'https://videos.example' } },
  'POST /videos': { form: { url: 'https://videos.example/hers' } },
  'POST /api/videos': { json: { url: 'https://videos.example/hers', download: true } },
  'GET /downloads': {},
  'GET /months': {},
  'GET /space': {},
  'POST /space/delete-watched': { form: { older_than_days: '7' } },
  'GET /api/space': {},
  'POST /api/space/delete-watched': { json: { older_than_days: 7 } },
  'GET /podcasts/new': {},
  'POST /podcasts/new': { form: { list: 'all', kind: 'video', newest: '5' } },
  'GET /downloads/outlook': {},
  'GET /api/downloads/outlook': {},
  'POST /downloads/scope': { form: { which: 'newest', channel_id: 'hers' } },
  'POST /downloads/take-back': { form: { requested_at: '2026-01-01T00:00:00Z' } },
  'POST /downloads/queue-again': { form: { cancelled_at: '2026-01-01T00:00:00Z' } },
  'GET /bin': {},
  'POST /bin/empty': {},
  'GET /api/bin': {},
  'DELETE /api/bin': {},
  'POST /downloads/restore': { form: { deleted_at: '2026-01-01T00:00:00Z' } },
  'GET /health': {},
  'GET /api/health': {},
  'POST /health/end-pause': { form: { host: 'videos.example' } },
  'POST /health/retry': { form: { host: 'videos.example' } },
  'POST /health/check-ytdlp': {},
  'GET /admin': {},
  'GET /admin/people/:username': {},
  'POST /admin/people/:username/quota': { form: { quota_gb: '5' } },
  'POST /admin/people/:username/role': { form: { role: 'admin' } },
  'POST /admin/people/:username/lock': {},
  'POST /admin/people/:username/unlock': {},
  'POST /admin/people/:username/reset-password': {},
  'POST /admin/people/:username/delete': {},
  'GET /admin/invitations': {},
  'POST /admin/invitations': { form: { days: '7' } },
  'POST /admin/invitations/:invitation_id/revoke': {},
  'GET /admin/log': {},
  'GET /api/admin/people': {},
  'PATCH /api/admin/people/:username': { json: { role: 'admin' } },
  'DELETE /api/admin/people/:username': {},
  'POST /api/admin/people/:username/reset-password': {},
  'GET /api/admin/invitations': {},
  'POST /api/admin/invitations': { json: {} },
  'DELETE /api/admin/invitations/:invitation_id': {},
  'GET /api/admin/log': {},
  'POST /api/downloads/pause': { json: { video_ids: ['hers'] } },
  'POST /api/downloads/resume': { json: { all: true } },
  'POST /api/downloads/try': { json: { host: 'videos.example' } },
  'POST /downloads/try': { form: { host: 'videos.example' } },
  'POST /downloads/pause': { form: { video_id: 'hers' } },
  'POST /downloads/resume': { form: { all: 'true' } },
  'POST /downloads/retry': {},
  'POST /downloads/cancel': { form: { video_id: 'hers' } },
  'POST /downloads/remove': { form: { video_id: 'hers', confirmed: 'on' } },
  'GET /api/downloads': {},
  'POST /api/download/cancel-batch': { json: { video_ids: ['hers'] } },
  'POST /api/download/remove-batch': { json: { video_ids: ['hers'] } },
  'POST /api/download/retry-failed': {},
  'POST /downloads': { form: { video_id: 'hers' } },
  'PUT /api/channels/:channel_id/rule': { json: { auto_download: true } },
  'POST /api/channels/:channel_id/rule/preview': { json: { auto_download: true } },
  'POST /api/rules': { json: { channel_ids: ['hers', 'hers-too'], rule: { auto_download: true } } },
  'GET /api/rules/default': {},
  'PUT /api/rules/default': { json: { auto_download: true } },
  'POST /channels/:channel_id/settings': { form: { auto_download: 'on' } },
  'POST /channels/:channel_id/settings/preview': { form: { auto_download: 'on' } },
  'GET /channels/rules': {},
  'POST /channels/rules': { form: { all: 'on', auto_download: 'on' } },
  'POST /channels/rules/preview': { form: { channel_id: 'hers', auto_download: 'on' } },
  'GET /settings/auto-download': {},
  'POST /settings/auto-download/preview': { form: { auto_download: 'on' } },
  'POST /settings/auto-download': { form: { auto_download: 'on' } },
  'POST /settings/auto-download/all': { form: { auto_download: 'on' } },
  'GET /import': {},
  'POST /import': { form: { text: 'https://videos.example' } },
  'GET /export.opml': {},
  'GET /export.json': {},
  'POST /api/import': { json: { text: 'https://videos.example' } },
  'GET /api/export': {},
  'GET /api/archive': {},
  'POST /api/archive': {
    json: {
      format: 'backlot-archive',
      version: 1,
      exported_at: '2026-11-22T12:00:00Z',
      settings: {},
      channels: [],
      videos: [],
      viewings: [],
    },
  },
  'GET /groups': {},
  'GET /groups/tick': {},
  'GET /groups/column': {},
  'POST /groups': { form: { name: 'Mine' } },
  'POST /groups/:group_id': { form: { name: 'Mine' } },
  'POST /channels/:channel_id/groups': { form: { name: 'Mine' } },
  'GET /api/groups': {},
  'POST /api/groups': { json: { name: 'Mine' } },
  'PUT /api/groups/:group_id': { json: { name: 'Mine' } },
  'PUT /api/channels/:channel_id/groups': { json: { group_ids: [] } },
  'POST /searches': { form: { name: 'Mine', q: 'bread', sort: 'newest' } },
  'POST /searches/:saved_search_id': { form: { name: 'Mine' } },
  'GET /api/searches': {},
  'POST /api/searches': { json: { name: 'Mine', q: 'bread' } },
  'PUT /api/searches/:saved_search_id': { json: { name: 'Mine', q: 'bread' } },
  'GET /api/playlists': {},
  'POST /api/playlists': { json: { name: 'Mine' } },
  'PUT /api/playlists/:playlist_id': { json: { name: 'Mine' } },
  'PUT /api/playlists/:playlist_id/videos': { json: { video_ids: [] } },
  'GET /api/podcasts': {},
  'GET /api/podcasts.opml': {},
  'POST /api/podcasts': { json: { of: { list: 'all' }, kind: 'video' } },
  'GET /api/links': {},
  'POST /api/links': { json: { video_id: 'hers' } },
  'GET /api/notifications': {},
  'POST /api/notifications': { json: { kind: 'webhook', address: 'https://hook.example', events: ['new_video'] } },
  'POST /api/notifications/browsers': {
    json: { endpoint: 'https://push.example/hers', keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) } },
  },
  'DELETE /api/notifications/browsers': { json: { endpoint: 'https://push.example/hers' } },
  'PATCH /api/notifications/:target_id': { json: { events: ['space'] } },
  'GET /api/watched': {},
  'GET /history': {},
  'POST /history/remove': { form: { video_id: 'hers' } },
  'POST /history/clear': {},
  'POST /history/restore': { form: { forgotten_at: '2026-01-01T00:00:00Z' } },
  'GET /playlists': {},
  'POST /playlists': { form: { name: 'Mine' } },
  'GET /playlists/choose': { query: '?video_id=hers' },
  'POST /playlists/choose': { form: { video_id: 'hers' } },
  'POST /playlists/choose/new': { form: { name: 'Mine', video_id: 'hers' } },
  'POST /playlists/:playlist_id': { form: { name: 'Mine' } },
  'POST /playlists/:playlist_id/add': { form: { video_id: 'hers' } },
  'POST /playlists/:playlist_id/remove': { form: { video_id: 'hers' } },
  'POST /playlists/:playlist_id/place': { form: { video_id: 'hers', to: 'up' } },
  'POST /playlists/:playlist_id/take-back': { form: { added_at: '2026-01-01T00:00:00Z' } },
  'POST /playlists/:playlist_id/put-back': { form: { removed_at: '2026-01-01T00:00:00Z' } },
  'GET /api/videos': {},
  'GET /api/videos/unfinished': {},
  'PUT /api/videos/:video_id/viewing': { json: { position_seconds: 5, seen: true } },
  'POST /videos/chosen': { form: { video_id: 'hers', act: 'dismissed' } },
  'POST /videos/later/remove': { form: { marked_at: '2026-01-01T00:00:00Z' } },
  'POST /videos/dismissed/remove': { form: { marked_at: '2026-01-01T00:00:00Z' } },
  'POST /videos/:video_id/position': { form: { position_seconds: '5' } },
  'POST /videos/seen': { form: { until: '2100-01-01T00:00:00Z' } },
  'POST /videos/unseen': { form: { seen_at: '2026-01-01T00:00:00Z' } },
  'POST /api/videos/seen': { json: { until: '2100-01-01T00:00:00Z' } },
  'POST /api/videos/unseen': { json: { seen_at: '2026-01-01T00:00:00Z' } },
}

const routes = async () => {
  const { app: hono } = await ready()
  const all = hono.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path.replace(/(.)\/$/, '$1')}`)
  return [...new Set(all)]
}
const ready = async () => ({ app: app.app })

/** Identifiers that the service chooses. */
const her = {
  import_id: '',
  group_id: '',
  playlist_id: '',
  podcast_id: '',
  saved_search_id: '',
  session_id: '',
  token_id: '',
  passkey_id: '',
  link_id: '',
  target_id: '',
  server_id: '',
}
const none = '00000000-0000-4000-8000-000000000000'
const names_resource =
  /:(video_id|channel_id|group_id|playlist_id|podcast_id|saved_search_id|import_id|session_id|token_id|passkey_id|link_id|target_id|server_id)/

/** An answer may repeat the identifiers of its request. */
const withoutIds = (text: string) => Object.values(her).reduce((said, id) => said.replaceAll(id, none), text)

const call = (route: string, id: string, more: Ask = {}) => {
  const [method = '', path = ''] = route.split(' ')
  const { query = '', ...sample } = samples[route] ?? {}
  const named = path
    .replace(/:(video_id|channel_id)/g, id)
    .replace(
      /:(import_id|group_id|playlist_id|podcast_id|saved_search_id|session_id|token_id|passkey_id|link_id|target_id|server_id)/g,
      (_, name: keyof typeof her) => (id === 'hers' ? her[name] : none),
    )
  return ask(named + query, { method, ...sample, ...more })
}

async function aliceOwns(): Promise<Person> {
  const alice = await person(sql, 'alice')
  await follows(alice, 'hers', ['hers'])
  await onDisk(app.folder, alice, 'hers', 'her video', 'hers')
  await alice.library.viewings.record('hers', { position_seconds: 30, duration_seconds: 100 })
  await follows(alice, 'hers-too', ['hers-seen'])
  await alice.library.viewings.markAll(
    { until: new Date('2100-01-01'), channel_ids: ['hers-too'] },
    new Date('2026-01-01T00:00:00Z'),
  )
  await alice.library.backfills.begin('hers', 'videos.example')
  her.import_id = await beginList(alice, [{ address: 'https://hers.example', title: 'hers' }])
  const { group_id } = await alice.library.groups.create('hers')
  await alice.library.groups.setOfChannel('hers', [group_id])
  her.group_id = group_id
  her.playlist_id = (await alice.library.playlists.create('hers')).playlist_id
  await alice.library.playlists.addVideos(her.playlist_id, ['hers', 'hers-seen'])
  await alice.library.playlists.takeOut(her.playlist_id, ['hers-seen'])
  const podcast = { of: { channel_id: 'hers' }, kind: 'video' as const, newest: 50 }
  const added = await alice.library.podcasts.add(podcast, () => randomUUID())
  her.podcast_id = typeof added === 'object' ? added.podcast_id : ''
  const time = new Date('2026-01-01T00:00:00Z')
  await sql`
    update playlist_videos
    set    added_at = ${time}, removed_at = case when removed_at is not null then ${time}::timestamptz end`
  const search = { name: 'hers', q: 'hers', sort: 'newest' } as const
  her.saved_search_id = (await alice.library.searches.create(search)).saved_search_id
  const { passkeys, secrets } = alice.library
  const token = await secrets.make({ kind: 'token', opens: { scope: 'write' }, name: 'hers', lasts_s: null })
  her.token_id = typeof token === 'object' ? token.secret_id : ''
  her.session_id = (await sessionsIn(sql).list(alice.user.user_id))[0]?.session_id ?? ''
  const credential = { credential_id: alice.user.user_id, public_key: new Uint8Array(1), counter: 0, transports: [] }
  await passkeys.add({ ...credential, name: 'hers' })
  her.passkey_id = (await passkeys.list())[0]?.passkey_id ?? ''
  const link = await secrets.make({ kind: 'share', opens: { video_id: 'hers' }, lasts_s: 3600 })
  her.link_id = typeof link === 'object' ? link.secret_id : ''
  const target = {
    kind: 'browser',
    address: 'https://push.example/hers',
    token_or_key: '{}',
    events: ['space'],
  } as const
  const told = await alice.library.targets.add({ ...target, events: [...target.events] })
  her.target_id = typeof told === 'object' ? told.target_id : ''
  her.server_id = randomUUID()
  const server = { kind: 'plex', address: 'https://tv.example', person: null, sealed_key: new Uint8Array(9) } as const
  await alice.library.servers.add({ server_id: her.server_id, ...server })
  // The use of a session is noted once a minute. With the last use in an hour, only a fault changes it.
  await sql`update sessions set used_at = now() + interval '1 hour' where user_id = ${alice.user.user_id}`
  return alice
}

/** Everything that belongs to a person, in the database and on disk. */
const everything = async ({ user, library }: Person) => ({
  channels: await library.channels.list(),
  videos: (await library.videos.list({ limit: 100 })).entries,
  rule: await library.rules.find('hers'),
  backfill: await library.backfills.find('hers'),
  imports: await library.imports.list(),
  viewings: await sql`select * from viewings where user_id = ${user.user_id} order by video_id`,
  passkeys: await library.passkeys.list(),
  sessions: await sessionsIn(sql).list(user.user_id),
  jobs: await sql`select key, run_at from graphile_worker.jobs where key like ${`%${user.user_id}%`} order by key`,
  groups: await library.groups.list(),
  searches: await library.searches.list(),
  playlists: await library.playlists.list(),
  podcasts: await library.podcasts.list(),
  secrets: await sql`select * from secrets where user_id = ${user.user_id} order by secret_id`,
  playlist_videos: await sql`select * from playlist_videos where user_id = ${user.user_id} order by place`,
  targets: await sql`select * from notification_targets where user_id = ${user.user_id}`,
  servers: await sql`select * from media_servers where user_id = ${user.user_id}`,
  bin: await library.bin.page({ hours: 24, limit: 100 }),
  file: await app.files.exists(`${user.user_id}/hers/hers.mp4`),
})

describe('signed-out requests', () => {
  it('a signed-out request gets the login page or 401 at every route that is not public', async () => {
    const walked: string[] = []
    for (const route of (await routes()).filter(route => !is_public.has(route))) {
      const answer = await call(route, 'hers')
      const is_api = route.includes(' /api/') && route !== 'GET /api/docs'
      expect([route, answer.status]).toEqual([route, is_api ? 401 : 303])
      if (is_api) expect(answer.headers.get('content-type')).toBe('application/problem+json')
      else expect(answer.headers.get('location')).toMatch(/^\/login/)
      walked.push(route)
    }
    expect(walked.length).toBeGreaterThan(20)
  })

  it('a person who was locked is signed out at every route, with the session and the token from before', async () => {
    const alice = await aliceOwns()
    const token = await tokenOf(alice)
    await ask('/api/account', { as: alice })
    await app.elsewhere(() => lock(sql, alice))
    for (const route of (await routes()).filter(route => !is_public.has(route))) {
      const is_api = route.includes(' /api/') && route !== 'GET /api/docs'
      const by_session = await call(route, 'hers', { as: alice })
      const by_token = await call(route, 'hers', { headers: { authorization: `Bearer ${token}` } })
      expect([route, by_session.status]).toEqual([route, is_api ? 401 : 303])
      // A page that takes no tokens leads to the login page.
      expect([route, [401, 303].includes(by_token.status)]).toEqual([route, true])
      if (is_api) expect([route, by_token.status]).toEqual([route, 401])
    }
  })

  it('a signed-out htmx request moves the whole window to the login page', async () => {
    const answer = await ask('/downloads/hers', { method: 'POST', headers: { 'hx-request': 'true' } })
    expect([answer.status, answer.headers.get('hx-redirect')]).toEqual([401, expect.stringMatching(/^\/login/)])
    expect(await answer.text()).toBe('')
  })
})

/** An administrator has no more right to what others have than anyone else. */
const others: [string, typeof person][] = [
  ['another user', person],
  ['an administrator', administrator],
]

describe.each(others)('requests of %s', (_, someone) => {
  it('every route that names a resource of alice gives bob the same 404 as for a missing one, and changes nothing', async () => {
    const alice = await aliceOwns()
    const bob = await someone(sql, 'bob')
    const before = await everything(alice)

    const walked: string[] = []
    for (const route of (await routes()).filter(route => names_resource.test(route))) {
      for (const headers of [{}, { 'hx-request': 'true' }]) {
        const hers = await call(route, 'hers', { as: bob, headers })
        const nothing = await call(route, 'nope', { as: bob, headers })
        expect([route, hers.status]).toEqual([route, 404])
        expect(withoutIds(await hers.text())).toBe(withoutIds((await nothing.text()).replaceAll('nope', 'hers')))
        const told = (answer: Response) => [...answer.headers].filter(([name]) => name !== 'date')
        expect(told(hers)).toEqual(told(nothing))
      }
      walked.push(route)
    }

    expect(walked.length).toBeGreaterThan(12)
    expect(await everything(alice)).toEqual(before)
  })

  it('no other route shows bob anything of alice', async () => {
    const alice = await aliceOwns()
    const bob = await someone(sql, 'bob')
    const before = await everything(alice)

    const batch = await call('POST /api/download/batch', 'hers', { as: bob })
    const statuses = await call('GET /api/download/status', 'hers', { as: bob })
    for (const route of ['POST /downloads', 'POST /downloads/cancel', 'POST /downloads/remove'])
      await call(route, 'hers', { as: bob })
    const cancelled = await call('POST /api/download/cancel-batch', 'hers', { as: bob })
    const removed = await call('POST /api/download/remove-batch', 'hers', { as: bob })
    await call('POST /videos/seen', 'hers', { as: bob })
    await call('POST /api/videos/unseen', 'hers', { as: bob })
    const reading = Object.keys(samples).filter(route => route.startsWith('GET '))
    const told = await Promise.all(
      reading.map(async route => ({ route, text: await (await call(route, 'hers', { as: bob })).text() })),
    )

    expect(await batch.json()).toEqual({ results: [{ video_id: 'hers', result: 'not_found' }] })
    expect(await statuses.json()).toEqual({ statuses: [] })
    for (const answer of [cancelled, removed])
      expect(await answer.json()).toEqual({ results: [{ video_id: 'hers', result: 'not_found' }] })
    expect(told.length).toBeGreaterThan(20)
    expect(told.filter(({ text }) => /\bhers\b/.test(text)).map(({ route }) => route)).toEqual([])
    expect(await everything(alice)).toEqual(before)
  })

  it('no other route lets bob change anything of alice', async () => {
    const alice = await aliceOwns()
    const before = await everything(alice)
    const writing = Object.keys(samples).filter(route => !route.startsWith('GET '))
    // A new person for each route, because some routes sign out and one deletes the account.
    for (const route of writing) await call(route, 'hers', { as: await someone(sql, 'bob') })
    for (const path of ['/videos/seen', '/api/videos/seen']) {
      const named = { until: new Date(Date.now() + 1000).toISOString(), channel_id: 'hers' }
      const sent = path.startsWith('/api') ? { json: named } : { form: named }
      expect([path, (await ask(path, { as: await someone(sql, 'bob'), ...sent })).status]).toEqual([path, 404])
    }
    expect(writing.length).toBeGreaterThan(15)
    expect(await everything(alice)).toEqual(before)
  })

  it('every route names a resource, has a sample, or is public', async () => {
    const unknown = (await routes()).filter(
      route => !is_public.has(route) && !(route in samples) && !names_resource.test(route),
    )
    expect(unknown).toEqual([])
    for (const route of [...is_public, ...Object.keys(samples)]) expect(await routes()).toContain(route)
  })
})

describe('invalid identifiers', () => {
  const none = [
    ...[
      '0',
      '-1',
      '1e9',
      '9223372036854775808',
      '1%20or%201%3D1',
      "'%3B--",
      '%25',
      '*',
      '__proto__',
      'constructor',
      'null',
    ],
    ...['..%2f..%2fetc%2fpasswd', '%00', 'a%00b', '%ff', '%', '%F0%9F%8D%AE', 'x'.repeat(5000), crypto.randomUUID()],
  ]
  it('an invalid identifier gets 404 or 400 at every route that names a resource', async () => {
    const alice = await aliceOwns()
    const before = await everything(alice)
    for (const route of (await routes()).filter(route => names_resource.test(route))) {
      const [method = '', path = ''] = route.split(' ')
      const { query = '', ...sample } = samples[route] ?? {}
      const tries = none.map(async id => {
        const named = path.replace(new RegExp(names_resource, 'g'), id).replace(':language', id)
        const answer = await ask(named + query, { method, ...sample, as: alice })
        expect([400, 404], `${method} ${named.slice(0, 80)}: ${answer.status}`).toContain(answer.status)
      })
      await Promise.all(tries)
    }
    expect(await everything(alice)).toEqual(before)
  })
})

describe('batches with another user’s videos', () => {
  it('a batch queues one’s own videos and reports another user’s as not found', async () => {
    const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
    await follows(alice, 'hers', ['a1', 'a2'])
    await follows(bob, 'his', ['b1', 'b2'])
    const mixed = ['a1', 'b1', 'a2', 'b1', 'nope']

    const batch = await ask('/api/download/batch', { as: alice, json: { video_ids: mixed } })
    const form = await ask('/downloads', { as: alice, form: { video_id: mixed } })
    const statuses = await ask(`/api/download/status?${mixed.map(id => `video_id=${id}`).join('&')}`, { as: alice })

    const { results } = (await batch.json()) as { results: { video_id: string; result: string }[] }
    const resultOf = (id: string) => results.find(({ video_id }) => video_id === id)?.result
    expect(['a1', 'a2', 'b1', 'nope'].map(resultOf)).toEqual(['queued', 'queued', 'not_found', 'not_found'])
    expect(form.status).toBe(303)
    const { statuses: known } = (await statuses.json()) as { statuses: { video_id: string }[] }
    expect(known.map(({ video_id }) => video_id)).toEqual(['a1', 'a2'])
    const jobs =
      await sql`select key from graphile_worker.jobs where key like ${`%${alice.user.user_id}%`} order by key`
    expect(jobs).toHaveLength(2)
    expect((await bob.library.videos.list({ limit: 9 })).entries.map(({ queued }) => queued)).toEqual([false, false])
  })
})

describe('requests from other sites', () => {
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:1' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  const bodies: [type: string | undefined, body: string | undefined][] = [
    ['application/x-www-form-urlencoded', 'url=https%3A%2F%2Fvideos.example'],
    ['multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-data; name="url"\r\n\r\nx\r\n--x--'],
    ['text/plain', '{"url":"https://videos.example"}'],
    ['application/json', '{"url":"https://videos.example"}'],
    [undefined, undefined],
  ]
  it('a request from another site is refused at every route that changes something, and changes nothing', async () => {
    const alice = await aliceOwns()
    const before = await everything(alice)
    const walked: string[] = []
    for (const route of (await routes()).filter(route => !/^(GET|HEAD) /.test(route))) {
      const [method = '', path = ''] = route.split(' ')
      // A hub is another site. Its deliveries need no origin, because they have no cookie and need a signature.
      // The right is in their paths.
      if (path === '/push/:push_id' || path === '/mails/:token') continue
      const named = path.replace(/:(video_id|channel_id)/g, 'hers').replace(/:import_id/g, her.import_id)
      for (const headers of foreign) {
        for (const [type, body] of bodies) {
          const all = { cookie: alice.cookie, ...headers, ...(type && { 'content-type': type }) }
          const answer = await app.app.request(named, { method, headers: all, ...(body !== undefined && { body }) })
          expect([route, headers, type, answer.status]).toEqual([route, headers, type, 403])
        }
      }
      walked.push(route)
    }
    expect(walked.length).toBeGreaterThan(15)
    expect(await everything(alice)).toEqual(before)
  })

  it('a GET from another site changes nothing at any route', async () => {
    const alice = await aliceOwns()
    const before = await everything(alice)
    for (const route of await routes()) {
      const path = route
        .replace(/^\w+ /, '')
        .replace(/:import_id/g, her.import_id)
        .replace(/:\w+/g, 'hers')
      await (await ask(path, { as: alice, headers: foreign[3] ?? {} })).arrayBuffer()
    }
    expect(await everything(alice)).toEqual(before)
    expect((await ask('/api/channels', { as: alice })).status).toBe(200)
  })
})

describe('the statements that these requests sent', () => {
  const other = useDatabase()
  beforeAll(async () => {
    const alice = await aliceOwns()
    const ends_her_session = /^POST \/(logout|settings\/(delete|sessions))/
    for (const route of await routes()) if (!ends_her_session.test(route)) await call(route, 'hers', { as: alice })
  })

  it('none gives other columns after a migration has added one to each table', async () => {
    // Postgres refuses a statement that was prepared before, if its result has other columns now (0A000).
    const of_ours = [...sent.values()].filter(({ path, text }) => path.startsWith('src/') && isPlanned(text))
    const describeAll = () => resultsOf(other.url, of_ours)
    const before = await describeAll()
    const tables = await other.sql`
      select oid::regclass::text as name from pg_class
      where  relnamespace = 'public'::regnamespace and relkind = 'r'`
    for (const { name } of tables) await other.sql.unsafe(`alter table ${name} add column added_later text`)
    const after = await describeAll()
    expect(before.size).toBeGreaterThan(250)
    const changed = of_ours.filter(({ text }) => String(before.get(text)) !== String(after.get(text)))
    expect(changed).toEqual([])
  })
})
