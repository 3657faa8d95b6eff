/** Search, by page and API. */
import { describe, expect } from 'vitest'
import { videoIdAt } from '../../../src/domain/videos/looked-entry.ts'
import { useApp, withPeople } from '../../support/app/app.ts'
import { breadKitchen, entry, follows, type Person, person } from '../../support/app/people.ts'

const app = useApp()
const { ask, sql, jsonAt, textAt } = app
const it = withPeople(app)

type Found = {
  entries: { video_id: string; title: string; highlights: { title: { text: string; match: boolean }[] | null } }[]
  channels: { title: string }[]
  words: string
  filters: { typed: string; means: string; without: string }[]
  hints: { typed: string; hint: string; instead: string | null }[]
  next_cursor: string | null
}

const nothing = { filters: [], hints: [], entries: [], channels: [], missing: null, next_cursor: null }

const bakes = (name: string, videos?: number) => breadKitchen(sql, name, videos)

const page = async (who: Person, path: string) => textAt(path, { as: who })

/** Addresses and labels of the links in a list. */
const linksIn = (html: string, list: string) =>
  [...(html.split(`aria-label="${list}"`)[1]?.split(/<\/(?:ul|nav)>/)[0] ?? '').matchAll(/<a [^>]*>/g)].map(
    ([link]) => [/href="([^"]*)"/.exec(link)?.[1], /aria-label="([^"]*)"/.exec(link)?.[1]],
  )

const found = async (who: Person, query: string) => (await jsonAt(`/api/search${query}`, { as: who })) as Found

describe('a search for one video', () => {
  it.each([
    ['dQw4w9WgXcQ', 'dQw4w9WgXcQ'],
    ['-Qw4w9WgXcQ', '-Qw4w9WgXcQ'],
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PL1&t=10s', 'dQw4w9WgXcQ'],
    ['youtu.be/dQw4w9WgXcQ?si=x', 'dQw4w9WgXcQ'],
    ['https://m.youtube.com/shorts/dQw4w9WgXcQ', 'dQw4w9WgXcQ'],
    ['https://www.youtube.com/live/-Qw4w9WgXcQ', '-Qw4w9WgXcQ'],
    ['https://vimeo.com/76979871', 'vimeo.76979871'],
    ['vimeo.76979871', 'vimeo.76979871'],
    ['https://www.twitch.tv/videos/1234567', 'twitch.1234567'],
  ])('by %s finds that video alone', async (q, video_id) => {
    const alice = await person(sql, 'alice')
    await follows(alice, 'c', ['dQw4w9WgXcQ', '-Qw4w9WgXcQ', 'vimeo.76979871', 'twitch.1234567'])
    const bob = await person(sql, 'bob')
    const query = `?q=${encodeURIComponent(q)}`

    expect(await found(alice, query)).toMatchObject({ ...nothing, entries: [{ video_id }] })
    expect(await page(alice, `/search${query}`)).toContain(`/watch/${video_id}`)
    expect(await found(bob, query)).toMatchObject({ entries: [], channels: [] })
  })

  it.each([
    ['the address that its feed gives, of a front end of another site', 'https://inv.example/watch?v=dQw4w9WgXcQ'],
    ['another spelling of its address', 'http://inv.example/watch?v=dQw4w9WgXcQ/'],
    ['a short identifier', 'v1'],
    ['the address that it has moved to', 'https://videos.example/new-bread'],
  ])('by %s finds that video alone, and only for its person', async (_, q) => {
    const [alice, bob] = await Promise.all([person(sql, 'alice'), person(sql, 'bob')])
    const channel = { channel_id: 'c', title: 'C', rss_url: 'https://inv.example/c' }
    const video_id = q.includes('inv.example') ? 'dQw4w9WgXcQ' : 'v1'
    const video_url = video_id === 'v1' ? 'https://videos.example/bread' : 'https://inv.example/watch?v=dQw4w9WgXcQ'
    await alice.library.channels.save(channel, [entry(video_id, { video_url }), entry('other')])
    await sql`update video_entries set moved_id = ${videoIdAt('https://videos.example/new-bread')} where video_id = 'v1'`
    const query = `?q=${encodeURIComponent(q)}`

    expect(await found(alice, query)).toMatchObject({ ...nothing, entries: [{ video_id }] })
    expect((await found(bob, query)).entries).toEqual([])
  })

  it('keeps the case of an identifier', async ({ alice }) => {
    await follows(alice, 'c', ['dQw4w9WgXcQ', 'DQW4W9WGXCQ'])
    expect((await found(alice, '?q=youtu.be/dQw4w9WgXcQ')).entries).toMatchObject([{ video_id: 'dQw4w9WgXcQ' }])
    expect((await found(alice, '?q=DQW4W9WGXCQ')).entries).toMatchObject([{ video_id: 'DQW4W9WGXCQ' }])
  })

  it('by the address or identifier of a channel finds that channel', async ({ alice, bob }) => {
    const channel_id = `UC${'x'.repeat(22)}`
    const rss_url = `https://www.youtube.com/feeds/videos.xml?channel_id=${channel_id}`
    await alice.library.channels.save({ channel_id, title: 'Kitchen', rss_url }, [])
    const own = {
      channel_id: 'own',
      title: 'Own',
      rss_url: 'https://own.example/feed',
      page_url: 'https://own.example/',
    }
    await alice.library.channels.save(own, [])
    for (const q of [channel_id, `https://www.youtube.com/channel/${channel_id}/videos`, rss_url]) {
      const query = `?q=${encodeURIComponent(q)}`
      expect(await found(alice, query)).toMatchObject({ ...nothing, channels: [{ title: 'Kitchen' }] })
      expect(await found(bob, query)).toMatchObject({ ...nothing, missing: { kind: 'channel' } })
    }
    expect((await found(alice, '?q=own.example/')).channels).toMatchObject([{ title: 'Own' }])
    expect(await page(alice, `/search?q=${channel_id}`)).toMatch(/id="found">1 channel</)
  })

  it('by an address that is not in the library offers to add what is there', async () => {
    const alice = await bakes('alice')
    const offers = async (q: string) =>
      (await page(alice, `/search?q=${encodeURIComponent(q)}`)).match(/Not in your library\..*?<\/p>/s)?.[0]
    expect(await offers('youtu.be/dQw4w9WgXcQ')).toMatch(
      /href="\/channels\/new\?url=https%3A%2F%2Fyoutu.be%2FdQw4w9WgXcQ">Add this video</,
    )
    expect(await offers('@kitchen')).toMatch(/youtube\.com%2F%40kitchen">Follow this channel</)
    expect(await offers('https://films.example/rye')).toContain('Add this link')
    for (const q of ['bread', 'dQw4w9WgXcQ', 'http://', 'https://127.0.0.1:x/', 'AC/DC live'])
      expect(await offers(q)).toBeUndefined()
  })

  it('by the address of a video that is not in the library finds those with the address in their description', async () => {
    const alice = await person(sql, 'alice')
    const channel = { channel_id: 'c', title: 'C', rss_url: 'https://videos.example/c' }
    await alice.library.channels.save(channel, [entry('v', { description: 'see https://youtu.be/dQw4w9WgXcQ' })])
    expect((await found(alice, '?q=https%3A%2F%2Fyoutu.be%2FdQw4w9WgXcQ')).entries).toMatchObject([{ video_id: 'v' }])
    expect((await found(alice, '?q=dQw4w9WgXcQ')).entries).toMatchObject([{ video_id: 'v' }])
  })
})

describe('the filters of a search', () => {
  it('are the same chips on the page and filters in the API, each with the search without it', async () => {
    const alice = await bakes('alice')
    const query = '?q=bread+-on%3Adisk+channel%3A%22bread+kitchen%22'
    const { words, filters, entries, hints } = await found(alice, query)

    expect([words, entries.length, hints]).toEqual(['bread', 3, []])
    expect(filters).toEqual([
      { typed: '-on:disk', means: 'Not on disk', without: 'bread channel:"bread kitchen"' },
      { typed: 'channel:"bread kitchen"', means: 'Channel: bread kitchen', without: 'bread -on:disk' },
    ])
    expect(linksIn(await page(alice, `/search${query}&sort=newest`), 'Filters')).toEqual([
      ['/search?q=bread+channel%3A%22bread+kitchen%22&amp;sort=newest', 'Remove filter Not on disk'],
      ['/search?q=bread+-on%3Adisk&amp;sort=newest', 'Remove filter Channel: bread kitchen'],
      [query.replace('?', '/search?'), 'Remove filter Newest first'],
    ])
  })

  it('are offered as links that add them, without those that the search has, and their opposites', async () => {
    const alice = await bakes('alice')
    await alice.library.groups.create('To bake')
    const offered = async (query: string) =>
      linksIn(await page(alice, `/search${query}`), 'Add a filter').map(([href]) => href)

    expect(await offered('?q=bread')).toEqual(
      expect.arrayContaining([
        ...['/search?q=bread+on%3Adisk', '/search?q=bread+is%3Aunwatched', '/search?q=bread+longer%3A20m'],
        ...['/search?q=bread+channel%3A%22Bread+Kitchen%22', '/search?q=bread+group%3A%22To+bake%22'],
      ]),
    )
    expect((await offered('')).slice(0, 2)).toEqual(['/search?q=on%3Adisk', '/search?q=is%3Aunwatched'])
    const rest = await offered('?q=bread+-on%3Adisk+is%3Awatched+shorter%3A1h')
    expect(rest.filter(href => /on%3Adisk$|watched$|(longer|shorter)%3A\w+$/.test(href ?? ''))).toEqual([])
    expect(rest).toContain('/search?q=bread+-on%3Adisk+is%3Awatched+shorter%3A1h+after%3A7d')
  })

  it('limit the videos, also without a word; a channel is found by words only', async () => {
    const alice = await bakes('alice')
    for (const typed of ['before:2000', 'is:watched -is:watched', 'on:disk bread'])
      expect(await found(alice, `?q=${encodeURIComponent(typed)}`)).toMatchObject({ entries: [], channels: [] })
    expect((await found(alice, '?q=-on%3Adisk')).entries).toHaveLength(3)
    expect(await page(alice, '/search?q=on%3Adisk')).toContain('Remove a filter, or')
    expect(await page(alice, '/search?q=bread+on%3Adisk')).toContain(
      '<a href="/search?q=bread">Search without filters</a>',
    )
  })

  it('that are wrong are left out, and answered with the mended search or with what to type', async () => {
    const alice = await bakes('alice')
    const query = '?q=bread+is%3Aunwached+before%3Asoon'
    const { entries, filters, hints } = await found(alice, query)
    const html = await page(alice, `/search${query}`)

    expect([entries.length, filters]).toEqual([3, []])
    expect(hints).toEqual([
      {
        typed: 'is:unwached',
        hint: 'Did you mean is:unwatched?',
        instead: 'bread is:unwatched before:soon',
      },
      { typed: 'before:soon', hint: expect.stringContaining('before:2025-04-30'), instead: null },
    ])
    expect(html).toContain('<mark>Bread</mark>')
    expect(html).toContain(
      '<code>is:unwached</code> <a href="/search?q=bread+is%3Aunwatched+before%3Asoon">Did you mean is:unwatched?</a>',
    )
    expect(html).toContain('<code>before:soon</code> Use a date or a time ago: before:2025')
  })

  it('that are not complete yet explain what can be typed', async () => {
    const alice = await bakes('alice')
    const html = await page(alice, '/search?q=is%3A')
    expect(html).toContain('<code>is:</code> Use is: with watched')
    expect(html).toContain('Published in 2024.')
    expect(await found(alice, '?q=is%3A')).toMatchObject({ words: '', entries: [], hints: [{ typed: 'is:' }] })
  })

  it('that name no channel of this person say so, whatever another one follows', async ({ bob }) => {
    await bakes('alice')
    const hint = 'You have no channel with this in its name.'
    expect((await found(bob, '?q=channel%3Abread')).hints).toEqual([{ typed: 'channel:bread', hint, instead: null }])
    expect(await page(bob, '/search?q=channel%3Abread')).toContain(`<code>channel:bread</code> ${hint}`)
  })
})

describe('the order of a search', () => {
  it('is chosen by links that keep the search, and is kept by the field and the next page', async () => {
    const alice = await bakes('alice', 30)
    const html = await page(alice, '/search?q=bread&sort=newest')
    expect(await page(alice, '/search?q=bread')).toContain('href="/search?q=bread&amp;sort=newest">Newest first</a>')
    expect(html).toMatch(/href="\/search\?q=bread" aria-label="Remove filter Newest first"/)
    expect(html).toContain('<input type="hidden" name="sort" value="newest"')
    expect(html).toMatch(/rel="next" href="\/search\?q=bread&amp;sort=newest&amp;cursor=\w+"/)
    expect(await page(alice, '/search?q=-on%3Adisk')).not.toContain('Newest first')
  })

  it('by date has what is new first, wherever the words are', async ({ alice }) => {
    await follows(
      alice,
      'kitchen',
      [
        entry('old', { title: 'Rye', published_at: new Date('2020-01-01') }),
        entry('new', { title: 'Wheat', description: 'with rye', published_at: new Date('2026-01-01') }),
      ],
      { title: 'Kitchen' },
    )
    const idsBy = async (sort: string) =>
      (await found(alice, `?q=rye&sort=${sort}`)).entries.map(({ video_id }) => video_id)
    expect(await idsBy('relevance')).toEqual(['old', 'new'])
    expect(await idsBy('newest')).toEqual(['new', 'old'])
    expect((await ask('/api/search?q=rye&sort=best', { as: alice })).status).toBe(422)
  })
})

describe('a search', () => {
  it('page and API give the same results, with the words found', async () => {
    const alice = await bakes('alice')
    const json = await found(alice, '?q=brea')
    const html = await page(alice, '/search?q=brea')

    expect(json.entries.map(({ video_id }) => video_id)).toEqual(['v2', 'v1', 'v0'])
    expect(json.entries[0]?.highlights.title?.[0]).toEqual({ text: 'Bread', match: true })
    expect(json.channels.map(({ title }) => title)).toEqual(['Bread Kitchen'])
    for (const words of ['<mark>Bread</mark> 2 &lt;b&gt;', 'href="/channels/kitchen"', '3 videos, 1 channel'])
      expect(html).toContain(words)
  })

  it('page and API understand filters, also without words, and the order', async () => {
    const alice = await bakes('alice')
    await alice.library.viewings.record('v1', { seen: true })
    const ids = async (q: string, sort = 'relevance') =>
      (await found(alice, `?q=${encodeURIComponent(q)}&sort=${sort}`)).entries.map(({ video_id }) => video_id)

    expect(await ids('is:unwatched')).toEqual(['v2', 'v0'])
    expect(await ids('bread channel:kitchen -is:watched', 'newest')).toEqual(['v2', 'v0'])
    expect(await page(alice, '/search?q=is:watched')).toMatch(/Bread 1(?!.*Bread 2)/s)
    expect((await ask('/api/search?q=bread&sort=oldest', { as: alice })).status).toBe(422)
  })

  it('a result shows two places where the words are said, and unfolds the others', async () => {
    const alice = await bakes('alice', 1)
    const lines = Array.from({ length: 120 }, (_, at) => ({ start_seconds: at * 10, text: at % 12 ? 'stir' : 'rye' }))
    await alice.library.transcripts.save('v0', { language: 'en', automatic: false, lines })
    const html = await page(alice, '/search?q=rye')
    const [shown = '', folded = ''] = html.split('<details class="more-moments">')
    expect(shown.match(/class="moment"/g)).toHaveLength(2)
    expect(folded).toMatch(/^<summary>3 more</)
    expect(folded.match(/class="moment"/g)).toHaveLength(3)
  })

  it('a result leaves out a description that says the title again, or is a list of chapters', async ({ alice }) => {
    const channel = { channel_id: 'c', title: 'C', rss_url: 'https://videos.example/c' }
    await alice.library.channels.save(channel, [
      entry('title', { title: 'Rye bread', description: 'Rye bread' }),
      entry('chapters', { title: 'Rye', description: '0:00 Rye\n0:40 Wheat\n1:20 Results' }),
      entry('more', { title: 'Wheat', description: 'Today with rye from the mill' }),
    ])
    const html = await page(alice, '/search?q=rye')
    expect(html.match(/class="quiet fragment"/g)).toHaveLength(1)
    expect(html).toMatch(/Today with <mark>rye<\/mark> from the mill/)
    expect((await found(alice, '?q=rye')).entries).toHaveLength(3)
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
    expect(await found(alice, '?q=%20')).toEqual({ ...nothing, words: '' })
  })

  it('a search finds nothing of another user', async ({ bob }) => {
    await bakes('alice')
    expect(await found(bob, '?q=bread')).toEqual({ ...nothing, words: 'bread' })
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

describe('suggestions', () => {
  it('have the video whose address or identifier is pasted, and lead to it', async ({ alice }) => {
    await follows(alice, 'c', ['dQw4w9WgXcQ'])
    for (const q of ['dQw4w9WgXcQ', 'https%3A%2F%2Fyoutu.be%2FdQw4w9WgXcQ%3Fsi=x']) {
      const leads = /data-leads-to="\/watch\/dQw4w9WgXcQ"/
      expect(await page(alice, `/search/suggestions?q=${q}`)).toMatch(leads)
      expect(await page(await person(sql, 'bob'), `/search/suggestions?q=${q}`)).not.toMatch(leads)
    }
  })

  const suggested = async (who: Person, typed: string) =>
    [...(await page(who, `/search/suggestions?q=${encodeURIComponent(typed)}`)).matchAll(/data-search="([^"]*)"/g)].map(
      ([, search]) => search?.replaceAll('&quot;', '"'),
    )

  it('are names of channels and groups, after what was typed before', async () => {
    const alice = await bakes('alice')
    await alice.library.groups.create('To bake')
    expect(await suggested(alice, 'rye channel:"bread k')).toEqual(['rye channel:"Bread Kitchen" '])
    expect(await suggested(alice, '-channel:')).toEqual(['-channel:"Bread Kitchen" '])
    expect(await suggested(alice, 'group:BA')).toEqual(['group:"To bake" '])
    expect(await suggested(alice, 'group:x')).toEqual([])
  })

  it.each(['Bread – slow', 'パン：朝', 'Wait… bread', 'Baker’s · 100% rye_', 'The “good” bread – now'])(
    'a channel named %s is suggested while its name is typed, in a form that finds it',
    async title => {
      const alice = await person(sql, 'alice')
      await follows(alice, 'other', ['o1'])
      await follows(alice, 'signs', ['s1'])
      await sql`update channels set title = ${title} where channel_id = 'signs'`
      const [suggestion = ''] = (await suggested(alice, 'channel:')).filter(typed => !typed?.includes('other'))

      const found = await page(alice, `/search?q=${encodeURIComponent(suggestion)}`)
      expect([found.includes('/watch/s1'), found.includes('/watch/o1')]).toEqual([true, false])
      const unfinished = suggestion.replace(/"? $/, '').slice(0, -1)
      expect(await suggested(alice, unfinished)).toEqual([suggestion])
    },
  )

  it('never are names of another user', async ({ bob }) => {
    const alice = await bakes('alice')
    await alice.library.groups.create('To bake')
    for (const typed of ['channel:', 'channel:bread', 'group:', 'group:bake'])
      expect(await suggested(bob, typed)).toEqual([])
    expect(await suggested(bob, 'is:unw')).toEqual(['is:unwatched '])
  })

  it('escape what was typed, are not stored, and need a sign-in', async () => {
    const alice = await bakes('alice')
    const answer = await ask(`/search/suggestions?q=${encodeURIComponent('<b> on')}`, { as: alice })
    expect(await answer.text()).toContain('data-search="&lt;b&gt; on:disk "')
    expect(answer.headers.get('cache-control')).toContain('no-store')
    expect((await ask('/search/suggestions?q=on')).status).toBe(303)
  })
})
