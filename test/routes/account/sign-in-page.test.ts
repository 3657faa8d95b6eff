/** Registering, signing in and signing out, with the cookies of a session. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Ask, anotherApp, useApp } from '../../support/app/app.ts'
import { someoneFirst } from '../../support/app/people.ts'
import { cookieOf, pairOf, password, registration } from '../../support/app/sign-in.ts'

const app = useApp()
const { ask, sql, textAt } = app
const https = useApp({ PUBLIC_URL: 'https://backlot.example' })
const shut = useApp({ REGISTRATION: 'closed' })

let count = 0
const newName = () => `person${++count}`

async function register(username = newName()) {
  const answer = await ask('/register', { form: registration(username), from: `of ${username}` })
  expect(answer.status).toBe(303)
  return { username, cookie: pairOf(cookieOf(answer, 'session')) }
}

describe('registering', () => {
  it('registering signs in, leads to the first page, and is confirmed there once', async () => {
    const username = newName()
    const answer = await ask('/register', { form: registration(username) })
    const cookie = [cookieOf(answer, 'session'), cookieOf(answer, 'flash')].map(pairOf).join('; ')

    const first = await ask('/', { headers: { cookie } })
    const text = await first.text()

    expect(answer.headers.get('location')).toBe('/')
    expect(text).toContain(`Welcome, ${username}.`)
    expect(text).toContain(username)
    expect(cookieOf(first, 'flash')).toMatch(/Max-Age=0/)
  })

  it('the password is stored only as an Argon2id hash', async () => {
    const { username } = await register()
    const [row] = await sql`select * from users where username = ${username}`
    expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(JSON.stringify(row)).not.toContain(password)
  })

  it('a username is taken in any case', async () => {
    const { username } = await register()
    const answer = await ask('/register', { form: registration(username.toUpperCase()) })
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('That username is taken')])
  })

  it.each([
    [{ username: 'ab' }, 'Too short: at least 3 characters.'],
    [{ username: 'a'.repeat(33) }, 'Too long: at most 32 characters.'],
    [{ username: 'with space' }, 'Use only letters'],
    [{ username: 'аdmin' /* a Cyrillic а */ }, 'Use only letters'],
    [{ password: 'short', password_confirmation: 'short' }, 'at least 8'],
    [{ password: 'x'.repeat(129), password_confirmation: 'x'.repeat(129) }, 'at most 128'],
    [{ password_confirmation: 'another one' }, 'passwords don&#39;t match'],
  ])('registering with %j shows the form again, with a sentence at the field', async (wrong, sentence) => {
    const form = { ...registration(newName()), ...wrong }
    const answer = await ask('/register', { form })
    const text = await answer.text()
    expect(answer.status).toBe(422)
    expect(text).toContain(sentence)
    expect(text).not.toContain(form.password)
  })

  it('the very first account can be created even with registration closed', async () => {
    const first = await shut.ask('/register', { form: registration('firstone') })
    const second = await shut.ask('/register', { form: registration('secondone') })
    const page = await shut.ask('/register')
    expect([first.status, second.status, page.status]).toEqual([303, 403, 403])
    expect(await shut.textAt('/login')).not.toContain('/register')
  })
})

describe('the first visit', () => {
  const fresh = useApp()
  const closed = useApp({ REGISTRATION: 'closed' })

  it.each([
    ['open', fresh, 'New here? <a href="/register">'],
    ['closed', closed, 'New here? Ask your administrator for an invitation.'],
  ])(
    'with registration %s, a Backlot without accounts leads to Create account, and later says who may have one',
    async (_, { ask, textAt }, words) => {
      const first = await ask('/')
      const login = await ask(first.headers.get('location') ?? '')
      const page = await textAt(login.headers.get('location') ?? '')
      expect(login.headers.get('location')).toBe('/register')
      expect(page).toContain('Yours is the first, so you become its administrator.')
      expect(page).toContain('Follow video channels')
      expect(page).not.toContain('href="/login">Sign in</a>\n')

      await ask('/register', { form: registration('firstone') })
      const after = await ask('/login')
      expect([after.status, await after.text()]).toEqual([200, expect.stringContaining('Follow video channels')])
      expect(await textAt('/login')).toContain(words)
    },
  )
})

describe('a person who was signed out', () => {
  beforeAll(() => someoneFirst(sql))
  const sentence = 'You were signed out. Sign in to continue.'
  const shown = async (path: string, more: Ask) => {
    const answer = await ask(path, more)
    const login = answer.headers.get('location') ?? answer.headers.get('hx-redirect') ?? ''
    return textAt(login)
  }
  const referer = 'http://localhost/channels'

  it.each<[string, string, Ask]>([
    ['clicks a link of an old page', '/downloads', { headers: { referer } }],
    ['sends a form of an old page', '/channels', { form: { url: 'a' }, headers: { referer } }],
    ['presses a button that htmx sends', '/videos/a/seen', { method: 'POST', headers: { 'hx-request': 'true' } }],
    ['opens a page after the session has ended', '/', { headers: { cookie: `session=b${'0'.repeat(64)}` } }],
  ])('who %s reads that they were signed out', async (_, path, more) => {
    expect(await shown(path, more)).toContain(sentence)
  })

  it.each<[string, Ask]>([
    ['opens the site', {}],
    ['clicks on the page to sign in', { headers: { referer: 'http://localhost/login' } }],
    ['comes from another site', { headers: { referer: 'https://elsewhere.example/channels' } }],
  ])('who %s reads nothing of it', async (_, more) => {
    expect(await shown('/', more)).not.toContain(sentence)
  })
})

describe('signing in', () => {
  it('a session lasts until the browser closes, or 30 days with remember-me', async () => {
    const { username } = await register()
    const short = cookieOf(await ask('/login', { form: { username, password } }), 'session')
    const long = cookieOf(await ask('/login', { form: { username, password, remember: 'on' } }), 'session')

    expect(short).not.toMatch(/Max-Age|Expires/i)
    expect(long).toMatch(/Max-Age=2592000/)
    for (const cookie of [short, long]) expect(cookie).toMatch(/HttpOnly.*SameSite=Lax/)
    const lifetimes = await sql<{ days: number }[]>`
      select round(extract(epoch from expires_at - now()) / 86400)::int as days
      from   sessions join users on users.id = sessions.user_id
      where  username = ${username}
      order by days`
    expect(lifetimes.map(({ days }) => days)).toEqual([1, 1, 30])
  })

  it('signing in accepts the username in any spelling', async () => {
    const { username } = await register()
    const wide = username.replace('p', '\uff50')
    for (const typed of [` ${username} `, username.toUpperCase(), wide])
      expect((await ask('/login', { form: { username: typed, password } })).status).toBe(303)
  })

  it('signing in begins a new session and ends the browser’s earlier one', async () => {
    const { username, cookie } = await register()
    const answer = await ask('/login', { form: { username, password }, headers: { cookie } })

    expect(pairOf(cookieOf(answer, 'session'))).not.toBe(cookie)
    expect((await ask('/api/channels', { headers: { cookie } })).status).toBe(401)
    const again = { headers: { cookie: pairOf(cookieOf(answer, 'session')) } }
    expect((await ask('/api/channels', again)).status).toBe(200)
  })

  it('signing in leads back to the page that was requested', async () => {
    const { username } = await register()
    const asked = await ask('/channels/some.channel?q=bread')
    const login = asked.headers.get('location') ?? ''
    const page = await textAt(login)
    const next = new URL(login, 'http://localhost').searchParams.get('next') ?? ''
    const answer = await ask('/login', { form: { username, password, next } })

    expect(login).toBe('/login?next=%2Fchannels%2Fsome.channel%3Fq%3Dbread')
    expect(page).toContain('value="/channels/some.channel?q=bread"')
    expect(answer.headers.get('location')).toBe('/channels/some.channel?q=bread')
  })

  it('signing in never leads to another site', async () => {
    const { username } = await register()
    const answer = await ask('/login', { form: { username, password, next: '//evil.example/' } })
    expect(answer.headers.get('location')).toBe('/')
  })

  it('a wrong username and a wrong password get the same answer', async () => {
    const { username } = await register()
    const answers = await Promise.all([
      ask('/login', { form: { username, password: 'wrong password' } }),
      ask('/login', { form: { username: 'nobodyhere', password } }),
      ask('/login', { form: { username: 'not a name at all \u0001', password: '' } }),
    ])
    const texts = await Promise.all(answers.map(answer => answer.text()))
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
    const alike = texts.map(text => text.replaceAll(/value="[^"]*"/g, ''))
    expect(new Set(alike).size).toBe(1)
    expect(texts[0]).toContain('Wrong username or password.')
  })

  it('failed sign-ins are limited per account, with the time to wait', async () => {
    const { username } = await register()
    const tries = []
    for (let i = 0; i < 10; i++)
      tries.push((await ask('/login', { form: { username, password: `wrong ${i}` } })).status)
    const answer = await ask('/login', { form: { username: username.toUpperCase(), password } })

    expect(new Set(tries)).toEqual(new Set([401]))
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(800)
    expect(await answer.text()).toContain('Too many attempts. Try again in 15 minutes')
  })

  it('failed sign-ins are counted in the database, across processes and restarts', async () => {
    const { username } = await register()
    for (let i = 0; i < 10; i++) await ask('/login', { form: { username, password: `wrong ${i}` } })
    const another = await anotherApp(sql, app.files)
    const body = new URLSearchParams({ username, password })
    expect((await another.request('/login', { method: 'POST', body }, { remote_address: '192.0.2.2' })).status).toBe(
      429,
    )
  })

  it('malformed cookies do not break a sign-in', async () => {
    const cookies = [
      'x=%; session=%00',
      'session=',
      `session=r${'0'.repeat(64)}`,
      'session=b\u00e9',
      'flash=%%%; theme=purple',
    ]
    for (const cookie of cookies) expect((await ask('/login', { headers: { cookie } })).status).toBe(200)
  })
})

describe('behind https', () => {
  it('behind https the session cookie is bound to this host and to https', async () => {
    const answer = await https.ask('/register', { form: registration(newName()) })
    expect(cookieOf(answer, '__Host-session')).toMatch(/Path=\/;.*Secure/)
  })

  it('behind https a session cookie of plain http is ignored', async () => {
    const answer = await https.ask('/register', { form: registration(newName()) })
    const token = pairOf(cookieOf(answer, '__Host-session')).split('=')[1]
    expect((await https.ask('/api/channels', { headers: { cookie: `session=${token}` } })).status).toBe(401)
    expect((await https.ask('/api/channels', { headers: { cookie: `__Host-session=${token}` } })).status).toBe(200)
  })
})

describe('signing out', () => {
  it('signing out ends the session on the server and says so', async () => {
    const { cookie } = await register()
    const answer = await ask('/logout', { headers: { cookie }, method: 'POST' })
    const login = await ask('/login', { headers: { cookie: pairOf(cookieOf(answer, 'flash')) } })

    expect(answer.headers.get('location')).toBe('/login')
    expect(await login.text()).toContain('Signed out.')
    expect((await ask('/api/channels', { headers: { cookie } })).status).toBe(401)
  })
})

describe('requests from other sites', () => {
  it.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('a sign-in sent by another site is refused: %j', async headers => {
    const { cookie } = await register()
    const answer = await ask('/logout', { headers: { ...(headers as Record<string, string>), cookie }, method: 'POST' })
    expect(answer.status).toBe(403)
    expect((await ask('/api/channels', { headers: { cookie } })).status).toBe(200)
  })

  it('a sign-in sent by our own page is accepted', async () => {
    const headers = { origin: 'http://localhost', 'sec-fetch-site': 'same-origin' }
    expect((await ask('/logout', { headers, method: 'POST' })).status).toBe(303)
  })
})

describe('the theme', () => {
  it('the theme is remembered, and choosing it leads back to the page', async () => {
    await someoneFirst(sql)
    const referer = 'http://localhost/login?next=%2Fdownloads'
    const answer = await ask('/theme', { form: { theme: 'dark' }, headers: { referer } })
    const page = await ask('/login', { headers: { cookie: pairOf(cookieOf(answer, 'theme')) } })
    expect(answer.headers.get('location')).toBe('/login?next=%2Fdownloads')
    expect(await page.text()).toContain('data-theme="dark"')
  })
})
