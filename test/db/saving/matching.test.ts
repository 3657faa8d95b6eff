/** A video is stored once in a channel, whatever its feed changes; and two videos never become one. */
import { beforeEach, describe, expect, it } from 'vitest'
import { identified } from '../../../src/db/saving/matching.ts'
import { parseFeed } from '../../../src/feed/formats/parse.ts'
import { aLockIsWaitedFor, useDatabase } from '../../support/app/database.ts'
import { channel, history, type Item, may, rss, saved, say } from '../../support/app/items.ts'
import { type Person, person } from '../../support/app/people.ts'
import { documentOf } from '../../support/media/feeds.ts'

const db = useDatabase({ connections: 4 })

let alice: Person
beforeEach(async () => {
  alice = await person(db.sql, 'alice')
})

const first: Item = { link: 'https://kitchen.example/bread', guid: 'a1' }

describe('a video that changes', () => {
  it.each<[string, Item]>([
    ['its address changes from http to https', { ...first, link: 'http://kitchen.example/bread' }],
    [
      'its address gets tracking parameters',
      { ...first, link: 'https://kitchen.example/bread?utm_source=rss&amp;si=x' },
    ],
    ['its address is that of the mobile site', { ...first, link: 'https://m.kitchen.example/bread' }],
    ['its address gets a www. and a slash', { ...first, link: 'https://www.kitchen.example/bread/' }],
    ['its address gets a fragment', { ...first, link: 'https://kitchen.example/bread#comments' }],
    ['it moves to another host', { ...first, link: 'https://videos.example/watch/7' }],
    [
      'its title changes, and its address with it',
      { ...first, link: 'https://kitchen.example/better-bread', title: 'Better' },
    ],
    ['its date is corrected, and its address changes', { ...first, link: 'https://kitchen.example/2', date: may(2) }],
    ['its feed gives it another guid', { ...first, guid: 'b2' }],
    ['its feed no longer gives it a guid', { link: first.link }],
    [
      'its guid, an address, changes to https',
      { link: 'https://kitchen.example/elsewhere', guid: 'https://kitchen.example/?p=1' },
    ],
    ['its title changes', { ...first, title: 'Bread, again' }],
  ])('a video is stored once when %s', async (why, second) => {
    await saved(alice, [why.startsWith('its guid') ? { ...first, guid: 'http://www.kitchen.example/?p=1' } : first])
    const [before] = await history(alice)

    const counts = await saved(alice, [second])
    const again = await saved(alice, [second])

    const after = await history(alice)
    expect(after).toHaveLength(1)
    expect(counts.inserted).toBe(0)
    expect(again).toEqual({ inserted: 0, updated: 0, unchanged: 1 })
    expect(after[0]?.video_id).toBe(before?.video_id)
    expect(after[0]).toMatchObject({ video_url: second.link.replaceAll('&amp;', '&'), title: second.title ?? 'Bread' })
  })

  it('a video is stored once through one change after the other', async () => {
    const life: Item[] = [
      first,
      { ...first, guid: 'b2' },
      { link: 'https://elsewhere.example/7', guid: 'b2', title: 'Bread' },
      { link: 'https://elsewhere.example/7', guid: 'c3', title: 'Bread and butter' },
      { link: 'https://third.example/7', guid: 'c3', title: 'Bread and butter' },
    ]
    for (const item of life) await saved(alice, [item])
    expect(await history(alice)).toMatchObject([{ title: 'Bread and butter', video_url: 'https://third.example/7' }])
  })

  it('a video keeps its download when its address changes', async () => {
    await saved(alice, [first])
    const [{ video_id = '' } = {}] = await history(alice)
    await alice.library.downloads.request([video_id])
    await saved(alice, [{ ...first, link: 'https://elsewhere.example/7' }])
    expect(await alice.library.videos.find(video_id)).toMatchObject({
      queued: true,
      video_url: 'https://elsewhere.example/7',
    })
  })

  it('a video is stored once when its platform writes one identifier in two ways', async () => {
    await saved(alice, [{ link: 'https://tube.example/videos/watch/9c9de5e8-0a1e-484a-b099-e80766180a6d' }])
    await saved(alice, [{ link: 'https://tube.example/w/kkGMgK9ZtnKfYAgnEtQxbv' }])
    await saved(alice, [{ link: 'https://www.youtube.com/watch?v=-b_c1D2e3F4', guid: 'yt:video:-b_c1D2e3F4' }])
    await saved(alice, [
      { link: 'https://www.youtube.com/shorts/-b_c1D2e3F4', guid: 'x', title: 'Short', date: may(9) },
    ])
    expect(await history(alice)).toHaveLength(2)
  })
})

describe('a video whose other details change', () => {
  const link = 'https://kitchen.example/bread'
  const uuid = '5f0c1f6e-7c1d-4a57-9b0e-0d5c8f2d6a11'
  it.each<[string, Item, Item]>([
    [
      'its file moves and it has no guid',
      { link, file: 'https://cdn.example/a1/ep.mp4' },
      { link, file: 'https://cdn.example/b2/ep.mp4' },
    ],
    ['its file is added later', { link }, { link, file: 'https://cdn.example/b2/ep.mp4' }],
    [
      'only its guid, a UUID, stays',
      { link, guid: uuid, title: 'Bread', date: may(1) },
      { link: 'https://kitchen.example/better', guid: uuid, title: 'Better', date: may(2) },
    ],
    [
      'only its guid, a long number, stays',
      { link, guid: 'Buzzsprout-16098761', title: 'Bread', date: may(1) },
      { link: 'https://kitchen.example/better', guid: 'Buzzsprout-16098761', title: 'Better', date: may(2) },
    ],
    [
      'its guid is its address, and both change',
      { link, guid: link },
      { link: 'https://new.example/bread', guid: 'https://new.example/bread' },
    ],
    [
      'it leaves its platform for a page of its own',
      { link: 'https://vimeo.com/76979871', guid: 'u1' },
      { link, guid: 'u1' },
    ],
    [
      'its platform moves to another host',
      { link: 'https://one.example/w/kkGMgK9ZtnKfYAgnEtQxbv' },
      { link: 'https://two.example/w/kkGMgK9ZtnKfYAgnEtQxbv' },
    ],
  ])('a video keeps its identifier when %s', async (_, before, after) => {
    const other = { link: 'https://kitchen.example/soup', guid: 'soup', title: 'Soup' }
    await saved(alice, [before, other])
    const { video_id } = (await history(alice)).find(({ title }) => title === 'Bread') ?? {}

    expect(await saved(alice, [after, other])).toEqual({ inserted: 0, updated: 1, unchanged: 1 })
    expect(await saved(alice, [after, other])).toEqual({ inserted: 0, updated: 0, unchanged: 2 })
    const now = await history(alice)
    expect(now).toHaveLength(2)
    expect(now.find(({ title }) => title !== 'Soup')).toMatchObject({ video_id, title: after.title ?? 'Bread' })
  })
})

it('a video keeps its title when its feed no longer gives one', async () => {
  const untitled = (link: string) => `<rss><channel><item><link>${link}</link><guid>a1</guid></item></channel></rss>`
  await saved(alice, [first])
  await say(alice, untitled(first.link))
  await saved(alice, [{ ...first, link: 'https://elsewhere.example/7' }])
  await say(alice, untitled('https://elsewhere.example/7'))
  expect((await history(alice)).map(({ title }) => title)).toEqual(['Bread'])
})

it('a video that was seen before its date keeps its identifier when only its title and date stay', async () => {
  const premiere = { title: 'Premiere', date: '2099-05-01T12:00:00Z' }
  await saved(alice, [{ ...premiere, link: 'https://kitchen.example/soon', guid: '1' }])
  expect(await saved(alice, [{ ...premiere, link: 'https://kitchen.example/premiere', guid: '2' }])).toEqual({
    inserted: 0,
    updated: 1,
    unchanged: 0,
  })
})

it('a save of new videos reads no other videos of the channel', async () => {
  const { user } = await person(db.sql, 'alice')
  await db.sql`insert into channels (user_id, channel_id, title, rss_url) values (${user.user_id}, 'c', 'C', 'https://c.example')`
  await db.sql`
    insert into video_entries (user_id, channel_id, video_id, title, video_url, published_at)
    select ${user.user_id}, 'c', 'v.' || n, 'Bread', 'https://c.example/' || n, timestamptz '2026-01-01' + n * interval '1 hour'
    from   generate_series(1, 2000) as n`
  await db.sql`analyze video_entries, channels`
  const listed = db.sql`
    select 0 as target, ${user.user_id}::uuid as user_id, 'c' as channel_id, 0 as at, 0 as feed, 'new.1' as video_id,
           'Bread' as title, timestamptz '2026-03-01 12:30Z' as published_at, null as guid, 'new.1' as address_id,
           'exact' as published_precision, null as spare_id, null as former_id`
  const [plan] = await db.sql<{ 'QUERY PLAN': [{ Plan: Node }] }[]>`
    explain (analyze, format json, costs off) with listed as (${listed}) select * from (${identified(db.sql)}) named`
  expect(rowsRead(plan?.['QUERY PLAN'][0].Plan)).toBe(0)
})

type Node = { 'Relation Name'?: string; 'Actual Rows': number; 'Rows Removed by Filter'?: number; Plans?: Node[] }
const rowsRead = (node?: Node): number =>
  !node
    ? 0
    : (node['Relation Name'] === 'video_entries' ? node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) : 0) +
      (node.Plans ?? []).reduce((sum, part) => sum + rowsRead(part), 0)

describe('two videos', () => {
  it('two videos of one title and date stay two', async () => {
    const part = (n: number) => ({ link: `https://kitchen.example/part-${n}`, guid: String(n) })
    await saved(alice, [part(1)])
    expect(await saved(alice, [part(1), part(2)])).toMatchObject({ inserted: 1 })
    expect(await saved(alice, [part(3), part(4)])).toMatchObject({ inserted: 2 })
  })

  it('a video without a date is not taken for an earlier one of its title', async () => {
    await saved(alice, [{ link: 'https://kitchen.example/1', title: 'Live', date: '' }])
    expect(await saved(alice, [{ link: 'https://kitchen.example/2', title: 'Live', date: '' }])).toMatchObject({
      inserted: 1,
    })
  })

  it('two videos stay two when their addresses differ only by a parameter that is often a token', async () => {
    const page = (policy: string) => ({ link: `https://kitchen.example/watch?policy=${policy}`, title: policy })
    expect(await saved(alice, [page('a'), page('b')])).toMatchObject({ inserted: 2 })
  })

  it.each([
    ['by the day', (title: string) => may(title.charCodeAt(0) - 90)],
    ['not at all', () => ''],
  ])(
    'two videos stay two when a feed numbers its entries afresh on every fetch, and dates them %s',
    async (_, dateOf) => {
      const numbered = (titles: string[]) =>
        titles.map((title, n) => ({
          link: `https://kitchen.example/${title}`,
          guid: String(n),
          title,
          date: dateOf(title),
        }))
      await saved(alice, numbered(['c', 'b', 'a']))
      expect(await saved(alice, numbered(['d', 'c', 'b']))).toMatchObject({ inserted: 1, updated: 0 })
      expect(await saved(alice, numbered(['f', 'e', 'd']))).toMatchObject({ inserted: 2 })
      expect(
        (await history(alice)).map(({ title, video_url }) => video_url === `https://kitchen.example/${title}`),
      ).toEqual(Array.from({ length: 6 }, () => true))
    },
  )

  it('two videos stay two when a feed always gives its newest entry the same guid', async () => {
    const latest = (day: number) => ({
      link: `https://kitchen.example/${day}`,
      guid: 'latest',
      title: `Of ${day}`,
      date: may(day),
    })
    await saved(alice, [latest(1)])
    await saved(alice, [latest(2)])
    expect(await saved(alice, [latest(2)])).toEqual({ inserted: 0, updated: 0, unchanged: 1 })
    expect((await history(alice)).map(({ title }) => title).sort()).toEqual(['Of 1', 'Of 2'])
  })

  it('two videos stay two when all entries of a feed have the same guid', async () => {
    const same = ['a', 'b'].map(name => ({ link: `https://kitchen.example/${name}`, guid: 'https://kitchen.example/' }))
    expect(await saved(alice, same)).toMatchObject({ inserted: 2 })
  })

  it('two videos stay two when they swap their guids or their addresses', async () => {
    const [a, b] = ['https://kitchen.example/a', 'https://kitchen.example/b']
    await saved(alice, [
      { link: a, guid: '1' },
      { link: b, guid: '2' },
    ])
    for (const _ of [1, 2])
      await saved(alice, [
        { link: b, guid: '1' },
        { link: a, guid: '2' },
      ])
    expect(await history(alice)).toHaveLength(2)
  })

  it('two videos stay two when their platform has given them identifiers, whatever their guids', async () => {
    const of = (id: string) => ({ link: `https://www.youtube.com/watch?v=${id}`, guid: 'same' })
    await saved(alice, [of('a-b_c1D2e3F')])
    expect(await saved(alice, [of('-b_c1D2e3F4')])).toMatchObject({ inserted: 1 })
  })

  it('two videos stay two when they have the same identifier on two hosts', async () => {
    const id = '9c9de5e8-0a1e-484a-b099-e80766180a6d'
    await saved(
      alice,
      ['one', 'two'].map(host => ({ link: `https://${host}.example/videos/watch/${id}` })),
    )
    expect(await history(alice)).toHaveLength(2)
  })

  it('two videos stay two when they are in two channels, or belong to two people', async () => {
    const bob = await person(db.sql, 'bob')
    await saved(alice, [first])
    const elsewhere = { ...first, link: 'https://kitchen.example/other' }
    const other = { ...channel, channel_id: 'other' }
    const { entries } = parseFeed(documentOf(rss([elsewhere])))
    expect((await alice.library.channels.save(other, entries)).saved).toMatchObject({ inserted: 1 })
    expect(await saved(bob, [elsewhere])).toMatchObject({ inserted: 1 })
  })
})

it('5,000 videos that have all moved at once are matched', async () => {
  const many = (place: string) =>
    Array.from({ length: 5000 }, (_, n) => ({ link: `https://${place}.example/${n}`, guid: `g${n}`, title: `T${n}` }))
  await saved(alice, many('old'))
  // The tests before have left statistics of people with few videos, and autovacuum takes up to a minute.
  await db.sql`analyze video_entries, channels`
  expect(await saved(alice, many('new'))).toEqual({ inserted: 0, updated: 5000, unchanged: 0 })
})

it('a video that two fetches find at different addresses at the same time is stored once', async () => {
  await saved(alice, [])
  const save = (host: string) => saved(alice, [{ link: `https://${host}.example/bread`, guid: 'a1' }])
  const held = await db.sql.begin(async tx => {
    await tx`update channels set title = title where user_id = ${alice.user.user_id}`
    const both = [save('one'), save('two')]
    await aLockIsWaitedFor(db.sql, 2)
    return { both }
  })
  expect((await Promise.all(held.both)).map(({ inserted }) => inserted).sort()).toEqual([0, 1])
  expect(await history(alice)).toHaveLength(1)
})

it('an entry at the former address of a stored video is stored as a video of its own', async () => {
  const [old, now] = ['https://h.example/latest', 'https://h.example/bread']
  await saved(alice, [{ link: old, guid: 'aaaaaaa1234567', title: 'Bread', date: may(1) }])
  await saved(alice, [{ link: now, guid: 'aaaaaaa1234567', title: 'Bread', date: may(1) }])
  const both: Item[] = [
    { link: old, guid: 'bbbbbbb1234567', title: 'Soup', date: may(2) },
    { link: now, guid: 'aaaaaaa1234567', title: 'Bread', date: may(1) },
  ]
  expect(await saved(alice, both)).toEqual({ inserted: 1, updated: 0, unchanged: 1 })
  expect(await saved(alice, both)).toEqual({ inserted: 0, updated: 0, unchanged: 2 })
})
