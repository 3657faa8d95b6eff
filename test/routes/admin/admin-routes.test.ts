/** The desk as JSON: what administrators do, what the log says of it, and that it does not exist for members. */
import { beforeEach, describe, expect, it } from 'vitest'
import { Role } from '../../../src/schema/values/user.ts'
import { useApp } from '../../support/app/app.ts'
import { onDisk } from '../../support/app/files.ts'
import { administrator, follows, type Person, person } from '../../support/app/people.ts'
import { registration, signInAgain } from '../../support/app/sign-in.ts'
import { tokensThrough } from '../../support/app/tokens.ts'

const app = useApp({ PUBLIC_URL: 'http://tv.example', connections: 8 })
const { ask, sql, jsonAt, textAt } = app
const { make, tokenOf } = tokensThrough(app)

let alice: Person
let bob: Person
let his: string

beforeEach(async () => {
  alice = await administrator(sql, 'alice')
  bob = await person(sql, 'bob')
  his = `/api/admin/people/${bob.user.username}`
})

const patch = (json: object, path = his, as = alice) => ask(path, { as, method: 'PATCH', json })
const bearing = (secret: string) => ({ headers: { authorization: `Bearer ${secret}` } })
const read = async <T>(path: string): Promise<T> => (await jsonAt(path, { as: alice })) as T
const lastActs = async (count: number) =>
  (await read<{ acts: Record<string, unknown>[] }>('/api/admin/log')).acts
    .slice(0, count)
    .map(({ at: _, ...act }) => act)
const roleOf = async ({ user }: Person) => (await sql`select role from users where id = ${user.user_id}`)[0]?.role

const requests: [method: string, path: string, json?: object][] = [
  ['GET', '/api/admin/people'],
  ['PATCH', '/api/admin/people/someone', { role: 'admin' }],
  ['DELETE', '/api/admin/people/someone'],
  ['POST', '/api/admin/people/someone/reset-password'],
  ['GET', '/api/admin/invitations'],
  ['POST', '/api/admin/invitations', {}],
  ['DELETE', '/api/admin/invitations/00000000-0000-4000-8000-000000000000'],
  ['GET', '/api/admin/log'],
  ['PUT', '/api/admin/people'],
  ['GET', '/api/admin'],
]

describe('a member', () => {
  it('gets the answer of an unknown address, by session and by any token', async () => {
    const unknown = await textAt('/api/unknown', { as: bob })
    const [reads, writes] = [await tokenOf(bob, 'read'), await tokenOf(bob, 'write')]
    for (const [method, path, json] of requests)
      for (const who of [{ as: bob }, bearing(reads), bearing(writes)]) {
        const answer = await ask(path, { method, ...who, ...(json && { json }) })
        expect([method, path, answer.status, answer.headers.get('allow')]).toEqual([method, path, 404, null])
        expect(await answer.text()).toBe(unknown)
      }
  })

  it('creates no token with the scope admin', async () => {
    expect((await make(bob, { scope: 'admin' })).answer.status).toBe(422)
    expect((await sql`select from secrets where user_id = ${bob.user.user_id}`).count).toBe(0)
  })

  it('does not become an administrator by a field in a form of their own', async () => {
    const wanted = { role: 'admin', locked: 'false', locked_at: '', quota_gb: '0' }
    await ask('/settings', { as: bob, form: { quality: '720', ...wanted } })
    await ask('/settings/password', { as: bob, form: { current_password: '', ...wanted } })
    await ask('/api/settings', { as: bob, method: 'PUT', json: { quality: '720', role: 'admin' } })
    const archive = JSON.parse(await textAt('/api/archive', { as: bob })) as { settings: object }
    const with_role = { ...archive, role: 'admin', settings: { ...archive.settings, role: 'admin' } }
    await ask('/api/archive', { as: bob, method: 'POST', json: with_role })
    await ask('/register', { form: registration('eager', wanted), from: 'eager' })
    expect(await roleOf(bob)).toBe('member')
    expect(await sql`select role, quota_gb from users where username = 'eager'`).toEqual([
      { role: 'member', quota_gb: null },
    ])
  })
})

describe('an administrator', () => {
  it('lists everyone with counts and bytes, and no titles', async () => {
    await follows(bob, 'kitchen', ['v1', 'v2'])
    await onDisk(app.folder, bob, 'v1', 'a film')
    const { people } = await read<{ people: Record<string, unknown>[] }>('/api/admin/people')
    expect(people.find(({ username }) => username === bob.user.username)).toEqual({
      username: bob.user.username,
      role: 'member',
      created_at: expect.any(String),
      last_seen_at: expect.any(String),
      locked_at: null,
      channels: 1,
      videos: 2,
      on_disk_bytes: 'a film'.length,
      quota_gb: null,
      sessions: 1,
    })
    expect(JSON.stringify(people)).not.toMatch(/kitchen|Video v/)
  })

  it('changes role, lock and quota of a person, each with a row in the log, and nothing twice', async () => {
    const changed = await patch({ role: 'admin', locked: true, quota_gb: 2.5 })
    expect(changed.status).toBe(200)
    expect(await changed.json()).toMatchObject({
      role: 'admin',
      locked_at: expect.any(String),
      quota_gb: 2.5,
      sessions: 0,
    })
    await patch({ role: 'admin', locked: true, quota_gb: 2.5 })
    await patch({})
    expect(await (await patch({ locked: false, quota_gb: null })).json()).toMatchObject({
      locked_at: null,
      quota_gb: null,
    })
    const act = (name: string, detail = '') => ({
      by: alice.user.username,
      act: name,
      username: bob.user.username,
      detail,
    })
    expect(await lastActs(5)).toEqual([
      act('quota_changed', 'default'),
      act('unlocked'),
      act('quota_changed', '2.5 GB'),
      act('locked'),
      act('role_changed', 'admin'),
    ])
  })

  it.each([
    { role: 'owner' },
    { role: null },
    { locked: 'yes' },
    { quota_gb: -1 },
    { quota_gb: '5' },
    { quota_gb: 1e9 },
  ])('is refused the change %j', async change => {
    expect((await patch(change)).status).toBe(422)
    expect(await lastActs(1)).not.toMatchObject([{ username: bob.user.username }])
  })

  it('locks a person out at once, by session and token', async () => {
    const token = await tokenOf(bob, 'write')
    expect((await ask('/api/account', { as: bob })).status).toBe(200)
    expect((await ask('/api/account', bearing(token))).status).toBe(200)
    await patch({ locked: true })
    expect((await ask('/api/account', { as: bob })).status).toBe(401)
    expect((await ask('/api/account', bearing(token))).status).toBe(401)
  })

  it('deletes an account with its files and jobs', async () => {
    await follows(bob, 'kitchen', ['v1', 'v2'])
    await onDisk(app.folder, bob, 'v1', 'a film')
    await bob.library.downloads.request(['v2'])
    expect((await ask(his, { as: alice, method: 'DELETE' })).status).toBe(204)
    expect(await app.files.exists(`${bob.user.user_id}/kitchen/v1.mp4`)).toBe(false)
    expect((await sql`select from graphile_worker.jobs where key like ${`%${bob.user.user_id}%`}`).count).toBe(0)
    expect((await ask('/api/account', { as: bob })).status).toBe(401)
    expect((await ask(his, { as: alice, method: 'DELETE' })).status).toBe(404)
    expect(await lastActs(1)).toMatchObject([{ act: 'account_deleted', username: bob.user.username }])
  })

  it('makes a link with which the person chooses a password, unless they are locked', async () => {
    const made = await ask(`${his}/reset-password`, { as: alice, method: 'POST' })
    const { url } = (await made.json()) as { url: string }
    expect(made.status).toBe(201)
    expect(url).toMatch(/^http:\/\/tv\.example\/reset-password\?token=[0-9a-f]{64}$/)
    const form = {
      token: new URL(url).searchParams.get('token') ?? '',
      password: 'a quiet harbour',
      password_confirmation: 'a quiet harbour',
    }
    expect((await ask('/reset-password', { form })).status).toBe(303)
    expect((await signInAgain(app, bob.user.username, { form: { password: 'a quiet harbour' } })).status).toBe(303)
    await patch({ locked: true })
    expect((await ask(`${his}/reset-password`, { as: alice, method: 'POST' })).status).toBe(409)
    expect(await lastActs(2)).toMatchObject([
      { act: 'locked' },
      { act: 'reset_link_made', username: bob.user.username },
    ])
  })

  it('makes, lists and deletes invitations', async () => {
    const made = await ask('/api/admin/invitations', { as: alice, json: { days: 2, note: 'for dave' } })
    const { invitation_id, url, expires_at } = (await made.json()) as Record<string, string>
    expect([made.status, url]).toEqual([
      201,
      expect.stringMatching(/^http:\/\/tv\.example\/register\?invitation=[0-9a-f]{64}$/),
    ])
    const list = await textAt('/api/admin/invitations', { as: alice })
    expect(JSON.parse(list).invitations[0]).toEqual({
      invitation_id,
      note: 'for dave',
      made_by: alice.user.username,
      created_at: expect.any(String),
      expires_at,
    })
    const path = `/api/admin/invitations/${invitation_id}`
    const statuses = [
      await ask(path, { as: alice, method: 'DELETE' }),
      await ask(path, { as: alice, method: 'DELETE' }),
    ]
    expect(statuses.map(({ status }) => status)).toEqual([204, 404])
    expect(await lastActs(2)).toMatchObject([
      { act: 'invitation_deleted' },
      { act: 'invitation_made', detail: 'for dave' },
    ])
    for (const wrong of [{ days: 0 }, { days: 1.5 }, { days: 400 }, { note: 'x'.repeat(201) }])
      expect((await ask('/api/admin/invitations', { as: alice, json: wrong })).status).toBe(422)
  })

  it('reads the log page by page', async () => {
    for (let nth = 1; nth <= 60; nth++) await patch({ quota_gb: nth })
    const first = await read<{ acts: { detail: string }[]; next_cursor: string }>('/api/admin/log')
    const second = await read<{ acts: { detail: string }[] }>(`/api/admin/log?cursor=${first.next_cursor}`)
    const details = [...first.acts, ...second.acts].slice(0, 60).map(({ detail }) => detail)
    expect(details).toEqual(Array.from({ length: 60 }, (_, nth) => `${60 - nth} GB`))
  })

  it('gets 404 for a person who is not there, and stays when alone', async () => {
    expect((await patch({ locked: true }, '/api/admin/people/not-there')).status).toBe(404)
    await sql`update users set role = 'member' where id <> ${alice.user.user_id}`
    const own = `/api/admin/people/${alice.user.username}`
    for (const change of [{ role: 'member' }, { locked: true }, { role: 'member', locked: false }])
      expect((await patch(change, own)).status).toBe(409)
    expect((await ask(own, { as: alice, method: 'DELETE' })).status).toBe(409)
    await sql`delete from users where id <> ${alice.user.user_id}`
    expect((await ask(own, { as: alice, method: 'DELETE' })).status).toBe(409)
    expect((await patch({ role: 'member' }, own)).status).toBe(409)
    expect(await roleOf(alice)).toBe('admin')
  })
})

describe('the scope admin', () => {
  it('opens the desk; another scope gets 403 that names it', async () => {
    expect((await ask('/api/admin/people', bearing(await tokenOf(alice, 'admin')))).status).toBe(200)
    for (const scope of ['read', 'write'] as const) {
      const refused = await ask('/api/admin/people', bearing(await tokenOf(alice, scope)))
      expect(refused.status).toBe(403)
      expect(refused.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="admin"')
    }
  })

  it('ends with the role, and does not come back with it', async () => {
    await patch({ role: 'admin' })
    const token = await tokenOf(bob, 'admin')
    expect((await ask('/api/admin/people', bearing(token))).status).toBe(200)
    await patch({ role: 'member' })
    expect((await ask('/api/admin/people', bearing(token))).status).toBe(401)
    await patch({ role: 'admin' })
    expect((await ask('/api/admin/people', bearing(token))).status).toBe(401)
  })
})

describe('an administrator who is demoted', () => {
  it('acts no more, even in a request that has begun and in a process that remembers the role', async () => {
    await patch({ role: 'admin' })
    expect((await ask('/api/admin/people', { as: bob })).status).toBe(200)
    const carol = await person(sql, 'carol')
    const gate = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    // Demotes bob in a transaction that is still open when his request asks for his role.
    const demoting = sql.begin(async tx => {
      await tx`select from users where id = ${bob.user.user_id} for update`
      locked.resolve()
      await gate.promise
      await tx`update users set role = ${Role.enum.member} where id = ${bob.user.user_id}`
    })
    await locked.promise
    const acting = patch({ role: 'admin' }, `/api/admin/people/${carol.user.username}`, bob)
    const waits = async () =>
      (await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).count >
      0
    while (!(await waits())) await new Promise(setImmediate)
    gate.resolve()
    await demoting
    expect((await acting).status).toBe(404)
    expect(await roleOf(carol)).toBe('member')
    expect((await ask('/api/admin/people', { as: bob })).status).toBe(404)
  })
})
