/** The page of invitations, by plain forms. */
import { expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { administrator } from '../../support/app/people.ts'
import { flashOf } from '../../support/app/sign-in.ts'

const app = useApp()
const { ask, sql, textAt } = app

it('an invitation is created, its link is shown once, and it is revoked', async () => {
  const admin = await administrator(sql, 'admin')
  const answer = await ask('/admin/invitations', { as: admin, form: { days: '3', note: 'For <b>Ana' } })
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store'])
  const created = await answer.text()
  const link = /\/register\?invitation=[^<\s]+/.exec(created)?.[0] ?? ''
  expect((await ask(link)).status).toBe(200)
  expect(created).toContain('For &lt;b&gt;Ana')

  const list = await textAt('/admin/invitations', { as: admin })
  expect(list).toContain('For &lt;b&gt;Ana')
  expect(list).not.toContain('/register?invitation')
  const revoke = /action="(\/admin\/invitations\/[^"]+\/revoke)"/.exec(list)?.[1] ?? ''
  const revoked = await ask(revoke, { as: admin, form: {} })

  expect(revoked.headers.get('location')).toBe('/admin/invitations')
  expect(flashOf(revoked)).toMatchObject({ kind: 'done' })
  expect(flashOf(await ask(revoke, { as: admin, form: {} }))).toMatchObject({ kind: 'problem' })
  expect(await textAt('/admin/invitations', { as: admin })).not.toContain('For &lt;b&gt;Ana')
})

it.each([
  ['0', 'Ana', 'Use a number of at least 1.'],
  ['many', 'Ana', 'Use a whole number of days'],
  ['7', 'n'.repeat(201), 'Use at most 200 characters.'],
])('an invitation of %s days is refused with a sentence at its field', async (days, note, words) => {
  const admin = await administrator(sql, 'admin')
  const answer = await ask('/admin/invitations', { as: admin, form: { days, note } })
  expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining(words)])
  expect(await sql`select from secrets where made_by = ${admin.user.user_id}`).toHaveLength(0)
})
