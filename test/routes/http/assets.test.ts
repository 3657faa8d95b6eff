/** The caching of static files. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'

const app = useApp()
const { ask, textAt } = app

describe('static files', () => {
  it('static files are revalidated by their tag', async () => {
    for (const path of ['/static/backlot.css', '/static/htmx.js', '/static/page/keys.js', '/static/icon.svg']) {
      const answer = await ask(path)
      const etag = answer.headers.get('etag') ?? ''
      expect(answer.status, path).toBe(200)
      expect((await ask(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
    }
    for (const path of ['/static/..%2fpackage.json', '/static/css/keys.js', '/static/page/..%2f..%2fpackage.json'])
      expect((await ask(path)).status, path).toBe(404)
  })

  it('static files are cached for a year under the address that pages use, and under no other', async () => {
    const html = await textAt('/register')
    const [, path = ''] = /href="(\/static\/backlot\.css\?v=[^"]+)"/.exec(html) ?? []
    const cachings = [path, '/static/backlot.css', '/static/backlot.css?v=former'].map(async address =>
      (await ask(address)).headers.get('cache-control'),
    )
    expect(await Promise.all(cachings)).toEqual(['public, max-age=31536000, immutable', 'no-cache', 'no-cache'])
  })

  it('pages load each module from the address that the import map gives it, where it is cached for a year', async () => {
    const html = await textAt('/register')
    const [, text = ''] = /<script type="importmap">(.*?)<\/script>/.exec(html) ?? []
    const { imports } = JSON.parse(text) as { imports: Record<string, string> }
    const preloaded = [...html.matchAll(/<link rel="modulepreload" href="([^"]+)"/g)].map(([, path = '']) => path)
    expect(preloaded.length).toBeGreaterThan(5)
    for (const path of preloaded) {
      expect(imports[path.replace(/\?.*/, '')]).toBe(path)
      expect((await ask(path)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
  })

  it('the Content-Security-Policy allows the import map, and no other script inside the page', async () => {
    const answer = await ask('/register')
    const [, text = ''] = /<script type="importmap">(.*?)<\/script>/.exec(await answer.text()) ?? []
    const hash = createHash('sha256').update(text).digest('base64')
    const [, allowed] = /script-src ([^;]*);/.exec(answer.headers.get('content-security-policy') ?? '') ?? []
    // The other one is that of pages with a player.
    expect(allowed).toMatch(/^'self' 'sha256-[^']+' 'sha256-[^']+'$/)
    expect(allowed).toContain(`'sha256-${hash}'`)
  })
})
