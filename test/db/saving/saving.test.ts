/** Stored videos keep their identifiers when their feed says more about them, or the service knows more. */
import { describe, expect, it } from 'vitest'
import type { EntryToSave } from '../../../src/db/saving/saving.ts'
import { readableIdOf } from '../../../src/feed/formats/identity.ts'
import { parseFeed } from '../../../src/feed/formats/parse.ts'
import type { Precision } from '../../../src/schema/sources/facts.ts'
import type { FeedEntry } from '../../../src/schema/sources/feed.ts'
import { useDatabase } from '../../support/app/database.ts'
import { entry, type Person, person } from '../../support/app/people.ts'
import { documentOf } from '../../support/media/feeds.ts'

const db = useDatabase()
const channel = { channel_id: 'radio', title: 'Slow Radio', rss_url: 'https://radio.example/feed' }

const sound = '<enclosure url="https://radio.example/1.mp3" type="audio/mpeg"/>'
const film =
  '<podcast:alternateEnclosure type="video/mp4"><podcast:source uri="https://radio.example/1.mp4"/></podcast:alternateEnclosure>'

async function saved({ library }: Person, item: string) {
  const xml = `<rss><channel><item><title>One</title>${item}</item></channel></rss>`
  const { entries } = parseFeed(documentOf(xml, { url: channel.rss_url }))
  return (await library.channels.save(channel, entries)).saved
}

it.each([
  ['with a guid', '<guid isPermaLink="false">a1</guid>'],
  ['with a page', '<link>https://radio.example/page</link>'],
  ['with nothing but its sound', ''],
])('an episode %s stays the same video when its feed names a film of it, and no longer', async (_, name) => {
  const alice = await person(db.sql, 'alice')
  await saved(alice, name + sound)
  const history = async () => (await alice.library.videos.list({ limit: 100 })).entries
  const [before] = await history()

  expect(await saved(alice, name + sound + film)).toEqual({ inserted: 0, updated: 1, unchanged: 0 })
  expect(await history()).toMatchObject([{ video_id: before?.video_id, video_url: 'https://radio.example/1.mp4' }])
  expect(await saved(alice, name + sound + film)).toEqual({ inserted: 0, updated: 0, unchanged: 1 })

  expect(await saved(alice, name + sound)).toEqual({ inserted: 0, updated: 1, unchanged: 0 })
  expect(await history()).toMatchObject([{ video_id: before?.video_id, video_url: 'https://radio.example/1.mp3' }])
})

it('a video of Bilibili stays the one that was stored before its platform was known', async () => {
  const alice = await person(db.sql, 'alice')
  const url = 'https://www.bilibili.com/video/BV17x411w7KC'
  const xml = `<rss><channel><item><title>One</title><link>${url}</link><guid>${url}</guid></item></channel></rss>`
  const { entries } = parseFeed(documentOf(xml))
  const [now] = entries
  if (!now) throw new Error('no entry')
  const { aliases: _, ...before } = { ...now, video_id: readableIdOf(url).id, guid: 'bilibili.com/video/BV17x411w7KC' }
  await alice.library.channels.save(channel, [before])

  expect((await alice.library.channels.save(channel, entries)).saved).toMatchObject({ inserted: 0 })

  const { entries: history } = await alice.library.videos.list({ limit: 100 })
  expect(history.map(({ video_id }) => video_id)).toEqual([before.video_id])
})

it('the words of a video are those of its title and description, however they were written', async () => {
  const alice = await person(db.sql, 'alice')
  const wrong = () => db.sql`
    select video_id from video_entries where words is distinct from video_words(title, description) or words = ''`
  const save = (...titles: string[]) =>
    alice.library.channels.save(
      channel,
      titles.map((title, n) => entry(`v${n}`, { title, description: n === 0 ? null : '“Slow”—bread…<b>' })),
    )
  await save('Bread', 'v1', 'Soup')
  expect(await wrong()).toEqual([])
  await save('Bread', 'Better—bread', 'Soup')
  expect(await wrong()).toEqual([])
  await db.sql`
    insert into video_entries (user_id, channel_id, video_id, video_url, title)
    values (${alice.user.user_id}, ${channel.channel_id}, 'v9', 'https://radio.example/9', 'By hand')`
  await db.sql`update video_entries set title = title || ' again' where video_id = 'v0'`
  expect(await wrong()).toEqual([])
})

const video_url = 'https://www.youtube.com/watch?v=video000001'
const listed = (changes: Partial<EntryToSave> = {}) =>
  entry('video000001', { video_url, title: 'Listed', published_at: null, description: null, ...changes })

describe('what a listing adds', () => {
  const radio = async () => {
    const alice = await person(db.sql, 'alice')
    const list = (...entries: EntryToSave[]) =>
      alice.library.channels.saveListed('radio', { entries, source: 'listing' })
    const feed = (...entries: FeedEntry[]) => alice.library.channels.save(channel, entries)
    const history = async () => (await alice.library.videos.list({ limit: 100 })).entries
    return { alice, list, feed, history }
  }

  it('an older video is marked as listed, until the feed lists it', async () => {
    const { list, feed, history } = await radio()
    await feed()

    expect(await list(listed({ duration_seconds: 61 }))).toMatchObject({ saved: { inserted: 1 } })
    expect(await history()).toMatchObject([{ source: 'listing', duration_seconds: 61, title: 'Listed' }])

    await feed(listed({ title: 'In the feed' }))
    expect(await history()).toMatchObject([{ source: 'feed', duration_seconds: 61, title: 'In the feed' }])
  })

  it('a listing fills in what a feed leaves out, and changes nothing that the feed said', async () => {
    const { list, feed, history } = await radio()
    const said = { title: 'In the feed', thumbnail_url: 'https://radio.example/1.jpg', description: 'Said' }
    await feed(listed({ ...said, published_at: new Date('2026-11-01T10:00:00Z') }))

    await list(
      listed({
        thumbnail_url: 'https://radio.example/2.jpg',
        published_at: new Date('2026-10-01T00:00:00Z'),
        published_precision: 'approximate',
        live_status: 'was_live',
        availability: 'members_only',
      }),
    )

    expect(await history()).toMatchObject([
      {
        ...said,
        published_at: new Date('2026-11-01T10:00:00Z'),
        published_precision: 'exact',
        live_status: 'was_live',
        availability: 'members_only',
        source: 'feed',
      },
    ])
    expect(await list(listed({ live_status: 'was_live' }))).toMatchObject({ saved: { unchanged: 1 } })
  })

  it('an approximate date gives way to a better one, and not to another approximate one', async () => {
    const { list, feed, history } = await radio()
    await feed()
    const dated = (day: string, published_precision: Precision) =>
      listed({ published_at: new Date(`2026-${day}T00:00:00Z`), published_precision })
    const now = async () =>
      (await history()).map(({ published_at, published_precision }) => [published_at, published_precision])

    await list(dated('01-01', 'approximate'))
    expect(await list(dated('02-02', 'approximate'))).toMatchObject({ saved: { unchanged: 1 } })
    expect(await now()).toEqual([[new Date('2026-01-01T00:00:00Z'), 'approximate']])
    await list(dated('03-03', 'day'))
    await list(dated('04-04', 'approximate'))
    expect(await now()).toEqual([[new Date('2026-03-03T00:00:00Z'), 'day']])
    await feed(dated('03-04', 'exact'))
    await feed(dated('05-05', 'approximate'))
    expect(await now()).toEqual([[new Date('2026-03-04T00:00:00Z'), 'exact']])
  })

  it('an older video without a date keeps the place where it was listed', async () => {
    const { list, feed, history } = await radio()
    const published_at = new Date('2020-01-01T00:00:00Z')
    await feed(listed({ video_id: 'first', video_url: `${video_url}1`, published_at }))
    const place = (seconds: number) => new Date(published_at.getTime() - seconds * 1000)

    await list(
      listed({ video_id: 'third', video_url: `${video_url}3`, place_at: place(2) }),
      listed({ video_id: 'second', video_url: `${video_url}2`, place_at: place(1) }),
    )

    expect((await history()).map(({ video_id }) => video_id)).toEqual(['first', 'second', 'third'])
  })

  it('a listing does not bring back a channel that was unfollowed meanwhile', async () => {
    const { alice, list, feed } = await radio()
    await feed()
    await alice.library.channels.remove('radio')

    expect(await list(listed())).toBeUndefined()
  })
})
