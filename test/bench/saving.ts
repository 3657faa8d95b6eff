/**
 * Compares saving a feed of 15 entries in one statement with a transaction of one statement per entry; and a feed of
 * 5,000 entries that share one address with a feed whose entries have different addresses.
 */
import type { Sql } from '../../src/db/postgres/client.ts'
import { parseFeed } from '../../src/feed/formats/parse.ts'
import type { FeedEntry } from '../../src/schema/feed.ts'
import { entry, person } from '../support/app/people.ts'
import type { Pair } from './main.ts'

const feeds = 50
const entriesOf = (feed: number, edition: number) =>
  Array.from({ length: 15 }, (_, n) => entry(`f${feed}.${n}`, { title: `Title ${n}, edition ${edition}` }))

export async function saving(sql: Sql): Promise<Pair[]> {
  const [ours, other] = [await person(sql, 'ours'), await person(sql, 'other')]
  let edition = 0
  const each = async (save: (channel_id: string, entries: FeedEntry[]) => Promise<unknown>, edition: number) => {
    for (let feed = 0; feed < feeds; feed++) await save(`c${feed}`, entriesOf(feed, edition))
  }
  const inOne = (channel_id: string, entries: FeedEntry[]) =>
    ours.library.channels.save({ channel_id, title: 'T', rss_url }, entries)
  const oneByOne = (channel_id: string, entries: FeedEntry[]) => perEntry(sql, other.user.user_id, channel_id, entries)
  await each(inOne, 0)
  await each(oneByOne, 0)

  const large = await person(sql, 'large')
  const again = (place: 'one' | 'own') =>
    large.library.channels.save(
      { channel_id: place, title: 'T', rss_url: `https://${place}.example/feed` },
      largeFeed(place),
    )
  await again('one')
  await again('own')

  return [
    { name: '5,000 entries again: one address, own addresses', ours: () => again('one'), other: () => again('own') },
    {
      name: `${feeds} feeds, all titles changed`,
      ours: () => each(inOne, ++edition),
      other: () => each(oneByOne, ++edition),
    },
    { name: `${feeds} feeds, nothing changed`, ours: () => each(inOne, edition), other: () => each(oneByOne, edition) },
  ]
}

function largeFeed(place: 'one' | 'own'): FeedEntry[] {
  const items = Array.from(
    { length: 5000 },
    (_, n) =>
      `<item><link>https://${place}.example/${place === 'one' ? '' : n}</link><guid isPermaLink="false">g${n}</guid></item>`,
  )
  const text = `<rss><channel><title>T</title>${items.join('')}</channel></rss>`
  return parseFeed({ url: 'https://a.example/', content_type: 'application/rss+xml', body: Buffer.from(text) }).entries
}

const rss_url = 'https://videos.example/feed.xml'

/** The way most feed readers do it. */
const perEntry = (sql: Sql, user_id: string, channel_id: string, entries: FeedEntry[]) =>
  sql.begin(async tx => {
    await tx`
      insert into channels (user_id, channel_id, title, rss_url, last_fetched_at)
      values (${user_id}, ${channel_id}, 'T', ${rss_url}, now())
      on conflict (user_id, channel_id) do update set last_fetched_at = now()`
    for (const { video_id, video_url, title, thumbnail_url, description, published_at } of entries)
      await tx`
        insert into video_entries (user_id, channel_id, video_id, video_url, title, thumbnail_url, description, published_at)
        values (${user_id}, ${channel_id}, ${video_id}, ${video_url}, ${title}, ${thumbnail_url}, ${description}, ${published_at})
        on conflict (user_id, channel_id, video_id) do update
        set    title = excluded.title, description = excluded.description, thumbnail_url = excluded.thumbnail_url`
  })
