/** Links through a real nginx and a real Caddy, configured by the recipes of the guides: no log has their secrets. */
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createLink } from '../../../src/domain/links/links.ts'
import { serve } from '../../../src/runtime/serve.ts'
import { useApp } from '../../support/app/app.ts'
import { personWithFilm } from '../../support/app/links.ts'
import { caddy_is_here, caddyRecipe, startCaddy, validateCaddyfile } from '../../support/process/caddy.ts'
import { nginx_is_here, startNginx } from '../../support/process/nginx.ts'

const app = useApp()
const below = useApp({ PUBLIC_URL: 'http://localhost/backlot' })

const closers: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

/** The path of a new link to ten bytes, and its secret. */
async function linkIn(one: typeof app) {
  const { library } = await personWithFilm(one, 'alice')
  const { url } = await createLink(library, '', { video_id: 'v1', kind: 'play', hours: 1 })
  return { path: url, secret: url.split('/')[2] ?? 'none' }
}

async function served(one: typeof app) {
  const service = await serve(one.app.fetch, '127.0.0.1', 0)
  const close = vi.fn(service.close)
  closers.push(() => (close.mock.calls.length > 0 ? Promise.resolve() : service.close()))
  return { address: service.url.replace('localhost', '127.0.0.1'), close }
}

describe.skipIf(!nginx_is_here)('nginx by the recipes', () => {
  it.each([
    ['at a host of its own', () => app, ''],
    ['below a path', () => below, '/backlot'],
  ] as const)('%s, nginx sends the file of a link, and writes no secret down', async (_, one, base) => {
    const { path, secret } = await linkIn(one())
    const { address, close } = await served(one())
    const nginx = await startNginx(address, base ? { base } : {})
    closers.push(nginx.stop)

    const part = await nginx.ask(base + path, { range: 'bytes=5-' })
    expect([part.status, part.body]).toEqual([206, '56789'])
    expect(part.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
    })
    expect((await nginx.ask(`${base}${path}.wrong`)).status).toBe(404)
    expect((await nginx.ask(`${base}/login`)).status).toBe(200)
    await close()
    expect((await nginx.ask(base + path)).status).toBe(502)
    expect((await nginx.ask(`${base}/login`)).status).toBe(502)

    await vi.waitFor(async () => expect((await nginx.logs()).split(`${base}/login`).length).toBeGreaterThan(3))
    expect(await nginx.logs()).not.toContain(secret)
  })
})

describe.skipIf(!caddy_is_here)('Caddy by the recipes', () => {
  it('Caddy sends the file of a link, and writes no secret down', async () => {
    const { path, secret } = await linkIn(app)
    const { address, close } = await served(app)
    const site = (await caddyRecipe('tv.example.org {\n\treverse_proxy')).replace(
      '127.0.0.1:8000',
      new URL(address).host,
    )
    const options = await caddyRecipe('format filter')
    await validateCaddyfile(options + site)
    const caddy = await startCaddy(site, options)
    closers.push(caddy.stop)

    const part = await caddy.ask(path, { range: 'bytes=5-' })
    expect([part.status, part.body]).toEqual([206, '56789'])
    await close()
    expect((await caddy.ask(path)).status).toBe(502)
    await vi.waitFor(() => expect(caddy.said()).toContain('/s/.../v1.mp4'))
    expect(caddy.said()).not.toContain(secret)
  })
})
