/** Disk space and quota of an account, by page and API. */
import { describe, expect, it } from 'vitest'
import { deskOf } from '../../../src/db/admin/desk.ts'
import { useApp } from '../../support/app/app.ts'
import { follows, has, person } from '../../support/app/people.ts'

const app = useApp({ USER_QUOTA_GB: 2 })
const { ask, sql, jsonAt, textAt } = app
const free = useApp()

describe('the disk space of an account', () => {
  it('page and API show the disk space used, and the quota', async () => {
    const alice = await person(sql, 'alice')
    await follows(alice, 'c', ['v'])
    await has(alice, 'v', `${alice.user.user_id}/c/v.mp4`, 1_500_000_000)

    const page = await textAt('/settings/downloads', { as: alice })
    const json = await jsonAt('/api/account', { as: alice })

    expect(page).toContain('1.5 GB of 2.0 GB')
    expect(json).toEqual({ username: alice.user.username, quota_bytes: 2e9, on_disk_bytes: 1.5e9 })
  })

  it.each([
    ['the service’s', null, 2e9, 'of 2.0 GB'],
    ['a lower one', 1.6, 1.6e9, 'of 1.6 GB'],
    ['a higher one', 300, 300e9, 'of 300 GB'],
    ['no limit', 0, null, ' · no limit'],
  ])('a quota of one’s own counts at once on every page and in the API: %s', async (_, own, quota_bytes, words) => {
    const alice = await person(sql, 'alice')
    await follows(alice, 'c', ['v'])
    await has(alice, 'v', `${alice.user.user_id}/c/v.mp4`, 1_500_000_000)
    const { people } = deskOf(sql, { user_id: null, name: 'a test' })
    await ask('/api/account', { as: alice })
    await people.change(alice.user.username, { quota_gb: own })

    expect(await textAt('/settings/downloads', { as: alice })).toContain(words)
    const pages = ['/downloads', '/space'].map(async path => textAt(path, { as: alice }))
    for (const page of await Promise.all(pages)) expect(page.includes(words)).toBe(quota_bytes !== null)
    for (const path of ['/api/account', '/api/space'])
      expect(await jsonAt(path, { as: alice })).toMatchObject({ quota_bytes })
  })

  it('without a quota, page and API show no limit', async () => {
    const alice = await person(free.sql, 'alice')
    expect(await free.textAt('/settings/downloads', { as: alice })).toContain('used · no limit')
    expect(await free.jsonAt('/api/account', { as: alice })).toMatchObject({ quota_bytes: null })
  })
})
