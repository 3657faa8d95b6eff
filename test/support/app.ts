/** The app on a database of its own, asked without a network. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { createApp } from '../../src/app.tsx'
import { type Files, filesIn } from '../../src/domain/files.ts'
import { DomainError } from '../../src/errors.ts'
import type { FeedReader } from '../../src/feed/read.ts'
import { type TestDatabase, useDatabase } from './database.ts'
import type { Person } from './people.ts'

type Options = {
  readFeed?: FeedReader
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

export function useApp({ readFeed = noFeeds, PUBLIC_URL, REGISTRATION = 'open' }: Options = {}) {
  const db: TestDatabase = useDatabase()
  let folder: string
  let files: Files
  let app: Awaited<ReturnType<typeof createApp>>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'backlot-app-'))
    files = filesIn(folder)
    app = await createApp({ sql: db.sql, files, readFeed, log: silent, config: { PUBLIC_URL, REGISTRATION } })
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
