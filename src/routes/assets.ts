/** The stylesheet, scripts and icons: read once, served from memory, revalidated by their hash. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Context } from 'hono'
import { Hono } from 'hono'
import type { Env } from './context.ts'

export type Asset = { body: Uint8Array<ArrayBuffer>; type: string; etag: string }
export type Assets = Map<string, Asset>

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
}

/** What comes from packages, by the name that it is served under. */
const of_packages = {
  'htmx.js': 'htmx.org/dist/htmx.min.js',
  'swagger-ui.js': 'swagger-ui-dist/swagger-ui-bundle.js',
  'swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
}

/** Everything in `static/`, and of packages. */
export async function loadAssets(): Promise<Assets> {
  const folder = new URL('../../static/', import.meta.url)
  const names = (await readdir(folder)).filter(name => extname(name) in types)
  const own = names.map(name => [name, new URL(name, folder).href] as const)
  const others = Object.entries(of_packages).map(([name, path]) => [name, import.meta.resolve(path)] as const)
  return new Map(
    await Promise.all(
      [...own, ...others].map(async ([name, url]) => [name, await assetOf(fileURLToPath(url))] as const),
    ),
  )
}

async function assetOf(path: string): Promise<Asset> {
  const body = new Uint8Array(await readFile(path))
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { body, type: types[extname(path)] ?? 'application/octet-stream', etag }
}

export const assets = (all: Assets) =>
  new Hono<Env>()
    .get('/static/:name', c => give(c, all.get(c.req.param('name'))))
    // Asked for by whatever shows a link to this site without having read a page of it.
    .get('/favicon.ico', c => give(c, all.get('favicon.ico')))

function give(c: Context<Env>, asset: Asset | undefined) {
  if (!asset) return c.notFound()
  c.header('ETag', asset.etag)
  c.header('Cache-Control', 'no-cache')
  if (c.req.header('if-none-match') === asset.etag) return c.body(null, 304)
  return c.body(asset.body, 200, { 'Content-Type': asset.type })
}
