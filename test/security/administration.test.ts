/** Attacks on the administration by members, by tokens, and by values that are no values. */
import { beforeEach, describe, expect, it } from 'vitest'
import { encodeCursor } from '../../src/db/rows/cursor.ts'
import { createToken } from '../../src/domain/account/tokens.ts'
import { scopeFor } from '../../src/routes/http/sign-in.ts'
import type { Scope } from '../../src/schema/account/account.ts'
import { useApp } from '../support/app/app.ts'
import { onDisk } from '../support/app/files.ts'
import { administrator, follows, type Person, person } from '../support/app/people.ts'

const app = useApp()
const { ask, sql, jsonAt, textAt } = app

let admin: Person
let bob: Person
beforeEach(async () => {
  admin = await administrator(sql, 'admin')
  bob = await person(sql, 'bob')
})

const quotaOf = async ({ user }: Person) =>
  (await sql`select quota_gb from users where id = ${user.user_id}`)[0]?.quota_gb

describe('another spelling of an address', () => {
  const spellings = ['/api/%61dmin/people', '/api//admin/people', '/api/admin%2fpeople', '/api/admin//people']
  spellings.push(
    '/api/./admin/people',
    '/API/admin/people',
    '/api/Admin/people',
    '/api/admin/people/',
    '/api/admin/people%20',
  )
  spellings.push(
    '/api/x/../admin/people',
    '/api/%2561dmin/people',
    '/api/admin;x/people',
    '/api/admin/people?scope=admin',
  )
  spellings.push('/stream/../api/admin/people', '/api\\admin\\people', '/api/admin/people%00', '//api/admin/people')

  it('opens the administration neither to a member nor to a token without its scope', async () => {
    const made = { name: 'phone', scope: 'write', expires_in_days: null } as const
    const { token: secret } = await createToken(admin.library, made)
    const headers = { authorization: `Bearer ${secret}` }
    for (const path of spellings) {
      const [member, token] = [await ask(path, { as: bob }), await ask(path, { headers })]
      for (const answer of [member, token]) expect(await answer.text(), path).not.toContain(admin.user.username)
      expect([path, member.status]).toEqual([path, 404])
      expect([303, 401, 403, 404], path).toContain(token.status)
    }
  })

  it.each([
    '/admin',
    '/admin/',
    '/%61dmin',
    '/admin/log',
    '/admin/invitations',
    '/admin/people/missing',
    '/health',
    '/health/',
  ])('%s is unknown to a member by every method, and is kept by no cache', async path => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS']) {
      const [answer, unknown] = [await ask(path, { as: bob, method }), await ask('/unknown', { as: bob, method })]
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 404, null])
      expect(answer.headers.get('cache-control')).toBe(unknown.headers.get('cache-control'))
    }
    expect((await ask(path, { as: admin })).headers.get('cache-control')).toBe('private, no-store')
  })
})

describe('a token without the scope admin', () => {
  it('opens no route that is for administrators', async () => {
    const routes = app.app.routes.filter(({ path }) => path.startsWith('/api/'))
    const mounted = routes.filter(({ handler }) => handler.name === 'administratorsOnly').map(({ path }) => path)
    expect(new Set(mounted)).toEqual(new Set(['/api/health', '/api/admin/*']))
    const isWithin = (path: string) =>
      mounted.some(place => path === place || (place.endsWith('*') && path.startsWith(place.slice(0, -1))))
    const scopes = routes.filter(({ path }) => isWithin(path)).map(({ method, path }) => scopeFor(method, path))
    expect(scopes.length).toBeGreaterThan(10)
    expect(new Set(scopes)).toEqual(new Set(['admin']))
  })

  it('does not read the status of the service', async () => {
    const statusWith = async (who: Person, scope: Scope) => {
      const { token: secret } = await createToken(who.library, { name: scope, scope, expires_in_days: null })
      return (await ask('/api/health', { headers: { authorization: `Bearer ${secret}` } })).status
    }
    expect([await statusWith(admin, 'read'), await statusWith(admin, 'write')]).toEqual([403, 403])
    expect(await statusWith(admin, 'admin')).toBe(200)
    expect(await statusWith(bob, 'write')).toBe(404)
  })
})

describe('values that are no values', () => {
  const bodies = ['1e309', '-1e309', '-1', '-0.001', '1000001', '"5"', '"Infinity"', '"NaN"', 'true', '[]', '{}', '""']
  it.each([...bodies, 'NaN', 'Infinity'])('the quota %s in JSON is refused', async value => {
    const path = `/api/admin/people/${bob.user.username}`
    const headers = { cookie: admin.cookie, 'content-type': 'application/json' }
    const body = `{"quota_gb":${value},"locked":true}`
    const answer = await app.app.request(path, { method: 'PATCH', headers, body })
    expect([400, 422]).toContain(answer.status)
    expect(await sql`select quota_gb, locked_at from users where id = ${bob.user.user_id}`).toEqual([
      { quota_gb: null, locked_at: null },
    ])
  })

  it.each(['NaN', 'Infinity', '-Infinity', '1e309', '-1', '1,5', 'true', '[]', '5 GB', '１\u0000'])(
    'the quota %j in the form is refused',
    async quota_gb => {
      const answer = await ask(`/admin/people/${bob.user.username}/quota`, { as: admin, form: { quota_gb } })
      expect([answer.status, await quotaOf(bob)]).toEqual([422, null])
    },
  )

  it('a quota too small for a byte is not no limit', async () => {
    await ask(`/api/admin/people/${bob.user.username}`, { as: admin, method: 'PATCH', json: { quota_gb: 5e-324 } })
    expect(await quotaOf(bob)).toBe(5e-324)
    const { quota_bytes } = (await jsonAt('/api/space', { as: bob })) as { quota_bytes: number }
    expect(quota_bytes).toBe(1)
  })

  it('unknown fields are refused, and change nothing', async () => {
    const path = `/api/admin/people/${bob.user.username}`
    const json = { username: 'root', user_id: admin.user.user_id, password_hash: 'x', locked_at: 'now', created_at: 0 }
    const before = await sql`select * from users where id = ${bob.user.user_id}`
    const answer = await ask(path, { as: admin, method: 'PATCH', json })
    expect(await sql`select * from users where id = ${bob.user.user_id}`).toEqual(before)
    expect([answer.status, Object.keys(((await answer.json()) as { errors: object }).errors).toSorted()]).toEqual([
      422,
      Object.keys(json).toSorted(),
    ])
  })
})

describe('a forged place in a list', () => {
  const places = [
    ['x'],
    ['x', 'y'],
    ["a' or true --"],
    ['0', 'bob'],
    ['-999999999999999999', 'bob'],
    ['9'.repeat(19), 'bob'],
  ]
  places.push(
    ['9999-12-31 23:59:59.999999+00', 'bob'],
    ['0001-01-01 00:00:00+00', 'z'],
    ['2026-02-30 00:00:00+00', 'z'],
  )
  places.push(['infinity', 'bob'], ['NaN', 'bob'], ['', ''], ['\u0000', 'bob'], ['9'.repeat(18)], ['-1'])

  it('is refused or shows a page, in every order', async () => {
    for (const place of places)
      for (const path of [
        '/admin?sort=name&',
        '/admin?sort=bytes&',
        '/admin?sort=created&',
        '/admin?sort=last_visit&',
        '/admin/log?',
        '/api/admin/log?',
      ]) {
        const answer = await ask(`${path}cursor=${encodeCursor(place)}`, { as: admin })
        expect([200, 400, 422], `${path} ${place}: ${await answer.text()}`).toContain(answer.status)
      }
  })
})

describe('an administrator who ends their own access', () => {
  it('by deleting themselves: the account, its session, its token and its files are gone, and the log names them', async () => {
    await follows(admin, 'kitchen', ['v1'])
    await onDisk(app.folder, admin, 'v1', 'a film')
    const made = { name: 'desk', scope: 'admin', expires_in_days: null } as const
    const { token: secret } = await createToken(admin.library, made)
    const headers = { authorization: `Bearer ${secret}` }
    expect((await ask(`/api/admin/people/${admin.user.username}`, { method: 'DELETE', headers })).status).toBe(204)
    expect((await ask('/api/admin/people', { headers })).status).toBe(401)
    expect((await ask('/admin', { as: admin })).status).toBe(303)
    expect(await sql`select act from admin_acts where username = ${admin.user.username}`).toEqual([
      { act: 'account_deleted' },
    ])
  })

  it('by locking themselves: the next request has no sign-in', async () => {
    expect((await ask(`/admin/people/${admin.user.username}/lock`, { as: admin, form: {} })).status).toBe(303)
    expect((await ask('/admin', { as: admin })).headers.get('location')).toContain('/login')
    expect((await ask('/api/admin/people', { as: admin })).status).toBe(401)
  })
})

it('text in the log is text', async () => {
  const note = `"><img src=x onerror=alert(1)>${'\u202e'}<script>`
  await ask('/admin/invitations', { as: admin, form: { note, days: '1' } })
  for (const path of ['/admin/log', '/admin/invitations', `/admin?q=${encodeURIComponent(note)}`]) {
    const page = await textAt(path, { as: admin })
    expect(page).toContain('&lt;img src=x')
    expect(page).not.toContain('<img src=x')
  }
})
