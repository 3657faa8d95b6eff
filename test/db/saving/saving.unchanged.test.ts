/** A refresh writes what its feed has changed, and nothing else. */
import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseFeed } from '../../../src/feed/formats/parse.ts'
import { useDatabase } from '../../support/app/database.ts'
import { type Person, person } from '../../support/app/people.ts'
import { bytesOf, documentOf } from '../../support/media/feeds.ts'

const { sql } = useDatabase()

async function saved({ library }: Person, body: string | Uint8Array) {
  const { channel_id, title, entries } = parseFeed(documentOf(body))
  return (await library.channels.save({ channel_id, title, rss_url: 'https://host.example/feed.xml' }, entries)).saved
}
/** Postgres gives a row that is written another `xmin`. */
const rows = () => sql`select xmin::text, id from video_entries order by id`

it.each(readdirSync('test/fixtures/feeds').filter(isFeed))(
  '%s, fetched again, writes no row of a video',
  async file => {
    const alice = await person(sql, 'alice')
    const { inserted } = await saved(alice, bytesOf(file))
    const before = await rows()

    expect(await saved(alice, bytesOf(file))).toMatchObject({ inserted: 0, updated: 0 })
    expect(await rows()).toEqual(before)
    expect(inserted).toBeGreaterThan(0)
  },
)

it('numbers and signatures that differ at each fetch update no video', async () => {
  const alice = await person(sql, 'alice')
  const feed = (number: number) => `
    <feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/">
      <title>Bread</title><updated>2026-11-${number}T10:00:00Z</updated>
      <entry>
        <yt:videoId>dQw4w9WgXcQ</yt:videoId><title>Loaf</title><published>2026-11-01T10:00:00+00:00</published>
        <updated>2026-11-${number}T10:00:00Z</updated>
        <media:group>
          <media:thumbnail url="https://pictures.example/1.jpg?signature=${number}"/>
          <media:description>Flour.</media:description>
          <media:community>
            <media:starRating count="${number}" average="4.${number}"/>
            <media:statistics views="${number}" favorites="${number}"/>
          </media:community>
        </media:group>
      </entry>
    </feed>`
  expect(await saved(alice, feed(10))).toEqual({ inserted: 1, updated: 0, unchanged: 0 })

  expect(await saved(alice, feed(11))).toEqual({ inserted: 0, updated: 0, unchanged: 1 })
  expect(await saved(alice, feed(11).replace('Loaf', 'Loaves'))).toEqual({ inserted: 0, updated: 1, unchanged: 0 })
  const { entries } = await alice.library.videos.list({ limit: 1 })
  expect(entries).toMatchObject([{ title: 'Loaves', thumbnail_url: 'https://pictures.example/1.jpg?signature=11' }])
})

function isFeed(file: string): boolean {
  try {
    return parseFeed(documentOf(bytesOf(file))).entries.length > 0
  } catch {
    return false
  }
}
