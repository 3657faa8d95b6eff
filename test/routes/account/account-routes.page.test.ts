/** Changing and setting the password, and the list of sessions. */
import { describe, expect, it } from 'vitest'
import { deskOfCommandLine } from '../../../jobs/cli/people-commands.ts'
import { makeReset } from '../../../src/domain/admin/people.ts'
import { useApp } from '../../support/app/app.ts'
import { sessionOf, withoutPassword } from '../../support/app/people.ts'
import { cookieOf, flashOf, newcomer, pairOf, password, signInAgain } from '../../support/app/sign-in.ts'

const app = useApp({ USER_QUOTA_GB: 2 })
const { ask, sql, elsewhere, textAt } = app
let count = 0
const newName = () => `account${++count}`
type Headers = Record<string, string>
const isIn = async (headers: Headers) => (await ask('/api/channels', { headers })).status === 200

const change = (headers: Headers, more: Record<string, string> = {}, from = '192.0.2.1') => {
  const changed = 'another fine phrase'
  const form = { current_password: password, password: changed, password_confirmation: changed, ...more }
  return ask('/settings/password', { headers, form, from })
}

const idsOf = async (username: string) =>
  (
    await sql<{ id: string; public_id: string }[]>`
    select   sessions.id, public_id
    from     sessions join users on users.id = user_id
    where    username = ${username}
    order by sessions.created_at, sessions.id`
  ).map(row => ({ ...row }))

describe('changing the password', () => {
  it('changing the password ends all other sessions, renews this one, and keeps API tokens', async () => {
    const { username, headers } = await newcomer(app, newName())
    const other = await signInAgain(app, username)
    await ask('/settings/tokens', { headers, form: { name: 'phone' } })

    const answer = await change(headers)
    const now = { cookie: pairOf(cookieOf(answer, 'session')) }

    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/settings/account'])
    expect(await Promise.all([isIn(headers), isIn(other.headers), isIn(now)])).toEqual([false, false, true])
    expect(await textAt('/settings/tokens', { headers: now })).toContain('phone')
    expect((await signInAgain(app, username)).status).toBe(401)
    expect((await signInAgain(app, username, { form: { password: 'another fine phrase' } })).status).toBe(303)
  })

  it('only one of two password changes at the same moment succeeds', async () => {
    const { username, headers } = await newcomer(app, newName())
    const other = await signInAgain(app, username)
    const words = ['first fine phrase', 'second fine phrase']
    const answers = await Promise.all(
      [headers, other.headers].map((who, i) =>
        change(who, { password: words[i] ?? '', password_confirmation: words[i] ?? '' }),
      ),
    )
    // The second may also find its session already ended.
    const done = answers.map(({ headers }) => headers.get('location') === '/settings/account')
    const right = await Promise.all(
      words.map(async password => (await signInAgain(app, username, { form: { password } })).status),
    )
    expect(done.filter(Boolean)).toHaveLength(1)
    expect(right).toEqual(done.map(is_done => (is_done ? 303 : 401)))
  })

  it('changing the password keeps remember-me', async () => {
    const { username } = await newcomer(app, newName())
    const remembered = await signInAgain(app, username, { form: { remember: 'on' } })
    expect(cookieOf(await change(remembered.headers), 'session')).toMatch(/Max-Age=2592000/)
  })

  it.each([
    [{ current_password: 'not it at all' }, 'current_password-error', 'Wrong password.'],
    [{ current_password: '' }, 'current_password-error', 'Wrong password.'],
    [{ password_confirmation: 'something else' }, 'password_confirmation-error', 'passwords don&#39;t match'],
    [{ password: 'short', password_confirmation: 'short' }, 'password-error', 'at least 8'],
    [{ password: 'Password1', password_confirmation: 'Password1' }, 'password-error', 'This password is too common'],
  ])('a password change with %j is refused at the field and changes nothing', async (wrong, id, sentence) => {
    const { username, headers } = await newcomer(app, newName())
    const answer = await change(headers, wrong)
    const text = await answer.text()

    expect(answer.status).toBe(422)
    expect(text).toMatch(new RegExp(`id="${id}">[^<]*${sentence}`))
    expect(text).not.toContain('another fine phrase')
    expect(await isIn(headers)).toBe(true)
    expect((await signInAgain(app, username)).status).toBe(303)
  })

  it('the username is refused as a new password', async () => {
    const { username, headers } = await newcomer(app, `longname${newName()}`)
    const own = username.toUpperCase()
    const answer = await change(headers, { password: own, password_confirmation: own })
    expect([answer.status, await answer.text()]).toEqual([
      422,
      expect.stringContaining('use your username as the password'),
    ])
  })

  it('wrong current passwords count as failed sign-ins', async () => {
    const { username, headers } = await newcomer(app, newName())
    for (let i = 0; i < 6; i++) await change(headers, { current_password: `wrong ${i}` }, '192.0.2.66')
    for (let i = 0; i < 4; i++)
      await signInAgain(app, username, { form: { password: `wrong ${i}` }, from: '192.0.2.67' })

    const answer = await change(headers, {}, '192.0.2.68')

    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(800)
    expect(await answer.text()).toMatch(/id="current_password-error">Too many attempts/)
  })
})

describe('an account without a password', () => {
  it('sets a password without a current one, which ends all other sessions and works only once', async () => {
    const [here, there] = [await withoutPassword(sql, newName()), { cookie: '' }]
    there.cookie = (await sessionOf(sql, here.user)).cookie
    const page = await textAt('/settings/account', { as: here })

    const answer = await change({ cookie: here.cookie }, { current_password: '' })
    const now = { cookie: pairOf(cookieOf(answer, 'session')) }
    const again = await change(now, {
      current_password: '',
      password: 'a third phrase',
      password_confirmation: 'a third phrase',
    })

    expect(page).toContain('Set a password')
    expect(page).not.toContain('current_password')
    expect([answer.status, flashOf(answer).text]).toEqual([303, 'Password set. Your other devices are signed out.'])
    expect(await Promise.all([isIn({ cookie: here.cookie }), isIn(there), isIn(now)])).toEqual([false, false, true])
    expect([again.status, await again.text()]).toEqual([
      422,
      expect.stringMatching(/id="current_password-error">Wrong/),
    ])
    const form = { password: 'another fine phrase' }
    expect((await signInAgain(app, here.user.username, { form })).status).toBe(303)
  })

  it('only one of two passwords set at the same moment counts', async () => {
    const { user, cookie } = await withoutPassword(sql, newName())
    const words = ['first fine phrase', 'second fine phrase']
    await Promise.all(words.map(word => change({ cookie }, { password: word, password_confirmation: word })))
    const right = await Promise.all(
      words.map(async word => (await signInAgain(app, user.username, { form: { password: word } })).status),
    )
    expect(right.toSorted()).toEqual([303, 401])
  })

  it('no password signs in, not even an empty one, until a link of the administrator has set one', async () => {
    const { user } = await withoutPassword(sql, newName())
    for (const wrong of ['', password, 'null'])
      expect((await signInAgain(app, user.username, { form: { password: wrong } })).status).toBe(401)
    const { token } = await makeReset(deskOfCommandLine(sql), user.username)
    const reset = await ask('/reset-password', {
      form: { token, password, password_confirmation: password },
    })

    expect(reset.headers.get('location')).toBe('/login')
    expect((await signInAgain(app, user.username)).status).toBe(303)
  })

  it.each([
    ['a password that is too common', { password: 'Password1', password_confirmation: 'Password1' }],
    ['a confirmation that differs', { password_confirmation: 'something else' }],
  ])('%s is refused and sets nothing', async (_, wrong) => {
    const here = await withoutPassword(sql, newName())
    const answer = await change({ cookie: here.cookie }, wrong)
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('Set a password')])
    const [row] = await sql`select password_hash from users where id = ${here.user.user_id}`
    expect(row?.password_hash).toBeNull()
    expect(await isIn({ cookie: here.cookie })).toBe(true)
  })

  it('its owner deletes it by typing the username', async () => {
    const here = await withoutPassword(sql, newName())
    const page = await textAt('/settings/delete', { as: here })
    const refused = [{ username: '' }, { username: 'someone' }, { password: here.user.username }]
    const statuses: number[] = []
    for (const form of refused) statuses.push((await ask('/settings/delete', { as: here, form })).status)
    const shown = await textAt('/settings/delete', { as: here, form: { username: 'someone' } })
    const done = await ask('/settings/delete', {
      as: here,
      form: { username: ` ${here.user.username.toUpperCase()} ` },
    })

    expect([page.includes('Your username'), page.includes('type="password"')]).toEqual([true, false])
    expect(statuses).toEqual([422, 422, 422])
    expect(shown).toMatch(/id="username-error">This is not your username/)
    expect([done.status, done.headers.get('location')]).toEqual([303, '/login'])
    expect(await sql`select from users where id = ${here.user.user_id}`).toHaveLength(0)
  })

  it('the username deletes no account that has a password', async () => {
    const { username, headers } = await newcomer(app, newName())
    expect((await ask('/settings/delete', { headers, form: { username } })).status).toBe(422)
    expect(await isIn(headers)).toBe(true)
  })
})

describe('sessions', () => {
  it('the account page lists sessions by device and time, marks this one, and contains no session token', async () => {
    const { username, headers } = await newcomer(app, newName())
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
    await signInAgain(app, username, { form: { remember: 'on' }, headers: { 'user-agent': firefox } })
    const text = await textAt('/settings/account', { headers })

    expect(text).toContain('Firefox on Linux')
    expect(text.match(/This device/g)).toHaveLength(1)
    expect(text).toContain('for 30 days')
    for (const { id } of await idsOf(username)) expect(text).not.toContain(id)
    expect(text).not.toContain(headers.cookie.split('=')[1])
  })

  it('a session can be ended alone; ending this one leads to the sign-in', async () => {
    const { username, headers } = await newcomer(app, newName())
    const [mine] = await idsOf(username)
    const other = await signInAgain(app, username)
    const theirs = (await idsOf(username)).find(({ public_id }) => public_id !== mine?.public_id)

    const there = await ask(`/settings/sessions/${theirs?.public_id}/end`, { method: 'POST', headers })
    const after = [await isIn(other.headers), await isIn(headers)]
    const here = await ask(`/settings/sessions/${mine?.public_id}/end`, { method: 'POST', headers })

    expect(there.headers.get('location')).toBe('/settings/account')
    expect(after).toEqual([false, true])
    expect(here.headers.get('location')).toBe('/login')
    expect(await isIn(headers)).toBe(false)
  })

  it('a session ends by its public identifier only', async () => {
    const { username, headers } = await newcomer(app, newName())
    const [mine] = await idsOf(username)
    for (const name of [mine?.id, 'x', '%00', '..'])
      expect((await ask(`/settings/sessions/${name}/end`, { method: 'POST', headers })).status).not.toBe(303)
    expect(await isIn(headers)).toBe(true)
  })

  it('all other sessions can be ended, or all', async () => {
    const { username, headers } = await newcomer(app, newName())
    const stranger = await newcomer(app, newName())
    const other = await signInAgain(app, username)

    await ask('/settings/sessions/end', { headers, form: { others: 'on' } })
    const others_gone = [await isIn(headers), await isIn(other.headers)]
    const third = await signInAgain(app, username)
    const everywhere = await ask('/settings/sessions/end', { headers, method: 'POST' })

    expect(others_gone).toEqual([true, false])
    expect(everywhere.headers.get('location')).toBe('/login')
    expect([await isIn(headers), await isIn(third.headers), await isIn(stranger.headers)]).toEqual([false, false, true])
  })

  it('a session notes its last use, at most once a minute', async () => {
    const { username, headers } = await newcomer(app, newName())
    const used = async (ago: string) => {
      await elsewhere(
        async () => sql`
          update sessions set used_at = now() - ${ago}::interval
          from   users where users.id = user_id and username = ${username}`,
      )
      await isIn(headers)
      const [row] = await sql<{ ago_s: number }[]>`
        select extract(epoch from now() - used_at)::float as ago_s
        from   sessions join users on users.id = user_id where username = ${username}`
      return row?.ago_s
    }
    expect(await used('50 seconds')).toBeGreaterThan(49)
    expect(await used('70 seconds')).toBeLessThan(10)
  })
})
