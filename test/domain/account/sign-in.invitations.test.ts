/** Creating an account by an invitation, also where registration is closed. */
import { beforeAll, describe, expect, it } from 'vitest'
import { deskOf } from '../../../src/db/admin/desk.ts'
import { useApp } from '../../support/app/app.ts'
import { administrator, type Person, person } from '../../support/app/people.ts'
import { registration } from '../../support/app/sign-in.ts'

const app = useApp({ REGISTRATION: 'closed', connections: 8 })
const { ask, sql } = app
let nth = 0
const newName = () => `newcomer-${++nth}`
let alice: Person

const deskBy = ({ user: { user_id, username } }: Person) => deskOf(sql, { user_id, name: username })
const invite = async (by = alice, days = 7) =>
  (await deskBy(by).invitations.make({ days, note: 'for the cellar' })).token
const joinWith = (invitation: string, username = newName(), more: Record<string, string> = {}) =>
  ask('/register', { form: registration(username, { invitation, ...more }), from: username })
const exists = async (username: string) => (await sql`select from users where username = ${username}`).count === 1

beforeAll(async () => {
  alice = await administrator(sql, 'alice')
})

describe('an invitation', () => {
  it('shows the form, which keeps the secret, and creates one account, also with registration closed', async () => {
    const invitation = await invite()
    const page = await ask(`/register?invitation=${invitation}`)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain(`<input type="hidden" name="invitation" value="${invitation}"`)

    const username = newName()
    const joined = await joinWith(invitation, username)
    expect([joined.status, joined.headers.get('location')]).toEqual([303, '/'])
    expect(await sql`select role from users where username = ${username}`).toEqual([{ role: 'member' }])
    const { acts } = await deskBy(alice).log.page(undefined)
    expect(acts[0]).toMatchObject({ by: username, act: 'invitation_used', username, detail: 'for the cellar' })

    const again = newName()
    for (const answer of [await ask(`/register?invitation=${invitation}`), await joinWith(invitation, again)]) {
      expect(answer.status).toBe(404)
      expect(await answer.text()).toContain('This invitation is wrong, already used, or too old.')
    }
    expect(await exists(again)).toBe(false)
  })

  it('opens nothing when it is wrong, and the form without one stays closed', async () => {
    for (const wrong of ['0'.repeat(64), 'x', '%', `${await invite()}0`]) {
      expect((await ask(`/register?invitation=${encodeURIComponent(wrong)}`)).status).toBe(404)
      expect((await joinWith(wrong)).status).toBe(404)
    }
    expect((await ask('/register')).status).toBe(403)
    expect((await ask('/register?invitation=')).status).toBe(403)
    expect((await joinWith('')).status).toBe(403)
  })

  it('stays when the form is refused, and the form keeps its secret', async () => {
    const invitation = await invite()
    const taken = await joinWith(invitation, alice.user.username)
    const weak = await joinWith(invitation, newName(), { password: 'password1', password_confirmation: 'password1' })
    const short = await joinWith(invitation, 'x')
    expect([taken.status, weak.status, short.status]).toEqual([409, 422, 422])
    for (const answer of [taken, weak, short]) expect(await answer.text()).toContain(`value="${invitation}"`)
    expect((await joinWith(invitation)).status).toBe(303)
  })

  it('makes one account of twelve newcomers at the same moment', async () => {
    const invitation = await invite()
    const answers = await Promise.all(Array.from({ length: 12 }, () => joinWith(invitation)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, ...Array.from({ length: 11 }, () => 404)])
  })

  it('ends with its time', async () => {
    const invitation = await invite()
    await sql`update secrets set expires_at = now() - interval '1 second'`
    expect((await joinWith(invitation)).status).toBe(404)
    expect(await deskBy(alice).invitations.list()).toEqual([])
  })

  it.each([{ role: 'member' as const }, { locked: true }])(
    'ends with what made its maker an administrator: %j',
    async change => {
      const bob = await administrator(sql, 'bob')
      const invitation = await invite(bob)
      await deskBy(alice).people.change(bob.user.username, change)
      await deskBy(alice).people.change(bob.user.username, { role: 'admin', locked: false })
      expect((await joinWith(invitation)).status).toBe(404)
    },
  )

  it('does not work while its maker is no administrator, even if the row is left', async () => {
    const bob = await person(sql, 'bob')
    const invitation = await invite()
    await sql`update secrets set made_by = ${bob.user.user_id} where made_by = ${alice.user.user_id}`
    expect((await joinWith(invitation)).status).toBe(404)
  })

  it('can be deleted once', async () => {
    const invitation = await invite()
    const [{ invitation_id } = { invitation_id: '' }] = await deskBy(alice).invitations.list()
    expect(await deskBy(alice).invitations.delete(invitation_id)).toBe(true)
    expect(await deskBy(alice).invitations.delete(invitation_id)).toBe(false)
    expect((await joinWith(invitation)).status).toBe(404)
  })

  it('is stored as a hash only, also in the log of acts', async () => {
    const invitation = await invite()
    await joinWith(invitation)
    const stored = await sql`select secrets::text as row from secrets union all select admin_acts::text from admin_acts`
    expect(stored.length).toBeGreaterThan(0)
    expect(JSON.stringify(stored)).not.toContain(invitation)
  })
})
