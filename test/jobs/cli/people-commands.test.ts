/** The lists and links that `npm run people` prints. */
import { beforeEach, describe, expect, it } from 'vitest'
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
    await expect(people('reset-password', { username: 'nobody-here' })).rejects.toThrow(
      'There is no account nobody-here.',
    )
    await expect(people('reset-password')).rejects.toThrow('Name the person')
  })
})
