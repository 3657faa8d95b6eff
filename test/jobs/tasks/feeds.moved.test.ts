/** Feeds that redirect to another address for good. */
import type { JobHelpers } from 'graphile-worker'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { refreshFeedTask } from '../../../jobs/tasks/feeds.ts'
import { followChannel } from '../../../src/domain/channels/channels.ts'
import { bestOf, createDiscover, import_budget } from '../../../src/domain/channels/discovery.ts'
import { webSources } from '../../../src/domain/channels/feed-search.ts'
import { previewAddress } from '../../../src/domain/channels/preview.ts'
import { createChangeFetcher } from '../../../src/feed/fetch/fetch-feed.ts'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { silent } from '../../support/app/app.ts'
import { useDatabase } from '../../support/app/database.ts'
import { type Person, person } from '../../support/app/people.ts'
import { siteWith } from '../../support/media/feed-site.ts'

const { sql } = useDatabase()
const edge = { policy: addressPolicy(['127.0.0.0/8']) }
const findFeed = bestOf(createDiscover(webSources(edge.policy), import_budget))
const logged = vi.spyOn(silent, 'info')
const parts = { sql, log: silent, refresh_interval_minutes: 30 }
const refresh = refreshFeedTask({ ...parts, fetchChanges: createChangeFetcher(edge) })

const feedOf = (...ids: string[]) =>
  `<rss><channel><title>Kitchen</title>${ids
    .map(id => `<item><title>${id}</title><link>https://h.example/${id}</link></item>`)
    .join('')}</channel></rss>`

const follow = async ({ library }: Person, address: string) =>
  (await followChannel(library, findFeed, address)).channel.channel_id
const addresses = async ({ library }: Person) =>
  (await library.channels.list()).map(({ rss_url }) => new URL(rss_url ?? '').pathname).toSorted()
const checkAfter = async (hours: number, address: string, task = refresh) => {
  vi.setSystemTime(Date.now() + hours * 3600_000)
  await sql`update channels set next_fetch_at = now()`
  await task({ rss_url: address }, {} as JobHelpers)
}
const weekAgo = () => sql`update video_entries set first_seen_at = now() - interval '8 days'`

let [alice, bob]: [Person, Person] = [{} as Person, {} as Person]
beforeEach(async () => {
  await sql`delete from channels`
  logged.mockClear()
  ;[alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => {
  vi.useRealTimers()
})

/** What a site answers by path: a document, or a redirect such as `301 /new`. */
const siteOf = async (answers: Record<string, string>) =>
  siteWith((request, response) => {
    const answer = answers[request.url ?? ''] ?? '404 /'
    const [, status, location = ''] = /^(\d{3}) (.*)$/.exec(answer) ?? []
    if (status !== undefined) response.writeHead(Number(status), { location }).end()
    else response.setHeader('etag', `"${answer.length}"`).end(answer)
  })

describe('a feed that has moved for good', () => {
  it('a feed is followed at its new address by all, once it has been there for hours, and the log has the old one', async () => {
    const answers: Record<string, string> = { '/old': feedOf('v1') }
    const site = await siteOf(answers)
    const old = `${site.url}/old`
    for (const one of [alice, bob]) await follow(one, old)
    await weekAgo()
    const before = await alice.library.channels.list()
    Object.assign(answers, { '/old': '301 /between', '/between': '308 /new', '/new': feedOf('v1', 'v2') })

    await checkAfter(1, old)
    await checkAfter(5, old)
    expect([await addresses(alice), await addresses(bob)]).toEqual([['/old'], ['/old']])
    await checkAfter(2, old)
    expect([await addresses(alice), await addresses(bob)]).toEqual([['/new'], ['/new']])
    expect(logged).toHaveBeenCalledWith({ rss_url: old, moved_to: `${site.url}/new` }, expect.stringContaining('moved'))

    expect(await sql`select from channels where etag is not null or body_hash is not null`).toHaveLength(0)
    expect(await sql`select from feeds where rss_url = ${`${site.url}/new`}`).toHaveLength(0)
    site.asked.length = 0
    await checkAfter(1, `${site.url}/new`)
    expect(site.asked).toEqual(['/new'])
    expect(await alice.library.channels.list()).toMatchObject([
      { channel_id: before[0]?.channel_id, entry_count: 2, fetch_error: null },
    ])
  })

  it('a channel that has moved is not followed a second time by its new address', async () => {
    const answers: Record<string, string> = { '/old': feedOf('v1') }
    const site = await siteOf(answers)
    const channel_id = await follow(alice, `${site.url}/old`)
    await weekAgo()
    Object.assign(answers, { '/old': '301 /new', '/new': feedOf('v1') })
    for (const hours of [1, 7]) await checkAfter(hours, `${site.url}/old`)
    expect(await addresses(alice)).toEqual(['/new'])

    expect(await follow(alice, `${site.url}/new`)).toBe(channel_id)
    const discover = createDiscover(webSources(edge.policy))
    const { followed } = await previewAddress(alice.library, { discover, lookAt: vi.fn() }, `${site.url}/new`)
    expect(followed?.channel_id).toBe(channel_id)
    expect(await addresses(alice)).toEqual(['/new'])
  })

  it('a person who follows both addresses keeps both', async () => {
    const answers: Record<string, string> = { '/old': feedOf('v1'), '/new': feedOf('v1') }
    const site = await siteOf(answers)
    for (const path of ['/old', '/new']) await follow(alice, site.url + path)
    await follow(bob, `${site.url}/old`)
    await weekAgo()
    answers['/old'] = '301 /new'
    for (const hours of [1, 7]) await checkAfter(hours, `${site.url}/old`)
    expect([await addresses(alice), await addresses(bob)]).toEqual([['/new', '/old'], ['/new']])
  })

  it('a person whose channel has no video older than a week waits', async () => {
    const answers: Record<string, string> = { '/old': feedOf('v1') }
    const site = await siteOf(answers)
    await follow(alice, `${site.url}/old`)
    await weekAgo()
    await follow(bob, `${site.url}/old`)
    Object.assign(answers, { '/old': '301 /new', '/new': feedOf('v1') })
    for (const hours of [1, 7]) await checkAfter(hours, `${site.url}/old`)
    expect([await addresses(alice), await addresses(bob)]).toEqual([['/new'], ['/old']])
  })
})

describe('a feed that has not moved', () => {
  it.each<[string, Record<string, string>]>([
    ['a redirect for now', { '/old': '302 /new' }],
    ['a redirect for now in between', { '/old': '301 /between', '/between': '307 /new' }],
    ['an address with a parameter', { '/old': '301 /new?until=9', '/new?until=9': feedOf('v1') }],
    ['another feed', { '/new': feedOf('other', 'another') }],
    ['a page', { '/new': '<html><title>Domain for sale</title></html>' }],
  ])('%s moves nothing', async (_, more) => {
    const answers: Record<string, string> = { '/old': feedOf('v1') }
    const site = await siteOf(answers)
    await follow(alice, `${site.url}/old`)
    await weekAgo()
    Object.assign(answers, { '/old': '301 /new', '/new': feedOf('v1'), ...more })
    for (const hours of [1, 7, 7]) await checkAfter(hours, `${site.url}/old`)
    expect(await addresses(alice)).toEqual(['/old'])
  })

  it('a redirect that leads elsewhere, or nowhere, in between moves nothing until it has settled', async () => {
    const answers: Record<string, string> = { '/old': feedOf('v1'), '/new': feedOf('v1'), '/other': feedOf('v1') }
    const site = await siteOf(answers)
    await follow(alice, `${site.url}/old`)
    await weekAgo()
    for (const answer of ['301 /new', '301 /other', '301 /new', feedOf('v1'), '301 /new']) {
      answers['/old'] = answer
      await checkAfter(7, `${site.url}/old`)
    }
    expect(await addresses(alice)).toEqual(['/old'])
    await checkAfter(7, `${site.url}/old`)
    expect(await addresses(alice)).toEqual(['/new'])
  })

  it.each([
    ['https://www.youtube.com/feeds/videos.xml?channel_id=UCabcdefghijklmnopqrst-_', 'https://h.example/feed'],
    ['https://h.example/feed', 'https://www.youtube.com/feeds/videos.xml?channel_id=UCabcdefghijklmnopqrst-_'],
  ])('a feed of a known platform stays where it is: %s to %s', async (rss_url, moved_to) => {
    const known = { etag: null, last_modified: null, body_hash: 'a', every_minutes: null }
    const entry = { video_id: 'v1', video_url: 'https://h.example/v1', title: 'V', thumbnail_url: null }
    const entries = [{ ...entry, description: null, published_at: null }]
    await alice.library.channels.save({ channel_id: 'kitchen', title: 'Kitchen', rss_url }, entries)
    await weekAgo()
    const task = refreshFeedTask({ ...parts, fetchChanges: async () => ({ known, min_wait_s: null, moved_to }) })
    for (const hours of [1, 7]) await checkAfter(hours, rss_url, task)
    expect(await alice.library.channels.list()).toMatchObject([{ rss_url }])
  })
})
