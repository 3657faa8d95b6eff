/** Creating an account: one per name, the first one, passwords, and limits. */
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { registration, signInAgain } from '../../support/app/sign-in.ts'

const app = useApp()
const { ask } = app
const race = useApp({ connections: 8 })
const crowd = useApp({ connections: 8 })
const shut = useApp({ REGISTRATION: 'closed' })
let count = 0
const newName = () => `session${++count}`

describe('usernames', () => {
  it('only one of twenty requests for a username at the same moment succeeds, in any spelling', async () => {
    const names = ['Bob', 'bob', 'BOB', '\uff42\uff4f\uff42']
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => race.ask('/register', { form: registration(names[i % 4] ?? '') })),
    )
    const [row] = await race.sql<{ count: number }[]>`select count(*) as count from users`
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, ...Array.from({ length: 19 }, () => 409)])
    expect(row?.count).toBe(1)
  })
})

describe('closed registration', () => {
  it('with registration closed, only one first account is created of many at the same moment', async () => {
    const names = Array.from({ length: 8 }, (_, i) => `first${i}`)
    const answers = await Promise.all(names.map(name => shut.ask('/register', { form: registration(name) })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, ...Array.from({ length: 7 }, () => 403)])
    expect((await shut.sql`select from users`).count).toBe(1)
  })
})

describe('registering', () => {
  it.each([
    [
      'longusername',
      { password: 'LongUsername', password_confirmation: 'LongUsername' },
      'use your username as the password',
    ],
    ['a-person', { password: 'password1', password_confirmation: 'password1' }, 'This password is too common'],
    ['a-person', { password: 'QwertyUiop', password_confirmation: 'QwertyUiop' }, 'This password is too common'],
  ])('registering %s with the password %j is refused at the field', async (username, chosen, sentence) => {
    const answer = await ask('/register', { form: registration(username, chosen) })
    const text = await answer.text()
    expect(answer.status).toBe(422)
    expect(text).toMatch(new RegExp(`id="password-error">[^<]*${sentence}`))
    expect(text).not.toContain(chosen.password)
    expect(text).toContain(`value="${username}"`)
  })

  it.each(['a'.repeat(64), '  spaces at both ends  ', '🔑🗝️🔒🔓🔏🔐🛡️🚪', 'pässwörter ﬁnden'])(
    'the password %j is used as typed',
    async chosen => {
      const username = newName()
      const form = registration(username, { password: chosen, password_confirmation: chosen })
      expect((await ask('/register', { form, from: 'any-password' })).status).toBe(303)
      expect((await signInAgain(app, username, { form: { password: chosen } })).status).toBe(303)
      expect((await signInAgain(app, username, { form: { password: chosen.slice(0, -1) } })).status).toBe(401)
    },
  )

  it('registering is limited per address, with the time to wait', async () => {
    const register = (from: string) => crowd.ask('/register', { form: registration(newName()), from })
    const statuses = []
    for (let i = 0; i < 20; i++) statuses.push((await register('192.0.2.7')).status)
    const answer = await register('192.0.2.7')

    expect(new Set(statuses)).toEqual(new Set([303]))
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3500)
    expect(await answer.text()).toContain('Too many attempts. Try again in 60 minutes')
    expect((await register('192.0.2.8')).status).toBe(303)
  })
})
