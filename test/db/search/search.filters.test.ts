/** What limits a search, and its order by date. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { SearchSort } from '../../../src/schema/search/saved-search.ts'
import type { SearchFilter, SearchState } from '../../../src/schema/search/search-filters.ts'
import { useDatabase } from '../../support/app/database.ts'
import { entry, type Person, person } from '../../support/app/people.ts'
import { fails, finishes, runs } from '../../support/app/scene.ts'

const { sql } = useDatabase()

let alice: Person
const day = (nth: number) => new Date(Date.UTC(2026, 0, nth))

beforeEach(async () => {
  alice = await person(sql, 'alice')
  const save = (channel_id: string, title: string, entries: ReturnType<typeof entry>[]) =>
    alice.library.channels.save({ channel_id, title, rss_url: `https://videos.example/${channel_id}` }, entries)
  const video = (id: string, nth: number, more = {}) =>
    entry(id, { title: `Bread ${id}`, description: 'knead', published_at: day(nth), ...more })
  await save('kitchen', 'Slow Kitchen', [
    video('long', 1, { duration_seconds: 3600 }),
    video('short', 2, { title: 'Bread #shorts', duration_seconds: 30 }),
    video('watched', 3),
    video('started', 4),
  ])
  await save('garden', '100% Garden', [
    video('disk', 5),
    video('queued', 6),
    video('failed', 7),
    video('live', 8, { live_status: 'was_live' }),
  ])
  await save('twin', 'Copies', [video('disk', 9), video('later', 10), video('dismissed', 11), video('running', 12)])
  await finishes(alice, 'disk', 1000)
  await fails(alice, 'failed', 'It failed.')
  await runs(alice, 'running')
  await alice.library.downloads.request(['queued'])
  const { viewings } = alice.library
  await viewings.record('watched', { seen: true, position_seconds: 5, duration_seconds: 1200 })
  await viewings.record('started', { position_seconds: 5 })
  await viewings.record('later', { later: true })
  await viewings.record('dismissed', { not_for_me: true, later: true })
})

const all = 'running dismissed later disk live failed queued started watched short long'.split(' ')

const found = async (filters: SearchFilter[], q = '', sort: SearchSort = 'relevance', who = alice) => {
  const { entries } = await who.library.search.videos({ q, filters, sort, limit: 24 })
  return entries.map(({ video_id }) => video_id)
}

const is = (state: SearchState): SearchFilter => ({ key: 'is', state, is_excluded: false })
const channel = (name: string): SearchFilter => ({ key: 'channel', name, is_excluded: false })
const without = (filter: SearchFilter): SearchFilter => ({ ...filter, is_excluded: true })
const allBut = (...ids: string[]) => all.filter(id => !ids.includes(id))

describe('the limits of a search', () => {
  it.each<[string, SearchFilter[], string[]]>([
    ['none', [], all],
    ['part of the name of a channel', [channel('slow')], ['started', 'watched', 'short', 'long']],
    ['the identifier of a channel', [channel('twin')], ['running', 'dismissed', 'later', 'disk']],
    ['a name with a sign that has a meaning for Postgres', [channel('100%')], ['live', 'failed', 'queued', 'disk']],
    ['either of two channels', [channel('kitchen'), channel('copies')], allBut('live', 'failed', 'queued')],
    ['not a channel', [without(channel('slow'))], allBut('started', 'watched', 'short', 'long')],
    ['a channel that is not there', [channel('nowhere')], []],
    [
      'before a day, also of a video that is in another channel later',
      [{ key: 'before', at: day(6), is_excluded: false }],
      ['disk', 'started', 'watched', 'short', 'long'],
    ],
    ['from a day on', [{ key: 'after', at: day(9), is_excluded: false }], ['running', 'dismissed', 'later', 'disk']],
    ['longer', [{ key: 'longer', seconds: 1000, is_excluded: false }], ['watched', 'long']],
    ['shorter', [{ key: 'shorter', seconds: 1000, is_excluded: false }], ['short']],
    ['not longer, of a known length', [{ key: 'longer', seconds: 1000, is_excluded: true }], ['short']],
    ['on disk', [is('on_disk')], ['disk']],
    ['not on disk', [without(is('on_disk'))], allBut('disk')],
    ['watched', [is('watched')], ['watched']],
    ['unwatched', [without(is('watched'))], allBut('watched')],
    ['begun', [is('started')], ['started']],
    ['on Watch later', [is('later')], ['later']],
    ['dismissed', [is('dismissed')], ['dismissed']],
    ['live', [is('live')], ['live']],
    ['not live', [without(is('live'))], allBut('live')],
    ['a Short', [is('short')], ['short']],
    ['queued', [is('queued')], ['queued']],
    ['downloading', [is('downloading')], ['running']],
    ['failed', [is('failed')], ['failed']],
    ['two limits together', [channel('slow'), without(is('watched'))], ['started', 'short', 'long']],
  ])('%s: alone, with words, and by date', async (_, filters, ids) => {
    expect(await found(filters)).toEqual(ids)
    expect(await found(filters, 'bread')).toEqual(ids)
    expect(await found(filters, 'knead')).toEqual(ids)
    expect(await found(filters, 'read', 'newest')).toEqual(ids)
  })

  it('a group holds the videos of its channels', async () => {
    const { groups } = alice.library
    const { group_id } = await groups.create('Food & more')
    await groups.setChannels(group_id, ['kitchen'])
    const group: SearchFilter = { key: 'group', name: 'food', is_excluded: false }

    expect(await found([group])).toEqual(['started', 'watched', 'short', 'long'])
    expect(await found([without(group), is('on_disk')])).toEqual(['disk'])
    await groups.remove(group_id)
    expect(await found([group])).toEqual([])
  })

  it('hold for what is said too', async () => {
    const lines = [{ start_seconds: 3, text: 'sourdough' }]
    for (const id of ['long', 'watched', 'disk'])
      await alice.library.transcripts.save(id, { language: 'en', automatic: false, lines })

    expect(await found([], 'sourdough')).toEqual(['disk', 'watched', 'long'])
    expect(await found([channel('slow'), without(is('watched'))], 'sourdough')).toEqual(['long'])
    expect(await found([channel('garden')], 'sourdough', 'newest')).toEqual(['disk'])
  })

  it('are those of the person who searches', async () => {
    const bob = await person(sql, 'bob')
    await bob.library.channels.save(
      { channel_id: 'bobs', title: 'Slow Kitchen', rss_url: 'https://videos.example/b' },
      [entry('bobs', { title: 'Bread' })],
    )
    expect(await found([channel('slow')], 'bread', 'relevance', bob)).toEqual(['bobs'])
    expect(await found([channel('slow')], 'bread')).not.toContain('bobs')
    expect(await bob.library.search.namingNone([channel('slow'), channel('garden'), is('watched')])).toEqual([
      channel('garden'),
    ])
  })
})

describe('a search by date', () => {
  it('mixes matches in titles, in descriptions and in what is said, the newest first, over all pages', async () => {
    const lines = [{ start_seconds: 3, text: 'a long loaf' }]
    for (const id of ['watched', 'later', 'long'])
      await alice.library.transcripts.save(id, { language: 'en', automatic: false, lines })
    await sql`update video_entries set description = 'loaf' where video_id in ('short', 'live') and user_id = ${alice.user.user_id}`
    await sql`update video_entries set title = 'Loaf' where video_id = 'queued' and user_id = ${alice.user.user_id}`

    const ids: string[] = []
    let cursor: string | undefined
    do {
      const page = await alice.library.search.videos({ q: 'loaf', sort: 'newest', limit: 2, cursor })
      ids.push(...page.entries.map(({ video_id }) => video_id))
      cursor = page.next_cursor ?? undefined
    } while (cursor)

    expect(ids).toEqual(['later', 'live', 'queued', 'watched', 'short', 'long'])
    expect(await found([], 'loaf')).toEqual(['queued', 'live', 'short', 'later', 'watched', 'long'])
  })

  it('refuses the cursor of the other order', async () => {
    const { next_cursor } = await alice.library.search.videos({ q: 'bread', limit: 2 })
    const other = { q: 'bread', sort: 'newest' as const, limit: 2, cursor: next_cursor ?? '' }
    await expect(alice.library.search.videos(other)).rejects.toThrow('not a place')
  })
})
