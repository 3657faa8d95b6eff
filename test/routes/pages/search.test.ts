/** Search as page and as JSON; and the list of channels, which is filtered and ordered. */
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { entry, follows, type Person, person } from '../../support/app/people.ts'

const { ask, sql } = useApp()

type Found = {
  entries: { video_id: string; title: string; highlights: { title: { text: string; match: boolean }[] | null } }[]
  channels: { title: string }[]
  next_cursor: string | null
}

async function bakes(name: string, videos = 3): Promise<Person> {
  const who = await person(sql, name)
  const channel = { channel_id: 'kitchen', title: 'Bread Kitchen', rss_url: 'https://videos.example/kitchen' }
  const all = Array.from({ length: videos }, (_, at) => entry(`v${at}`, { title: `Bread ${at} <b>` }))
  await who.library.channels.save(channel, all)
  return who
}

const page = async (who: Person, path: string) => (await ask(path, { as: who })).text()
const found = async (who: Person, query: string) =>
  (await (await ask(`/api/search${query}`, { as: who })).json()) as Found

describe('a search', () => {
  it('page and API give the same results, with the words found', async () => {
    const alice = await bakes('alice')
    const json = await found(alice, '?q=brea')
    const html = await page(alice, '/search?q=brea')

    expect(json.entries.map(({ video_id }) => video_id)).toEqual(['v2', 'v1', 'v0'])
    expect(json.entries[0]?.highlights.title?.[0]).toEqual({ text: 'Bread', match: true })
    expect(json.channels.map(({ title }) => title)).toEqual(['Bread Kitchen'])
    expect(html).toContain('<mark>Bread</mark> 2 &lt;b&gt;')
    expect(html).toContain('href="/channels/kitchen"')
    expect(html).toContain('3 videos, 1 channel')
  })

  it('the next page of a search continues the last, without channels', async () => {
    const alice = await bakes('alice', 30)
    const first = await found(alice, '?q=bread&limit=20')
    const second = await found(alice, `?q=bread&limit=20&cursor=${first.next_cursor}`)
    expect([first.entries.length, second.entries.length, second.next_cursor]).toEqual([20, 10, null])
    expect(second.channels).toEqual([])
    expect(await page(alice, '/search?q=bread')).toMatch(/rel="next" href="\/search\?q=bread&amp;cursor=\w+"/)
  })

  it('a search without words explains what can be typed', async () => {
    const alice = await bakes('alice')
    expect(await page(alice, '/search')).toContain('bread -trailer')
    expect(await found(alice, '?q=%20')).toEqual({ entries: [], channels: [], next_cursor: null })
  })

  it('a search finds nothing of another user', async () => {
    await bakes('alice')
    const bob = await person(sql, 'bob')
    expect(await found(bob, '?q=bread')).toEqual({ entries: [], channels: [], next_cursor: null })
    expect(await page(bob, '/search?q=bread')).toContain('No results for “bread”.')
  })

  it('a search accepts any words and refuses a malformed cursor', async () => {
    const alice = await bakes('alice')
    const [no_place, too_many, anything] = await Promise.all(
      ['cursor=x', 'limit=101', `q2=&`].map(more => ask(`/api/search?q=${'%22'.repeat(300)}&${more}`, { as: alice })),
    )
    expect([no_place?.status, too_many?.status, anything?.status]).toEqual([422, 422, 200])
  })

  it('the old search address on the first page leads to the search', async () => {
    const alice = await bakes('alice')
    const answer = await ask('/?q=a%26b', { as: alice })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/search?q=a%26b'])
  })
})

describe('the history of a channel', () => {
  it('page and API count the videos of a channel by status', async () => {
    const alice = await bakes('alice', 60)
    const json = (await (await ask('/api/history/kitchen', { as: alice })).json()) as { counts: unknown }
    expect(json.counts).toEqual({ pending: 60, downloading: 0, completed: 0, failed: 0 })
    expect(await page(alice, '/channels/kitchen')).toMatch(/Not downloaded <span class="amount">60</)
  })

  it('no list page is larger than 100 kB, however long the descriptions are', async () => {
    const alice = await person(sql, 'alice')
    const channel = { channel_id: 'long', title: 'Long', rss_url: 'https://videos.example/long' }
    const description = 'Bread and what stands beside it. '.repeat(60)
    const all = Array.from({ length: 120 }, (_, at) =>
      entry(`video-${at}`, { title: `Bread number ${at}, at length`, description }),
    )
    await alice.library.channels.save(channel, all)
    for (const path of ['/channels/long', '/channels/long?q=bread', '/', '/search?q=bread']) {
      const html = await page(alice, path)
      expect([path, html.length < 100_000]).toEqual([path, true])
    }
  })
})

describe('the channels', () => {
  const many = async (count: number) => {
    const alice = await person(sql, 'alice')
    for (let at = 0; at < count; at++)
      await follows(alice, `c${String(at).padStart(3, '0')}`, at === 7 ? ['a', 'b'] : [])
    return alice
  }
  const titles = (html: string) => [...html.matchAll(/">(Channel c\d+)</g)].map(([, title]) => title)

  it('many channels can be filtered and sorted', async () => {
    const alice = await many(22)
    await alice.library.channels.noteFailure('c009', 'It is away.', null)

    expect(await page(alice, '/channels')).toContain('1 channel is not updating')
    expect(titles(await page(alice, '/channels?q=C01'))).toHaveLength(10)
    expect(titles(await page(alice, '/channels?order=failing'))[0]).toBe('Channel c009')
    expect(titles(await page(alice, '/channels?order=videos'))[0]).toBe('Channel c007')
    expect(titles(await page(alice, '/channels?order=nonsense&cursor=-1'))).toHaveLength(22)
    expect(await page(alice, '/channels?q=nothing')).toContain('No channel matches')
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

  it('a channel shows the picture its feed names, and keeps it when the feed stops naming one', async () => {
    const alice = await person(sql, 'alice')
    const channel = { channel_id: 'c', title: 'Knives', rss_url: 'https://videos.example/c' }
    const image_url = 'https://videos.example/knives.png'
    await alice.library.channels.save({ ...channel, image_url }, [])
    await alice.library.channels.renew('c', { title: 'Knives', entries: [] })
    const { channels } = (await (await ask('/api/channels', { as: alice })).json()) as { channels: unknown[] }
    expect(channels).toMatchObject([{ image_url }])
    expect(await page(alice, '/channels')).toContain(`src="${image_url}"`)
    await alice.library.channels.renew('c', {
      title: 'Knives',
      entries: [],
      image_url: 'https://videos.example/new.png',
    })
    expect((await alice.library.channels.find('c'))?.image_url).toBe('https://videos.example/new.png')
  })
})
