/**
 * Sorts requests by the work they cause: a lookup fetches the address that the request contains, a refresh fetches the feed of a
 * channel. This is the only table of routes outside the routes. Limits, turns and tokens read it, and a test checks that each of
 * its rows is a route of the app.
 */
import type { Context } from 'hono'
import type { Env, RequestKind } from './context.ts'
import { fromAnotherSite } from './same-origin.ts'

/** Every other route has the kind `requests`. */
export const routes_by_kind: Record<Exclude<RequestKind, 'requests'>, string[]> = {
  lookups: [
    'GET /channels/new',
    'POST /channels',
    'POST /videos',
    'GET /api/discover',
    'POST /api/channels',
    'POST /api/feed',
    'POST /api/videos',
  ],
  refreshes: ['POST /channels/:channel_id/refresh', 'POST /api/channels/:channel_id/refresh'],
  imports: [
    'POST /import',
    'POST /import/:import_id/retry',
    'POST /api/import',
    'POST /api/import/:import_id/retry',
    'GET /api/archive',
    'POST /api/archive',
  ],
  searches: ['GET /search', 'GET /api/search'],
  files: [
    'GET /stream/:video_id',
    'GET /stream/:video_id/index.m3u8',
    'GET /stream/:video_id/arriving/:folder/:name',
    'GET /stream/:video_id/subtitles/:language',
    'GET /download/:video_id',
  ],
  pictures: ['GET /pictures/:picture_id/:size'],
}

/** These lists are searches when the request has a `q`. */
export const searchable_lists = ['GET /channels/:channel_id', 'GET /api/videos', 'GET /api/history/:channel_id']

export const archive_path = '/api/archive'
/** The paths that take a list of channels or a file, which may be larger than other bodies. */
export const list_paths = ['/import', '/api/import', archive_path]
/** The paths that take a cookie file, which may be that of a whole browser. */
export const cookie_paths = ['/settings/cookies', '/api/cookies/:host']
/** The limit of other bodies does not count for them: they have their own after the sign-in. */
export const takesLargeBody = (path: string): boolean => large_body.test(path)

/** `request` is a method and a path: `GET /search`. */
export const kindOfRoute = (request: string): RequestKind =>
  (any_kind.test(request) && kinds.find(({ pattern }) => pattern.test(request))?.kind) || 'requests'

export function kindOf(c: Context<Env>): RequestKind {
  const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
  const request = `${method} ${c.req.path}`
  const kind = kindOfRoute(request)
  // Another site can make a browser send such a GET. It is refused later, so it does not count as a lookup of the user.
  if (kind === 'lookups' && method === 'GET' && fromAnotherSite(c)) return 'requests'
  if (kind === 'requests' && c.req.query('q') && searchable.test(request)) return 'searches'
  return kind
}

/** Whether the database will search for words. */
export const isSearch = (c: Context<Env>): boolean => c.get('kind') === 'searches' && Boolean(c.req.query('q'))

/** Whether this server will fetch an address of another site while the person waits. */
export function fetchesAddress(c: Context<Env>): boolean {
  const kind = c.get('kind')
  if (kind !== 'lookups' && kind !== 'refreshes') return false
  return c.req.method === 'POST' || Boolean(c.req.query('url') || c.req.query('text'))
}

const patternOf = (routes: string[]) => new RegExp(`^(?:${routes.join('|').replace(/:[a-z_]+/g, '[^/]+')})$`)

const searchable = patternOf(searchable_lists)
const large_body = patternOf([...list_paths, ...cookie_paths])
/** Most requests have no kind of their own, so one pattern is tested instead of six. */
const any_kind = patternOf(Object.values(routes_by_kind).flat())
const kinds = Object.entries(routes_by_kind).map(([kind, routes]) => ({
  kind: kind as RequestKind,
  pattern: patternOf(routes),
}))
