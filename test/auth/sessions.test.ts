/** Sessions in the database: their end, their number, and what they cost. */
import { describe, expect } from 'vitest'
import { sessionsIn } from '../../src/auth/sessions.ts'
import { useApp, withPeople } from '../support/app/app.ts'
import { type Person, person, personWith } from '../support/app/people.ts'
import { newcomer, password, signInAgain } from '../support/app/sign-in.ts'
import { statementsOf } from '../support/app/statements.ts'
import { tokensThrough } from '../support/app/tokens.ts'

const app = useApp()
const { ask, sql, elsewhere } = app
const it = withPeople(app)

it('deleting a user ends every session', async ({ alice }) => {
  expect((await ask('/api/channels', { as: alice })).status).toBe(200)
  await elsewhere(async () => sql`delete from users where id = ${alice.user.user_id}`)
  expect((await ask('/api/channels', { as: alice })).status).toBe(401)
})

it('no session begins with a password that was changed after it was checked', async () => {
  const { user } = await person(sql, 'alice')
  const sessions = sessionsIn(sql)
  const proven = { ...user, password_hash: 'not a hash' }
  await sql`update users set password_hash = 'another' where id = ${user.user_id}`
  await sessions.endAll(user.user_id)

  expect(await sessions.begin(proven, false)).toBeUndefined()
  expect(await sessions.list(user.user_id)).toEqual([])
  expect(await sessions.begin({ ...proven, password_hash: 'another' }, false)).toBeDefined()
})

it('the moment of a sign-in is the last visit', async () => {
  const { username } = await newcomer(app, 'brief')
  const [visit] = await sql`select last_seen_at >= created_at as noted from users where username = ${username}`
  expect(visit).toEqual({ noted: true })
})

it('no session begins by a passkey that was removed after it was checked', async () => {
  const { user, library } = await person(sql, 'alice')
  const sessions = sessionsIn(sql)
  const { passkeys } = library
  const credential = { credential_id: user.user_id, public_key: new Uint8Array(1), counter: 0, transports: [] }
  const made = await passkeys.add({ ...credential, name: 'phone' })
  const proven = {
    ...user,
    password_hash: 'not a hash',
    ...(typeof made === 'object' && { passkey_id: made.passkey_id }),
  }
  expect(await sessions.begin(proven, false)).toBeDefined()
  await passkeys.remove(proven.passkey_id ?? '')

  expect(await sessions.begin(proven, false)).toBeUndefined()
  expect(await sessions.list(user.user_id)).toHaveLength(2)
})

it('the 101st session of a user ends the least recently used one', async () => {
  const { user } = await person(sql, 'alice')
  const sessions = sessionsIn(sql)
  const proven = { ...user, password_hash: 'not a hash' }
  const [oldest] = await sessions.list(user.user_id)
  await sql`update sessions set used_at = now() - interval '1 hour' where user_id = ${user.user_id}`
  for (let n = 0; n < 100; n++) expect(await sessions.begin(proven, false)).toBeDefined()

  const kept = await sessions.list(user.user_id)
  expect(kept).toHaveLength(100)
  expect(kept.map(({ session_id }) => session_id)).not.toContain(oldest?.session_id)
})

const statusOf = async (headers: Record<string, string>) => (await ask('/api/channels', { headers })).status
const headersOf = ({ cookie }: Person) => ({ cookie })

describe('what a signed-in request costs', () => {
  it('the first request reads session and user by one statement, and the next by none', async () => {
    const alice = await personWith(sql, 'alice', 'kitchen', ['v1'])
    const poll = () => ask('/api/download/status/v1', { as: alice })
    const first = await statementsOf(sql, poll)
    const next = await statementsOf(sql, poll)

    expect(first).toEqual([expect.stringContaining('from sessions'), expect.stringContaining('from video_entries')])
    expect(next).toEqual([first[1]])
  })

  it('a request with an API token that was used within a minute costs the same', async () => {
    const alice = await personWith(sql, 'alice', 'kitchen', ['v1'])
    const headers = { authorization: `Bearer ${await tokensThrough(app).tokenOf(alice)}` }
    await sql`update secrets set last_used_at = now() where user_id = ${alice.user.user_id}`
    const poll = () => ask('/api/download/status/v1', { headers })
    const first = await statementsOf(sql, poll)
    const next = await statementsOf(sql, poll)

    expect(first).toEqual([expect.stringContaining('from secrets'), expect.stringContaining('from video_entries')])
    expect(next).toEqual([first[1]])
  })

  it('a remembered sign-in opens no other user’s videos', async ({ bob }) => {
    const alice = await personWith(sql, 'alice', 'kitchen', ['hers'])
    const statusFor = async (as: Person) => (await ask('/api/download/status/hers', { as })).status
    expect([await statusFor(alice), await statusFor(bob), await statusFor(alice)]).toEqual([200, 404, 200])
  })
})

describe('the end of a session', () => {
  it('a sign-out by another process takes effect within five seconds', async ({ alice }) => {
    expect(await statusOf(headersOf(alice))).toBe(200)
    await elsewhere(() => sessionsIn(sql).endAll(alice.user.user_id))
    expect(await statusOf(headersOf(alice))).toBe(401)
  })

  it('a new password ends the other sessions of this process at once', async () => {
    const { username, headers } = await newcomer(app, 'passwords')
    const other = await signInAgain(app, username)
    expect([await statusOf(headers), await statusOf(other.headers)]).toEqual([200, 200])
    const form = {
      current_password: password,
      password: 'a new phrase here',
      password_confirmation: 'a new phrase here',
    }
    expect((await ask('/settings/password', { headers, form })).status).toBe(303)
    expect([await statusOf(headers), await statusOf(other.headers)]).toEqual([401, 401])
  })

  it('a deleted account is signed out at once, on every device and with every token', async () => {
    const { username, headers } = await newcomer(app, 'deleted')
    const other = await signInAgain(app, username)
    const [user] = await sql<{ user_id: string }[]>`select id as user_id from users where username = ${username}`
    const { secret } = await tokensThrough(app).make({ cookie: headers.cookie, user } as Person)
    const token = { authorization: `Bearer ${secret}` }
    const all = () => Promise.all([headers, other.headers, token].map(statusOf))
    expect(await all()).toEqual([200, 200, 200])

    expect((await ask('/settings/delete', { headers, form: { password } })).status).toBe(303)
    expect(await all()).toEqual([401, 401, 401])
  })

  it('a session that ended while it was looked up does not sign in', async () => {
    const { user, cookie } = await person(sql, 'alice')
    const [read, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    // The row is read, but its answer arrives after the end.
    const late = async (query: Promise<unknown>) => {
      const rows = await query
      read.resolve()
      await ended.promise
      return rows
    }
    const slow = new Proxy(sql, {
      apply: (send, self, values) =>
        String(values[0]).includes('from   sessions session')
          ? late(Reflect.apply(send, self, values))
          : Reflect.apply(send, self, values),
    })
    const sessions = sessionsIn(slow)

    const looked_up = sessions.validate(cookie.replace('session=', ''))
    await read.promise
    await sessions.endAll(user.user_id)
    ended.resolve()

    expect(await looked_up).toBeUndefined()
  })
})
