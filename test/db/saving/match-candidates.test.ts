/** The ways to recognise a stored video as an entry of its feed: by its address, its guid, its platform. */
import { beforeEach, describe, expect, it } from 'vitest'
import { readableIdOf } from '../../../src/feed/formats/identity.ts'
import { parseFeed } from '../../../src/feed/formats/parse.ts'
import type { FeedEntry } from '../../../src/schema/sources/feed.ts'
import { useDatabase } from '../../support/app/database.ts'
import { channel, history, type Item, may, rss, saved, say } from '../../support/app/items.ts'
import { type Person, person } from '../../support/app/people.ts'
import { documentOf } from '../../support/media/feeds.ts'

const db = useDatabase()

let alice: Person
beforeEach(async () => {
  alice = await person(db.sql, 'alice')
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

  it('entries at one address are as many videos as they have guids, and the same ones at the next fetch', async () => {
    const items = [live('123_live', 1), live('124_live', 2), live('125_live', 3)]
    expect(await saved(alice, items)).toEqual({ inserted: 3, updated: 0, unchanged: 0 })
    expect(await saved(alice, items)).toEqual({ inserted: 0, updated: 0, unchanged: 3 })
    expect(await saved(alice, items.toReversed())).toEqual({ inserted: 0, updated: 0, unchanged: 3 })
  })

  it('entries at one address are two videos when the second appears after the first has left', async () => {
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

  it('entries at one address are as many videos as there are fragments of the page', async () => {
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

  it('entries at one address are one video if neither guid nor fragment differs, or the platform has one identifier', async () => {
    expect(await saved(alice, [{ link: page }, { link: page, title: 'Again' }])).toMatchObject({ inserted: 1 })
    const film = 'https://vimeo.com/76979871'
    expect(
      await saved(alice, [
        { link: film, guid: 'a', title: 'Film' },
        { link: `${film}#x`, guid: 'b' },
      ]),
    ).toMatchObject({ inserted: 1 })
  })

  /** Saves the first entry as earlier versions did: the identifier was made from the address alone. */
  const storedBefore = async ({ library }: Person, document: string) => {
    const [first] = parseFeed(documentOf(document, { url: channel.rss_url })).entries
    if (first === undefined) throw new Error('no entry')
    const { aliases, ...entry } = first
    const guid = entry.guid?.split('#')[0]
    const video_id = readableIdOf(entry.video_url).id
    await library.channels.save(channel, [{ ...entry, video_id, ...(guid !== undefined && { guid }) }])
    return video_id
  }

  it.each<[string, Item[]]>([
    ['by its guid', [live('123_live', 1), live('124_live', 2)]],
    ['by the fragment of its page', [1, 2].map(n => ({ link: `${page}#${n}`, title: `At ${n}`, date: may(n) }))],
    ['by its date', [live('x#1', 1, 'Untold'), live('x#2', 2, 'Told')]],
  ])(
    'of several entries at one address, the right one is the video stored before they were told apart: %s',
    async (_, items) => {
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
    },
  )

  it('videos are not doubled when their feed makes up new guids on every fetch', async () => {
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

  it('a video is not doubled when its guid counts the corrections of its page', async () => {
    const version = (n: number): Item => ({ link: page, guid: `${page}#${n}`, title: `Version ${n}`, date: may(n + 1) })
    await saved(alice, [version(0)])
    expect(await saved(alice, [version(1)])).toEqual({ inserted: 0, updated: 1, unchanged: 0 })
  })
})

it('a video that was stored before its platform was known is matched', async () => {
  const { entries } = parseFeed(documentOf(rss([{ link: 'https://vimeo.com/76979871', guid: 'u1' }])))
  const [{ aliases, ...known }] = entries as [FeedEntry]
  await alice.library.channels.save(channel, [{ ...known, video_id: aliases?.former_id ?? '', guid: 'u1' }])
  expect((await alice.library.channels.save(channel, entries)).saved).toMatchObject({ inserted: 0 })
  expect((await history(alice)).map(({ video_id }) => video_id)).toEqual([aliases?.former_id])
})
