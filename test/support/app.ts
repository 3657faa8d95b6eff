/** The app on a database of its own, asked without a network. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { createApp } from '../../src/app.tsx'
import type { Discover } from '../../src/domain/discovery.ts'
import { type Files, filesIn } from '../../src/domain/files.ts'
import { DomainError } from '../../src/errors.ts'
import type { FeedReader } from '../../src/feed/read.ts'
import { type TestDatabase, useDatabase } from './database.ts'
import type { Person } from './people.ts'

export type Options = {
  readFeed?: FeedReader
  /** Not given: what `readFeed` reads is all there is. */
  discover?: Discover
  PUBLIC_URL?: string
  REGISTRATION?: 'open' | 'closed'
}
/** `as`: whose session cookie goes with it. */
export type Ask = {
  as?: Person
  json?: unknown
  form?: Record<string, string | string[]>
  headers?: Record<string, string>
  method?: string
}

export const silent = pino({ level: 'silent' })

const noFeeds: FeedReader = async () => {
  throw new DomainError('feed_failed', 'There are no feeds in this test.')
}

const onlyBy =
  (readFeed: FeedReader): Discover =>
  async address => {
    try {
      const best = await readFeed(address)
      const { title, entries } = best.feed
      const feed = { rss_url: best.rss_url, kind: 'feed' as const, title, entries: entries.length, newest_at: null }
      return { found: [feed], tried: [], best }
    } catch (fault) {
      if (!(fault instanceof DomainError)) throw fault
      return { found: [], tried: [fault.message], fault }
    }
  }

export function useApp({
  readFeed = noFeeds,
  discover = onlyBy(readFeed),
  PUBLIC_URL,
  REGISTRATION = 'open',
}: Options = {}) {
  const db: TestDatabase = useDatabase()
  let folder: string
  let files: Files
  let app: Awaited<ReturnType<typeof createApp>>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'backlot-app-'))
    files = filesIn(folder)
    app = await createApp({ sql: db.sql, files, readFeed, discover, log: silent, config: { PUBLIC_URL, REGISTRATION } })
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const ask = (path: string, { as, json, form, headers = {}, method }: Ask = {}): Promise<Response> => {
    const all = new Headers(headers)
    if (as) all.set('cookie', [as.cookie, headers.cookie].filter(Boolean).join('; '))
    if (json !== undefined) all.set('content-type', 'application/json')
    const body = json !== undefined ? JSON.stringify(json) : form && new URLSearchParams(pairs(form))
    const init = {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: all,
      ...(body !== undefined && { body }),
    }
    return Promise.resolve(app.request(path, init, { remote_address: '192.0.2.1' }))
  }

  return {
    ...db,
    ask,
    get app() {
      return app
    },
    get files() {
      return files
    },
    get folder() {
      return folder
    },
  }
}

const pairs = (form: Record<string, string | string[]>) =>
  Object.entries(form).flatMap(([name, values]) => [values].flat().map(value => [name, value] as [string, string]))
