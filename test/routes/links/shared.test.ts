/** What links to a video open, for people and players without a sign-in. */
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { linkOf, personWithFilm } from '../../support/app/links.ts'
import { storage_kinds } from '../../support/app/storages.ts'

describe.each(storage_kinds)('from %s', storage => {
  const app = useApp({ storage })
  const { ask } = app

  it('a player without a cookie gets the file, whole and in parts', async () => {
    const alice = await personWithFilm(app, 'alice')
    const { path } = await linkOf(app, alice)
    expect(path).toMatch(/^\/s\/[0-9a-f]{64}\/v1\.mp4$/)

    const whole = await ask(path)
    expect(whole.status).toBe(200)
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'content-length': '10',
      'content-type': 'video/mp4',
      'cache-control': 'private, no-cache',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(whole.headers.get('set-cookie')).toBeNull()
    expect(await whole.text()).toBe('0123456789')

    const part = await ask(path, { headers: { range: 'bytes=3-5' } })
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 3-5/10', '345'])
    const head = await ask(path, { method: 'HEAD', headers: { range: 'bytes=3-5' } })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', ''])
    const after_end = await ask(path, { headers: { range: 'bytes=10-' } })
    expect([after_end.status, after_end.headers.get('content-range')]).toEqual([416, 'bytes */10'])

    const etag = whole.headers.get('etag') ?? ''
    const changed = await ask(path, { headers: { range: 'bytes=3-5', 'if-range': '"other"' } })
    expect([changed.status, await changed.text()]).toEqual([200, '0123456789'])
    const same = await ask(path, { headers: { range: 'bytes=3-5', 'if-range': etag } })
    expect([same.status, await same.text()]).toEqual([206, '345'])
    expect((await ask(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
  })
})
