/** A video never stands twice in a channel, whatever its feed changes; and no two videos become one. */
import { describe, expect, it, vi } from 'vitest'
import { parseFeed } from '../../../src/feed/formats/parse.ts'
import { readableIdOf } from '../../../src/feed/formats/readable-id.ts'
import type { FeedEntry } from '../../../src/schema/feed.ts'
import { useDatabase } from '../../support/app/database.ts'
import { type Person, person } from '../../support/app/people.ts'
import { documentOf } from '../../support/media/feeds.ts'

const db = useDatabase()
const channel = { channel_id: 'kitchen', title: 'Slow Kitchen', rss_url: 'https://kitchen.example/feed' }

type Item = { link: string; guid?: string; title?: string; date?: string; file?: string }
const may = (day: number) => `2026-05-${String(day).padStart(2, '0')}T12:00:00Z`
const rss = (items: Item[]) =>
  `<rss><channel><title>Slow Kitchen</title>${items
    .map(
      ({ link, guid, title = 'Bread', date = may(1), file }) =>
        `<item><link>${link}</link>${guid === undefined ? '' : `<guid isPermaLink="false">${guid}</guid>`}
         <title>${title}</title><pubDate>${date}</pubDate>
         ${file === undefined ? '' : `<enclosure url="${file}" type="video/mp4"/>`}</item>`,
    )
    .join('')}</channel></rss>`

const say = ({ library }: Person, document: string) =>
  library.channels.save(channel, parseFeed(documentOf(document, { url: channel.rss_url })).entries)
const saved = async (who: Person, items: Item[]) => (await say(who, rss(items))).saved
const history = async ({ library }: Person) => (await library.videos.list({ limit: 100 })).entries

const first: Item = { link: 'https://kitchen.example/bread', guid: 'a1' }

describe('a video stands once in its channel', () => {
  it.each<[string, Item]>([
    ['its address goes from http to https', { ...first, link: 'http://kitchen.example/bread' }],
    [
      'its address gets parameters that tell who clicks',
      { ...first, link: 'https://kitchen.example/bread?utm_source=rss&amp;si=x' },
    ],
    ['its address is the one for telephones', { ...first, link: 'https://m.kitchen.example/bread' }],
    ['its address gets a www. and a slash', { ...first, link: 'https://www.kitchen.example/bread/' }],
    ['its address gets a fragment', { ...first, link: 'https://kitchen.example/bread#comments' }],
    ['it moves to another host', { ...first, link: 'https://videos.example/watch/7' }],
    [
      'its title changes, and its address with it',
      { ...first, link: 'https://kitchen.example/better-bread', title: 'Better' },
    ],
    ['its date is corrected, and its address changes', { ...first, link: 'https://kitchen.example/2', date: may(2) }],
    ['its feed calls it by another name', { ...first, guid: 'b2' }],
    ['its feed no longer has a name for it', { link: first.link }],
    [
      'its name, an address, goes to https',
      { link: 'https://kitchen.example/elsewhere', guid: 'https://kitchen.example/?p=1' },
    ],
    ['its title changes', { ...first, title: 'Bread, again' }],
  ])('when %s', async (why, second) => {
    const alice = await person(db.sql, 'alice')
    await saved(alice, [why.startsWith('its name') ? { ...first, guid: 'http://www.kitchen.example/?p=1' } : first])
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

  it('through one change after the other', async () => {
    const alice = await person(db.sql, 'alice')
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

  it('keeps its download when its address changes', async () => {
    const alice = await person(db.sql, 'alice')
    await saved(alice, [first])
    const [{ video_id = '' } = {}] = await history(alice)
    await alice.library.downloads.request([video_id])
    await saved(alice, [{ ...first, link: 'https://elsewhere.example/7' }])
    expect(await alice.library.videos.find(video_id)).toMatchObject({
      queued: true,
      video_url: 'https://elsewhere.example/7',
    })
  })

  it('when its platform writes one identifier in two ways', async () => {
    const alice = await person(db.sql, 'alice')
    await saved(alice, [{ link: 'https://tube.example/videos/watch/9c9de5e8-0a1e-484a-b099-e80766180a6d' }])
    await saved(alice, [{ link: 'https://tube.example/w/kkGMgK9ZtnKfYAgnEtQxbv' }])
    await saved(alice, [{ link: 'https://www.youtube.com/watch?v=-b_c1D2e3F4', guid: 'yt:video:-b_c1D2e3F4' }])
    await saved(alice, [
      { link: 'https://www.youtube.com/shorts/-b_c1D2e3F4', guid: 'x', title: 'Short', date: may(9) },
    ])
    expect(await history(alice)).toHaveLength(2)
  })
})

describe('a video stands once, though', () => {
  const link = 'https://kitchen.example/bread'
  const uuid = '5f0c1f6e-7c1d-4a57-9b0e-0d5c8f2d6a11'
  it.each<[string, Item, Item]>([
    [
      'its file is somewhere else and nothing calls it anything',
      { link, file: 'https://cdn.example/a1/ep.mp4' },
      { link, file: 'https://cdn.example/b2/ep.mp4' },
    ],
    ['its file comes later', { link }, { link, file: 'https://cdn.example/b2/ep.mp4' }],
    [
      'only its name, which is nobody else’s, stays',
      { link, guid: uuid, title: 'Bread', date: may(1) },
      { link: 'https://kitchen.example/better', guid: uuid, title: 'Better', date: may(2) },
    ],
    [
      'its name is a number, and all the rest changes',
      { link, guid: 'Buzzsprout-16098761', title: 'Bread', date: may(1) },
      { link: 'https://kitchen.example/better', guid: 'Buzzsprout-16098761', title: 'Better', date: may(2) },
    ],
    [
      'its name is its address, and both move',
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
  ])('%s', async (_, before, after) => {
    const alice = await person(db.sql, 'alice')
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

it('keeps the title that a video had, when its feed no longer says one', async () => {
  const alice = await person(db.sql, 'alice')
  const untitled = (link: string) => `<rss><channel><item><link>${link}</link><guid>a1</guid></item></channel></rss>`
  await saved(alice, [first])
  await say(alice, untitled(first.link))
  await saved(alice, [{ ...first, link: 'https://elsewhere.example/7' }])
  await say(alice, untitled('https://elsewhere.example/7'))
  expect((await history(alice)).map(({ title }) => title)).toEqual(['Bread'])
})

describe('two videos stay two', () => {
  it('when one of the same title and date stands beside the other', async () => {
    const alice = await person(db.sql, 'alice')
    const part = (n: number) => ({ link: `https://kitchen.example/part-${n}`, guid: String(n) })
    await saved(alice, [part(1)])
    expect(await saved(alice, [part(1), part(2)])).toMatchObject({ inserted: 1 })
    expect(await saved(alice, [part(3), part(4)])).toMatchObject({ inserted: 2 })
  })

  it('when one comes without a date, and another of its title has left', async () => {
    const alice = await person(db.sql, 'alice')
    await saved(alice, [{ link: 'https://kitchen.example/1', title: 'Live', date: '' }])
    expect(await saved(alice, [{ link: 'https://kitchen.example/2', title: 'Live', date: '' }])).toMatchObject({
      inserted: 1,
    })
  })

  it('when the addresses of their pages differ by what else would be a token', async () => {
    const alice = await person(db.sql, 'alice')
    const page = (policy: string) => ({ link: `https://kitchen.example/watch?policy=${policy}`, title: policy })
    expect(await saved(alice, [page('a'), page('b')])).toMatchObject({ inserted: 2 })
  })

  it.each([
    ['by the day', (title: string) => may(title.charCodeAt(0) - 90)],
    ['not at all', () => ''],
  ])('when a feed numbers its entries anew each time, and dates them %s', async (_, dateOf) => {
    const alice = await person(db.sql, 'alice')
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
  })

  it('when a feed calls whatever is newest by one name', async () => {
    const alice = await person(db.sql, 'alice')
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

  it('when all entries of a feed have the same name', async () => {
    const alice = await person(db.sql, 'alice')
    const same = ['a', 'b'].map(name => ({ link: `https://kitchen.example/${name}`, guid: 'https://kitchen.example/' }))
    expect(await saved(alice, same)).toMatchObject({ inserted: 2 })
  })

  it('when they swap their names, or their addresses', async () => {
    const alice = await person(db.sql, 'alice')
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

  it('when a platform has identifiers of its own, whatever the feed calls them', async () => {
    const alice = await person(db.sql, 'alice')
    const of = (id: string) => ({ link: `https://www.youtube.com/watch?v=${id}`, guid: 'same' })
    await saved(alice, [of('a-b_c1D2e3F')])
    expect(await saved(alice, [of('-b_c1D2e3F4')])).toMatchObject({ inserted: 1 })
  })

  it('when two hosts have the same identifier', async () => {
    const alice = await person(db.sql, 'alice')
    const id = '9c9de5e8-0a1e-484a-b099-e80766180a6d'
    await saved(
      alice,
      ['one', 'two'].map(host => ({ link: `https://${host}.example/videos/watch/${id}` })),
    )
    expect(await history(alice)).toHaveLength(2)
  })

  it('when they are of two channels, or of two people', async () => {
    const [alice, bob] = [await person(db.sql, 'alice'), await person(db.sql, 'bob')]
    await saved(alice, [first])
    const elsewhere = { ...first, link: 'https://kitchen.example/other' }
    const other = { ...channel, channel_id: 'other' }
    const { entries } = parseFeed(documentOf(rss([elsewhere])))
    expect((await alice.library.channels.save(other, entries)).saved).toMatchObject({ inserted: 1 })
    expect(await saved(bob, [elsewhere])).toMatchObject({ inserted: 1 })
  })
})

it('matches 5,000 videos that have all moved at once', async () => {
  const alice = await person(db.sql, 'alice')
  const many = (place: string) =>
    Array.from({ length: 5000 }, (_, n) => ({ link: `https://${place}.example/${n}`, guid: `g${n}`, title: `T${n}` }))
  await saved(alice, many('old'))
  expect(await saved(alice, many('new'))).toEqual({ inserted: 0, updated: 5000, unchanged: 0 })
})

it('is one video for two readers who saw it at different addresses at the same time', async () => {
  const alice = await person(db.sql, 'alice')
  await saved(alice, [])
  const save = (host: string) => saved(alice, [{ link: `https://${host}.example/bread`, guid: 'a1' }])
  const held = await db.sql.begin(async tx => {
    await tx`update channels set title = title where user_id = ${alice.user.user_id}`
    const both = [save('one'), save('two')]
    await vi.waitFor(async () => {
      const [waiting] = await db.sql`
        select count(*)::int as count from pg_stat_activity
        where  datname = current_database() and wait_event_type = 'Lock'`
      expect(waiting?.count).toBe(2)
    })
    return { both }
  })
  expect((await Promise.all(held.both)).map(({ inserted }) => inserted).sort()).toEqual([0, 1])
  expect(await history(alice)).toHaveLength(1)
})

describe('entries at one address', () => {
  const page = 'https://live.example/alice'
  const live = (guid: string, day: number, title = `Live of ${day}`): Item => ({
    link: page,
    guid,
    title,
    date: may(day),
  })
  const titles = async (who: Person) => (await history(who)).map(({ title }) => title).sort()

  it('are as many videos as they have guids, and the same ones again', async () => {
    const alice = await person(db.sql, 'alice')
    const items = [live('123_live', 1), live('124_live', 2), live('125_live', 3)]
    expect(await saved(alice, items)).toEqual({ inserted: 3, updated: 0, unchanged: 0 })
    expect(await saved(alice, items)).toEqual({ inserted: 0, updated: 0, unchanged: 3 })
    expect(await saved(alice, items.toReversed())).toEqual({ inserted: 0, updated: 0, unchanged: 3 })
  })

  it('are two videos when the second comes after the first has left', async () => {
    const alice = await person(db.sql, 'alice')
    await saved(alice, [live('123_live', 1)])
    expect(await saved(alice, [live('124_live', 2)])).toEqual({ inserted: 1, updated: 0, unchanged: 0 })
    expect(await saved(alice, [live('124_live', 2)])).toEqual({ inserted: 0, updated: 0, unchanged: 1 })
    expect(await saved(alice, [live('125_live', 3), live('124_live', 2), live('123_live', 1)])).toEqual({
      inserted: 1,
      updated: 0,
      unchanged: 2,
    })
    expect(await titles(alice)).toEqual(['Live of 1', 'Live of 2', 'Live of 3'])
  })

  it('are as many videos as there are places on the page', async () => {
    const alice = await person(db.sql, 'alice')
    const release = (n: number): Item => ({
      link: `https://os.example/releases#20260${n}`,
      title: `Release ${n}`,
      date: may(n),
    })
    const atom = (ns: number[]) =>
      `<feed><title>OS</title>${ns.map(n => `<entry><id>https://os.example/releases#20260${n}</id><title>Release ${n}</title><link href="https://os.example/releases#20260${n}"/><updated>${may(n)}</updated></entry>`).join('')}</feed>`
    expect((await say(alice, atom([3, 2, 1]))).saved).toMatchObject({ inserted: 3 })
    expect((await say(alice, atom([4, 3, 2]))).saved).toEqual({ inserted: 1, updated: 0, unchanged: 2 })
    expect((await say(alice, atom([5]))).saved).toEqual({ inserted: 1, updated: 0, unchanged: 0 })
    const bob = await person(db.sql, 'bob')
    expect(await saved(bob, [release(1), release(2)])).toMatchObject({ inserted: 2 })
    expect(await saved(bob, [{ ...release(2), link: `${release(2).link}:~:text=a` }])).toEqual({
      inserted: 0,
      updated: 1,
      unchanged: 0,
    })
  })

  it('are one where neither guid nor place tells them apart, or the platform’s identifier is one', async () => {
    const alice = await person(db.sql, 'alice')
    expect(await saved(alice, [{ link: page }, { link: page, title: 'Again' }])).toMatchObject({ inserted: 1 })
    const film = 'https://vimeo.com/76979871'
    expect(
      await saved(alice, [
        { link: film, guid: 'a', title: 'Film' },
        { link: `${film}#x`, guid: 'b' },
      ]),
    ).toMatchObject({ inserted: 1 })
  })

  /** A row as it was saved when the address alone made the identifier, of whatever entry came first. */
  const storedBefore = async ({ library }: Person, document: string) => {
    const [first] = parseFeed(documentOf(document, { url: channel.rss_url })).entries
    if (first === undefined) throw new Error('no entry')
    const { aliases, ...entry } = first
    const guid = entry.guid?.split('#')[0]
    const video_id = readableIdOf(entry.video_url)
    await library.channels.save(channel, [{ ...entry, video_id, ...(guid !== undefined && { guid }) }])
    return video_id
  }

  it.each<[string, Item[]]>([
    ['by its guid', [live('123_live', 1), live('124_live', 2)]],
    ['by the place on its page', [1, 2].map(n => ({ link: `${page}#${n}`, title: `At ${n}`, date: may(n) }))],
    ['by its date', [live('x#1', 1, 'Untold'), live('x#2', 2, 'Told')]],
  ])('match the one that was stored when they were one, %s', async (_, items) => {
    const alice = await person(db.sql, 'alice')
    const before = await storedBefore(alice, rss(items))
    const [known] = await history(alice)

    expect(await saved(alice, items)).toMatchObject({ inserted: 1 })
    const after = await history(alice)
    expect(after.find(({ video_id }) => video_id === before)?.title).toBe(known?.title)
    expect(await saved(alice, items)).toEqual({ inserted: 0, updated: 0, unchanged: 2 })
    expect(await saved(alice, [{ ...live('999_live', 9), link: items[0]?.link ?? page }, ...items])).toMatchObject({
      inserted: 1,
    })
    expect(new Set((await history(alice)).map(({ video_id }) => video_id)).size).toBe(3)
  })

  it('stay as many as they were when the feed makes up new guids on every fetch', async () => {
    const alice = await person(db.sql, 'alice')
    const fetched = (n: number): Item[] =>
      ['a', 'b', 'c'].map(name => ({
        link: `https://h.example/${name}`,
        guid: `${name}${n}`,
        title: `${name} at ${n}`,
        date: may(n),
      }))
    await saved(alice, fetched(1))
    expect(await saved(alice, fetched(2))).toEqual({ inserted: 0, updated: 3, unchanged: 0 })
    expect(
      await saved(alice, [{ link: 'https://h.example/d', guid: 'd3', title: 'd', date: may(3) }, ...fetched(3)]),
    ).toEqual({
      inserted: 1,
      updated: 3,
      unchanged: 0,
    })
  })

  it('stay as many when a guid counts the corrections of a page', async () => {
    const alice = await person(db.sql, 'alice')
    const version = (n: number): Item => ({ link: page, guid: `${page}#${n}`, title: `Version ${n}`, date: may(n + 1) })
    await saved(alice, [version(0)])
    expect(await saved(alice, [version(1)])).toEqual({ inserted: 0, updated: 1, unchanged: 0 })
  })
})

it('matches a video that was stored before its platform was known', async () => {
  const alice = await person(db.sql, 'alice')
  const { entries } = parseFeed(documentOf(rss([{ link: 'https://vimeo.com/76979871', guid: 'u1' }])))
  const [{ aliases, ...known }] = entries as [FeedEntry]
  await alice.library.channels.save(channel, [{ ...known, video_id: aliases?.former_id ?? '', guid: 'u1' }])
  expect((await alice.library.channels.save(channel, entries)).saved).toMatchObject({ inserted: 0 })
  expect((await history(alice)).map(({ video_id }) => video_id)).toEqual([aliases?.former_id])
})

it('keeps an entry whose identifier is that of a stored video which has moved', async () => {
  const alice = await person(db.sql, 'alice')
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
