/** Stored videos keep their identifiers when their feed says more about them, or the service knows more. */
import { expect, it } from 'vitest'
import { parseFeed } from '../../../src/feed/formats/parse.ts'
import { readableIdOf } from '../../../src/feed/formats/readable-id.ts'
import { useDatabase } from '../../support/app/database.ts'
import { listOf } from '../../support/app/lists.ts'
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
  const history = async () => (await listOf(alice.library, { limit: 100 })).entries
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

  const { entries: history } = await listOf(alice.library, { limit: 100 })
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
