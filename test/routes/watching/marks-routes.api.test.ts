/** Watch later, Hide, and the filters of the newest videos, by the API. */
import { describe, expect } from 'vitest'
import { fits } from '../../../src/domain/rules/judging.ts'
import { rule_off } from '../../../src/schema/rules/rule.ts'
import { useApp, withPeople } from '../../support/app/app.ts'
import { entry, follows, has, type Person, person, personWith } from '../../support/app/people.ts'

const app = useApp()
const { ask, sql } = app
const it = withPeople(app)

const put = (as: Person, path: string) => ask(`/api/videos/${path}`, { as, method: 'PUT' })
const remove = (as: Person, path: string) => ask(`/api/videos/${path}`, { as, method: 'DELETE' })
const idsOf = async (as: Person, query: string) => {
  const answer = await ask(`/api/videos?${query}`, { as })
  expect([query, answer.status]).toEqual([query, 200])
  const { entries } = (await answer.json()) as { entries: { video_id: string }[] }
  return entries.map(({ video_id }) => video_id).toSorted()
}

describe('Watch later', () => {
  it('a video that is put on Watch later twice keeps the first time', async () => {
    const alice = await personWith(sql, 'alice', 'bread', ['a', 'b'])
    const first = await (await put(alice, 'a/later')).json()
    const again = await (await put(alice, 'a/later')).json()
    expect(first).toMatchObject({ video_id: 'a', later_at: expect.any(String), dismissed_at: null, seen_at: null })
    expect(again.later_at).toBe(first.later_at)
    expect(await idsOf(alice, 'later=true')).toEqual(['a'])
    expect(await idsOf(alice, 'later=false')).toEqual(['b'])
    expect(await (await remove(alice, 'a/later')).json()).toMatchObject({ later_at: null })
    expect(await idsOf(alice, 'later=true')).toEqual([])
  })

  it('a video leaves Watch later when it is watched to its end, and not before', async () => {
    const alice = await personWith(sql, 'alice', 'bread', ['a'])
    await put(alice, 'a/later')
    const play = (position_seconds: number) =>
      ask('/api/videos/a/viewing', { as: alice, method: 'PUT', json: { position_seconds, duration_seconds: 100 } })
    expect(await (await play(50)).json()).toMatchObject({ later_at: expect.any(String), seen_at: null })
    expect(await (await play(95)).json()).toMatchObject({ later_at: null, seen_at: expect.any(String) })
  })
})

describe('Hide', () => {
  it('a dismissed video leaves Watch later, and one that is put there is no longer dismissed', async () => {
    const alice = await personWith(sql, 'alice', 'bread', ['a', 'b'])
    await put(alice, 'a/later')
    expect(await (await put(alice, 'a/dismissed')).json()).toMatchObject({
      later_at: null,
      dismissed_at: expect.any(String),
    })
    expect(await idsOf(alice, 'dismissed=true')).toEqual(['a'])
    expect(await idsOf(alice, 'dismissed=false')).toEqual(['b'])
    expect(await idsOf(alice, '')).toEqual(['a', 'b'])
    expect(await (await put(alice, 'a/later')).json()).toMatchObject({
      later_at: expect.any(String),
      dismissed_at: null,
    })
    expect(await (await remove(alice, 'a/dismissed')).json()).toMatchObject({ later_at: expect.any(String) })
  })

  it('a dismissed video is not offered in Continue watching', async () => {
    const alice = await personWith(sql, 'alice', 'bread', ['a'])
    await has(alice, 'a', 'a.mp4', 10)
    await alice.library.viewings.record('a', { position_seconds: 20 })
    expect(await alice.library.viewings.unfinished({ limit: 5 })).toHaveLength(1)
    await put(alice, 'a/dismissed')
    expect(await alice.library.viewings.unfinished({ limit: 5 })).toEqual([])
  })

  it('a rule does not download a dismissed video', async () => {
    const alice = await personWith(sql, 'alice', 'bread', [])
    await alice.library.rules.save('bread', { ...rule_off, auto_download: true })
    const all = ['a', 'b'].map(id => entry(id, { published_at: new Date() }))
    await follows(alice, 'bread', all, { title: 'B' })
    await put(alice, 'a/dismissed')
    const judged = (await alice.library.rules.toJudge('bread'))?.videos ?? []
    expect(judged.map(({ video_id, was_dismissed }) => [video_id, was_dismissed]).toSorted()).toEqual([
      ['a', true],
      ['b', false],
    ])
  })
})

describe('GET /api/videos', () => {
  it('a group shows the videos of its channels, also those that another channel has too', async () => {
    const alice = await personWith(sql, 'alice', 'tea', ['shared', 't'])
    await follows(alice, 'bread', ['shared', 'b'])
    const { group_id } = await alice.library.groups.create('Food')
    await alice.library.groups.setOfChannel('bread', [group_id])
    expect(await idsOf(alice, `group=${group_id}`)).toEqual(['b', 'shared'])
    expect(await idsOf(await person(sql, 'bob'), `group=${group_id}`)).toEqual([])
    expect((await ask('/api/videos?group=food', { as: alice })).status).toBe(422)
  })

  it('lengths are inclusive, and an unknown length fits no bound', async ({ alice }) => {
    const lengths = { unknown: null, a: 299, b: 300, c: 1200, d: 1201 }
    const all = Object.entries(lengths).map(([id, duration_seconds]) => entry(id, { duration_seconds }))
    await alice.library.channels.save({ channel_id: 'x', title: 'X', rss_url: 'https://videos.example/x' }, all)
    expect(await idsOf(alice, 'min_seconds=300&max_seconds=1200')).toEqual(['b', 'c'])
    expect(await idsOf(alice, 'max_seconds=299')).toEqual(['a'])
    expect(await idsOf(alice, 'min_seconds=1201')).toEqual(['d'])
    await alice.library.viewings.record('unknown', { duration_seconds: 5 })
    expect(await idsOf(alice, 'max_seconds=299')).toEqual(['a', 'unknown'])
    expect(await idsOf(alice, '')).toHaveLength(5)
  })

  it('live, on disk and watched each split the videos in two', async ({ alice }) => {
    const states = { u: 'upcoming', l: 'live', w: 'was_live', n: 'none', x: null } as const
    const all = Object.entries(states).map(([id, live_status]) => entry(id, { live_status }))
    await alice.library.channels.save({ channel_id: 'x', title: 'X', rss_url: 'https://videos.example/x' }, all)
    await has(alice, 'n', 'n.mp4', 10)
    await alice.library.downloads.request(['x'])
    await alice.library.viewings.record('u', { seen: true })
    expect(await idsOf(alice, 'live=true')).toEqual(['l', 'u', 'w'])
    expect(await idsOf(alice, 'live=false')).toEqual(['n', 'x'])
    expect(await idsOf(alice, 'on_disk=true')).toEqual(['n'])
    expect(await idsOf(alice, 'on_disk=false')).toEqual(['l', 'u', 'w', 'x'])
    for (const name of ['watched', 'seen']) {
      expect(await idsOf(alice, `${name}=true`)).toEqual(['u'])
      expect(await idsOf(alice, `${name}=false`)).toEqual(['l', 'n', 'w', 'x'])
    }
    expect((await ask('/api/videos?live=maybe', { as: alice })).status).toBe(422)
  })

  it('without Shorts, a list leaves out exactly the videos that rules take for Shorts', async ({ alice }) => {
    const titles = [
      '#shorts',
      'a #Short',
      'a\u00a0#short',
      'x#shorts',
      '#shortstory',
      '#shorts!',
      '#short_',
      'Bread #SHORTS 2',
      '#short2',
    ]
    const urls = ['https://www.youtube.com/shorts/abc', 'https://a.example/SHORTS/x', 'https://a.example/x/shorts/']
    const all = [
      ...titles.map((title, nth) => entry(`t${nth}`, { title })),
      ...urls.map((video_url, nth) => entry(`u${nth}`, { video_url })),
    ]
    await alice.library.channels.save({ channel_id: 'x', title: 'X', rss_url: 'https://videos.example/x' }, all)
    const { entries } = await alice.library.videos.listed({ shorts: false, limit: 50 })
    const isNoShort = fits({ ...rule_off, skip_shorts: true })
    expect(entries.map(({ video_id }) => video_id).toSorted()).toEqual(
      all
        .filter(({ title, video_url }) => isNoShort({ title, video_url }))
        .map(({ video_id }) => video_id)
        .toSorted(),
    )
  })
})
