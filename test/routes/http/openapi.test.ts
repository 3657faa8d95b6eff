/** The OpenAPI document, and the check of every tested exchange against it. */
import { describe, expect, it } from 'vitest'
import { Download } from '../../../src/schema/downloads/download.ts'
import { useApp } from '../../support/app/app.ts'
import { document, driftOf, operations } from '../../support/app/contract.ts'
import { person } from '../../support/app/people.ts'
import { video } from '../../support/app/samples.ts'

const app = useApp()
const { sql, jsonAt } = app
const text = JSON.stringify(document)

type Parameter = { name: string; in: string; required?: boolean; description?: string }
type Described = { properties: Record<string, { description?: string }> }

/** The schema of a highlighted piece of text, wherever the document has it. */
function piecesOf(tree: object): Described {
  const found: Described[] = []
  JSON.stringify(tree, (_, value) => {
    if (value?.properties?.match) found.push(value)
    return value
  })
  return found[0] ?? { properties: {} }
}

const about_itself = new Set(['/api/openapi.json', '/api/docs'])

describe('the OpenAPI document', () => {
  it('the OpenAPI document describes every JSON route, and no route that does not exist', async () => {
    const routes = app.app.routes
      .filter(({ method, path }) => path.startsWith('/api/') && method !== 'ALL' && !about_itself.has(path))
      .map(({ method, path }) => `${method.toLowerCase()} ${path.slice('/api'.length).replace(/:(\w+)/g, '{$1}')}`)
    expect(Object.keys(operations).toSorted()).toEqual([...new Set(routes)].toSorted())
  })

  it('the OpenAPI document is served as OpenAPI 3.1, with required fields and date formats', async () => {
    const alice = await person(sql, 'alice')
    const served = (await jsonAt('/api/openapi.json', { as: alice })) as {
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

  it('the OpenAPI document refers only to components that it has', () => {
    const refs = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name ?? '')
    expect(refs.length).toBeGreaterThan(50)
    expect(refs.filter(name => !(name in document.components.schemas))).toEqual([])
  })

  it('the OpenAPI document gives each operation a unique name and a tag with a description', () => {
    const all = Object.values(document.paths as Record<string, Record<string, { operationId: string; tags: string[] }>>)
    const each = all.flatMap(methods => Object.values(methods))
    const names = each.map(({ operationId }) => operationId)
    expect(new Set(names).size).toBe(names.length)
    const explained = document.tags.map(({ name }) => name)
    for (const { tags } of each) expect(explained).toEqual(expect.arrayContaining(tags))
  })

  it('the OpenAPI document describes every tag in more words than its name', () => {
    for (const { name, description } of document.tags)
      expect(description?.length ?? 0, name).toBeGreaterThan(name.length)
  })

  it('the OpenAPI document describes the text of a search result as a piece, not as the text of an import', () => {
    const { properties } = piecesOf(document.paths)
    expect(JSON.stringify(properties)).not.toMatch(/OPML/)
    expect(properties.match?.description).toMatch(/searched/)
  })

  it('the OpenAPI document marks only the url of discover as a required query parameter', () => {
    const each = Object.entries(document.paths as Record<string, { get?: { parameters: Parameter[] } }>)
    const required = each.flatMap(([path, { get }]) =>
      (get?.parameters ?? []).filter(one => one.in === 'query' && one.required).map(({ name }) => `${path} ${name}`),
    )
    expect(required).toEqual(['/discover url'])
  })

  it('the OpenAPI document describes every parameter', () => {
    const each = Object.values(document.paths as Record<string, Record<string, { parameters: Parameter[] }>>)
    const all = each.flatMap(methods => Object.values(methods).flatMap(({ parameters }) => parameters))
    expect(all.filter(({ description }) => !description).map(({ name }) => name)).toEqual([])
  })

  it('the OpenAPI document describes every field that is not a list', () => {
    const silent: string[] = []
    JSON.stringify(document, (key, value) => {
      if (value?.type === 'object' && value.properties)
        for (const [name, field] of Object.entries<{ type?: string; description?: string }>(value.properties))
          if (field.type !== 'array' && !field.description) silent.push(`${key}.${name}`)
      return value
    })
    expect(silent).toEqual([])
  })

  it('the OpenAPI document contains no secret and no other host', () => {
    // A video may need a password on its site, and an administrator makes links to choose a new one.
    expect(text.replaceAll(/"password"|reset.password|new password/g, '')).not.toMatch(
      /postgres|password|localhost|127\.0/,
    )
  })
})

describe('exchanges that differ from the document', () => {
  const download = Download.parse(video({ video_id: 'v' }))
  const known = { method: 'GET', path: '/api/download/status/v', status: 200, type: 'application/json' }
  const drift = (more: object, json: unknown = download) => driftOf({ ...known, text: JSON.stringify(json), ...more })

  it.each([
    ['not found in a correct exchange', {}, download, false],
    ['found by a field too many', {}, { ...download, secret: 1 }, true],
    ['found by a missing field', {}, { ...download, queued: undefined }, true],
    ['found by an invalid date', {}, { ...download, download_started_at: 'yesterday' }, true],
    ['found by another media type', { type: 'text/plain' }, download, true],
    ['found by an unknown status', { status: 418 }, download, true],
    ['found by an unknown path', { path: '/api/secret' }, download, true],
    ['found by an unknown method', { method: 'PATCH' }, download, true],
    [
      'found by a body where none is described',
      { method: 'DELETE', path: '/api/channels/c', status: 204, type: null },
      download,
      true,
    ],
    [
      'found by an accepted body that is invalid',
      { method: 'PUT', path: '/api/settings', body: { quality: 'huge' } },
      { quality: 'best' },
      true,
    ],
    [
      'found by an error without its sentence',
      { status: 404, type: 'application/problem+json' },
      { status: 404 },
      true,
    ],
  ])('a difference from the OpenAPI document is %s', (_, more, json, faults) =>
    expect(drift(more, json).length > 0).toBe(faults),
  )
})
