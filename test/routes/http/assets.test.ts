/** The caching of static files. */
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'

const app = useApp()
const { ask } = app

describe('static files', () => {
  it('static files are revalidated by their tag', async () => {
    for (const path of ['/static/backlot.css', '/static/htmx.js', '/static/icon.svg']) {
      const answer = await ask(path)
      const etag = answer.headers.get('etag') ?? ''
      expect(answer.status, path).toBe(200)
      expect((await ask(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
    }
    expect((await ask('/static/..%2fpackage.json')).status).toBe(404)
  })

  it('static files are cached for a year under the address that pages use, and under no other', async () => {
    const html = await (await ask('/register')).text()
    const [, path = ''] = /href="(\/static\/backlot\.css\?v=[^"]+)"/.exec(html) ?? []
    const cachings = [path, '/static/backlot.css', '/static/backlot.css?v=former'].map(async address =>
      (await ask(address)).headers.get('cache-control'),
    )
    expect(await Promise.all(cachings)).toEqual(['public, max-age=31536000, immutable', 'no-cache', 'no-cache'])
  })
})
