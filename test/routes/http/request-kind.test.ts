/** The kind of work that a request needs. */
import { expect, it } from 'vitest'
import {
  cookie_paths,
  kindOfRoute,
  list_paths,
  routes_by_kind,
  searchable_lists,
} from '../../../src/routes/http/request-kind.ts'
import { useApp } from '../../support/app/app.ts'

const app = useApp()

it.each([
  ['POST /channels', 'lookups'],
  ['POST /api/channels', 'lookups'],
  ['POST /api/feed', 'lookups'],
  ['GET /channels/new', 'lookups'],
  ['GET /api/discover', 'lookups'],
  ['POST /channels/new/refresh', 'refreshes'],
  ['POST /import', 'imports'],
  ['POST /api/import/7/retry', 'imports'],
  ['GET /stream/v1', 'files'],
  ['GET /pictures/7/small', 'pictures'],
  ['GET /search', 'searches'],
  ['GET /api/search', 'searches'],
  ['GET /channels', 'requests'],
  ['GET /import/7', 'requests'],
  ['DELETE /api/channels/c', 'requests'],
])('%s counts among %s', (request, kind) => expect(kindOfRoute(request)).toBe(kind))

it('every route with a kind of its own is a route of the app', () => {
  const known = new Set(app.app.routes.map(({ method, path }) => `${method} ${path.replace(/(.)\/$/, '$1')}`))
  const named = [
    ...Object.values(routes_by_kind).flat(),
    ...searchable_lists,
    ...list_paths.map(path => `POST ${path}`),
    ...cookie_paths.map(path => `${path.startsWith('/api') ? 'PUT' : 'POST'} ${path}`),
  ]
  expect(named.filter(route => !known.has(route))).toEqual([])
})
