/** Requests with an API token. */
import { hash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { onDisk } from '../../support/app/files.ts'
import { follows, type Person, person } from '../../support/app/people.ts'
import { tokensThrough } from '../../support/app/tokens.ts'

const a_minute = (most: number) => ({ most, per_s: 60 })
const app = useApp()
const strict = useApp({ limits: { of_person: {}, signed_out: a_minute(3), at_address: a_minute(40) } })
const { ask, sql, elsewhere, jsonAt, textAt } = app
let alice: Person
let bob: Person

const { tokenOf, rowOf } = tokensThrough(app)

const bearing = (secret: string, more = {}) => ({ headers: { authorization: `Bearer ${secret}`, ...more } })

beforeAll(async () => {
  alice = await person(sql, 'alice')
  bob = await person(sql, 'bob')
  await follows(alice, 'hers', ['hers'])
  await onDisk(app.folder, alice, 'hers', 'her video', 'hers')
})

it.each([
  ['was never created', `backlot_${'1'.repeat(64)}`],
  ['is no token', 'a guess'],
])('a request with a token that %s counts as signed out', async (_, token) => {
  const headers = { authorization: `Bearer ${token}` }
  const from = `198.51.100.${token.length}`
  const statuses = []
  for (let index = 0; index < 5; index++) statuses.push((await strict.ask('/api/channels', { headers, from })).status)
  expect(statuses).toEqual([401, 401, 401, 429, 429])
})

describe('a program with a token', () => {
  it('a request with a token needs no cookie, and its origin does not matter', async () => {
    const write = await tokenOf(alice)
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const read = await ask('/api/channels', bearing(write))
    const changed = await ask('/api/download/hers/pin', { method: 'POST', ...bearing(write, foreign) })

    expect([read.status, changed.status]).toEqual([200, 200])
    expect(await read.json()).toMatchObject({ channels: [{ channel_id: 'hers' }] })
    expect(read.headers.getSetCookie()).toEqual([])
  })

  it('the token decides whose request it is, whatever cookie it has', async () => {
    const both = { ...bearing(await tokenOf(alice)), as: bob }
    expect(await jsonAt('/api/account', both)).toMatchObject({ username: alice.user.username })
    const wrong = { ...bearing(`backlot_${'0'.repeat(64)}`), as: bob }
    expect((await ask('/api/account', wrong)).status).toBe(401)
  })

  it('a token opens files, whole and in parts', async () => {
    const secret = await tokenOf(alice, 'read')
    const whole = await ask('/download/hers', bearing(secret))
    const part = await ask('/stream/hers', bearing(secret, { range: 'bytes=4-' }))
    expect([whole.status, await whole.text()]).toEqual([200, 'her video'])
    expect([part.status, await part.text()]).toEqual([206, 'video'])
    expect((await ask('/stream/hers', bearing(await tokenOf(bob)))).status).toBe(404)
  })

  it('a read-only token changes nothing and looks nothing up', async () => {
    const secret = await tokenOf(alice, 'read')
    for (const [method, path] of [
      ['POST', '/api/download/hers'],
      ['DELETE', '/api/download/hers'],
      ['PUT', '/api/settings'],
      ['DELETE', '/api/channels/hers'],
      // Changes nothing, but makes this server fetch from another site.
      ['GET', '/api/discover?url=https://videos.example/'],
    ] as const) {
      const answer = await ask(path, { method, ...bearing(secret) })
      expect([path, answer.status]).toEqual([path, 403])
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="write"')
    }
    expect((await ask('/api/channels', bearing(secret))).status).toBe(200)
  })

  it.each([
    ['nothing', ''],
    ['a word', 'backlot'],
    ['one never created', `backlot_${'0'.repeat(64)}`],
    ['a NUL', 'backlot_%00'],
    ['something long', `backlot_${'a'.repeat(8000)}`],
  ])('a token that is %s gets 401', async (_, secret) => {
    for (const path of ['/api/channels', '/stream/hers', '/download/hers', '/api/nowhere']) {
      const answer = await ask(path, bearing(secret))
      expect([path, answer.status]).toEqual([path, 401])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
      expect(await answer.json()).toMatchObject({ status: 401, title: 'Not signed in' })
    }
  })

  it('a token that was revoked, has expired or whose user is deleted gets 401', async () => {
    const dave = await person(sql, 'dave')
    const [revoked, expired, orphan] = [await tokenOf(alice), await tokenOf(alice), await tokenOf(dave)]
    const works = async () =>
      Promise.all([revoked, expired, orphan].map(async secret => (await ask('/api/account', bearing(secret))).status))
    expect(await works()).toEqual([200, 200, 200])

    const { secret_id } = (await rowOf(revoked)) ?? {}
    const answer = await ask(`/settings/tokens/${secret_id}/revoke`, { as: alice, method: 'POST' })
    await elsewhere(async () => {
      await sql`update secrets set expires_at = now() where hash = ${hash('sha256', expired)}`
      await sql`delete from users where id = ${dave.user.user_id}`
    })

    expect(answer.headers.get('location')).toBe('/settings/tokens')
    expect(await works()).toEqual([401, 401, 401])
    expect(await textAt('/settings/tokens', { as: alice })).toContain('expired')
  })

  it('a token opens no page, whatever its scope', async () => {
    const secret = await tokenOf(alice)
    const count = async () => (await sql`select from secrets`).count
    const before = await count()
    for (const path of [
      '/',
      '/settings',
      '/settings/tokens',
      '/settings/account',
      '/settings/delete',
      '/export.json',
      '/api/docs',
    ])
      expect([path, (await ask(path, bearing(secret))).headers.get('location')]).toEqual([
        path,
        expect.stringMatching(/^\/login/),
      ])
    const made = await ask('/settings/tokens', { form: { name: 'more' }, ...bearing(secret) })
    expect([made.status, made.headers.get('location')]).toEqual([303, '/login?was=signed-in'])
    expect(await count()).toBe(before)
  })

  it('an Authorization header with another scheme is ignored', async () => {
    const headers = { authorization: `Basic ${btoa('proxy:secret')}` }
    expect((await ask('/api/channels', { as: alice, headers })).status).toBe(200)
  })

  it('a token notes its last use, at most once a minute', async () => {
    const secret = await tokenOf(alice, 'read')
    const used = async () => (await rowOf(secret))?.last_used_at
    const never = await used()
    await ask('/api/channels', bearing(secret))
    const first = await used()
    await ask('/api/channels', bearing(secret))
    const second = await used()
    await elsewhere(async () => sql`update secrets set last_used_at = last_used_at - interval '61 seconds'`)
    const shifted = await used()
    await ask('/api/channels', bearing(secret))

    expect([never, first]).toEqual([null, expect.any(Date)])
    expect(second).toEqual(first)
    expect(await used()).not.toEqual(shifted)
  })
})

it('a program without a token is told to send one', async () => {
  const answer = await ask('/api/channels')
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  const document = (await jsonAt('/api/openapi.json', { as: alice })) as Record<string, unknown>
  expect(document).toMatchObject({
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    security: [{ session: [] }, { token: [] }],
  })
})
