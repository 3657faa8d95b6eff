/** Following channels, and the list of them. */
import { describe, expect } from 'vitest'
import type { ReadFeed } from '../../../src/schema/sources/feed.ts'
import { useApp, withPeople } from '../../support/app/app.ts'
import { publishedFeeds } from '../../support/app/feeds.ts'
import { onDisk } from '../../support/app/files.ts'
import { entry, follows, type Person, person } from '../../support/app/people.ts'
import { storePicture } from '../../support/app/pictures.ts'
import { cookieOf, pairOf } from '../../support/app/sign-in.ts'

const { feeds, findFeed, publish } = publishedFeeds()

const app = useApp({ findFeed })
const { ask, sql, jsonAt, textAt } = app
const it = withPeople(app)
const url = 'https://videos.example/feed.xml'
const page = async (who: Person, path: string) => textAt(path, { as: who })

describe('following a channel', () => {
  it('following a channel answers 201, following it again 200, and doubles nothing', async ({ alice }) => {
    publish(url, 'kitchen', [entry('v1'), entry('v2')])

    const first = await ask('/api/channels', { as: alice, json: { url } })
    const second = await ask('/api/channels', { as: alice, json: { url } })

    expect([first.status, second.status]).toEqual([201, 200])
    expect(await first.json()).toMatchObject({
      channel_id: 'kitchen',
      title: 'Slow Kitchen',
      rss_url: url,
      entry_count: 2,
      last_fetched_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      saved: { inserted: 2, updated: 0, unchanged: 0 },
    })
    expect(await second.json()).toMatchObject({ entry_count: 2, saved: { inserted: 0, updated: 0, unchanged: 2 } })
    const { channels } = (await jsonAt('/api/channels', { as: alice })) as { channels: object[] }
    expect(channels).toHaveLength(1)
  })

  it('the form leads to the followed channel and says so', async ({ alice }) => {
    publish(url, 'kitchen', [entry('v1', { title: 'Bread <b>&amp; butter' })])

    const answer = await ask('/channels', { as: alice, form: { url: ` ${url} ` } })
    const headers = { cookie: pairOf(cookieOf(answer, 'flash')) }
    const page = await textAt('/channels/kitchen', { as: alice, headers })

    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/channels/kitchen'])
    expect(page).toContain('Following Slow Kitchen.')
    expect(page).toContain('Bread &lt;b&gt;&amp;amp; butter')
  })

  it('an address that fails is shown again with the reason at the field', async ({ alice }) => {
    const answer = await ask('/channels', { as: alice, form: { url: 'https://videos.example/nothing' } })
    const text = await answer.text()
    expect(answer.status).toBe(502)
    expect(text).toContain('The site answered 404. Check the address.')
    expect(text).toContain('value="https://videos.example/nothing"')
  })

  it('two users who follow the same channel have a channel each', async ({ alice, bob }) => {
    publish(url, 'kitchen', [entry('v1')])
    await ask('/api/channels', { as: alice, json: { url } })
    expect((await ask('/api/channels', { as: bob, json: { url } })).status).toBe(201)
    await ask('/api/channels/kitchen', { as: alice, method: 'DELETE' })
    expect((await ask('/api/history/kitchen', { as: bob })).status).toBe(200)
  })

  it('a user_id in the address of a request is ignored, and in its body refused', async ({ alice, bob }) => {
    publish(url, 'kitchen', [entry('v1')])
    const { user_id } = bob.user
    expect((await ask('/api/channels', { as: alice, json: { url, user_id } })).status).toBe(422)
    expect(await alice.library.channels.list()).toEqual([])
    await ask(`/api/channels?user_id=${user_id}`, { as: alice, json: { url } })
    expect(await bob.library.channels.list()).toEqual([])
    expect(await alice.library.channels.list()).toHaveLength(1)
  })
})

describe('following a channel by another of its feeds', () => {
  const [all, videos] = ['https://videos.example/all', 'https://videos.example/only-videos']

  it('following a channel by the address of another feed switches to that feed', async ({ alice }) => {
    publish(all, 'kitchen', [entry('v1'), entry('v2')])
    publish(videos, 'kitchen', [entry('v1')])
    await ask('/api/channels', { as: alice, json: { url: all } })

    const turned = await ask('/api/channels', { as: alice, json: { url: videos } })
    const back = await ask('/channels', { as: alice, form: { url: all } })

    expect([turned.status, back.status]).toEqual([200, 303])
    expect(await turned.json()).toMatchObject({ channel_id: 'kitchen', rss_url: videos, entry_count: 2 })
    const cookie = back.headers.getSetCookie().join().split(';')[0] ?? ''
    expect(await textAt('/channels/kitchen', { as: alice, headers: { cookie } })).toContain(
      'from now on, what you chose',
    )
    expect(await alice.library.channels.list()).toMatchObject([{ channel_id: 'kitchen', rss_url: all }])
  })

  it('switching the feed forgets the caching headers of the former one', async ({ alice }) => {
    publish(all, 'kitchen', [entry('v1')])
    publish(videos, 'kitchen', [entry('v1')])
    await ask('/api/channels', { as: alice, json: { url: all } })
    await sql`update channels set etag = '"1"', body_hash = 'x' where user_id = ${alice.user.user_id}`
    await ask('/api/channels', { as: alice, json: { url: videos } })
    expect(await sql`select etag, body_hash from channels where user_id = ${alice.user.user_id}`).toEqual([
      { etag: null, body_hash: null },
    ])
  })

  it('a page’s address and the feed endpoint do not switch the feed', async ({ alice }) => {
    publish(videos, 'kitchen', [entry('v1')])
    await ask('/api/channels', { as: alice, json: { url: videos } })
    publish(all, 'kitchen', [entry('v1'), entry('v2')])
    feeds.set('https://videos.example/page', () => feeds.get(all)?.() as ReadFeed)

    await ask('/api/channels', { as: alice, json: { url: 'https://videos.example/page' } })
    await ask('/api/feed', { as: alice, json: { rss_url: all } })

    expect(await alice.library.channels.list()).toMatchObject([{ rss_url: videos, entry_count: 2 }])
  })
})

describe('the channels', () => {
  const many = async (count: number) => {
    const alice = await person(sql, 'alice')
    for (let at = 0; at < count; at++)
      await follows(alice, `c${String(at).padStart(3, '0')}`, at === 7 ? ['a', 'b'] : [])
    return alice
  }
  const whole = { q: '', order: 'title', followed: true, offset: 0, limit: 100 } as const
  const titles = (html: string) => [...html.matchAll(/<bdi>(Channel c\d+)</g)].map(([, title]) => title)

  it('many channels can be filtered and sorted', async () => {
    const alice = await many(22)
    await alice.library.channels.storeFailure('c009', 'It is away.', null)

    expect(await page(alice, '/channels')).toContain('1 not updating')
    expect(titles(await page(alice, '/channels?q=C01'))).toHaveLength(10)
    expect(titles(await page(alice, '/channels?order=failing'))[0]).toBe('Channel c009')
    expect(titles(await page(alice, '/channels?order=unwatched'))[0]).toBe('Channel c007')
    expect(titles(await page(alice, '/channels?order=nonsense&cursor=-1'))).toHaveLength(22)
    expect(await page(alice, '/channels?q=nothing')).toContain('No channel matches')
  })

  it('a channel says what is unwatched, what is newest and what is on disk', async ({ alice, bob }) => {
    await follows(alice, 'kitchen', ['v1', 'v2', 'v3'])
    await follows(bob, 'kitchen', ['v1'])
    await onDisk(app.folder, alice, 'v1', '13 characters')
    await alice.library.viewings.record('v2', { seen: true })

    const [listed] = await alice.library.channels.page(whole)
    const [his] = await bob.library.channels.page(whole)

    expect(listed).toMatchObject({ unwatched: 2, on_disk_bytes: 13, auto_download: false, newest_title: 'Video v3' })
    expect(his).toMatchObject({ unwatched: 1, on_disk_bytes: 0, newest_title: 'Video v1' })
  })

  it('numbers in names are in the order of numbers', async ({ alice }) => {
    for (const title of ['Part 10', 'part 2', 'Part 1', '9 lives', '10 lives'])
      await alice.library.channels.save({ channel_id: title, title, rss_url: `https://videos.example/${title}` }, [])
    const found = await alice.library.channels.page(whole)
    expect(found.map(({ title }) => title)).toEqual(['9 lives', '10 lives', 'Part 1', 'part 2', 'Part 10'])
    expect((await alice.library.channels.list()).map(({ title }) => title)).toEqual(found.map(({ title }) => title))
  })

  it.each([
    ['newest', ['new', 'big', 'empty']],
    ['unwatched', ['big', 'new', 'empty']],
    ['size', ['big', 'empty', 'new']],
  ] as const)('channels are sorted by %s', async (order, ids) => {
    const alice = await person(sql, 'alice')
    await follows(alice, 'big', ['b1', 'b2'])
    await follows(alice, 'new', ['n1'])
    await follows(alice, 'empty', [])
    await onDisk(app.folder, alice, 'b1', 'a film', 'big')
    await sql`update video_entries set sort_at = now() + interval '1 day' where video_id = 'n1'`
    const found = await alice.library.channels.page({ ...whole, order })
    expect(found.map(({ channel_id }) => channel_id)).toEqual(ids)
  })

  it('a filter ignores case in every script, and no character has a meaning of its own', async ({ alice }) => {
    for (const [at, title] of ['Über Käse', '100 %', 'back\\up_1'].entries()) {
      const channel = { channel_id: `c${at}`, title, rss_url: `https://videos.example/${at}` }
      await alice.library.channels.save(channel, [])
    }
    const found = async (q: string) => {
      const answer = await ask(`/channels?q=${encodeURIComponent(q)}`, { as: alice })
      const ids = (await answer.text()).matchAll(/href="\/channels\/(c\d)"/g)
      return [answer.status, ...new Set([...ids].map(([, id]) => id))]
    }
    expect(await found('üBER kÄ')).toEqual([200, 'c0'])
    expect(await found('%')).toEqual([200, 'c1'])
    expect(await found('\\up_')).toEqual([200, 'c2'])
  })

  it('few channels are listed without filters', async () => {
    expect(await page(await many(3), '/channels')).not.toContain('Filter by name')
  })

  it('channels are listed a hundred at a time', async () => {
    const alice = await many(130)
    const first = await page(alice, '/channels')
    expect(titles(first)).toHaveLength(100)
    expect(first.length).toBeLessThan(100_000)
    expect(titles(await page(alice, '/channels?cursor=100'))).toHaveLength(30)
  })

  it('a channel shows the picture its feed names, and keeps it when the feed stops naming one', async ({ alice }) => {
    const channel = { channel_id: 'c', title: 'Knives', rss_url: 'https://videos.example/c' }
    const image_url = 'https://videos.example/knives.png'
    await alice.library.channels.save({ ...channel, image_url }, [])
    await alice.library.channels.update('c', { title: 'Knives', entries: [] })
    const { channels } = (await jsonAt('/api/channels', { as: alice })) as { channels: unknown[] }
    expect(channels).toMatchObject([{ image_url }])
    expect(await page(alice, '/channels')).toContain('data-awaits="channel c"')
    const picture_url = await storePicture(app, 'channel', image_url)
    expect(await page(alice, '/channels')).toContain(`src="${picture_url.replace('large', 'small')}"`)
    await alice.library.channels.update('c', {
      title: 'Knives',
      entries: [],
      image_url: 'https://videos.example/new.png',
    })
    expect((await alice.library.channels.find('c'))?.image_url).toBe('https://videos.example/new.png')
  })
})
