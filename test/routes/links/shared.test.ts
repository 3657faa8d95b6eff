/** What links to a video open, for people and players without a sign-in. */
import { describe, expect, it } from 'vitest'
import { createLink } from '../../../src/domain/links/links.ts'
import { subtitlePath } from '../../../src/store/paths.ts'
import { useApp } from '../../support/app/app.ts'
import { linkOf, personWithFilm } from '../../support/app/links.ts'
import { storePicture } from '../../support/app/pictures.ts'
import { storage_kinds } from '../../support/app/storages.ts'

const folder = useApp()
const signing = useApp({ storage: 'a bucket', STREAM_OFFLOAD: 'signed-url' })
const below = useApp({ PUBLIC_URL: 'https://home.example/backlot' })

describe.each(storage_kinds)('from %s', storage => {
  const app = useApp({ storage })
  const { ask, sql, textAt } = app

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

  it.each([
    ['m4a', 'audio/mp4'],
    ['mp3', 'audio/mpeg'],
  ])('a link to sound has its own name and type: %s', async (extension, type) => {
    const alice = await personWithFilm(app, 'alice', 'sound', { extension })
    const { path } = await linkOf(app, alice)
    expect(path.endsWith(`/v1.${extension}`)).toBe(true)
    const answer = await ask(path)
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual([type, 'sound'])
    expect(await textAt((await linkOf(app, alice, { kind: 'share' })).path)).toContain('<audio')
  })

  it('a page shows the title, a player and its subtitles, and leads nowhere', async () => {
    const alice = await personWithFilm(app, 'alice', 'film', { title: `Bread & <b>butter</b>` })
    await app.storage.give(subtitlePath(alice.download_path, 'en'), 'WEBVTT')
    await sql`update video_entries set subtitles = '{en}' where user_id = ${alice.user.user_id}`
    const { path } = await linkOf(app, alice, { kind: 'share' })

    const answer = await ask(path)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'none'")
    const page = await answer.text()
    expect(page).toContain('<title>Bread &amp; &lt;b&gt;butter&lt;/b&gt;</title>')
    expect(page).toContain(`src="${path}/v1.mp4"`)
    expect(page).toContain(`src="${path}/en.vtt"`)
    expect(page).not.toMatch(/<a |<form|<script|alice/)
    expect(await textAt(`${path}/v1.mp4`)).toBe('film')
    const subtitles = await ask(`${path}/en.vtt`)
    expect([subtitles.headers.get('content-type'), await subtitles.text()]).toEqual([
      'text/vtt; charset=utf-8',
      'WEBVTT',
    ])
    expect((await ask(`${path}/de.vtt`)).status).toBe(404)
  })
})

it('a television may ask first whether it may read the file', async () => {
  const app = folder
  const { path } = await linkOf(app, await personWithFilm(app, 'alice'))
  const headers = { origin: 'https://cast.example', 'access-control-request-method': 'GET' }
  const answer = await app.ask(path, {
    method: 'OPTIONS',
    headers: { ...headers, 'access-control-request-headers': 'range' },
  })
  expect([answer.status, Object.fromEntries(answer.headers)]).toMatchObject([
    204,
    { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'range' },
  ])
})

it('the file is never read at an address of the bucket, which would outlive the link', async () => {
  const { path } = await linkOf(signing, await personWithFilm(signing, 'alice'))
  const answer = await signing.ask(path)
  expect([answer.status, answer.headers.get('location'), await answer.text()]).toEqual([200, null, '0123456789'])
})

it('addresses are below the path of the site', async () => {
  const alice = await personWithFilm(below, 'alice')
  const wanted = { video_id: 'v1', kind: 'share', hours: 24 } as const
  const { url } = await createLink(alice.library, 'https://home.example/backlot', wanted)
  expect(await below.textAt(new URL(url).pathname)).toContain(`src="${new URL(url).pathname}/v1.mp4"`)
})

it('the use of a link is noted', async () => {
  const alice = await personWithFilm(folder, 'alice')
  const { path } = await linkOf(folder, alice)
  const used = async () => (await alice.library.secrets.links()).map(({ last_used_at }) => last_used_at)
  expect(await used()).toEqual([null])
  await (await folder.ask(path)).body?.cancel()
  expect(await used()).toEqual([expect.any(Date)])
})

it('a page has the stored picture of the video', async () => {
  const alice = await personWithFilm(folder, 'alice')
  const url = 'https://videos.example/v1.webp'
  await folder.sql`update video_entries set thumbnail_url = ${url} where user_id = ${alice.user.user_id}`
  await storePicture(folder, 'video', url)
  const { path } = await linkOf(folder, alice, { kind: 'share' })
  expect(await folder.textAt(path)).toContain(`poster="${path}/poster"`)
  const picture = await folder.ask(`${path}/poster`)
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp'])
})
