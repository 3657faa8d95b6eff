/**
 * Runs the app below the path of PUBLIC_URL, such as `/backlot`. The app knows only paths from its own root. This file takes the path off
 * what comes in and adds it to every address that goes out, so that no page, header or field can forget it. Without a path nothing of this
 * runs.
 *
 * The pages are changed as text. No words of people can look like an attribute or a field there: in HTML their quotation marks are
 * `&quot;`, and in JSON they follow a backslash.
 */
import type { Context, Hono } from 'hono'
import type { Env } from './context.ts'

/** The path of an address: `/backlot`; empty if it has none. */
export const pathIn = (url: string | undefined): string =>
  url === undefined ? '' : new URL(url).pathname.replace(/\/+$/, '')

/**
 * Lets the app answer requests with the path, and without it: some proxies take it off, and probes do not know it. Throws when a request
 * could mean both.
 */
export function answerBelow(app: Hono<Env>, base: string): Hono<Env> {
  const { fetch } = app
  requireUnlikeRoutes(app, base)
  app.fetch = (request, ...more) => {
    const { path, search } = partsOf(request.url)
    // Relative addresses of the page would lead out of the path.
    if (path === base) return new Response(null, { status: 307, headers: { Location: `${base}/${search}` } })
    return fetch(ownRequest(request, base), ...more)
  }
  return app
}

function requireUnlikeRoutes(app: Hono<Env>, base: string): void {
  const first = firstOf(base)
  if (app.routes.some(({ path }) => firstOf(path) === first))
    throw new Error(`PUBLIC_URL should have another path: ${first} is a page of Backlot.`)
}

const firstOf = (path: string): string => /^\/[^/]*/.exec(path)?.[0] ?? ''

/** The request as the app knows it. */
function ownRequest(request: Request, base: string): Request {
  const { origin, path, search } = partsOf(request.url)
  const own_path = withoutBase(path, base)
  const headers = ownHeaders(request.headers, base)
  if (own_path === undefined && !headers) return request
  const { method, signal } = request
  const body = method === 'GET' || method === 'HEAD' ? null : request.body
  const url = own_path === undefined ? request.url : origin + own_path + search
  const init = { method, signal, headers: headers ?? request.headers, ...(body && { body, duplex: 'half' }) }
  return new Request(url, init as RequestInit)
}

/** `undefined`: they name no page. */
function ownHeaders(given: Headers, base: string): Headers | undefined {
  const named = page_headers.filter(name => given.has(name))
  if (named.length === 0) return undefined
  const headers = new Headers(given)
  for (const name of named) {
    const { origin, path, search } = partsOf(given.get(name) ?? '')
    const own_path = withoutBase(path, base)
    // A page outside of the path is another app's.
    if (own_path === undefined) headers.delete(name)
    else headers.set(name, origin + own_path + search)
  }
  return headers
}

/** They name the page from which a request comes. */
const page_headers = ['referer', 'hx-current-url']

/** `undefined`: the path is outside. `/backlotter` is. */
const withoutBase = (path: string, base: string): string | undefined =>
  path.startsWith(`${base}/`) ? path.slice(base.length) : path === base ? '/' : undefined

function partsOf(url: string) {
  const [, origin = '', path = '', search = ''] = /^([a-z]+:\/\/[^/?#]*)([^?#]*)([^#]*)/i.exec(url) ?? []
  return { origin, path, search }
}

/** Adds the path to the addresses in the headers of an answer, and in JSON. Runs before the answer is compressed. */
export const addBase =
  (base: string) =>
  async (c: Context<Env>): Promise<void> => {
    const { headers } = c.res
    for (const name of address_headers) {
      const address = headers.get(name)
      if (address && own_address.test(address)) headers.set(name, base + address)
    }
    // The web app manifest is compressed already, and its addresses are relative. A file to save has none, and may be large.
    if (!json_type.test(headers.get('Content-Type') ?? '')) return
    if (headers.has('Content-Encoding') || headers.has('Content-Disposition')) return
    // Node's server makes another object of headers when the body is read, so they are changed before.
    if (!c.res.body) return
    c.res = new Response(jsonBelow(await c.res.text(), base), c.res)
    c.res.headers.delete('Content-Length')
  }

const address_headers = ['Location', 'HX-Redirect']

/** `//host` and `/\host` are other sites. */
const own_address = /^\/(?![/\\])/

/** The attributes that hold an address. `test/nets/pages.test.tsx` finds those that are missing. */
const attributes = [
  ...['href', 'src', 'action', 'formaction', 'poster', 'hx-get', 'hx-post'],
  ...['data-arriving', 'data-ask', 'data-later', 'data-leads-to', 'data-passkey', 'data-places', 'data-position'],
  ...['data-removes', 'data-segments', 'data-suggestions', 'data-whole'],
]
const in_html = new RegExp(`( (?:${attributes.join('|')})=")(?=/(?![/\\\\]))`, 'g')

/** A page with the path in its addresses. */
export const htmlBelow = (html: string, base: string): string =>
  html
    .replace(in_html, `$1${base}`)
    .replace(/(<script type="importmap">)(.*?)(?=<\/script>)/s, (_, start, map) => start + importMapBelow(map, base))

/** Changes the addresses of the modules, and the addresses by which they import each other. */
export const importMapBelow = (map: string, base: string): string => map.replaceAll('"/static/', `"${base}/static/`)

/** The fields that hold an address. */
const in_json = /("picture_url":"|"servers":\[\{"url":")(?=\/(?![/\\]))/g

const jsonBelow = (json: string, base: string): string => json.replace(in_json, `$1${base}`)

const json_type = /^application\/(?:[\w.-]+\+)?json\b/
