/** In this process, without a network: the app on its own database, requested by `app.request`. */
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../../src/app.tsx'
import type { OpenIdProvider } from '../../../src/auth/oidc.ts'
import { webPushKeysIn } from '../../../src/db/notifications/web-push-keys.ts'
import { connect, type Sql } from '../../../src/db/postgres/client.ts'
import { segmentsStored } from '../../../src/db/watching/segments.ts'
import type { Discover, FeedFinder } from '../../../src/domain/channels/discovery.ts'
import type { NameSearches } from '../../../src/domain/channels/find-by-name.ts'
import type { JpegConverter } from '../../../src/domain/podcasts/jpegs.ts'
import { segmentFinder } from '../../../src/domain/watching/segments.ts'
import { DomainError } from '../../../src/errors.ts'
import type { SegmentAsker } from '../../../src/feed/fetch/ask-sponsorblock.ts'
import type { FeedReader } from '../../../src/feed/fetch/fetch-feed.ts'
import { type RequestLimits, usual_limits } from '../../../src/routes/http/request-limits.ts'
import { search_connections } from '../../../src/routes/http/turn-limits.ts'
import { setDownloadTimes, timesIn } from '../../../src/runtime/download-times.ts'
import type { SendMessage } from '../../../src/schema/notifications/message.ts'
import { makeWebPushKeys } from '../../../src/senders/browser.ts'
import type { ServerOpener } from '../../../src/servers/kinds.ts'
import type { Files } from '../../../src/store/files.ts'
import { videoOrigin } from '../../../src/store/storage.ts'
import type { VideoLooker } from '../../../src/ytdlp/ask/look-at.ts'
import { driftOf } from './contract.ts'
import { type TestDatabase, useDatabase } from './database.ts'
import { type Person, person } from './people.ts'
import { openTestStorage, type StorageKind, type TestStorage } from './storages.ts'

export type Options = {
  findFeed?: FeedFinder
  /** By default it uses `findFeed`. */
  discover?: Discover
  /** By default it finds no video anywhere. */
  lookAt?: VideoLooker
  names?: NameSearches
  /** By default none is asked. */
  askSegments?: SegmentAsker
  /** By default there are none. */
  openServer?: ServerOpener
  HOST?: string
  PUBLIC_URL?: string
  REGISTRATION?: 'open' | 'closed'
  USER_QUOTA_GB?: number
  BIN_HOURS?: number
  TRUSTED_PROXIES?: string[]
  AUTH_HEADER?: string
  STREAM_OFFLOAD?: 'off' | 'signed-url'
  SHARE_FILES?: 'on' | 'off'
  /** By default a folder. */
  storage?: StorageKind
  OIDC_REGISTRATION?: 'on' | 'off'
  OIDC_ADMIN_GROUP?: string
  METRICS_TOKEN?: string
  SECRET_KEY?: string
  provider?: OpenIdProvider
  SMTP_URL?: string
  /** By default it takes every message. */
  sendMessage?: SendMessage
  limits?: RequestLimits
  /** By default every picture becomes the same JPEG. */
  toJpeg?: JpegConverter
  DOWNLOAD_HOURS?: { from: string; to: string }[]
  DOWNLOAD_RATE?: { span: { from: string; to: string } | null; bytes_s: number }[]
  TZ?: string
  /** To the database. */
  connections?: number
}
/** `as`: the person whose session cookie is sent. */
export type Ask = {
  as?: Person
  json?: unknown
  form?: Record<string, string | string[]>
  /** A body of its own type. */
  body?: string | FormData
  headers?: Record<string, string>
  method?: string
  /** The address of the client. */
  from?: string
}

type AppParts = Parameters<typeof createApp>[0]

/** For tests that send more requests in a minute than a user may. */
export const unlimited: RequestLimits = {
  of_person: {},
  signed_out: { ...usual_limits.signed_out, most: 1e9 },
  at_address: { ...usual_limits.at_address, most: 1e9 },
}

const one_jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0)

export const silent = pino({ level: 'silent' })

/** No media server is asked. */
export const noServer: ServerOpener = () => {
  throw new Error('no media server is in this test')
}

const noFeeds: FeedFinder = async () => {
  throw new DomainError('feed_failed', 'There are no feeds in this test.')
}

const noVideos: VideoLooker = async () => ({
  failure: { kind: 'permanent', reason: 'unsupported', sentence: 'No video found on this page.', detail: '' },
})

/** No platform has a channel of any name. */
const noNames: NameSearches = { searchYoutube: async () => ({ channels: [] }), searchPeertube: async () => [] }

const onlyBy =
  (findFeed: FeedFinder): Discover =>
  async (address, whose) => {
    try {
      const best = await findFeed(address, whose)
      const { title, entries } = best.feed
      const feed = { rss_url: best.rss_url, kind: 'feed' as const, title, entries: entries.length, newest_at: null }
      return { found: [feed], tried: [], best }
    } catch (fault) {
      if (!(fault instanceof DomainError)) throw fault
      return { found: [], tried: [fault.message], fault }
    }
  }

export function useApp({
  findFeed = noFeeds,
  discover = onlyBy(findFeed),
  lookAt = noVideos,
  names = noNames,
  askSegments,
  openServer = noServer,
  HOST,
  PUBLIC_URL,
  REGISTRATION = 'open',
  USER_QUOTA_GB = 0,
  BIN_HOURS = 24,
  TRUSTED_PROXIES = [],
  AUTH_HEADER,
  STREAM_OFFLOAD = 'off',
  SHARE_FILES = 'on',
  OIDC_REGISTRATION = 'off',
  OIDC_ADMIN_GROUP,
  METRICS_TOKEN,
  SECRET_KEY,
  provider,
  SMTP_URL,
  sendMessage = async () => ({ delivered: true }),
  limits,
  toJpeg = async () => one_jpeg,
  storage: kind = 'a folder',
  connections,
  DOWNLOAD_HOURS = [],
  DOWNLOAD_RATE = [],
  TZ,
}: Options = {}) {
  const db: TestDatabase = useDatabase({ connections })
  let storage: TestStorage
  let app: Awaited<ReturnType<typeof createApp>>
  let search_sql: Sql
  let skipped_ms = 0

  beforeAll(async () => {
    setDownloadTimes(timesIn({ DOWNLOAD_HOURS, DOWNLOAD_RATE, TZ }))
    storage = await openTestStorage(kind)
    const { files } = storage
    const video_origin = videoOrigin({ DOWNLOADS_DIR: '', ...storage.bucket?.variables, STREAM_OFFLOAD })
    const config = {
      ...(HOST && { HOST }),
      PUBLIC_URL,
      REGISTRATION,
      TRUSTED_PROXIES,
      AUTH_HEADER,
      STREAM_OFFLOAD,
      SHARE_FILES,
      USER_QUOTA_GB,
      BIN_HOURS,
      OIDC_REGISTRATION,
      OIDC_ADMIN_GROUP,
      METRICS_TOKEN,
      SECRET_KEY,
      SMTP_URL,
    }
    const now = () => performance.now() + skipped_ms
    const readFeed: FeedReader = async (rss_url, whose) => (await findFeed(rss_url, whose)).feed
    search_sql = connect(db.url, { max: search_connections, idle_timeout_s: 1, plans: 'each' })
    const parts = {
      sql: db.sql,
      search_sql,
      files,
      toJpeg,
      readFeed,
      discover,
      lookAt,
      names,
      openServer,
      sendMessage,
      webPushKeys: webPushKeysIn(db.sql, makeWebPushKeys),
      log: silent,
      config,
      provider,
      now,
      video_origin,
      findSegments: segmentFinder({ store: segmentsStored(db.sql), ask: askSegments }),
    }
    app = await createApp({ ...parts, ...(limits && { limits }) })
  })
  const drift: string[] = []
  afterEach(() => expect(drift.splice(0), 'what the OpenAPI document does not say').toEqual([]))
  afterAll(async () => {
    await search_sql.end({ timeout: 5 })
    await storage.close()
  })

  const ask = async (
    path: string,
    { as, json, form, body: own, headers = {}, method, from = '192.0.2.1' }: Ask = {},
  ): Promise<Response> => {
    const all = new Headers(headers)
    // As browsers ask for pages.
    if (!all.has('accept') && !path.startsWith('/api/')) all.set('accept', 'text/html')
    if (as) all.set('cookie', [as.cookie, headers.cookie].filter(Boolean).join('; '))
    if (json !== undefined) all.set('content-type', 'application/json')
    const body = json !== undefined ? JSON.stringify(json) : form ? new URLSearchParams(pairs(form)) : own
    const init = {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: all,
      ...(body !== undefined && { body }),
    }
    return noted(drift, path, init, json, await app.request(path, init, { remote_address: from }))
  }

  return {
    ...db,
    ask,
    async textAt(path: string, more?: Ask) {
      return (await ask(path, more)).text()
    },
    async jsonAt(path: string, more?: Ask) {
      return (await ask(path, more)).json()
    },
    /** Makes a change as another process would: this one sees it five seconds later, so that much time passes. */
    async elsewhere<T>(change: () => Promise<T>): Promise<T> {
      const made = await change()
      skipped_ms += 5000
      return made
    },
    get app() {
      return app
    },
    get files() {
      return storage.files
    },
    get folder() {
      return storage.folder
    },
    get storage() {
      return storage
    },
  }
}

/** The app of another process on a database and its files. It asks no site for anything. */
export function anotherApp(sql: Sql, files: Files, config: AppParts['config'] = { REGISTRATION: 'open' }) {
  const never = async () => {
    throw new Error('not asked')
  }
  return createApp({
    sql,
    search_sql: sql,
    files,
    config,
    log: silent,
    names: noNames,
    openServer: noServer,
    readFeed: never,
    discover: never,
    lookAt: never,
    findSegments: async () => [],
    toJpeg: async () => undefined,
    sendMessage: async () => ({ delivered: true }),
    webPushKeys: async () => ({ public_key: '', private_key: '' }),
  })
}

/** The `it` of tests that name people: a test gets a new alice and a new bob if it asks for them. */
export const withPeople = ({ sql }: { sql: Sql }) =>
  test.extend('alice', () => person(sql, 'alice')).extend('bob', () => person(sql, 'bob'))

/** Checks the JSON of every test against the document, which does not describe fragments for htmx. */
async function noted(drift: string[], path: string, init: RequestInit, body: unknown, answer: Response) {
  const { pathname } = new URL(path, 'http://localhost')
  const is_fragment = new Headers(init.headers).get('hx-request') === 'true'
  if (!pathname.startsWith('/api/') || is_fragment) return answer
  const text = await answer.clone().text()
  const { status, headers } = answer
  drift.push(
    ...driftOf({ method: init.method ?? 'GET', path: pathname, body, status, type: headers.get('content-type'), text }),
  )
  return answer
}

const pairs = (form: Record<string, string | string[]>) =>
  Object.entries(form).flatMap(([name, values]) => [values].flat().map(value => [name, value] as [string, string]))
