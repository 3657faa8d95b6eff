/** The people whom a trusted proxy names in a header, and names that open no account. */
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { onDisk } from '../../support/app/files.ts'
import { follows, person, withoutPassword } from '../../support/app/people.ts'
import { behind_proxy, proxied } from '../../support/app/proxied.ts'
import { newcomer, password } from '../../support/app/sign-in.ts'

const app = useApp(behind_proxy)
const shut = useApp({ ...behind_proxy, REGISTRATION: 'closed' })
const empty = useApp({ ...behind_proxy, REGISTRATION: 'closed' })
const { ask, sql, elsewhere, textAt } = app
const { as, nameAs, linked } = proxied(app)
let count = 0
const newName = (name = 'carol') => `${name}${++count}`
const bytesOf = (text: string) => Buffer.from(text, 'utf8').toString('latin1')
const accountsOf = (name: string) => sql<{ id: string; password_hash: string | null; role: string }[]>`
  select id, password_hash, role from users where lower(username) = lower(${name})`

describe('a person whom the proxy names', () => {
  it('the first name gets the first account, whose owner is an administrator without a password', async () => {
    expect(await proxied(empty).nameAs('head')).toBe('head')
    const [first] = await empty.sql`select username, role, password_hash from users`
    expect(first).toEqual({ username: 'head', role: 'admin', password_hash: null })
  })

  it('a new name gets an account, which opens pages, the API and files without a cookie', async () => {
    await person(sql, 'someone')
    const name = newName()
    const page = await as(name, '/')
    const [{ id = '', ...account } = {}, second] = [...(await accountsOf(name))]

    expect([page.status, page.headers.get('set-cookie')]).toEqual([200, null])
    expect(await page.text()).toContain(`<span class="name spoken-on-phone">${name}</span>`)
    expect([account, second]).toEqual([{ password_hash: null, role: 'member' }, undefined])
    expect(await nameAs(name)).toBe(name)
    expect((await as(name, '/settings/tokens', { form: { name: 'phone' } })).status).toBe(201)
    expect(await sql`select from sessions where user_id = ${id}`).toHaveLength(0)
  })

  it.each([
    ['ann@example.org', 'ann'],
    ['Ann of the club', 'Ann-of-the-club'],
    [bytesOf('Zoë Ünal'), 'Zoe-Unal'],
    [bytesOf('李'), 'person'],
    ['x'.repeat(40), 'x'.repeat(32)],
  ])('%j gets an account of the cleaned name, and opens it from then on', async (name, username) => {
    await sql`delete from users where username = ${username}`
    expect([await nameAs(name), await nameAs(name)]).toEqual([username, username])
    const [identity] = await sql`
      select subject from identities join users on users.id = user_id where username = ${username}`
    expect(bytesOf(identity?.subject)).toBe(name)
  })

  it('a name that has just got its account is not offered to link', async () => {
    const page = await as(newName(), '/settings/account')
    expect(await page.text()).not.toContain('/settings/proxy-name')
    expect((await as(newName(), '/settings/proxy-name', { form: {} })).status).toBe(404)
  })

  it('requests at the same moment create one account', async () => {
    const name = newName()
    const names = await Promise.all(Array.from({ length: 8 }, () => nameAs(name)))
    expect(new Set(names)).toEqual(new Set([name]))
    expect(await accountsOf(name)).toHaveLength(1)
  })

  it('pages of a person of the proxy offer no sign-out, and the sign-in leads on', async () => {
    const alice = await linked('alice')
    const text = await (await as(alice.user.username, '/')).text()
    const login = await as(alice.user.username, '/login?next=%2Fdownloads')
    expect(text).not.toContain('action="/logout"')
    expect(await textAt('/', { as: alice })).toContain('action="/logout"')
    expect([login.status, login.headers.get('location')]).toEqual([303, '/downloads'])
  })

  it('files are sent by the name alone, and only to their owner', async () => {
    const [alice, bob] = [await linked('alice'), await linked('bob')]
    await follows(alice, 'c', ['kept'])
    await onDisk(app.folder, alice, 'kept', 'a video', 'c')
    const [hers, his] = [await as(alice.user.username, '/stream/kept'), await as(bob.user.username, '/stream/kept')]
    expect([hers.status, await hers.text()]).toEqual([200, 'a video'])
    expect(hers.headers.get('cache-control')).toMatch(/^private, no-(cache|store)$/)
    expect(his.status).toBe(404)
  })

  it('their visits are noted', async () => {
    const { user } = await linked('alice')
    await sql`update users set last_seen_at = now() - interval '1 hour' where id = ${user.user_id}`
    await nameAs(user.username)
    const [row] =
      await sql`select last_seen_at > now() - interval '1 minute' as now from users where id = ${user.user_id}`
    expect(row?.now).toBe(true)
  })

  it('a role counts at once in this process, and soon in the others', async () => {
    const { user } = await linked('alice')
    const isAdmin = async () =>
      (await as(user.username, '/settings/tokens', { form: { name: 'desk', scope: 'admin' } })).status
    const before = await isAdmin()
    await elsewhere(() => sql`update users set role = 'admin' where id = ${user.user_id}`)
    expect([before, await isAdmin()]).toEqual([422, 201])
  })

  it('deleting the account ends in a page that does not create it again', async () => {
    const name = newName()
    await nameAs(name)
    const answer = await as(name, '/settings/delete', { form: { username: name } })
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining('Your account and everything in it is deleted.'),
    ])
    expect(await accountsOf(name)).toHaveLength(0)
    expect(await nameAs(name)).toBe(name)
  })
})

describe('a name that opens no account', () => {
  it('never takes over the account of that name, in any spelling', async () => {
    const { username } = await newcomer(app, newName('victim'))
    const spellings = [username, username.toUpperCase(), ` ${username} `, bytesOf(`ｖ${username.slice(1)}`)]
    for (const name of spellings) expect(await nameAs(name)).toBe(401)
    const cleaned = [`"${username}"`, `${username}@example.org`, `/${username}`, `<${username}>`]
    for (const name of cleaned) expect(await nameAs(name)).toBe(401)
    const other = [`%76${username.slice(1)}`, `=?utf-8?q?${username}?=`]
    for (const name of other) expect([username, 401]).not.toContain(await nameAs(name))
    expect(
      await sql`select from identities join users on users.id = user_id where lower(username) = ${username}`,
    ).toHaveLength(0)
  })

  it('its owner reads at the sign-in what to do', async () => {
    const { username } = await newcomer(app, newName('victim'))
    const page = await as(username, '/channels')
    const login = await (await as(username, page.headers.get('location') ?? '')).text()
    const json = await (await as(username, '/api/channels')).json()

    expect([page.status, page.headers.get('location')]).toEqual([303, '/login?next=%2Fchannels'])
    expect(login).toContain(`signed you in as ${username}. There is an account ${username}, which is not linked`)
    expect(login).toContain('link this name in Settings')
    expect(json).toMatchObject({ status: 401, detail: expect.stringContaining('There is an account victim') })
  })

  it('closed registration creates no account, and says so', async () => {
    await person(shut.sql, 'someone')
    const page = await proxied(shut).as('stranger', '/login')
    expect(await page.text()).toContain('It has no account here, and new accounts are closed.')
    expect(await shut.sql`select from users where username = 'stranger'`).toHaveLength(0)
  })

  it('a cleaned name that is taken is neither numbered nor linked, and its person reads so', async () => {
    const first = newName('ann')
    expect(await nameAs(`${first}@example.org`)).toBe(first)
    expect([await nameAs(`${first}@example.com`), await nameAs(first)]).toEqual([401, 401])
    const page = await as(`${first}@example.com`, '/login')
    expect(await page.text()).toContain(
      `signed you in as ${first}@example.com. There is an account ${first}, which is not linked`,
    )
    expect(await sql`select from users where starts_with(username, ${first})`).toHaveLength(1)
  })

  it('is linked by its owner with the current password, and then signs in alone', async () => {
    const { username, headers } = await newcomer(app, newName('owner'))
    const name = `${username}@example.org`
    const link = (current_password: string) => as(name, '/settings/proxy-name', { headers, form: { current_password } })

    const offer = await (await as(name, '/settings/account', { headers })).text()
    const wrong = await link('not it at all')
    const before = await nameAs(name)
    const done = await link(password)

    expect(offer).toContain(`Link ${name} (sign-in by your proxy)`)
    expect(await textAt('/settings/account', { headers })).not.toContain('/settings/proxy-name')
    expect([wrong.status, await wrong.text()]).toEqual([
      422,
      expect.stringMatching(/id="proxy-password-error">Wrong password/),
    ])
    expect(before).toBe(401)
    expect([done.status, done.headers.get('location')]).toEqual([303, '/settings/account'])
    expect(await nameAs(name)).toBe(username)
  })

  it('is never read from a form, and nothing can be linked without the header', async () => {
    const { headers } = await newcomer(app, newName('owner'))
    const form = { current_password: password, name: 'admin', subject: 'admin', 'remote-user': 'admin' }
    expect((await ask('/settings/proxy-name', { headers, form })).status).toBe(404)
    expect((await ask('/settings/proxy-name', { headers: { ...headers, 'remote-user': 'admin' }, form })).status).toBe(
      404,
    )
    expect(await sql`select from identities where subject = 'admin'`).toHaveLength(0)
  })

  it('an account without a password links it without one', async () => {
    const here = await withoutPassword(sql, 'keyholder')
    const name = newName()
    expect((await as(name, '/settings/proxy-name', { as: here, form: {} })).status).toBe(303)
    expect(await nameAs(name)).toBe(here.user.username)
  })

  it('opens nothing any more once it is unlinked', async () => {
    const { user, library } = await linked('alice')
    expect(await nameAs(user.username)).toBe(user.username)
    await sql`update users set password_hash = 'a hash' where id = ${user.user_id}`
    const key = { issuer: 'header:remote-user', subject: user.username }
    await elsewhere(() => library.identities.unlink(key))
    expect(await nameAs(user.username)).toBe(401)
  })
})
