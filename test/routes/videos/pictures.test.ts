/** Sending stored pictures, and noting the missing ones. */
import { describe, expect } from 'vitest'
import { picturePath } from '../../../src/store/paths.ts'
import { useApp, withPeople } from '../../support/app/app.ts'
import { tokensThrough } from '../../support/app/tokens.ts'

const app = useApp()
const { ask, sql } = app
const it = withPeople(app)

const webp = Uint8Array.from('RIFF....WEBPVP8 a small picture', letter => letter.charCodeAt(0))
const jpeg = Uint8Array.from('\xff\xd8\xff a small picture', letter => letter.charCodeAt(0))

/** A row of `pictures`. Returns its id. */
async function planned(changes: Record<string, unknown> = {}): Promise<string> {
  const picture = { kind: 'video', source_hash: crypto.randomUUID(), url: 'https://i.example/a.jpg', host: 'i.example' }
  const [row] = await sql<{ picture_id: string }[]>`
    insert into pictures ${sql({ ...picture, ...changes })} returning picture_id`
  return row?.picture_id ?? ''
}

async function stored(bytes: Uint8Array = webp): Promise<string> {
  const picture_id = await planned({ stored_at: new Date('2026-01-01'), fetch_at: null })
  for (const size of ['small', 'large'] as const) await app.files.write(picturePath(picture_id, size), bytes)
  return picture_id
}

const rowOf = async (picture_id: string) => {
  const [row] = await sql`
    select is_wanted, fetch_at is not null as is_due, stored_at is not null as is_stored
    from   pictures
    where  picture_id = ${picture_id}`
  return row
}

describe('stored pictures', () => {
  it('a stored picture is kept by the browser for a year and can do nothing', async ({ alice }) => {
    const answer = await ask(`/pictures/${await stored()}/small`, { as: alice })
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(webp)
  })

  it('a stored JPEG is sent as a JPEG', async ({ alice }) => {
    const answer = await ask(`/pictures/${await stored(jpeg)}/large`, { as: alice })
    expect(answer.headers.get('content-type')).toBe('image/jpeg')
  })

  it('a picture that the browser has is answered by 304', async ({ alice }) => {
    const path = `/pictures/${await stored()}/small`
    const etag = (await ask(path, { as: alice })).headers.get('etag') ?? ''
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const answer = await ask(path, { as: alice, headers: { 'if-none-match': tag } })
      expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([304, etag, ''])
    }
    expect((await ask(path, { as: alice, headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  it('a page can load 200 pictures at once', async ({ alice }) => {
    const picture_id = await stored()
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => ask(`/pictures/${picture_id}/small`, { as: alice })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('a token opens pictures, and a stranger gets none', async ({ alice }) => {
    const path = `/pictures/${await stored()}/small`
    const secret = await tokensThrough(app).tokenOf(alice, 'read')
    expect((await ask(path, { headers: { authorization: `Bearer ${secret}` } })).status).toBe(200)
    const refused = await ask(path)
    expect([refused.status, refused.headers.get('location')]).toEqual([303, expect.stringMatching(/^\/login/)])
  })
})

describe('missing pictures', () => {
  it('a picture that is not stored yet is 404, not kept, and fetched first', async ({ alice }) => {
    const picture_id = await planned()
    const answer = await ask(`/pictures/${picture_id}/small`, { as: alice })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'private, no-store'])
    expect(await rowOf(picture_id)).toEqual({ is_wanted: true, is_due: true, is_stored: false })
  })

  it('a picture whose file was lost is fetched again', async ({ alice }) => {
    const picture_id = await stored()
    await app.files.remove(picturePath(picture_id, 'large'))
    expect((await ask(`/pictures/${picture_id}/large`, { as: alice })).status).toBe(404)
    expect(await rowOf(picture_id)).toEqual({ is_wanted: true, is_due: true, is_stored: true })
  })

  it('an empty file left by a power cut counts as missing', async ({ alice }) => {
    const picture_id = await stored(new Uint8Array())
    expect((await ask(`/pictures/${picture_id}/small`, { as: alice })).status).toBe(404)
    expect(await rowOf(picture_id)).toMatchObject({ is_due: true })
  })

  it('a picture that was given up stays so, however often a page requests it', async ({ alice }) => {
    const picture_id = await planned({ fetch_at: null, failures: 9 })
    expect((await ask(`/pictures/${picture_id}/small`, { as: alice })).status).toBe(404)
    expect(await rowOf(picture_id)).toEqual({ is_wanted: false, is_due: false, is_stored: false })
  })

  it('other sizes and other ids are 404', async ({ alice }) => {
    const picture_id = await stored()
    const paths = [
      `/pictures/${picture_id}/huge`,
      `/pictures/${crypto.randomUUID()}/small`,
      '/pictures/..%2f..%2fx/small',
      `/pictures/${picture_id}%00/small`,
    ]
    const answers = await Promise.all(paths.map(path => ask(path, { as: alice })))
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  })
})
