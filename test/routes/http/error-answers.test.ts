/** Refusals and errors as pages, messages and problem details. */
import { Hono } from 'hono'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { connect } from '../../../src/db/postgres/client.ts'
import { DomainError } from '../../../src/errors.ts'
import { clientFrom } from '../../../src/routes/http/client.ts'
import type { Env } from '../../../src/routes/http/context.ts'
import { onError } from '../../../src/routes/http/error-answers.tsx'
import { defaults } from '../../../src/routes/http/page.ts'
import { before } from '../../../src/routes/http/steps.ts'
import { anotherApp, useApp } from '../../support/app/app.ts'
import { person } from '../../support/app/people.ts'

const app = useApp()

const picky = useApp({
  findFeed: async () => {
    throw new DomainError('address_refused', 'Only addresses that start with http:// or https:// are fetched.')
  },
})

const { ask, sql, textAt } = app

describe('a refusal', () => {
  it('a refusal is problem details under /api, a page elsewhere, and a message for htmx', async () => {
    const alice = await person(sql, 'alice')
    const api = await ask('/api/history/nowhere', { as: alice })
    const page = await ask('/channels/nowhere', { as: alice })
    const fragment = await ask('/downloads/nowhere', { as: alice, method: 'POST', headers: { 'hx-request': 'true' } })

    expect([api.status, page.status, fragment.status]).toEqual([404, 404, 404])
    expect(api.headers.get('content-type')).toBe('application/problem+json')
    expect(await api.json()).toEqual({
      type: 'about:blank',
      title: 'Not found',
      status: 404,
      detail: 'You do not follow this channel.',
    })
    expect(await page.text()).toMatch(/^<!doctype html>[\s\S]*You do not follow this channel\./i)
    expect(fragment.headers.get('hx-retarget')).toBe('#flash')
    expect(await fragment.text()).not.toContain('<html')
  })

  it('an error page leads back to the form, or to the first page', async () => {
    const alice = await person(sql, 'alice')
    const wayOf = async (path: string, more: object = {}) =>
      /class="button main" href="([^"]*)"/.exec(await textAt(path, { as: alice, ...more }))?.[1]
    const from = (referer: string) => ({ method: 'POST', headers: { referer } })
    expect(await wayOf('/channels/nowhere')).toBe('/')
    expect(await wayOf('/downloads/nowhere', from('http://localhost/channels?q=a'))).toBe('/channels?q=a')
    expect(await wayOf('/downloads/nowhere', from('https://elsewhere.example/'))).toBe('/')
  })

  it('a signed-out form leads to the sign-in and back to its page', async () => {
    const loginOf = async (headers: Record<string, string>) => {
      const answer = await ask('/videos/a/seen', { method: 'POST', headers })
      return answer.headers.get('location') ?? answer.headers.get('hx-redirect')
    }
    expect(await loginOf({ referer: 'http://localhost/channels/slow?q=a' })).toBe(
      '/login?next=%2Fchannels%2Fslow%3Fq%3Da&was=signed-in',
    )
    expect(await loginOf({ 'hx-request': 'true', 'hx-current-url': 'http://localhost/watch/a' })).toBe(
      '/login?next=%2Fwatch%2Fa&was=signed-in',
    )
    expect(await loginOf({ 'hx-request': 'true', 'hx-current-url': 'http://elsewhere.example/x' })).toBe(
      '/login?was=signed-in',
    )
    expect(await loginOf({})).toBe('/login?was=signed-in')
  })

  it.each([
    ['nothing at all', 'application/json', '', 400],
    ['half of JSON', 'application/json', '{"url":', 400],
    ['text that looks like JSON', 'text/plain', '{"url":"https://videos.example"}', 415],
    ['a form', 'application/x-www-form-urlencoded', 'url=https://videos.example', 415],
    ['another shape', 'application/json', '{"url":5}', 422],
    ['an empty address', 'application/json', '{"url":"  "}', 422],
    ['far too much', 'application/json', JSON.stringify({ url: 'x'.repeat(300_000) }), 413],
    ['deep nesting', 'application/json', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 422],
  ])('a body of %s sent as %s gets the right status', async (_, type, body, status) => {
    const alice = await person(sql, 'alice')
    const headers = { cookie: alice.cookie, 'content-type': type, 'content-length': String(Buffer.byteLength(body)) }
    const answer = await app.app.request('/api/channels', { method: 'POST', body, headers })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/problem+json'])
  })

  it('a refused address names its field', async () => {
    const alice = await person(picky.sql, 'alice')
    const answer = await picky.ask('/api/channels', { as: alice, json: { url: 'ftp://videos.example/feed' } })
    const { errors } = (await answer.json()) as { errors: Record<string, string> }
    expect([answer.status, Object.keys(errors)]).toEqual([422, ['url']])
  })

  it('a page says which part of its link is not valid', async () => {
    const alice = await person(sql, 'alice')
    const answer = await ask('/?month=xx', { as: alice })
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('the month “xx” is not valid.')])
  })

  it('a 405 names the methods of the address', async () => {
    const alice = await person(sql, 'alice')
    const answer = await ask('/api/channels', { as: alice, method: 'PUT' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
    expect((await ask('/api/nowhere', { as: alice, method: 'PUT' })).status).toBe(404)
  })

  it('a NUL anywhere in a request gets 400', async () => {
    const alice = await person(sql, 'alice')
    for (const path of ['/watch/%00', '/api/history/a%00b', '/api/download/status?video_id=%00'])
      expect((await ask(path, { as: alice })).status, path).toBe(400)
    expect((await ask('/api/download/batch', { as: alice, json: { video_ids: ['\u0000'] } })).status).toBe(400)
  })

  it('without a database every answer is a 503 without its secrets, and readiness fails', async () => {
    const away = connect('postgres://someone:secret@127.0.0.1:1/nowhere', { max: 1 })
    const lonely = await anotherApp(away, app.files)
    const cookie = `session=b${'0'.repeat(64)}`

    const api = await lonely.request('/api/channels', { headers: { cookie } })
    const page = await lonely.request('/', { headers: { cookie } })
    const texts = [await api.text(), await page.text()].join()

    expect([api.status, page.status]).toEqual([503, 503])
    expect(api.headers.get('retry-after')).toBe('5')
    expect(texts).toContain('The database does not answer.')
    expect(texts).not.toMatch(/secret|127\.0\.0\.1|ECONNREFUSED|select/)
    expect((await lonely.request('/readyz')).status).toBe(503)
    expect((await lonely.request('/healthz')).status).toBe(200)
    await away.end()
  })
})

describe('every answer', () => {
  it('no cache may store the answers of one user', async () => {
    const alice = await person(sql, 'alice')
    for (const path of ['/', '/channels', '/downloads', '/api/channels'])
      expect((await ask(path, { as: alice })).headers.get('cache-control')).toBe('private, no-store')
  })
})

it('the log of a fault names the request, but not the secret in the address that a hub calls, or of a link', async () => {
  const lines: string[] = []
  const log = pino({}, { write: line => void lines.push(line) })
  const broken = new Hono<Env>().onError(onError(log))
  broken.use(before(defaults(new Map(), 0), clientFrom([], undefined)))
  broken.get('*', () => {
    throw new Error('the disk is gone')
  })
  const push_id = 'x'.repeat(32)
  for (const path of [
    '/channels/kitchen',
    `/push/${push_id}`,
    `/s/${push_id}/v1.mp4`,
    `/f/${push_id}/feed.xml`,
    `/mails/${push_id}`,
  ])
    await broken.request(path, { headers: { accept: 'application/json' } })
  expect(lines.map(line => JSON.parse(line).route)).toEqual([
    '/channels/kitchen',
    '/push/…',
    '/s/…',
    '/f/…',
    '/mails/…',
  ])
  expect(lines.join()).not.toContain(push_id)
})

let code = ''
const faulty = useApp({
  findFeed: async () => {
    throw Object.assign(new Error('a statement failed'), { code })
  },
})

it.each([
  ['53100', 507, 'The disk of the database is full'],
  ['25006', 503, 'The database is read-only'],
  ['57P03', 503, 'The database does not answer'],
  ['CONNECTION_CLOSED', 503, 'The database does not answer'],
])(
  'a fault %s of the database is answered with %i and a sentence, and logged without a stack',
  async (found, status, words) => {
    code = found
    const alice = await person(faulty.sql, 'alice')
    const body = { url: 'https://videos.example/feed.xml' }
    const api = await faulty.ask('/api/channels', { as: alice, method: 'POST', json: body })
    expect([api.status, Number(api.headers.get('retry-after')) > 0]).toEqual([status, true])
    expect(await api.json()).toMatchObject({ status, detail: expect.stringContaining(words) })

    const lines: string[] = []
    const log = pino({}, { write: line => void lines.push(line) })
    const broken = new Hono<Env>().onError(onError(log))
    broken.use(before(defaults(new Map(), 0), clientFrom([], undefined)))
    broken.get('*', () => {
      const words =
        code === 'CONNECTION_CLOSED' ? 'write CONNECTION_CLOSED db.example:5432' : `a statement failed: ${code}`
      throw Object.assign(new Error(words), { code })
    })
    expect(await (await broken.request('/channels')).text()).toContain(words)
    expect(lines.map(line => JSON.parse(line))).toMatchObject([{ because: expect.stringContaining(code) }])
    expect(lines.join()).not.toMatch(/stack|db\.example/)
  },
)
