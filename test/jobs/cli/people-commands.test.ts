/** The lists and links that `npm run people` prints. */
import { beforeEach, describe, expect, it } from 'vitest'
import { deskOfCommandLine } from '../../../jobs/cli/people-commands.ts'
import { useApp } from '../../support/app/app.ts'
import { peopleCommandsOn } from '../../support/app/command-line.ts'
import { follows, has, type Person, person } from '../../support/app/people.ts'

const app = useApp()
const { sql } = app
const people = peopleCommandsOn(app)

let alice: Person
let name: string

beforeEach(async () => {
  alice = await person(sql, 'alice')
  name = alice.user.username
})

describe('npm run people', () => {
  it('npm run people lists all users with their channels and disk space', async () => {
    await follows(alice, 'kitchen', ['v1', 'v2'])
    await has(alice, 'v1', `${alice.user.user_id}/kitchen/v1.mp4`, 2_500_000_000)
    const { json, rows } = await people('list')
    const hers = (json as { username: string }[]).find(({ username }) => username === name)
    expect(hers).toMatchObject({
      channels: 1,
      on_disk_bytes: 2_500_000_000,
      sessions: 1,
    })
    expect(rows).toContainEqual(expect.objectContaining({ name, channels: 1, on_disk: '2.50 GB' }))
    expect(JSON.stringify(json)).not.toMatch(/hash/)
  })

  it('npm run people says how long a link lasts, and what it does to sessions and tokens', async () => {
    const { text, json } = await people('reset-password', { username: name.toUpperCase() })
    expect(text).toMatch(/works once, until \d\d:\d\d UTC \(an hour\)/)
    expect(text).toContain('signed out everywhere')
    expect(text).toContain('--revoke-tokens')
    expect(json).toMatchObject({ username: name, url: expect.stringContaining('/reset-password?token=') })
  })

  it('npm run people warns when the link works on this machine only', async () => {
    const local = await people('reset-password', { username: name, site: 'http://localhost:8000' })
    expect(local.text).toContain('set PUBLIC_URL')
    expect((await people('reset-password', { username: name })).text).not.toContain('PUBLIC_URL')
  })

  it('npm run people refuses an unknown username', async () => {
    await expect(people('reset-password', { username: 'missing-person' })).rejects.toThrow(
      'There is no account missing-person.',
    )
    await expect(people('reset-password')).rejects.toThrow('Name the person')
  })

  it('npm run people does what the desk does, and the log names the command line', async () => {
    const dave = await person(sql, 'dave')
    const username = name.toUpperCase()
    expect((await people('role', { username, value: 'admin' })).json).toMatchObject({ username: name, role: 'admin' })
    expect((await people('lock', { username })).json).toMatchObject({ locked_at: expect.any(Date), sessions: 0 })
    expect((await people('unlock', { username })).json).toMatchObject({ locked_at: null })
    expect((await people('quota', { username, value: '0.5' })).json).toMatchObject({ quota_gb: 0.5 })
    expect((await people('quota', { username, value: 'default' })).json).toMatchObject({ quota_gb: null })
    await people('reset-password', { username, revoke_tokens: true })
    const { text } = await people('invite', { days: '3', note: 'for carol' })
    expect(text).toMatch(/https:\/\/tv\.example\/register\?invitation=[0-9a-f]{64}/)
    await people('delete', { username: dave.user.username, yes: true })

    const { acts } = await deskOfCommandLine(sql).log.page(undefined)
    const told = acts.slice(0, 9).map(({ by, act, username, detail }) => [by, act, username, detail])
    const by = 'command line'
    expect(told).toEqual([
      [by, 'account_deleted', dave.user.username, ''],
      [by, 'invitation_made', null, 'for carol'],
      [by, 'tokens_revoked', name, '0'],
      [by, 'reset_link_made', name, ''],
      [by, 'quota_changed', name, 'default'],
      [by, 'quota_changed', name, '0.5 GB'],
      [by, 'unlocked', name, ''],
      [by, 'locked', name, ''],
      [by, 'role_changed', name, 'admin'],
    ])
    expect(await sql`select from users where id = ${dave.user.user_id}`).toHaveLength(0)
  })

  it.each([
    ['role', { value: 'owner' }],
    ['role', {}],
    ['quota', { value: '-1' }],
    ['quota', { value: 'much' }],
    ['quota', {}],
    ['invite', { days: '0' }],
    ['invite', { days: 'ten' }],
    ['delete', {}],
  ])('npm run people refuses %s with %j, and changes nothing', async (command, given) => {
    const before = await sql`select * from users where id = ${alice.user.user_id}`
    const acts = (await sql`select from admin_acts`).count
    await expect(people(command, { username: name, ...given })).rejects.toThrow(/.../)
    expect(await sql`select * from users where id = ${alice.user.user_id}`).toEqual(before)
    expect((await sql`select from admin_acts`).count).toBe(acts)
  })

  it('npm run people keeps the only administrator', async () => {
    const username = name
    await sql`update users set role = 'admin' where id = ${alice.user.user_id}`
    await sql`update users set role = 'member' where id <> ${alice.user.user_id}`
    const only = 'No other administrator could sign in.'
    await expect(people('role', { username, value: 'member' })).rejects.toThrow(only)
    await expect(people('lock', { username })).rejects.toThrow(only)
    await expect(people('delete', { username, yes: true })).rejects.toThrow(only)
  })
})
