/** Creating and revoking API tokens. */
import { beforeAll, describe, expect, it } from 'vitest'
import { TokenForm } from '../../../src/schema/account/account.ts'
import { useApp } from '../../support/app/app.ts'
import { onDisk } from '../../support/app/files.ts'
import { administrator, follows, type Person, person } from '../../support/app/people.ts'
import { tokensThrough } from '../../support/app/tokens.ts'

const app = useApp({ connections: 8 })
const { ask, sql, textAt } = app
let alice: Person
let bob: Person

const { make, tokenOf, rowOf } = tokensThrough(app)

beforeAll(async () => {
  alice = await person(sql, 'alice')
  bob = await person(sql, 'bob')
  await follows(alice, 'hers', ['hers'])
  await onDisk(app.folder, alice, 'hers', 'her video', 'hers')
})

describe('creating a token', () => {
  it('a new token is shown once, in an answer that no cache may store', async () => {
    const { answer, text, secret } = await make(alice, { name: 'backup <script>' })
    const afterwards = await textAt('/settings/tokens', { as: alice })

    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(answer.headers.getSetCookie().join()).not.toContain(secret)
    expect(text.match(/backlot_/g)).toHaveLength(1)
    expect(afterwards).toContain('backup &lt;script&gt;')
    expect(afterwards).not.toContain('backlot_')
  })

  it('the scope admin is offered and given to administrators only', async () => {
    const admin = await administrator(sql, 'admin')
    const pages = await Promise.all([admin, alice].map(async as => textAt('/settings/tokens', { as })))
    expect(pages.map(page => page.includes('<option value="admin"'))).toEqual([true, false])

    const forms = { name: 'desk', scope: 'admin', expires_in_days: '30' }
    expect((await ask('/settings/tokens', { as: admin, form: forms })).status).toBe(201)
    const refused = await ask('/settings/tokens', { as: alice, form: forms })
    expect([refused.status, (await refused.text()).includes('Only administrators can create such a token.')]).toEqual([
      422,
      true,
    ])
  })

  it('a token is stored only as a hash', async () => {
    const secret = await tokenOf(alice)
    expect(JSON.stringify(await rowOf(secret))).not.toContain(secret.slice('backlot_'.length))
  })

  it('every new token is different', async () => {
    expect(await tokenOf(alice)).not.toBe(await tokenOf(alice))
  })

  it.each([
    [{ name: '' }, 'Enter a name.'],
    [{ name: '   ' }, 'Enter a name.'],
    [{ name: 'x'.repeat(61) }, 'at most 60'],
    [{ scope: 'all' }, ''],
    [{ expires_in_days: '9999' }, ''],
  ])('creating a token with %j is refused, and what was typed is shown again', async (wrong, sentence) => {
    const count = async () => (await sql`select from secrets`).count
    const before = await count()
    const { answer, text } = await make(alice, { name: 'kept', ...wrong })
    expect(answer.status).toBe(422)
    expect(text).toContain(sentence)
    expect(await count()).toBe(before)
  })

  it('a user can have 50 tokens, even when creating many at the same moment', async () => {
    const carol = await person(sql, 'carol')
    const answers = await Promise.all(Array.from({ length: 55 }, (_, i) => make(carol, { name: `n${i}` })))
    const statuses = answers.map(({ answer }) => answer.status)
    expect(statuses.filter(status => status === 201)).toHaveLength(50)
    expect(statuses.filter(status => status === 409)).toHaveLength(5)
    expect((await make(carol)).text).toContain('You already have 50 tokens')
    expect((await make(bob)).answer.status).toBe(201)
  })

  it('a token expires after the chosen time', () => {
    expect(TokenForm.parse({ name: 'a', expires_in_days: '30' })).toEqual({
      name: 'a',
      scope: 'read',
      expires_in_days: 30,
    })
    expect(TokenForm.parse({ name: 'a' }).expires_in_days).toBeNull()
  })
})
