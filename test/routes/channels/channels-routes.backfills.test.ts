import { expect } from 'vitest'
import { DomainError } from '../../../src/errors.ts'
import { useApp, withPeople } from '../../support/app/app.ts'
import { follows, person } from '../../support/app/people.ts'

const app = useApp({
  findFeed: async address => {
    if (!address.includes('kitchen')) throw new DomainError('feed_failed', 'There is no such feed.')
    return { rss_url: address, feed: { channel_id: 'kitchen', title: 'Slow Kitchen', entries: [], skipped: 0 } }
  },
})
const { ask, sql, jsonAt } = app
const it = withPeople(app)
const path = '/api/channels/kitchen/backfill'

it('a backfill is requested, read and cancelled as JSON', async ({ alice }) => {
  await follows(alice, 'kitchen', [])
  const nothing = { found: 0, saved: 0, started_at: null, finished_at: null, error: null }

  const before = await ask(path, { as: alice })
  const begun = await ask(path, { as: alice, method: 'POST' })
  const again = await ask(path, { as: alice, method: 'POST' })
  const stopped = await ask(path, { as: alice, method: 'DELETE' })
  const after = await ask(path, { as: alice })

  expect([before.status, await before.json()]).toEqual([200, { state: 'never', ...nothing }])
  expect([begun.status, await begun.json()]).toEqual([202, { state: 'queued', ...nothing }])
  expect([again.status, await again.json()]).toEqual([202, { state: 'queued', ...nothing }])
  expect(stopped.status).toBe(204)
  expect(await after.json()).toEqual({ state: 'cancelled', ...nothing, finished_at: expect.any(String) })
  expect((await ask(path, { as: alice, method: 'DELETE' })).status).toBe(204)
})

it('a channel that is not followed has no backfill to request', async ({ alice }) => {
  await follows(alice, 'kitchen', [])
  await sql`update channels set rss_url = null, next_fetch_at = null where user_id = ${alice.user.user_id}`
  const refused = await ask(path, { as: alice, method: 'POST' })
  expect(refused.status).toBe(409)
  expect(((await refused.json()) as { detail: string }).detail).toContain('You do not follow this channel')
})

it('following a channel with "load_older" also requests its older videos, also when it is followed already', async () => {
  const alice = await person(sql, 'alice')
  const follow = (json: object) => ask('/api/channels', { as: alice, json })

  expect((await follow({ url: 'https://videos.example/kitchen' })).status).toBe(201)
  expect(await jsonAt(path, { as: alice })).toMatchObject({ state: 'never' })
  expect((await follow({ url: 'https://videos.example/kitchen', load_older: true })).status).toBe(200)
  expect(await jsonAt(path, { as: alice })).toMatchObject({ state: 'queued' })
  expect((await follow({ url: 'https://videos.example/kitchen', load_older: 'yes' })).status).toBe(422)
})
