/** Walks the app's own route table: signed out, and as another user. A new route is covered the day it is added. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DomainError } from '../../src/errors.ts'
import { type Ask, useApp } from '../support/app.ts'
import { follows, has, type Person, person } from '../support/people.ts'

const app = useApp({
  readFeed: async () => {
    throw new DomainError('feed_failed', 'There are no feeds in this test.')
  },
})
const { ask, sql } = app

/** What anybody may ask. Everything else needs somebody. */
const is_public = new Set([
  'GET /healthz',
  'GET /readyz',
  'GET /static/:name',
  'GET /register',
  'POST /register',
  'GET /login',
  'POST /login',
  'POST /logout',
  'POST /theme',
])

/** What each route that names no resource in its path names elsewhere; every route must be one or the other. */
const samples: Record<string, Ask & { query?: string }> = {
  'POST /api/channels': { json: { url: 'https://videos.example' } },
  'POST /api/feed': { json: { rss_url: 'https://videos.example' } },
  'POST /api/download/batch': { json: { video_ids: ['hers'] } },
  'GET /api/download/status': { query: '?video_id=hers' },
  'GET /settings': {},
  'POST /settings': { form: { quality: '720' } },
  'GET /api/settings': {},
  'PUT /api/settings': { json: { quality: '720' } },
  'POST /channels/:channel_id/quality': { form: { quality: '720' } },
  'PUT /api/channels/:channel_id/quality': { json: { quality: '720' } },
  'GET /api/channels': {},
  'GET /api/openapi.json': {},
  'GET /': {},
  'GET /channels': {},
  'GET /channels/new': { query: '?url=videos.example' },
  'GET /api/discover': { query: '?url=videos.example' },
  'POST /channels': { form: { url: 'https://videos.example' } },
  'GET /downloads': {},
  'GET /health': {},
  'GET /api/health': {},
  'POST /downloads/retry': {},
  'POST /api/download/retry-failed': {},
  'POST /downloads': { form: { video_id: 'hers' } },
  'PUT /api/channels/:channel_id/rule': { json: { auto_download: true } },
  'POST /channels/:channel_id/settings': { form: { auto_download: 'on' } },
  'GET /import': {},
  'POST /import': { form: { text: 'https://videos.example' } },
  'GET /export.opml': {},
  'GET /export.json': {},
  'POST /api/import': { json: { text: 'https://videos.example' } },
  'GET /api/export': {},
}

const routes = async () => {
  const { app: hono } = await ready()
  const all = hono.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path.replace(/(.)\/$/, '$1')}`)
  return [...new Set(all)]
}
const ready = async () => ({ app: app.app })

/** The identifier of an import is not hers to choose. */
let her_import = 'hers'
const no_import = '00000000-0000-4000-8000-000000000000'

const call = (route: string, id: string, more: Ask = {}) => {
  const [method = '', path = ''] = route.split(' ')
  const { query = '', ...sample } = samples[route] ?? {}
  const import_id = id === 'hers' ? her_import : no_import
  const named = path.replace(/:(video_id|channel_id)/g, id).replace(/:import_id/g, import_id)
  return ask(named + query, { method, ...sample, ...more })
}

async function aliceOwns(): Promise<Person> {
  const alice = await person(sql, 'alice')
  await follows(alice, 'hers', ['hers'])
  const download_path = `${alice.user.user_id}/hers/hers.mp4`
  await mkdir(dirname(join(app.folder, download_path)), { recursive: true })
  await writeFile(join(app.folder, download_path), 'her video')
  await has(alice, 'hers', download_path, 9)
  her_import =
    (await alice.library.imports.begin('addresses', [{ address: 'https://hers.example', title: 'hers' }])) ?? ''
  return alice
}

/** Everything of alice's, in the database and on disk. */
const everything = async ({ user, library }: Person) => ({
  channels: await library.channels.list(),
  videos: (await library.videos.list({ limit: 100 })).entries,
  rule: await library.rules.find('hers'),
  imports: await library.imports.list(),
  jobs: await sql`select key, run_at from graphile_worker.jobs where key like ${`%${user.user_id}%`} order by key`,
  file: await app.files.exists(`${user.user_id}/hers/hers.mp4`),
})

describe('signed out', () => {
  it('leads to the login page, or is told 401, at every route but the public ones', async () => {
    const walked: string[] = []
    for (const route of (await routes()).filter(route => !is_public.has(route))) {
      const answer = await call(route, 'hers')
      const is_api = route.includes(' /api/')
      expect([route, answer.status]).toEqual([route, is_api ? 401 : 303])
      if (is_api) expect(answer.headers.get('content-type')).toBe('application/problem+json')
      else expect(answer.headers.get('location')).toMatch(/^\/login/)
      walked.push(route)
    }
    expect(walked.length).toBeGreaterThan(20)
  })

  it('moves the whole window when htmx asks', async () => {
    const answer = await ask('/downloads/hers', { method: 'POST', headers: { 'hx-request': 'true' } })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('hx-redirect')).toMatch(/^\/login/)
    expect(await answer.text()).toBe('')
  })
})

describe('as another user', () => {
  it('answers every route that names a resource as if there were none, and changes nothing', async () => {
    const alice = await aliceOwns()
    const bob = await person(sql, 'bob')
    const before = await everything(alice)

    const walked: string[] = []
    for (const route of (await routes()).filter(route => /:(video_id|channel_id|import_id)/.test(route))) {
      for (const headers of [{}, { 'hx-request': 'true' }]) {
        const hers = await call(route, 'hers', { as: bob, headers })
        const nothing = await call(route, 'nope', { as: bob, headers })
        expect([route, hers.status]).toEqual([route, 404])
        expect(await hers.text()).toBe(
          (await nothing.text()).replaceAll('nope', 'hers').replaceAll(no_import, her_import),
        )
        const told = (answer: Response) => [...answer.headers].filter(([name]) => name !== 'date')
        expect(told(hers)).toEqual(told(nothing))
      }
      walked.push(route)
    }

    expect(walked.length).toBeGreaterThan(12)
    expect(await everything(alice)).toEqual(before)
  })

  it('gives nothing of hers on the routes that name no resource', async () => {
    const alice = await aliceOwns()
    const bob = await person(sql, 'bob')
    const before = await everything(alice)

    const batch = await call('POST /api/download/batch', 'hers', { as: bob })
    const statuses = await call('GET /api/download/status', 'hers', { as: bob })
    await call('POST /downloads', 'hers', { as: bob })
    const pages = await Promise.all(
      ['/', '/channels', '/downloads', '/import', '/export.opml', '/api/channels', '/api/export'].map(async path =>
        (await ask(path, { as: bob })).text(),
      ),
    )

    expect(await batch.json()).toEqual({ results: [{ video_id: 'hers', result: 'not_found' }] })
    expect(await statuses.json()).toEqual({ statuses: [] })
    expect(pages.join()).not.toMatch(/hers/)
    expect(await everything(alice)).toEqual(before)
  })

  it('knows every route: each names a resource, has a sample, or is public', async () => {
    const unknown = (await routes()).filter(
      route => !is_public.has(route) && !(route in samples) && !/:(video_id|channel_id|import_id)/.test(route),
    )
    expect(unknown).toEqual([])
    for (const route of [...is_public, ...Object.keys(samples)]) expect(await routes()).toContain(route)
  })
})

describe('an identifier that is none', () => {
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
  it('is answered 404 at every route that names a resource, or 400 where it can not be read', async () => {
    const alice = await aliceOwns()
    const before = await everything(alice)
    for (const route of (await routes()).filter(route => /:(video_id|channel_id|import_id)/.test(route))) {
      const [method = '', path = ''] = route.split(' ')
      const { query = '', ...sample } = samples[route] ?? {}
      for (const id of none) {
        const named = path.replace(/:(video_id|channel_id|import_id)/g, id).replace(':language', id)
        const answer = await ask(named + query, { method, ...sample, as: alice })
        expect([400, 404], `${method} ${named.slice(0, 80)}: ${answer.status}`).toContain(answer.status)
      }
    }
    expect(await everything(alice)).toEqual(before)
  })
})

describe('a batch of one’s own and another’s', () => {
  it('queues one’s own, and tells nothing of the others', async () => {
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

describe('what another site makes a browser send', () => {
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
  it('is refused at every route that changes something, whatever it is, and changes nothing', async () => {
    const alice = await aliceOwns()
    const before = await everything(alice)
    const walked: string[] = []
    for (const route of (await routes()).filter(route => !/^(GET|HEAD) /.test(route))) {
      const [method = '', path = ''] = route.split(' ')
      const named = path.replace(/:(video_id|channel_id)/g, 'hers').replace(/:import_id/g, her_import)
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

  it('changes nothing by a GET at any route', async () => {
    const alice = await aliceOwns()
    const before = await everything(alice)
    for (const route of await routes()) {
      const path = route
        .replace(/^\w+ /, '')
        .replace(/:import_id/g, her_import)
        .replace(/:\w+/g, 'hers')
      await (await ask(path, { as: alice, headers: foreign[3] ?? {} })).arrayBuffer()
    }
    expect(await everything(alice)).toEqual(before)
    expect((await ask('/api/channels', { as: alice })).status).toBe(200)
  })
})
