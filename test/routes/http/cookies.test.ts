/** The flags of cookies, and cookies that are malformed. */
import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { someoneFirst } from '../../support/app/people.ts'
import { cookieOf, newcomer, pairOf, registration } from '../../support/app/sign-in.ts'

const app = useApp()
const { ask } = app
const https = useApp({ PUBLIC_URL: 'https://backlot.example' })
beforeAll(() => someoneFirst(app.sql))
let count = 0
const newName = () => `session${++count}`
type Headers = Record<string, string>
const statusWith = async (headers: Headers) => (await ask('/api/channels', { headers })).status

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
