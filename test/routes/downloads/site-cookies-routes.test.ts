/** A person's cookies as JSON: they go in, and nothing gives them out. */
import { describe, expect, it } from 'vitest'
import { libraryOf } from '../../../src/db/library.ts'
import { max_cookie_hosts } from '../../../src/schema/downloads/site-cookies.ts'
import { useApp } from '../../support/app/app.ts'
import { type Person, person } from '../../support/app/people.ts'
import { tokensThrough } from '../../support/app/tokens.ts'
import { cookieFile, wholeBrowser } from '../../support/media/small-youtube/account.ts'

const app = useApp({ SECRET_KEY: 'a-key-of-more-than-thirty-two-letters' })
const without_key = useApp()
const { ask, sql, jsonAt, textAt } = app
const { tokenOf } = tokensThrough(app)
const login = 'a-secret-login'

const put = (as: Person, host: string, body = cookieFile(login), type = 'text/plain') =>
  ask(`/api/cookies/${host}`, { as, method: 'PUT', body, headers: { 'content-type': type } })
const listed = async (as: Person) => (await jsonAt('/api/cookies', { as })) as { cookies: object[] }

describe('cookies', () => {
  it('are listed by host and dates, replaced, and deleted', async () => {
    const alice = await person(sql, 'alice')
    const dates = { stored_at: expect.any(String), worked_at: null, refused_at: null }
    const stored = { host: 'youtube.com', ...dates, expires_at: '2099-01-01T00:00:00.000Z' }
    const answer = await put(alice, 'www.youtube.com')
    expect([answer.status, await answer.json()]).toEqual([200, stored])
    expect((await put(alice, 'google.com')).status).toBe(200)
    await alice.library.cookies.recordUse((await alice.library.cookies.list())[0] ?? expect.fail(), false)
    expect((await put(alice, 'youtube.com', cookieFile('another'), 'application/octet-stream')).status).toBe(200)
    expect(await listed(alice)).toEqual({
      cookies: [{ ...stored, host: 'google.com', refused_at: expect.any(String) }, stored],
    })

    const remove = () => ask('/api/cookies/youtube.com', { as: alice, method: 'DELETE' })
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 404])
    expect((await listed(alice)).cookies).toHaveLength(1)
  })

  it('of one person are unknown to another, and encrypted in the database for their row alone', async () => {
    const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
    await put(alice, 'youtube.com')
    expect(await listed(bob)).toEqual({ cookies: [] })
    expect((await ask('/api/cookies/youtube.com', { as: bob, method: 'DELETE' })).status).toBe(404)
    const [row] = await sql<{ all: string; sealed: Uint8Array }[]>`
      select site_cookies::text as all, sealed from site_cookies where user_id = ${alice.user.user_id}`
    expect(Buffer.from(row?.sealed ?? []).includes(login)).toBe(false)
    expect(row?.all).not.toContain(Buffer.from(login).toString('hex'))
  })

  it('of other sites in the same file are not kept', async () => {
    const alice = await person(sql, 'alice')
    await put(alice, 'google.com')
    const { unseal } = await import('../../../src/auth/sealed.ts')
    const [stored] = await libraryOf(sql, alice.user.user_id).cookies.list()
    const purpose = `cookies of ${alice.user.user_id} for google.com`
    const text = unseal('a-key-of-more-than-thirty-two-letters', purpose, stored?.sealed ?? Uint8Array.of())
    expect(text).toBe(`# Netscape HTTP Cookie File\n.google.com\tTRUE\t/\tTRUE\t4070908800\tSID\t${login}-google\n`)
  })

  it('are taken from the file of a whole browser', async () => {
    const alice = await person(sql, 'alice')
    expect((await put(alice, 'youtube.com', wholeBrowser(cookieFile(login)))).status).toBe(200)
    expect((await alice.library.cookies.list())[0]?.sealed.length).toBeLessThan(1000)
  })

  it.each([
    ['com', cookieFile(login), 422],
    ['127.0.0.1', cookieFile(login), 422],
    ['other.example', cookieFile(login), 422],
    ['youtube.com', 'LOGIN_INFO=a-secret-login', 422],
    ['youtube.com', '', 422],
    ['youtube.com', cookieFile('long'.repeat(60_000)), 422],
    ['youtube.com', `#${'a'.repeat(2_100_000)}`, 413],
  ])('of %s can be refused, in a sentence without the cookies', async (host, body, status) => {
    const answer = await put(await person(sql, 'alice'), host, body)
    expect(answer.status).toBe(status)
    expect(await answer.text()).not.toContain(login)
  })

  it('are not taken as a form, which another site could send', async () => {
    const alice = await person(sql, 'alice')
    expect((await put(alice, 'youtube.com', 'a=b', 'application/x-www-form-urlencoded')).status).toBe(415)
  })

  it('are stored and deleted by tokens that may write, and listed by all', async () => {
    const alice = await person(sql, 'alice')
    const status = async (scope: 'read' | 'write', method: string) => {
      const headers = { authorization: `Bearer ${await tokenOf(alice, scope)}`, 'content-type': 'text/plain' }
      const path = method === 'GET' ? '/api/cookies' : '/api/cookies/youtube.com'
      return (await ask(path, { method, headers, ...(method === 'PUT' && { body: cookieFile(login) }) })).status
    }
    expect([await status('read', 'PUT'), await status('write', 'PUT')]).toEqual([403, 200])
    expect([await status('read', 'GET'), await status('read', 'DELETE')]).toEqual([200, 403])
    expect(await status('write', 'DELETE')).toBe(204)
  })

  it('are of a limited number of sites, also when two are stored at the same moment', async () => {
    const alice = await person(sql, 'alice')
    await sql`
      insert into site_cookies (user_id, host, sealed)
      select ${alice.user.user_id}, nth || '.example', '' from generate_series(2, ${max_cookie_hosts}) nth`
    const answers = await Promise.all(['youtube.com', 'google.com'].map(host => put(alice, host)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  it('are not in the archive of their person, and go with the account', async () => {
    const alice = await person(sql, 'alice')
    await put(alice, 'youtube.com')
    expect(await textAt('/api/archive', { as: alice })).not.toMatch(/cookie|youtube/i)
    await sql`delete from users where id = ${alice.user.user_id}`
    expect(await sql`select from site_cookies where user_id = ${alice.user.user_id}`).toEqual([])
  })
})

it('without SECRET_KEY, cookies are refused in words about it', async () => {
  const alice = await person(without_key.sql, 'alice')
  const headers = { 'content-type': 'text/plain' }
  const body = cookieFile(login)
  const answer = await without_key.ask('/api/cookies/youtube.com', { as: alice, method: 'PUT', body, headers })
  expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('SECRET_KEY')])
})
