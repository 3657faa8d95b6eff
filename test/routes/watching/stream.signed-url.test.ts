/** Browsers fetch films from the bucket by signed addresses. s3rver checks the signature and the life of an address. */
import { beforeAll, describe, expect, it } from 'vitest'
import { bucketClient, bucketSettings } from '../../../src/store/bucket/client.ts'
import { subtitlePath } from '../../../src/store/paths.ts'
import { useApp } from '../../support/app/app.ts'
import { personWithFilm } from '../../support/app/links.ts'
import { entry, has, type Person, person } from '../../support/app/people.ts'

const app = useApp({ storage: 'a bucket', STREAM_OFFLOAD: 'signed-url' })
const { ask, sql } = app

let alice: Person
let download_path: string
beforeAll(async () => {
  alice = await person(sql, 'alice')
  await alice.library.channels.save({ channel_id: 'c', title: 'C', rss_url: 'https://videos.example/c' }, [
    entry('v1', { title: 'Ten bytes' }),
  ])
  download_path = `${alice.user.user_id}/50%25 off ö/v1.mp4`
  await app.storage.give(download_path, '0123456789')
  await app.storage.give(subtitlePath(download_path, 'en'), 'WEBVTT')
  await has(alice, 'v1', download_path, 10)
  await sql`update video_entries set subtitles = '{en}' where user_id = ${alice.user.user_id}`
})

const redirected = async (path: string, headers = {}) => {
  const answer = await ask(path, { as: alice, headers })
  return { answer, location: answer.headers.get('location') ?? '' }
}

describe('the owner', () => {
  it('the owner is sent to the bucket, and no cache keeps the address', async () => {
    const { answer, location } = await redirected('/stream/v1')
    expect([answer.status, answer.headers.get('cache-control'), await answer.text()]).toEqual([
      307,
      'private, no-store',
      '',
    ])
    expect(new URL(location).origin).toBe(app.storage.bucket?.variables.AWS_ENDPOINT_URL_S3)
    expect(answer.headers.get('referrer-policy')).toBe('same-origin')
  })

  it('the owner gets the whole file, or a range, from the bucket', async () => {
    const { location } = await redirected('/stream/v1', { range: 'bytes=5-' })
    const [whole, part] = [await fetch(location), await fetch(location, { headers: { range: 'bytes=5-' } })]
    expect([whole.status, await whole.text()]).toEqual([200, '0123456789'])
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, '56789', 'bytes 5-9/10'])
    expect([whole.headers.get('content-type'), whole.headers.get('cache-control')]).toEqual([
      'video/mp4',
      'private, no-store',
    ])
  })

  it('a file that the owner saves has a name', async () => {
    const { location } = await redirected('/download/v1')
    expect(new URL(location).searchParams.get('response-content-disposition')).toContain('filename="Ten bytes.mp4"')
  })

  it('an MP3 has its own type and name', async () => {
    const listener = await personWithFilm(app, 'listener', 'sound', { extension: 'mp3' })
    const location = async (path: string) => (await ask(path, { as: listener })).headers.get('location') ?? ''
    const heard = await fetch(await location('/stream/v1'))
    expect([await heard.text(), heard.headers.get('content-type')]).toEqual(['sound', 'audio/mpeg'])
    const saved = new URL(await location('/download/v1')).searchParams.get('response-content-disposition')
    expect(saved).toContain('filename="Ten bytes.mp3"')
  })

  it('the owner gets answers without bytes from the service', async () => {
    const head = await ask('/stream/v1', { as: alice, method: 'HEAD' })
    const etag = head.headers.get('etag') ?? ''
    const known = await ask('/stream/v1', { as: alice, headers: { 'if-none-match': etag } })
    const after = await ask('/stream/v1', { as: alice, headers: { range: 'bytes=10-' } })
    expect([head.status, head.headers.get('content-length'), known.status, after.status]).toEqual([200, '10', 304, 416])
  })

  it('the owner gets subtitles from the service, because a page may use none of another origin', async () => {
    const answer = await ask('/stream/v1/subtitles/en', { as: alice })
    expect([answer.status, await answer.text()]).toEqual([200, 'WEBVTT'])
  })
})

it('another user gets no address', async () => {
  const answer = await ask('/stream/v1', { as: await person(sql, 'bob') })
  expect([answer.status, answer.headers.get('location')]).toEqual([404, null])
})

it('pages may load films from the bucket, and from no third origin', async () => {
  const policy = (await ask('/', { as: alice })).headers.get('content-security-policy')
  expect(policy).toContain(`media-src 'self' ${app.storage.bucket?.variables.AWS_ENDPOINT_URL_S3};`)
})

it('the bucket refuses an address for another file, with a longer life, or after its life', async () => {
  const { location } = await redirected('/stream/v1')
  const [other, longer] = [new URL(location), new URL(location)]
  other.pathname = other.pathname.replace('v1.mp4', 'v1.en.vtt')
  longer.searchParams.set('X-Amz-Expires', '600000')
  const settings = bucketSettings(app.storage.bucket?.variables ?? { DOWNLOADS_DIR: '' })
  const expired = settings && (await bucketClient(settings).signedUrl(settings.prefix + download_path, {}, -1))
  const statuses = await Promise.all([other, longer, expired ?? ''].map(async url => (await fetch(url)).status))
  expect(statuses.map(status => status >= 400)).toEqual([true, true, true])
})
