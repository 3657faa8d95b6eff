/** Search, by page and API. */
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { breadKitchen, type Person, person } from '../../support/app/people.ts'

const { ask, sql } = useApp()

type Found = {
  entries: { video_id: string; title: string; highlights: { title: { text: string; match: boolean }[] | null } }[]
  channels: { title: string }[]
  next_cursor: string | null
}

const bakes = (name: string, videos?: number) => breadKitchen(sql, name, videos)

const page = async (who: Person, path: string) => (await ask(path, { as: who })).text()

/** Addresses and labels of the links in a list. */
const linksIn = (html: string, list: string) =>
  [...(html.split(`aria-label="${list}"`)[1]?.split('</ul>')[0] ?? '').matchAll(/<a [^>]*>/g)].map(([link]) => [
    /href="([^"]*)"/.exec(link)?.[1],
    /aria-label="([^"]*)"/.exec(link)?.[1],
  ])

const found = async (who: Person, query: string) =>
  (await (await ask(`/api/search${query}`, { as: who })).json()) as Found

describe('the filters of a search', () => {
  it('are chips, each a link to the search without it', async () => {
    const alice = await bakes('alice')
    const html = await page(alice, '/search?q=bread+-on%3Adisk+channel%3A%22bread+kitchen%22')
    expect(linksIn(html, 'Filters')).toEqual([
      ['/search?q=bread+channel%3A%22bread+kitchen%22', 'Remove filter Not on disk'],
      ['/search?q=bread+-on%3Adisk', 'Remove filter Channel: bread kitchen'],
    ])
  })

  it('that are wrong are left out, with a link to the mended search or what to type', async () => {
    const alice = await bakes('alice')
    const html = await page(alice, '/search?q=bread+is%3Aunwached+before%3Asoon')
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
    expect(html).toContain('<mark>Bread</mark> 2 &lt;b&gt;')
    expect(html).toContain('href="/channels/kitchen"')
    expect(html).toContain('3 videos, 1 channel')
  })

  it('page and API understand filters, also without words, and the order', async () => {
    const alice = await bakes('alice')
    await alice.library.viewings.note('v1', { seen: true })
    const ids = async (q: string, sort = 'relevance') =>
      (await found(alice, `?q=${encodeURIComponent(q)}&sort=${sort}`)).entries.map(({ video_id }) => video_id)

    expect(await ids('is:unwatched')).toEqual(['v2', 'v0'])
    expect(await ids('bread channel:kitchen -is:watched', 'newest')).toEqual(['v2', 'v0'])
    expect(await page(alice, '/search?q=is:watched')).toMatch(/Bread 1(?!.*Bread 2)/s)
    expect((await ask('/api/search?q=bread&sort=oldest', { as: alice })).status).toBe(422)
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

describe('suggestions', () => {
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

  it('never are names of another user', async () => {
    const alice = await bakes('alice')
    await alice.library.groups.create('To bake')
    const bob = await person(sql, 'bob')
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
