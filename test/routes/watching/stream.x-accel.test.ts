/** nginx sends the files; real nginx where this machine has it, configured by the recipe of the guides. */
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Server, serve } from '../../../src/runtime/serve.ts'
import { useApp } from '../../support/app/app.ts'
import { entry, has, type Person, person } from '../../support/app/people.ts'
import { nginx_is_here, startNginx } from '../../support/process/nginx.ts'

const app = useApp({ STREAM_OFFLOAD: 'x-accel' })
const { ask, sql } = app
const ten = '0123456789'

/** The folder's name contains what a URL would read as something else. */
async function withFile(
  name: string,
  where = app,
  extension = 'mp4',
): Promise<{ owner: Person; file: string; download_path: string }> {
  const owner = await person(where.sql, name)
  await owner.library.channels.save({ channel_id: 'c', title: 'C', rss_url: 'https://videos.example/c' }, [
    entry('v1', { title: 'Ten bytes' }),
  ])
  const download_path = `${owner.user.user_id}/50% off? #1 + ö/v1.${extension}`
  const file = join(where.folder, download_path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, ten)
  await has(owner, 'v1', download_path, ten.length)
  return { owner, file, download_path }
}

describe('the answer to nginx', () => {
  it('names the file and has no body', async () => {
    const { owner } = await withFile('alice')
    const answer = await ask('/stream/v1', { as: owner, headers: { range: 'bytes=0-4', 'if-none-match': '*' } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-accel-redirect')).toBe(
      `/_files/${owner.user.user_id}/50%25%20off%3F%20%231%20%2B%20%C3%B6/v1.mp4`,
    )
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual(['video/mp4', ''])
  })

  it('names no file of another person', async () => {
    await withFile('alice')
    const answer = await ask('/stream/v1', { as: await person(sql, 'bob') })
    expect([answer.status, answer.headers.get('x-accel-redirect')]).toEqual([404, null])
  })

  it('names no file that is missing, and the video can be downloaded again', async () => {
    const { owner, file } = await withFile('alice')
    await rm(file)
    const answer = await ask('/stream/v1', { as: owner })
    expect([answer.status, answer.headers.get('x-accel-redirect')]).toEqual([404, null])
    expect((await owner.library.videos.find('v1'))?.download_status).toBe('pending')
  })
})

describe.skipIf(!nginx_is_here)('through a real nginx', () => {
  let service: Server
  let nginx: Awaited<ReturnType<typeof startNginx>>
  let alice: Awaited<ReturnType<typeof withFile>>
  beforeAll(async () => {
    alice = await withFile('alice')
    service = await serve(app.app.fetch, '127.0.0.1', 0)
    nginx = await startNginx(service.url.replace('localhost', '127.0.0.1'), app.folder)
  })
  afterAll(async () => {
    await nginx.stop()
    await service.close()
  })
  const asAlice = (headers = {}) => ({ cookie: alice.owner.cookie, ...headers })

  it('the owner gets the whole file with its type, and nothing else may guess it', async () => {
    const { status, headers, body } = await nginx.ask('/stream/v1', asAlice())
    expect({ status, headers, body }).toMatchObject({
      status: 200,
      body: ten,
      headers: {
        'content-type': 'video/mp4',
        'accept-ranges': 'bytes',
        'cache-control': 'private, no-cache',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      },
    })
    expect(headers).not.toHaveProperty('x-accel-redirect')
  })

  it.each([
    ['m4a', 'audio/mp4'],
    ['mp3', 'audio/mpeg'],
  ])('sound has its own type and name: %s', async (extension, type) => {
    const { owner } = await withFile(`listener-${extension}`, app, extension)
    const { cookie } = owner
    const part = await nginx.ask('/stream/v1', { cookie, range: 'bytes=5-' })
    expect([part.status, part.body, part.headers['content-type']]).toEqual([206, '56789', type])
    const { headers } = await nginx.ask('/download/v1', { cookie })
    expect(headers['content-disposition']).toContain(`Ten bytes.${extension}`)
  })

  it('a range gets its part, and a range after the end 416', async () => {
    const part = await nginx.ask('/stream/v1', asAlice({ range: 'bytes=5-' }))
    expect([part.status, part.body, part.headers['content-range']]).toEqual([206, '56789', 'bytes 5-9/10'])
    const none = await nginx.ask('/stream/v1', asAlice({ range: 'bytes=10-' }))
    expect([none.status, none.headers['content-range']]).toEqual([416, 'bytes */10'])
  })

  it('a browser that has the file gets 304', async () => {
    const { headers } = await nginx.ask('/stream/v1', asAlice())
    const again = await nginx.ask('/stream/v1', asAlice({ 'if-none-match': headers.etag }))
    expect([again.status, again.body]).toEqual([304, ''])
  })

  it('HEAD gets the size without the bytes', async () => {
    const { status, headers, body } = await nginx.ask('/stream/v1', asAlice(), 'HEAD')
    expect([status, headers['content-length'], body]).toEqual([200, '10', ''])
  })

  it('a saved file is named after the title', async () => {
    const { headers, body } = await nginx.ask('/download/v1', asAlice())
    expect([headers['content-disposition'], body]).toEqual([expect.stringContaining('Ten bytes.mp4'), ten])
  })

  it('no one reaches a file without the service', async () => {
    const { status, body } = await nginx.ask(`/_files/${encodeURI(alice.download_path)}`, asAlice())
    expect([status, body]).toEqual([404, expect.not.stringContaining(ten)])
    expect((await nginx.ask('/stream/v1')).body).not.toContain(ten)
  })

  it('nginx sends no file that a link in the folder leads to', async () => {
    await symlink(alice.file, join(app.folder, 'link.mp4'))
    const names = () => new Response(null, { headers: { 'X-Accel-Redirect': '/_files/link.mp4' } })
    const careless = await serve(names, '127.0.0.1', 0)
    const in_front = await startNginx(careless.url.replace('localhost', '127.0.0.1'), app.folder)
    const { status, body } = await in_front.ask('/stream/v1')
    await Promise.all([in_front.stop(), careless.close()])
    expect([status, body]).toEqual([403, expect.not.stringContaining(ten)])
  })
})

describe.skipIf(!nginx_is_here)('below a path, through a real nginx', () => {
  const below = useApp({ STREAM_OFFLOAD: 'x-accel', PUBLIC_URL: 'http://localhost/backlot' })

  it('the owner gets a part and the whole, and no one reaches the file without the service', async () => {
    const { owner, download_path } = await withFile('carol', below)
    const service = await serve(below.app.fetch, '127.0.0.1', 0)
    onTestFinished(() => service.close())
    const address = service.url.replace('localhost', '127.0.0.1')
    const nginx = await startNginx(address, below.folder, { base: '/backlot' })
    onTestFinished(() => nginx.stop())
    const { cookie } = owner

    const whole = await nginx.ask('/backlot/stream/v1', { cookie })
    expect([whole.status, whole.body, whole.headers['content-type']]).toEqual([200, ten, 'video/mp4'])
    const part = await nginx.ask('/backlot/stream/v1', { cookie, range: 'bytes=5-' })
    expect([part.status, part.body, part.headers['content-range']]).toEqual([206, '56789', 'bytes 5-9/10'])
    for (const place of ['/_files/', '/backlot/_files/'])
      expect((await nginx.ask(place + encodeURI(download_path), { cookie })).status).toBe(404)
  })
})
