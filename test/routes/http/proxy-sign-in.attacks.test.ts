/** Attacks with the header in which a trusted proxy names the sender of a request. */
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { identitiesOf } from '../../../src/db/account/identities.ts'
import { createToken } from '../../../src/domain/account/tokens.ts'
import type { Env } from '../../../src/routes/http/context.ts'
import { takeProxyHeader } from '../../../src/routes/http/proxy-sign-in.ts'
import { before } from '../../../src/routes/http/steps.ts'
import { type Ask, useApp } from '../../support/app/app.ts'
import { type Person, person, personWith } from '../../support/app/people.ts'
import { behind_proxy, outside, proxied, proxy, whoIs } from '../../support/app/proxied.ts'
import { cookieOf, password } from '../../support/app/sign-in.ts'

const app = useApp(behind_proxy)
const { ask, sql, elsewhere, textAt } = app
const { as, nameAs, linked } = proxied(app)
let count = 0
const newName = (name = 'carol') => `${name}${++count}`

describe('the header from elsewhere', () => {
  it.each([
    ['the header alone', {}],
    ['the address of the proxy in X-Forwarded-For', { 'x-forwarded-for': proxy }],
    ['the address of the proxy in Forwarded', { forwarded: `for=${proxy}` }],
    ['the address of the proxy in X-Real-IP', { 'x-real-ip': proxy }],
    ['the name of the host', { 'x-forwarded-host': 'localhost', 'x-forwarded-proto': 'https' }],
  ])('%s opens nothing and creates nothing', async (_, headers: Record<string, string>) => {
    const { user } = await linked('alice')
    for (const name of [user.username, newName('ghost')])
      expect(await whoIs(ask('/api/account', { from: outside, headers: { 'remote-user': name, ...headers } }))).toBe(
        401,
      )
    expect(await sql`select from users where username like 'ghost%'`).toHaveLength(0)
  })

  it('changes nothing for a person with a session, and is never offered to link', async () => {
    const bob = await person(sql, 'bob')
    const { user } = await linked('alice')
    for (const name of [user.username, newName()]) {
      const headers = { 'remote-user': name }
      expect(await whoIs(ask('/api/account', { as: bob, from: outside, headers }))).toBe(bob.user.username)
      expect(await textAt('/settings/account', { as: bob, from: outside, headers })).not.toContain(name)
    }
  })

  it('a client’s own X-Forwarded-For does not matter: the connection is the proxy’s', async () => {
    const { user } = await linked('alice')
    for (const chain of [outside, `${proxy}, ${outside}`, `127.0.0.1, ${proxy}`])
      expect(await nameAs(user.username, { headers: { 'x-forwarded-for': chain } })).toBe(user.username)
    const forged = { 'x-forwarded-for': `${proxy}, ${outside}` }
    expect(await whoIs(ask('/api/account', { from: proxy, headers: forged }))).toBe(401)
  })

  it.each(['Remote_User', 'REMOTE-USER-', 'X-Remote-User', 'Remote-User2', 'HTTP_REMOTE_USER', 'Remote.User'])(
    '%s is another header',
    async header => {
      const { user } = await linked('alice')
      expect(await whoIs(ask('/api/account', { from: proxy, headers: { [header]: user.username } }))).toBe(401)
    },
  )

  it.each(['REMOTE-USER', 'remote-user', 'rEmOtE-uSeR'])('%s is the header, from the proxy only', async header => {
    const { user } = await linked('alice')
    const headers = { [header]: user.username }
    expect(await whoIs(ask('/api/account', { from: proxy, headers }))).toBe(user.username)
    expect(await whoIs(ask('/api/account', { from: outside, headers }))).toBe(401)
  })
})

describe('a header that names no one for sure', () => {
  it.each([
    ['two values', (a: string, b: string) => `${a}, ${b}`],
    ['a list', (a: string) => `,${a}`],
    ['256 letters', () => 'a'.repeat(256)],
    ['bytes that are not UTF-8', (a: string) => `${a}\u00eb`],
  ])('%s is refused, also with a session', async (_, value) => {
    const [alice, bob] = [await linked('alice'), await linked('bob')]
    const name = value(alice.user.username, bob.user.username)
    expect(await nameAs(name)).toBe(403)
    expect(await nameAs(name, { as: alice })).toBe(403)
    expect(await (await as(name, '/')).text()).toContain('sends a name that is not clear')
  })

  it('the header twice is refused', async () => {
    const alice = await linked('alice')
    const headers = new Headers([
      ['remote-user', 'admin'],
      ['remote-user', alice.user.username],
    ])
    const answer = await app.app.request('/api/account', { headers }, { remote_address: proxy })
    expect(answer.status).toBe(403)
  })

  it('an empty header signs no one in', async () => {
    const bob = await person(sql, 'bob')
    expect(await nameAs('')).toBe(401)
    expect(await nameAs(' ', { as: bob })).toBe(bob.user.username)
  })

  it('such requests are counted for their address', async () => {
    const statuses = new Set<number>()
    for (let n = 0; n < 610; n++)
      statuses.add((await as('a, b', '/api/account', { headers: { 'x-forwarded-for': '198.51.100.7' } })).status)
    expect([...statuses]).toEqual([403, 429])
  })
})

describe('the header beside other sign-ins', () => {
  it('counts before the session of another person in the same browser, whose cookie stays as it is', async () => {
    const [alice, bob] = [await linked('alice'), await person(sql, 'bob')]
    const name = alice.user.username
    expect(await nameAs(name, { as: bob })).toBe(name)
    const acts: [string, Ask][] = [
      ['/logout', { method: 'POST' }],
      ['/login', { form: { username: bob.user.username, password } }],
      ['/register', { form: { username: newName(), password, password_confirmation: password } }],
      ['/settings/sessions/end', { method: 'POST' }],
    ]
    for (const [path, more] of acts) {
      const answer = await as(name, path, { ...more, as: bob })
      expect([path, answer.status, cookieOf(answer, 'session')]).toEqual([path, 303, ''])
    }
    expect((await as(name, '/logout', { as: bob })).status).toBe(405)
    expect(await whoIs(ask('/api/account', { as: bob }))).toBe(bob.user.username)
    expect(await sql`select from users where username like 'carol%' and password_hash is not null`).toHaveLength(0)
  })

  it('a password that is set by the header begins no session and ends none of another person', async () => {
    const [alice, bob] = [await linked('alice'), await person(sql, 'bob')]
    await sql`update users set password_hash = null where id = ${alice.user.user_id}`
    const form = { password: 'a fine phrase', password_confirmation: 'a fine phrase' }
    const answer = await as(alice.user.username, '/settings/password', { as: bob, form })
    expect([answer.status, cookieOf(answer, 'session')]).toEqual([303, ''])
    expect(await whoIs(ask('/api/account', { as: bob }))).toBe(bob.user.username)
    expect(await whoIs(ask('/api/account', { as: alice }))).toBe(401)
    expect(await nameAs(alice.user.username)).toBe(alice.user.username)
  })

  it('a browser whose header changes never gets a mixture of libraries, and no cache keeps a page', async () => {
    const [alice, bob] = [
      await personWith(sql, 'alice', 'hers', ['v-hers']),
      await personWith(sql, 'bob', 'his', ['v-his']),
    ]
    for (const { user } of [alice, bob])
      await identitiesOf(sql, user.user_id).link({ issuer: 'header:remote-user', subject: user.username, name: '' })
    const seen = async (who: Person) => {
      const answer = await as(who.user.username, '/', { as: alice })
      const text = await answer.text()
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
      return ['v-hers', 'v-his'].filter(id => text.includes(id))
    }
    for (const [who, videos] of [
      [alice, ['v-hers']],
      [bob, ['v-his']],
      [alice, ['v-hers']],
      [bob, ['v-his']],
    ] as const)
      expect(await seen(who)).toEqual(videos)
    const both = await Promise.all(Array.from({ length: 10 }, (_, n) => seen(n % 2 ? bob : alice)))
    expect(both).toEqual(Array.from({ length: 10 }, (_, n) => [n % 2 ? 'v-his' : 'v-hers']))
  })

  it('an API token of another person wins, and a wrong one is refused', async () => {
    const [alice, bob] = [await linked('alice'), await person(sql, 'bob')]
    const made = { name: 'phone', scope: 'read', expires_in_days: null } as const
    const { token: secret } = await createToken(bob.library, made)
    const sends = (token: string) => nameAs(alice.user.username, { headers: { authorization: `Bearer ${token}` } })
    expect(await sends(secret)).toBe(bob.user.username)
    expect(await sends('backlot_wrong')).toBe(401)
    const page = await as(alice.user.username, '/', { headers: { authorization: `Bearer ${secret}` } })
    expect(await page.text()).toContain(alice.user.username)
    expect(await nameAs(alice.user.username, { headers: { authorization: 'Basic YWxpY2U6eA==' } })).toBe(
      alice.user.username,
    )
  })

  it('a write from another site is refused before anything is created', async () => {
    const name = newName()
    const headers = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
    expect((await as(name, '/theme', { headers, form: { theme: 'dark' } })).status).toBe(403)
    expect((await as(name, '/settings/password', { headers, form: {} })).status).toBe(403)
    expect(await sql`select from users where username = ${name}`).toHaveLength(0)
  })

  it('a locked person reads so everywhere, even with the session of another one', async () => {
    const [alice, bob] = [await linked('alice'), await person(sql, 'bob')]
    await nameAs(alice.user.username)
    await elsewhere(() => sql`update users set locked_at = now() where id = ${alice.user.user_id}`)
    for (const path of ['/', '/login', '/settings/account', '/stream/v'])
      expect((await as(alice.user.username, path, { as: bob })).status).toBe(403)
    expect(await (await as(alice.user.username, '/api/account')).json()).toMatchObject({
      status: 403,
      detail: 'This account is locked. Ask your administrator.',
    })
    await elsewhere(() => sql`update users set locked_at = null where id = ${alice.user.user_id}`)
    expect(await nameAs(alice.user.username)).toBe(alice.user.username)
  })

  it('the same name in another header, or by another provider, opens nothing', async () => {
    const bob = await person(sql, 'bob')
    for (const issuer of ['header:x-user', 'https://id.example', 'Header:Remote-User'])
      await bob.library.identities.link({ issuer, subject: bob.user.username, name: '' })
    expect(await nameAs(bob.user.username)).toBe(401)
  })
})

describe('what later code can read', () => {
  const reader = new Hono<Env>()
    .use(before(takeProxyHeader({ AUTH_HEADER: 'Remote-User', TRUSTED_PROXIES: [proxy] })))
    .post('/', async c =>
      c.json([
        c.get('proxy_header') ?? null,
        c.req.header('remote-user') ?? null,
        Object.keys(c.req.header()),
        await c.req.text(),
      ]),
    )
  /** Deno's headers can't be changed. */
  const fixed = (request: Request) => {
    Object.defineProperty(request.headers, 'delete', { value: () => expect.fail('the headers are immutable') })
    return request
  }

  it.each([
    ['changed', (request: Request) => request],
    ['not changed', fixed],
  ])('the header is gone from every request, whose headers can be %s', async (_, made) => {
    const headers = { 'remote-user': 'alice', accept: '*/*' }
    const read = async (remote_address: string) => {
      const request = made(new Request('http://localhost/', { method: 'POST', headers, body: 'a body' }))
      return (await reader.fetch(request, { remote_address })).json()
    }
    const rest = [null, ['accept', 'content-type'], 'a body']
    expect(await read(proxy)).toEqual(['alice', ...rest])
    expect(await read(outside)).toEqual([null, ...rest])
    expect(await read('')).toEqual([null, ...rest])
    expect(await read(`::ffff:${proxy}`)).toEqual(['alice', ...rest])
  })
})

describe('without AUTH_HEADER', () => {
  const plain = useApp({ TRUSTED_PROXIES: [proxy] })
  it('the header is nothing', async () => {
    expect(await proxied(plain).nameAs('carol')).toBe(401)
    expect(await plain.sql`select from users`).toHaveLength(0)
  })
})

describe('a page that rebinds its name', () => {
  const local = useApp({ AUTH_HEADER: 'Remote-User', TRUSTED_PROXIES: ['loopback'], HOST: '127.0.0.1' })
  it('a page that rebinds its name to this machine is not signed in, although it comes from the address of a proxy', async () => {
    const headers = {
      host: 'evil.test',
      origin: 'http://evil.test',
      'sec-fetch-site': 'same-origin',
      'remote-user': 'admin',
    }
    expect((await local.ask('/api/account', { from: '127.0.0.1', headers })).status).toBe(421)
    expect(await local.sql`select from users`).toHaveLength(0)
    const here = { host: 'localhost:8000', 'remote-user': 'admin' }
    expect(await whoIs(local.ask('/api/account', { from: '127.0.0.1', headers: here }))).toBe('admin')
  })

  const wide = useApp({ ...behind_proxy, HOST: '0.0.0.0', PUBLIC_URL: 'https://tv.example.org' })
  const hosted = (host: string, from = proxy) =>
    wide.ask('/api/account', { from, headers: { host, 'remote-user': 'admin' } })

  it('where the service listens on more than loopback, only the name of PUBLIC_URL and addresses may have the header', async () => {
    for (const host of ['evil.test', 'tv.example.org.evil.test', 'nas.lan:8000', 'a b', ''])
      expect([host, (await hosted(host)).status]).toEqual([host, 421])
    expect(await wide.sql`select from users`).toHaveLength(0)
    for (const host of ['tv.example.org', 'TV.example.org.:443', 'localhost:8000', '10.0.0.7:8000', '[2001:db8::7]'])
      expect([host, await whoIs(hosted(host))]).toEqual([host, 'admin'])
    expect((await hosted('nas.lan:8000', outside)).status).toBe(401)
  })
})
