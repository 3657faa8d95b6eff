/** Deleting an account with everything in it. */
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { importTask } from '../../../jobs/tasks/channels.ts'
import { libraryOf } from '../../../src/db/library.ts'
import { performDownload } from '../../../src/domain/downloads/perform-download.ts'
import { UserId } from '../../../src/schema/values/user.ts'
import { silent, useApp } from '../../support/app/app.ts'
import { onDisk } from '../../support/app/files.ts'
import { beginList } from '../../support/app/imports.ts'
import { follows, person, someoneFirst } from '../../support/app/people.ts'
import { cookieOf, newcomer, pairOf, password, registration, signInAgain } from '../../support/app/sign-in.ts'

const app = useApp({ USER_QUOTA_GB: 2 })
const { ask, sql } = app
beforeAll(() => someoneFirst(sql))
let count = 0
const newName = () => `account${++count}`
type Headers = Record<string, string>
const isIn = async (headers: Headers) => (await ask('/api/channels', { headers })).status === 200

/** An account with a file, a queued download, an import and a token, and its folder. */
async function householder() {
  const { username, headers } = await newcomer(app, newName())
  const [row] = await sql<{ id: string }[]>`select id from users where username = ${username}`
  const user = { user_id: UserId.parse(row?.id), username, role: 'member' as const }
  const one = { user, library: libraryOf(sql, user.user_id), cookie: headers.cookie }
  await follows(one, 'c', ['kept', 'waits', 'runs'])
  await onDisk(app.folder, one, 'kept', 'a video', 'c')
  await one.library.downloads.request(['waits', 'runs'])
  const import_id = await beginList(one, [{ address: 'https://a.example', title: 'a' }])
  await ask('/settings/tokens', { headers, form: { name: 'phone' } })
  return { ...one, headers, import_id }
}

const traces = async (user_id: UserId) => {
  const [row] = await sql<Record<string, number>[]>`
    select (select count(*) from users where id = ${user_id}) as users,
           (select count(*) from channels where user_id = ${user_id}) as channels,
           (select count(*) from video_entries where user_id = ${user_id}) as videos,
           (select count(*) from sessions where user_id = ${user_id}) as sessions,
           (select count(*) from secrets where user_id = ${user_id}) as tokens,
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
    const empty = await (await ask('/settings/delete', await newcomer(app, newName()))).text()
    expect(empty).toContain('Nothing of yours is stored here yet.')
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

  it('the only administrator keeps the account while there are others', async () => {
    const alice = await householder()
    await sql`update users set role = 'admin' where id = ${alice.user.user_id}`
    await sql`update users set role = 'member' where role = 'admin' and id <> ${alice.user.user_id}`
    const answer = await ask('/settings/delete', { headers: alice.headers, form: { password } })
    const left = await traces(alice.user.user_id)
    await sql`update users set role = 'admin' where id = (select id from users where id <> ${alice.user.user_id} limit 1)`

    expect([answer.status, await answer.text()]).toEqual([
      409,
      expect.stringContaining('You are the only administrator'),
    ])
    expect(left).toMatchObject({ users: 1, folders: 1 })
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
    const importing = importTask({ sql, findFeed, log })({ user_id: user.user_id, import_id }, helpers)
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

describe('closed registration', () => {
  const shut = useApp({ REGISTRATION: 'closed' })

  it('with registration closed, an account can be created again only after the last one is deleted', async () => {
    const first = await newcomer(shut, 'firstone')
    const { sql } = shut
    const second = await person(sql, 'second')
    const open = async () => (await shut.ask('/register')).status

    const with_two = await open()
    await sql`delete from users where id = ${second.user.user_id}`
    const with_one = await open()
    await shut.ask('/settings/delete', { headers: first.headers, form: { password } })

    expect([with_two, with_one, await open()]).toEqual([403, 403, 200])
  })
})
