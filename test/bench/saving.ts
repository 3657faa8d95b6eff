/** Saving feeds of 15 entries: one statement a feed, beside a transaction with a statement per entry. */
import type { Sql } from '../../src/db/client.ts'
import type { FeedEntry } from '../../src/schema/feed.ts'
import { entry, person } from '../support/people.ts'
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

  return [
    {
      name: `${feeds} feeds, all titles changed`,
      ours: () => each(inOne, ++edition),
      other: () => each(oneByOne, ++edition),
    },
    { name: `${feeds} feeds, nothing changed`, ours: () => each(inOne, edition), other: () => each(oneByOne, edition) },
  ]
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
