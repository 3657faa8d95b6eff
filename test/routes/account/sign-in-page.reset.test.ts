/** A forgotten password: the page behind the link that `npm run people` prints. */
import { beforeEach, describe, expect, it } from 'vitest'
import { sessionsIn } from '../../../src/auth/sessions.ts'
import { useApp } from '../../support/app/app.ts'
import { peopleCommandsOn } from '../../support/app/command-line.ts'
import { type Person, person } from '../../support/app/people.ts'

const app = useApp({ connections: 8 })
const { ask, sql, textAt } = app
const people = peopleCommandsOn(app)

const password = 'a quiet harbour'
let alice: Person
let name: string

async function linkFor(username: string, revoke_tokens = false): Promise<{ path: string; token: string }> {
  const { text } = await people('reset-password', { username, revoke_tokens })
  const url = new URL(/https:\S+/.exec(text)?.[0] ?? '')
  expect(url.origin).toBe('https://tv.example')
  return { path: url.pathname + url.search, token: url.searchParams.get('token') ?? '' }
}

const choose = (token: string, more: Record<string, string> = {}) =>
  ask('/reset-password', { form: { token, password, password_confirmation: password, ...more } })

const signIn = (username: string, given = password) => ask('/login', { form: { username, password: given } })

beforeEach(async () => {
  alice = await person(sql, 'alice')
  name = alice.user.username
})

describe('a reset link', () => {
  it('a reset link lets its user choose a password once, and ends all sessions', async () => {
    const bob = await person(sql, 'bob')
    const { path, token } = await linkFor(name)

    // Programs that preview links open it first.
    for (let n = 0; n < 3; n++) expect((await ask(path)).status).toBe(200)
    const answer = await choose(token)

    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login'])
    expect((await signIn(name)).status).toBe(303)
    expect((await signIn(bob.user.username)).status).toBe(401)
    expect(await sessionsIn(sql).validate(alice.cookie.replace('session=', ''))).toBeUndefined()
    expect(await sessionsIn(sql).validate(bob.cookie.replace('session=', ''))).toBeDefined()
    const [again, page] = [await choose(token, { password: 'another harbour' }), await ask(path)]
    expect([again.status, page.status]).toEqual([404, 404])
    expect(await page.text()).toContain('already used')
  })

  it('the reset page names the user, in a form that works without scripts', async () => {
    const text = await textAt((await linkFor(name)).path)
    expect(text).toContain(`<strong>${name}</strong>`)
    expect(text).toMatch(/<form[^>]*method="post" action="\/reset-password"/)
    expect(text.match(/type="password"/g)).toHaveLength(2)
  })

  it('a reset link stops working after an hour, or when a newer one is made', async () => {
    const first = await linkFor(name)
    const second = await linkFor(name)
    expect((await choose(first.token)).status).toBe(404)
    await sql`update secrets set expires_at = now() where user_id = ${alice.user.user_id}`
    expect([(await choose(second.token)).status, (await ask(second.path)).status]).toEqual([404, 404])
    const [left] = await sql`select password_hash from users where id = ${alice.user.user_id}`
    expect(left?.password_hash).toBe('not a hash')
  })

  it('a reset link stops working when its user changes the password', async () => {
    await choose((await linkFor(name)).token)
    const { token } = await linkFor(name)
    const cookie = (await signIn(name)).headers.get('set-cookie')?.split(';')[0] ?? ''
    const change = { current_password: password, password: 'a loud harbour', password_confirmation: 'a loud harbour' }
    expect((await ask('/settings/password', { headers: { cookie }, form: change })).status).toBe(303)

    expect((await choose(token)).status).toBe(404)
    expect((await signIn(name, 'a loud harbour')).status).toBe(303)
  })

  it.each([[''], ['x'], ['0'.repeat(64)], ["' or true --"], ['x'.repeat(1000)], ['%00']])(
    'the token %j resets no password',
    async token => {
      await linkFor(name)
      const page = await ask(`/reset-password?token=${encodeURIComponent(token)}`)
      const posted = await choose(token)
      expect(page.status).toBe(404)
      expect([404, 422]).toContain(posted.status)
    },
  )

  it.each([
    ['too short', { password: 'short', password_confirmation: 'short' }, 'at least 8 characters'],
    ['common', { password: 'password1', password_confirmation: 'password1' }, 'This password is too common'],
    ['typed two ways', { password_confirmation: 'a quiet harbor' }, 'passwords don&#39;t match'],
  ])('a refused password that is %s does not use up the reset link', async (_, form, sentence) => {
    const { token } = await linkFor(name)
    const refused = await choose(token, form)
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining(sentence)])
    expect((await choose(token)).status).toBe(303)
  })

  it('only one of ten uses of a reset link at the same moment succeeds', async () => {
    const { token } = await linkFor(name)
    const answers = await Promise.all(Array.from({ length: 10 }, () => choose(token)))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
  })

  it('a reset also forgives failed sign-ins of its user', async () => {
    for (let n = 0; n < 11; n++) await signIn(name, 'a wrong harbour')
    expect((await signIn(name)).status).toBe(429)
    await choose((await linkFor(name)).token)
    expect((await signIn(name)).status).toBe(303)
  })

  it('guesses of a reset token are limited per address', async () => {
    const from = '198.51.100.7'
    const guess = () =>
      ask('/reset-password', { form: { token: '1'.repeat(64), password, password_confirmation: password }, from })
    for (let n = 0; n < 50; n++) await guess()
    const { token } = await linkFor(name)
    const refused = await ask('/reset-password', { form: { token, password, password_confirmation: password }, from })
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true])
    expect((await choose(token)).status).toBe(303)
  })

  it('a reset token is stored only as a hash', async () => {
    const { token } = await linkFor(name)
    const [row] = await sql`select to_json(secrets) as row from secrets where user_id = ${alice.user.user_id}`
    expect(JSON.stringify(row)).not.toContain(token)
  })

  it('a reset keeps API tokens, unless the administrator revokes them', async () => {
    const { secrets } = alice.library
    await secrets.make({ kind: 'token', opens: { scope: 'read' }, name: 'mine', lasts_s: null })
    await choose((await linkFor(name)).token)
    expect(await secrets.tokens()).toHaveLength(1)
    await linkFor(name, true)
    expect(await secrets.tokens()).toHaveLength(0)
  })
})
