/** Attempts to sign in: used once, for one purpose, and in time. */
import { expect, it } from 'vitest'
import { forgetOldAttempts } from '../../../src/db/account/everyone/old-links.ts'
import { signInAttemptsIn } from '../../../src/db/account/sign-in-attempts.ts'
import { useDatabase } from '../../support/app/database.ts'
import { person } from '../../support/app/people.ts'

const { sql } = useDatabase({ connections: 8 })
const { begin, take } = signInAttemptsIn(sql)

it('gives an attempt once, with its details and its person, however many ask at the same moment', async () => {
  const { user } = await person(sql, 'alice')
  const secret = await begin('oidc', { next: '/new', list: [1] }, user.user_id, 60)
  const taken = await Promise.all(Array.from({ length: 6 }, () => take(secret, 'oidc')))
  expect(taken.filter(attempt => attempt)).toEqual([{ details: { next: '/new', list: [1] }, user_id: user.user_id }])
})

it('gives no attempt to a wrong secret or for another purpose', async () => {
  const secret = await begin('passkey', {}, null, 60)
  expect(await take(`${secret}0`, 'passkey')).toBeUndefined()
  expect(await take('', 'passkey')).toBeUndefined()
  expect(await take(secret, 'new_passkey')).toBeUndefined()
  expect(await take(secret, 'passkey')).toEqual({ details: {}, user_id: null })
})

it('stores no secret, and refuses and forgets what has expired', async () => {
  const [old, fresh] = [await begin('oidc', {}, null, 0), await begin('oidc', {}, null, 60)]
  const rows = await sql`select hash from sign_in_attempts`
  expect(rows.map(({ hash }) => hash)).not.toContain(fresh)
  expect(await take(old, 'oidc')).toBeUndefined()
  await forgetOldAttempts(sql)
  expect(await sql`select from sign_in_attempts`).toHaveLength(1)
  expect(await take(fresh, 'oidc')).toBeDefined()
})

it('ends the attempts of a person who is locked', async () => {
  const { user } = await person(sql, 'bob')
  const secret = await begin('oidc', {}, user.user_id, 60)
  await sql`update users set locked_at = now() where id = ${user.user_id}`
  expect(await take(secret, 'oidc')).toBeUndefined()
})
