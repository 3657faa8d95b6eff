import { expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { follows, type Person, person } from '../../support/app/people.ts'
import { cookieOf, pairOf } from '../../support/app/sign-in.ts'

const app = useApp({
  findFeed: async address => ({
    rss_url: address,
    feed: { channel_id: 'kitchen', title: 'Slow Kitchen', entries: [], skipped: 0 },
  }),
})
const { ask, sql, textAt } = app

const kitchen = async () => {
  const alice = await person(sql, 'alice')
  await follows(alice, 'kitchen', ['v1'])
  return alice
}
const set = ({ user }: Person, changes: Record<string, string | number | Date | null>) =>
  sql`update backfills set ${sql(changes)} where user_id = ${user.user_id}`
const pageOf = async (alice: Person) => textAt('/channels/kitchen', { as: alice })
const poll = (alice: Person) => ask('/channels/kitchen/backfill', { as: alice, headers: { 'hx-request': 'true' } })

it('the channel page requests older videos, says how many were found, and cancels', async () => {
  const alice = await kitchen()
  const before = await pageOf(alice)
  expect(before).toMatch(/<div class="grid" id="videos">.*The newest video is here\..*Load the rest<\/button>/s)
  expect(before).not.toContain('hx-get="/channels/kitchen/backfill"')

  const begun = await ask('/channels/kitchen/backfill', { as: alice, method: 'POST' })
  expect([begun.status, begun.headers.get('location')]).toEqual([303, '/channels/kitchen#backfill'])
  await set(alice, { state: 'running', claim: crypto.randomUUID(), found: 1240, saved: 1225 })
  const during = await pageOf(alice)
  expect(during).toContain('1,240 older videos found so far')
  expect(during).toContain('hx-get="/channels/kitchen/backfill"')
  expect(during).toContain('action="/channels/kitchen/backfill/cancel"')
  expect(during).not.toContain('Load the rest</button>')

  const cancelled = await ask('/channels/kitchen/backfill/cancel', { as: alice, method: 'POST' })
  expect(cancelled.headers.get('location')).toBe('/channels/kitchen#backfill')
  expect(await pageOf(alice)).toMatch(/Stopped\. Loaded 1,225 older videos\..*Load the rest<\/button>/s)
})

it('a poll shows the number found, and at the end a link to the videos and no further poll', async () => {
  const alice = await kitchen()
  await ask('/channels/kitchen/backfill', { as: alice, method: 'POST' })
  await set(alice, { state: 'running', claim: crypto.randomUUID(), found: 30 })
  const during = await (await poll(alice)).text()
  expect(during).toContain('30 older videos found so far')
  expect(during).not.toContain('#backfill-ticker')

  await set(alice, { state: 'done', claim: null, finished_at: new Date(), found: 1240, saved: 1225 })
  const after = await (await poll(alice)).text()
  expect(after).toContain('Loaded 1,225 older videos.')
  expect(after).toContain('<a href="/channels/kitchen">Show them</a>')
  expect(after).toContain('hx-target="#backfill-ticker"')
  expect(after).not.toContain('hx-trigger')
  expect(await pageOf(alice)).not.toContain('Show them')
})

it('an incomplete backfill says why and can be continued', async () => {
  const alice = await kitchen()
  await ask('/channels/kitchen/backfill', { as: alice, method: 'POST' })
  const error = 'The site stopped sending its list of videos.'
  await set(alice, { state: 'incomplete', finished_at: new Date('2026-01-01'), saved: 60, error })
  const page = await pageOf(alice)
  expect(page).toContain(`Incomplete: ${error} Loaded 60 older videos.`)
  expect(page).toContain('Continue</button>')
})

it('a backfill that waits says why and when it tries again', async () => {
  const alice = await kitchen()
  await ask('/channels/kitchen/backfill', { as: alice, method: 'POST' })
  await set(alice, {
    found: 60,
    error: 'YouTube asks us to slow down.',
    next_attempt_at: new Date(Date.now() + 600_000),
  })
  const page = await pageOf(alice)
  expect(page).toContain('60 older videos found so far. YouTube asks us to slow down. Next try <time')
})

it('the result of a finished backfill is shown for a day', async () => {
  const alice = await kitchen()
  await ask('/channels/kitchen/backfill', { as: alice, method: 'POST' })
  await set(alice, { state: 'done', finished_at: new Date(Date.now() - 25 * 3_600_000), saved: 9 })
  expect(await pageOf(alice)).not.toContain('Loaded 9')
})

it('the address of the poll leads a browser without a script to the channel', async () => {
  const alice = await kitchen()
  const answer = await ask('/channels/kitchen/backfill', { as: alice })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/channels/kitchen#backfill'])
})

it('"Everything" to download says how many videos are known, until all are loaded', async () => {
  const alice = await kitchen()
  const scopes = async () => textAt('/downloads/outlook?channel_id=kitchen', { as: alice })
  expect(await scopes()).toContain('1 known so far')
  expect(await pageOf(alice)).toContain('1 known so far')
  await ask('/channels/kitchen/backfill', { as: alice, method: 'POST' })
  await set(alice, { state: 'done', finished_at: new Date(), saved: 0 })
  expect(await scopes()).not.toContain('known so far')
  expect(await pageOf(alice)).not.toContain('known so far')
})

it('the message about a followed channel offers to load older videos', async () => {
  const alice = await person(sql, 'alice')
  const form = { url: 'https://videos.example/kitchen' }
  const followed = await ask('/channels', { as: alice, form })
  const headers = { cookie: pairOf(cookieOf(followed, 'flash')) }
  const page = await textAt('/channels/kitchen', { as: alice, headers })
  expect(/<div id="flash".*?<main/s.exec(page)?.[0]).toMatch(/action="\/channels\/kitchen\/backfill".*Load the rest/s)
})
