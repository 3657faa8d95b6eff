import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importTask } from '../../../jobs/tasks/import-channels.ts'
import { libraryOf } from '../../../src/db/library/library.ts'
import { performDownload } from '../../../src/domain/downloads/perform-download.ts'
import { UserId } from '../../../src/schema/user.ts'
import { silent, useApp } from '../../support/app/app.ts'
import { follows, has, person } from '../../support/app/people.ts'
import { cookieOf, newcomer, pairOf, password, registration, signInAgain } from '../../support/app/sign-in.ts'

const app = useApp({ USER_QUOTA_GB: 2 })
const { ask, sql } = app
const free = useApp()

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
    expect(await (await ask('/settings/tokens', { headers: now })).text()).toContain('phone')
    expect((await signInAgain(app, username)).status).toBe(401)
    expect((await signInAgain(app, username, { form: { password: 'another fine phrase' } })).status).toBe(303)
  })

  it('of two password changes at the same moment only one succeeds', async () => {
    const { username, headers } = await newcomer(app, newName())
    const other = await signInAgain(app, username)
    const words = ['first fine phrase', 'second fine phrase']
    const answers = await Promise.all(
      [headers, other.headers].map((who, i) =>
        change(who, { password: words[i] ?? '', password_confirmation: words[i] ?? '' }),
      ),
    )
    // The second may also find its session ended already.
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
    expect(await answer.text()).toMatch(/id="current_password-error">Too many tries/)
  })
})

describe('sessions', () => {
  it('the account page lists sessions by device and time, marks this one, and contains no session token', async () => {
    const { username, headers } = await newcomer(app, newName())
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
    await signInAgain(app, username, { form: { remember: 'on' }, headers: { 'user-agent': firefox } })
    const text = await (await ask('/settings/account', { headers })).text()

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
      await sql`
        update sessions set used_at = now() - ${ago}::interval
        from   users where users.id = user_id and username = ${username}`
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

describe('what an account keeps', () => {
  it('page and API show the disk space used, and the quota', async () => {
    const alice = await person(sql, 'alice')
    await follows(alice, 'c', ['v'])
    await has(alice, 'v', `${alice.user.user_id}/c/v.mp4`, 1_500_000_000)

    const page = await (await ask('/settings', { as: alice })).text()
    const json = await (await ask('/api/account', { as: alice })).json()

    expect(page).toContain('1.5 GB of 2.0 GB')
    expect(json).toEqual({ username: alice.user.username, quota_bytes: 2e9, on_disk_bytes: 1.5e9 })
  })

  it('without a quota, page and API show no limit', async () => {
    const alice = await person(free.sql, 'alice')
    expect(await (await free.ask('/settings', { as: alice })).text()).toContain('used · no limit')
    expect(await (await free.ask('/api/account', { as: alice })).json()).toMatchObject({ quota_bytes: null })
  })
})

/** An account with a file, a queued download, an import, a token; and its folder. */
async function householder() {
  const { username, headers } = await newcomer(app, newName())
  const [row] = await sql<{ id: string }[]>`select id from users where username = ${username}`
  const user = { user_id: UserId.parse(row?.id), username }
  const one = { user, library: libraryOf(sql, user.user_id), cookie: headers.cookie }
  await follows(one, 'c', ['kept', 'waits', 'runs'])
  const download_path = `${user.user_id}/c/kept.mp4`
  await mkdir(dirname(join(app.folder, download_path)), { recursive: true })
  await writeFile(join(app.folder, download_path), 'a video')
  await has(one, 'kept', download_path, 7)
  await one.library.downloads.request(['waits', 'runs'])
  const import_id = await one.library.imports.begin('addresses', [{ address: 'https://a.example', title: 'a' }])
  await ask('/settings/tokens', { headers, form: { name: 'phone' } })
  return { ...one, headers, import_id: import_id ?? '' }
}

const traces = async (user_id: UserId) => {
  const [row] = await sql<Record<string, number>[]>`
    select (select count(*) from users where id = ${user_id}) as users,
           (select count(*) from channels where user_id = ${user_id}) as channels,
           (select count(*) from video_entries where user_id = ${user_id}) as videos,
           (select count(*) from sessions where user_id = ${user_id}) as sessions,
           (select count(*) from api_tokens where user_id = ${user_id}) as tokens,
           (select count(*) from imports where user_id = ${user_id}) as imports,
           (select count(*) from graphile_worker.jobs where key like ${`%${user_id}%`}) as jobs`
  const folders = [...(await readdir(app.folder)), ...(await readdir(join(app.folder, '.work')).catch(() => []))]
  return { ...row, folders: folders.filter(name => name === user_id).length }
}

describe('deleting the account', () => {
  it('the delete page says what is deleted with the account', async () => {
    const { headers } = await householder()
    const text = await (await ask('/settings/delete', { headers })).text()
    expect(text).toContain('This deletes 1 channel, 3 videos and 7 bytes of files.')
  })

  it('deleting an account leaves nothing of it in the database, the queue or on disk, and changes nothing of others', async () => {
    const alice = await householder()
    const bob = await householder()
    const bobs = await traces(bob.user.user_id)
    expect(bobs).toEqual({ users: 1, channels: 1, videos: 3, sessions: 1, tokens: 1, imports: 1, jobs: 4, folders: 1 })

    const answer = await ask('/settings/delete', { headers: alice.headers, form: { password } })
    const login = await ask('/login', { headers: { cookie: pairOf(cookieOf(answer, 'flash')) } })

    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login'])
    expect(await login.text()).toContain('Your account and everything in it is deleted.')
    expect(new Set(Object.values(await traces(alice.user.user_id)))).toEqual(new Set([0]))
    expect(await traces(bob.user.user_id)).toEqual(bobs)
    expect(await isIn(alice.headers)).toBe(false)
    expect((await signInAgain(app, alice.user.username)).status).toBe(401)
    const again = await ask('/register', { form: registration(alice.user.username), from: 'again' })
    expect(again.status).toBe(303)
  })

  it('deleting an account needs the password', async () => {
    const { user, headers } = await householder()
    const answer = await ask('/settings/delete', { headers, form: { password: 'not it at all' } })
    expect(answer.status).toBe(422)
    expect(await answer.text()).toMatch(/id="password-error">Wrong password/)
    expect(await traces(user.user_id)).toMatchObject({ users: 1, folders: 1, jobs: 4 })
  })

  it('deleting an account stops its running download and keeps no file', async () => {
    const { user, library, headers } = await householder()
    const begun = Promise.withResolvers<void>()
    let tellLost = () => {}
    const running = performDownload(
      {
        library,
        files: app.files,
        stopping: new AbortController().signal,
        watchClaim: (_, onDoubt) => {
          tellLost = onDoubt
          return () => {}
        },
        download: ({ folder, signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason))
            writeFile(join(folder, 'part.mp4'), 'half of it').then(begun.resolve, begun.reject)
          }),
      },
      'runs',
    )
    await begun.promise

    await ask('/settings/delete', { headers, form: { password } })
    tellLost()

    expect(await running).toBe('lost')
    expect(await traces(user.user_id)).toMatchObject({ users: 0, videos: 0, folders: 0 })
  })

  it('jobs of a deleted account end without an error', async () => {
    const { user, library, headers, import_id } = await householder()
    const [faults, opened] = [[] as unknown[], Promise.withResolvers<void>()]
    const gate = Promise.withResolvers<void>()
    const feed = { channel_id: 'new', title: 'New', entries: [] }
    const log = Object.assign(Object.create(silent), { error: (fault: unknown) => faults.push(fault) })
    const findFeed = async (rss_url: string) => {
      opened.resolve()
      await gate.promise
      return { rss_url, feed } as never
    }
    const helpers = { abortSignal: new AbortController().signal } as never
    const importing = importTask({ sql, findFeed, log, most_channels: 0 })(
      { user_id: user.user_id, import_id },
      helpers,
    )
    await opened.promise

    await ask('/settings/delete', { headers, form: { password } })
    gate.resolve()
    await importing
    const download = async () => Promise.reject(new Error('not asked'))
    const stopping = new AbortController().signal

    expect(faults).toEqual([])
    expect(await performDownload({ library, files: app.files, download, stopping }, 'waits')).toBe('not_wanted')
    expect(await traces(user.user_id)).toMatchObject({ users: 0, channels: 0, jobs: 0 })
  })
})

describe('where nobody else may register', () => {
  const shut = useApp({ REGISTRATION: 'closed' })

  it('with registration closed, an account can be created again only after the last one is deleted', async () => {
    const first = await newcomer(shut, 'firstone')
    const { sql } = shut
    const second = await person(sql, 'second')
    const open = async () => (await shut.ask('/register')).status

    const with_two = await open()
    await shut.ask('/settings/delete', { headers: first.headers, form: { password } })
    const with_one = await open()
    await sql`delete from users where id = ${second.user.user_id}`

    expect([with_two, with_one, await open()]).toEqual([403, 403, 200])
  })
})
