/** Attacks on sessions. */
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { cookieOf, newcomer, pairOf, password, registration, signInAgain } from '../../support/app/sign-in.ts'

const app = useApp()
const { ask, sql, elsewhere } = app
let count = 0
const newName = () => `session${++count}`
type Headers = Record<string, string>
const statusWith = async (headers: Headers) => (await ask('/api/channels', { headers })).status

/** Makes a user’s sessions expire after `left`, uses them once, and returns the seconds left after that. */
async function leftAfter(username: string, left: string, headers: Headers): Promise<number> {
  await elsewhere(
    async () => sql`
      update sessions set expires_at = now() + ${left}::interval
      from   users where users.id = user_id and username = ${username}`,
  )
  await ask('/api/channels', { headers })
  const [row] = await sql<{ left_s: number }[]>`
    select extract(epoch from expires_at - now())::float as left_s
    from   sessions join users on users.id = user_id where username = ${username}`
  return row?.left_s ?? 0
}

const sessionsOf = async (username: string) =>
  (await sql`select from sessions join users on users.id = user_id where username = ${username}`).count

describe('a session', () => {
  it('signing in and registering never continue the browser’s earlier session', async () => {
    const planted = `b${'0'.repeat(64)}`
    const headers = { cookie: `session=${planted}` }
    const { username } = await newcomer(app, newName())

    const signed_in = await ask('/login', { headers, form: { username, password } })
    const registered = await ask('/register', { headers, form: registration(newName()), from: 'fixation' })

    for (const answer of [signed_in, registered]) {
      expect(answer.status).toBe(303)
      expect(pairOf(cookieOf(answer, 'session'))).toMatch(/^session=b[0-9a-f]{64}$/)
      expect(cookieOf(answer, 'session')).not.toContain(planted)
    }
    expect(await statusWith(headers)).toBe(401)
  })

  it('a signed-out session can’t be used again, and GET /logout ends nothing', async () => {
    const { headers } = await newcomer(app, newName())
    const asked = await ask('/logout', { headers })
    expect([asked.status, await statusWith(headers)]).toEqual([405, 200])

    const answer = await ask('/logout', { headers, method: 'POST' })

    expect(cookieOf(answer, 'session')).toMatch(/^session=;.*Max-Age=0/)
    expect([await statusWith(headers), await statusWith(headers)]).toEqual([401, 401])
    expect((await ask('/', { headers })).headers.get('location')).toMatch(/^\/login/)
  })

  it('a session without remember-me ends 24 hours after it began and is never extended', async () => {
    const { username, headers } = await newcomer(app, newName())
    const left = await leftAfter(username, '1 minute', headers)
    expect(left).toBeLessThan(61)
    await leftAfter(username, '-1 second', headers)
    expect(await statusWith(headers)).toBe(401)
    expect(await sessionsOf(username)).toBe(0)
  })

  it('a session with remember-me is extended to 30 days again, with its cookie', async () => {
    const { username } = await newcomer(app, newName())
    await sql`delete from sessions using users where users.id = user_id and username = ${username}`
    const { headers } = await signInAgain(app, username, { form: { remember: 'on' } })

    await leftAfter(username, '20 days', headers)
    const fresh = await ask('/api/channels', { headers })
    const left = await leftAfter(username, '10 days', headers)

    expect(fresh.headers.getSetCookie()).toEqual([])
    expect(left).toBeGreaterThan(29.9 * 86_400)
    await leftAfter(username, '-1 second', headers)
    expect(await statusWith(headers)).toBe(401)
  })

  it('a session token with another letter or another kind signs no one in', async () => {
    const { headers } = await newcomer(app, newName())
    const token = headers.cookie.slice('session=b'.length)
    const other = token.startsWith('0') ? '1' : '0'
    const tampered = [
      `b${other}${token.slice(1)}`,
      `r${token}`,
      `b${token.toUpperCase()}`,
      `b${token}0`,
      `b${token.slice(1)}`,
    ]
    for (const value of tampered.filter(value => value !== `b${token}`))
      expect([value, await statusWith({ cookie: `session=${value}` })]).toEqual([value, 401])
    expect(await statusWith(headers)).toBe(200)
  })

  it('deleting a user ends the session', async () => {
    const { username, headers } = await newcomer(app, newName())
    await elsewhere(async () => sql`delete from users where username = ${username}`)
    expect(await statusWith(headers)).toBe(401)
  })
})
