/** What an attacker may try with sessions, cookies and names. */
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { cookieOf, newcomer, pairOf, password, registration, signInAgain } from '../../support/app/sign-in.ts'

const app = useApp()
const { ask, sql } = app
const https = useApp({ PUBLIC_URL: 'https://backlot.example' })
const race = useApp()
const crowd = useApp()
const shut = useApp({ REGISTRATION: 'closed' })

let count = 0
const newName = () => `session${++count}`
type Headers = Record<string, string>
const statusWith = async (headers: Headers) => (await ask('/api/channels', { headers })).status

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
    await sql`delete from users where username = ${username}`
    expect(await statusWith(headers)).toBe(401)
  })
})

/** Sets how long the sessions of somebody still last, lets them be used, and says how many seconds are left then. */
async function leftAfter(username: string, left: string, headers: Headers): Promise<number> {
  await sql`
    update sessions set expires_at = now() + ${left}::interval
    from   users where users.id = user_id and username = ${username}`
  await ask('/api/channels', { headers })
  const [row] = await sql<{ left_s: number }[]>`
    select extract(epoch from expires_at - now())::float as left_s
    from   sessions join users on users.id = user_id where username = ${username}`
  return row?.left_s ?? 0
}

const sessionsOf = async (username: string) =>
  (await sql`select from sessions join users on users.id = user_id where username = ${username}`).count

describe('cookies', () => {
  it.each([
    ['http', app, ''],
    ['https', https, '__Host-'],
  ] as const)('cookies of %s are HttpOnly and for this site only', async (scheme, site, prefix) => {
    const registered = await site.ask('/register', { form: registration(newName()), from: 'flags' })
    const cookie = pairOf(cookieOf(registered, `${prefix}session`))
    const theme = await site.ask('/theme', { form: { theme: 'dark' } })
    const out = await site.ask('/logout', { method: 'POST', headers: { cookie } })
    const all = [registered, theme, out].flatMap(answer => answer.headers.getSetCookie())

    expect(all.map(line => line.split('=')[0]).toSorted()).toEqual(
      [`${prefix}flash`, `${prefix}flash`, 'theme', `${prefix}session`, `${prefix}session`].toSorted(),
    )
    for (const line of all) {
      expect(line).toMatch(/; Path=\/(;|$)/)
      if (!line.includes('Max-Age=0')) expect(line).toMatch(/; HttpOnly.*; SameSite=Lax/)
      expect(line).not.toMatch(/; Domain=/)
      expect(/; Secure(;|$)/.test(line), line).toBe(scheme === 'https')
    }
  })

  it.each([
    ['a lone percent sign', 'x=%'],
    ['a broken escape', 'session=%zz'],
    ['a NUL', 'session=%00'],
    ['nothing', 'session='],
    ['no name', '=x; ;;'],
    ['a prototype', '__proto__=x; constructor=y'],
    ['something long', `session=${'a'.repeat(16_384)}`],
    ['many of one name', Array.from({ length: 10 }, (_, i) => `session=b${String(i).repeat(64)}`).join('; ')],
  ])('cookies with %s sign no one in and break nothing', async (_, cookie) => {
    expect(await statusWith({ cookie })).toBe(401)
    expect((await ask('/login', { headers: { cookie } })).status).toBe(200)
    expect((await ask('/', { headers: { cookie } })).headers.get('location')).toMatch(/^\/login/)
  })

  it('broken cookies next to a good one sign no one out', async () => {
    const { headers } = await newcomer(app, newName())
    expect(await statusWith({ cookie: `x=%; y=%zz; ${headers.cookie}; z=\u00e9` })).toBe(200)
  })
})

describe('a name', () => {
  it('of twenty requests for one username at the same moment, in any spelling, one succeeds', async () => {
    const names = ['Bob', 'bob', 'BOB', '\uff42\uff4f\uff42']
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => race.ask('/register', { form: registration(names[i % 4] ?? '') })),
    )
    const [row] = await race.sql<{ count: number }[]>`select count(*) as count from users`
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, ...Array.from({ length: 19 }, () => 409)])
    expect(row?.count).toBe(1)
  })
})

describe('where nobody else may register', () => {
  it('with registration closed, of many first accounts at the same moment one is created', async () => {
    const names = Array.from({ length: 8 }, (_, i) => `first${i}`)
    const answers = await Promise.all(names.map(name => shut.ask('/register', { form: registration(name) })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, ...Array.from({ length: 7 }, () => 403)])
    expect((await shut.sql`select from users`).count).toBe(1)
  })
})

describe('a message for the next page', () => {
  const lie = Buffer.from(JSON.stringify({ kind: 'problem', text: 'Call this number.' })).toString('base64url')
  it.each([
    ['https', https, `flash=${lie}`, false],
    ['https', https, `__Host-flash=${lie}`, true],
    ['http', app, `flash=${lie}`, true],
  ] as const)(
    'behind %s a flash cookie that another host of the domain could set is ignored: %#',
    async (_, site, cookie, is_read) => {
      const page = await (await site.ask('/login', { headers: { cookie } })).text()
      expect(page.includes('Call this number.')).toBe(is_read)
    },
  )
})

describe('registering', () => {
  it.each([
    [
      'longusername',
      { password: 'LongUsername', password_confirmation: 'LongUsername' },
      'use your username as the password',
    ],
    ['somebody', { password: 'password1', password_confirmation: 'password1' }, 'This password is too common'],
    ['somebody', { password: 'QwertyUiop', password_confirmation: 'QwertyUiop' }, 'This password is too common'],
  ])('registering %s with the password %j is refused at the field', async (username, chosen, sentence) => {
    const answer = await ask('/register', { form: registration(username, chosen) })
    const text = await answer.text()
    expect(answer.status).toBe(422)
    expect(text).toMatch(new RegExp(`id="password-error">[^<]*${sentence}`))
    expect(text).not.toContain(chosen.password)
    expect(text).toContain(`value="${username}"`)
  })

  it.each(['a'.repeat(64), '  spaces at both ends  ', '🔑🗝️🔒🔓🔏🔐🛡️🚪', 'pässwörter ﬁnden'])(
    'the password %j is used as typed',
    async chosen => {
      const username = newName()
      const form = registration(username, { password: chosen, password_confirmation: chosen })
      expect((await ask('/register', { form, from: 'any-password' })).status).toBe(303)
      expect((await signInAgain(app, username, { form: { password: chosen } })).status).toBe(303)
      expect((await signInAgain(app, username, { form: { password: chosen.slice(0, -1) } })).status).toBe(401)
    },
  )

  it('registering is limited per address, with the time to wait', async () => {
    const register = (from: string) => crowd.ask('/register', { form: registration(newName()), from })
    const statuses = []
    for (let i = 0; i < 20; i++) statuses.push((await register('192.0.2.7')).status)
    const answer = await register('192.0.2.7')

    expect(new Set(statuses)).toEqual(new Set([303]))
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3500)
    expect(await answer.text()).toContain('Too many tries. Try again in 60 minutes')
    expect((await register('192.0.2.8')).status).toBe(303)
  })
})
