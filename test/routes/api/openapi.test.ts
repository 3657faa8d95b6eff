/** The document itself, and that the test-suite would notice if it were wrong. */
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { document, driftOf, operations } from '../../support/app/contract.ts'
import { follows, person } from '../../support/app/people.ts'

const app = useApp()
const { ask, sql } = app
const text = JSON.stringify(document)

type Parameter = { name: string; in: string; required?: boolean; description?: string }
type Described = { properties: Record<string, { description?: string }> }

/** The shape of a piece of what was found, wherever it stands. */
function piecesOf(tree: object): Described {
  const found: Described[] = []
  JSON.stringify(tree, (_, value) => {
    if (value?.properties?.match) found.push(value)
    return value
  })
  return found[0] ?? { properties: {} }
}

const about_itself = new Set(['/api/openapi.json', '/api/docs'])

describe('the document', () => {
  it('describes every JSON route, and no route that does not exist', async () => {
    const routes = app.app.routes
      .filter(({ method, path }) => path.startsWith('/api/') && method !== 'ALL' && !about_itself.has(path))
      .map(({ method, path }) => `${method.toLowerCase()} ${path.slice('/api'.length).replace(/:(\w+)/g, '{$1}')}`)
    expect(Object.keys(operations).toSorted()).toEqual([...new Set(routes)].toSorted())
  })

  it('is served as OpenAPI 3.1, with required fields and date formats', async () => {
    const alice = await person(sql, 'alice')
    const served = (await (await ask('/api/openapi.json', { as: alice })).json()) as {
      openapi: string
      paths: Record<
        string,
        Record<string, { requestBody?: { content: Record<string, { schema: { required: string[] } }> } }>
      >
    }
    expect(served.openapi).toBe('3.1.0')
    expect(served.paths['/channels']?.post?.requestBody?.content['application/json']?.schema.required).toEqual(['url'])
    expect(served.paths['/feed']?.post?.requestBody?.content['application/json']?.schema.required).toEqual(['rss_url'])
    expect(JSON.stringify(served)).toContain('"format":"date-time"')
  })

  it('refers to nothing that is not in it', () => {
    const refs = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name ?? '')
    expect(refs.length).toBeGreaterThan(50)
    expect(refs.filter(name => !(name in document.components.schemas))).toEqual([])
  })

  it('names each operation once, under a tag that it explains', () => {
    const all = Object.values(document.paths as Record<string, Record<string, { operationId: string; tags: string[] }>>)
    const each = all.flatMap(methods => Object.values(methods))
    const names = each.map(({ operationId }) => operationId)
    expect(new Set(names).size).toBe(names.length)
    const explained = document.tags.map(({ name }) => name)
    for (const { tags } of each) expect(explained).toEqual(expect.arrayContaining(tags))
  })

  it('explains every tag in more than its own name', () => {
    for (const { name, description } of document.tags)
      expect(description?.length ?? 0, name).toBeGreaterThan(name.length)
  })

  it('means by a word what stands there: a piece of a result is no list of channels', () => {
    const { properties } = piecesOf(document.paths)
    expect(JSON.stringify(properties)).not.toMatch(/OPML/)
    expect(properties.match?.description).toMatch(/searched/)
  })

  it('says what must be asked with, and only that', () => {
    const each = Object.entries(document.paths as Record<string, { get?: { parameters: Parameter[] } }>)
    const required = each.flatMap(([path, { get }]) =>
      (get?.parameters ?? []).filter(one => one.in === 'query' && one.required).map(({ name }) => `${path} ${name}`),
    )
    expect(required).toEqual(['/discover url'])
  })

  it('explains every parameter', () => {
    const each = Object.values(document.paths as Record<string, Record<string, { parameters: Parameter[] }>>)
    const all = each.flatMap(methods => Object.values(methods).flatMap(({ parameters }) => parameters))
    expect(all.filter(({ description }) => !description).map(({ name }) => name)).toEqual([])
  })

  it('tells no secret and no other host', () => {
    expect(text).not.toMatch(/postgres|password|localhost|127\.0/)
  })
})

describe('an exchange that the document does not say', () => {
  const download = {
    ...{ video_id: 'v', download_status: 'pending', queued: false, queue_position: null, progress: null, attempts: 0 },
    ...{ max_attempts: 3, next_attempt_at: null, download_path: null, download_started_at: null, file_size: null },
    ...{
      download_completed_at: null,
      download_error: null,
      download_detail: null,
      site_rests_until: null,
      keeps_trying: false,
      held_until: null,
      pinned: false,
    },
  }
  const known = { method: 'GET', path: '/api/download/status/v', status: 200, type: 'application/json' }
  const drift = (more: object, json: unknown = download) => driftOf({ ...known, text: JSON.stringify(json), ...more })

  it.each([
    ['none, when all is as it says', {}, download, false],
    ['a field too many', {}, { ...download, secret: 1 }, true],
    ['a field missing', {}, { ...download, queued: undefined }, true],
    ['a date that is none', {}, { ...download, download_started_at: 'yesterday' }, true],
    ['another type', { type: 'text/plain' }, download, true],
    ['an unknown status', { status: 418 }, download, true],
    ['an unknown path', { path: '/api/secret' }, download, true],
    ['an unknown method', { method: 'PATCH' }, download, true],
    [
      'a body where there is none',
      { method: 'DELETE', path: '/api/channels/c', status: 204, type: null },
      download,
      true,
    ],
    [
      'a wrong body that was taken',
      { method: 'PUT', path: '/api/settings', body: { quality: 'huge' } },
      { quality: 'best' },
      true,
    ],
    ['a problem without its sentence', { status: 404, type: 'application/problem+json' }, { status: 404 }, true],
  ])('is %s', (_, more, json, faults) => expect(drift(more, json).length > 0).toBe(faults))
})

describe('the page about it', () => {
  it('is a page, for whoever is signed in', async () => {
    const alice = await person(sql, 'alice')
    const page = await ask('/api/docs', { as: alice })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
    const signed_out = await ask('/api/docs')
    expect([signed_out.status, signed_out.headers.get('location')]).toEqual([303, '/login?next=%2Fapi%2Fdocs'])
  })

  it('brings everything it needs from here', async () => {
    const alice = await person(sql, 'alice')
    const html = await (await ask('/api/docs', { as: alice })).text()
    const needed = [...html.matchAll(/(?:src|href)="(\/static\/[^"]+)"/g)].map(([, path]) => path ?? '')
    expect(needed.map(path => path.replace(/\?.*/, ''))).toEqual(
      expect.arrayContaining(['/static/swagger-ui.js', '/static/swagger-ui.css', '/static/api-docs.js']),
    )
    for (const path of needed) expect((await ask(path)).status, path).toBe(200)
  })
})

describe('what does not fit', () => {
  it.each([
    ['POST', '/api/channels', {}, { url: 'This is missing.' }],
    ['POST', '/api/channels', { url: 5 }, { url: 'This should be text.' }],
    ['POST', '/api/channels', { url: '' }, { url: 'Paste an address.' }],
    ['POST', '/api/feed', { rss_url: 'https://x.example', save: 'no' }, { save: 'This should be true or false.' }],
    ['POST', '/api/download/batch', { video_ids: 'v' }, { video_ids: 'This should be a list.' }],
    ['POST', '/api/download/batch', { video_ids: [''] }, { 'video_ids.0': 'This must not be empty.' }],
    ['POST', '/api/download/batch', { video_ids: ['x'.repeat(300)] }, { 'video_ids.0': 'Use at most 200 characters.' }],
    ['POST', '/api/download/batch', null, { body: 'This should be an object.' }],
    [
      'PUT',
      '/api/settings',
      { quality: 'huge' },
      { quality: 'Use one of 360, 480, 720, 1080, 1440, 2160, best, audio.' },
    ],
  ])('%s %s %j is said in plain words', async (method, path, json, errors) => {
    const alice = await person(sql, 'alice')
    await follows(alice, 'c', ['v'])
    const answer = await ask(path, { as: alice, method, json })
    expect([answer.status, ((await answer.json()) as { errors: object }).errors]).toEqual([422, errors])
  })
})
