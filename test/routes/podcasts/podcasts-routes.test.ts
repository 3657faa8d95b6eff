/** Podcasts, by the API. */
import { hash } from 'node:crypto'
import { parseOpml, parseRssFeed } from 'feedsmith'
import { expect, it } from 'vitest'
import { podcastIdOf } from '../../../src/domain/podcasts/podcasts.ts'
import { max_addresses, max_podcasts } from '../../../src/schema/podcasts/podcast.ts'
import { useApp } from '../../support/app/app.ts'
import { breadKitchen, follows, has, type Person, person } from '../../support/app/people.ts'
import { tokensThrough } from '../../support/app/tokens.ts'

const app = useApp({ PUBLIC_URL: 'http://tv.example.org/backlot' })
const { ask, sql, jsonAt, textAt } = app
const { tokenOf } = tokensThrough(app)
const none = '00000000-0000-4000-8000-000000000000'

const make = (as: Person, of: object, more: object = {}) =>
  ask('/api/podcasts', { as, json: { of, kind: 'video', ...more } })
const listOf = async (as: Person) => (await jsonAt('/api/podcasts', { as })).podcasts
const opmlOf = async (as: Person) => {
  const answer = await ask('/api/podcasts.opml', { as })
  return parseOpml(await answer.text()).body?.outlines ?? []
}
const hashes = async ({ user }: Person) =>
  (await sql<{ hash: string }[]>`select hash from secrets where user_id = ${user.user_id} and kind = 'podcast'`).map(
    ({ hash }) => hash,
  )
const secretIn = (url = '') => /\/f\/([^/]+)\//.exec(url)?.[1] ?? ''
const hashIn = (url: string) => hash('sha256', secretIn(url))

it('a podcast is made of a channel, a group, a playlist or a list, and listed until it is deleted', async () => {
  const alice = await breadKitchen(sql, 'alice')
  const { group_id } = await alice.library.groups.create('Food')
  const { playlist_id } = await alice.library.playlists.create('Loaves')
  const subjects = [{ channel_id: 'kitchen' }, { group_id }, { playlist_id }, { list: 'later' }]

  for (const of of subjects) expect((await make(alice, of)).status).toBe(201)

  const feeds = await listOf(alice)
  expect(feeds.map(({ of, title }: { of: object; title: string }) => [of, title])).toEqual([
    [subjects[0], 'Bread Kitchen'],
    [subjects[1], 'Food'],
    [subjects[2], 'Loaves'],
    [subjects[3], 'Watch later'],
  ])
  expect(feeds[0]).toEqual({
    podcast_id: expect.any(String),
    of: { channel_id: 'kitchen' },
    kind: 'video',
    newest: 50,
    title: 'Bread Kitchen',
    created_at: expect.any(String),
    last_used_at: null,
  })
  for (const { podcast_id } of feeds)
    expect((await ask(`/api/podcasts/${podcast_id}`, { as: alice, method: 'DELETE' })).status).toBe(204)
  expect(await listOf(alice)).toEqual([])
  expect(await hashes(alice)).toEqual([])
  expect((await ask(`/api/podcasts/${feeds[0].podcast_id}`, { as: alice, method: 'DELETE' })).status).toBe(404)
})

it('the address is below PUBLIC_URL and shown once; its hash is all that is stored', async () => {
  const alice = await breadKitchen(sql, 'alice')

  const answer = await make(alice, { list: 'all' }, { kind: 'audio', newest: 500 })

  const { url, podcast_id } = await answer.json()
  expect(answer.headers.get('cache-control')).toContain('no-store')
  expect(url).toMatch(/^http:\/\/tv\.example\.org\/backlot\/f\/[0-9a-f]{64}\/feed\.xml$/)
  expect(await hashes(alice)).toEqual([hashIn(url)])
  expect(JSON.stringify(await listOf(alice))).not.toContain(secretIn(url))
  expect(await listOf(alice)).toMatchObject([{ podcast_id, kind: 'audio', newest: 500 }])
})

it('the feed names its files below the path of PUBLIC_URL too', async () => {
  const alice = await breadKitchen(sql, 'alice')
  await has(alice, 'v0', 'a/kitchen/v0.mp4', 5)
  const { url } = await (await make(alice, { list: 'all' })).json()

  const { items } = parseRssFeed(await textAt(new URL(url).pathname))
  expect(items?.map(({ enclosures }) => enclosures?.[0]?.url)).toEqual([url.replace('feed.xml', 'v0.mp4')])
})

it('what another person has, or has deleted, makes no podcast', async () => {
  const alice = await breadKitchen(sql, 'alice')
  const bob = await person(sql, 'bob')
  const { group_id } = await alice.library.groups.create('Food')
  const { playlist_id } = await alice.library.playlists.create('Loaves')
  const hers = [{ channel_id: 'kitchen' }, { group_id }, { playlist_id }]

  for (const of of [...hers, { group_id: none }]) expect((await make(bob, of)).status).toBe(404)
  await alice.library.groups.remove(group_id)
  await alice.library.playlists.remove(playlist_id)
  for (const of of hers.slice(1)) expect((await make(alice, of)).status).toBe(404)
  expect([await listOf(alice), await listOf(bob)]).toEqual([[], []])
})

it.each([
  ['two subjects', { of: { channel_id: 'kitchen', list: 'all' }, kind: 'video' }],
  ['no subject', { of: {}, kind: 'video' }],
  ['an unknown list', { of: { list: 'continue' }, kind: 'video' }],
  ['an unknown kind', { of: { list: 'all' }, kind: 'pictures' }],
  ['no episodes', { of: { list: 'all' }, kind: 'video', newest: 0 }],
  ['501 episodes', { of: { list: 'all' }, kind: 'video', newest: 501 }],
])('%s: refused', async (_, json) => {
  const alice = await breadKitchen(sql, 'alice')
  expect((await ask('/api/podcasts', { as: alice, json })).status).toBe(422)
})

it('a podcast waits while its group is deleted, and returns with it', async () => {
  const alice = await breadKitchen(sql, 'alice')
  const { group_id } = await alice.library.groups.create('Food')
  await make(alice, { group_id })

  await alice.library.groups.remove(group_id)
  expect(await listOf(alice)).toEqual([])
  await alice.library.groups.restore(group_id)
  expect(await listOf(alice)).toMatchObject([{ title: 'Food' }])
})

it('a person has a limited number of podcasts, also when they are made at the same moment', async () => {
  const alice = await breadKitchen(sql, 'alice')
  await sql`
    insert into podcast_feeds (user_id, list, kind)
    select ${alice.user.user_id}, 'all', 'video' from generate_series(1, ${max_podcasts - 1})`

  const answers = await Promise.all([make(alice, { list: 'all' }), make(alice, { list: 'all' })])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
})

it('OPML has a new address of every podcast, and the first address stays', async () => {
  const alice = await breadKitchen(sql, 'alice')
  const { url } = await (await make(alice, { list: 'all' })).json()
  await follows(alice, 'odd', [], { title: 'Salt & "pepper" <b>]]>\u0007' })
  await make(alice, { channel_id: 'odd' }, { kind: 'audio' })

  const outlines = await opmlOf(alice)
  expect(outlines.map(({ text, type }) => [text, type])).toEqual([
    ['Everything on disk', 'rss'],
    ['Salt & "pepper" <b>]]> (sound)', 'rss'],
  ])
  const addresses = [url, ...outlines.map(({ xmlUrl = '' }) => xmlUrl)]
  expect(new Set(addresses).size).toBe(3)
  expect(await hashes(alice)).toEqual(expect.arrayContaining(addresses.map(address => hashIn(address))))
})

it('OPML has a podcast that was made twice once, with a title, and those of other videos or kinds beside it', async () => {
  const alice = await breadKitchen(sql, 'alice')
  for (const more of [{}, {}, { newest: 7 }, { kind: 'audio' }]) await make(alice, { list: 'all' }, more)
  await make(alice, { list: 'later' })

  const outlines = await opmlOf(alice)
  expect(outlines.map(({ title }) => title)).toEqual(outlines.map(({ text }) => text))
  const all = 'Everything on disk'
  expect(outlines.map(({ text }) => text)).toEqual([all, all, `${all} (sound)`, 'Watch later'])
})

it('a new podcast has the guid of its first address, and keeps it at every other address', async () => {
  // The example of the podcast namespace.
  expect(podcastIdOf('https://podnews.net/rss')).toBe('9b024349-ccf0-5f69-a609-6b82873eab3c')
  expect(podcastIdOf('HTTP://podnews.net/rss//')).toBe(podcastIdOf('https://podnews.net/rss'))

  const alice = await breadKitchen(sql, 'alice')
  const { podcast_id, url } = await (await make(alice, { list: 'all' })).json()
  expect(podcast_id).toBe(podcastIdOf(url))
  const [outline] = await opmlOf(alice)
  for (const address of [url, outline?.xmlUrl ?? '']) {
    const feed = parseRssFeed(await textAt(new URL(address).pathname))
    expect(feed.podcast?.guid).toBe(podcast_id)
  }
})

it('a podcast keeps its newest addresses, and those that are used before those that are not', async () => {
  const alice = await breadKitchen(sql, 'alice')
  const { url } = await (await make(alice, { list: 'all' })).json()
  const used = hashIn(url)
  await sql`update secrets set last_used_at = now(), created_at = now() - interval '1 year' where hash = ${used}`

  const given: string[] = []
  for (let nth = 0; nth < max_addresses + 3; nth++) given.push((await opmlOf(alice))[0]?.xmlUrl ?? '')

  const kept = await hashes(alice)
  expect(kept.length).toBe(max_addresses)
  expect(kept).toContain(used)
  const latest = given.slice(-(max_addresses - 1)).map(address => hashIn(address))
  expect(kept.toSorted()).toEqual([used, ...latest].toSorted())
})

it('only a token that can write gets addresses, and no page of another site makes some', async () => {
  const alice = await breadKitchen(sql, 'alice')
  await make(alice, { list: 'all' })
  const by = async (scope: 'read' | 'write') => ({ authorization: `Bearer ${await tokenOf(alice, scope)}` })

  expect((await ask('/api/podcasts.opml', { headers: await by('read') })).status).toBe(403)
  expect((await ask('/api/podcasts', { headers: await by('read') })).status).toBe(200)
  expect((await ask('/api/podcasts.opml', { headers: await by('write') })).status).toBe(200)
  expect((await ask('/api/podcasts.opml', { as: alice, headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
  expect((await hashes(alice)).length).toBe(2)
})
