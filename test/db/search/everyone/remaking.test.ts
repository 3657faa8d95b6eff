/** Words from before the version that cuts texts into other words: they are made again, batch by batch. */
import { expect, it } from 'vitest'
import { everyoneIn } from '../../../../src/db/everyone.ts'
import { remakeWords } from '../../../../src/db/search/everyone/remaking.ts'
import { useDatabase } from '../../../support/app/database.ts'
import { entry, person } from '../../../support/app/people.ts'

const { sql } = useDatabase()

/** Two people with three videos and a transcript each, whose words are those of an earlier version. */
async function fromBefore(): Promise<void> {
  const people = [await person(sql, 'alice'), await person(sql, 'bob')]
  for (const { library } of people) {
    await library.channels.save(
      { channel_id: 'c', title: 'C', rss_url: 'https://videos.example/c' },
      ['a', 'b', 'c'].map(id => entry(id, { title: `Wi-Fi ${id}`, description: null })),
    )
    for (const id of ['a', 'b'])
      await library.transcripts.save(id, {
        language: 'en',
        automatic: false,
        lines: [{ start_seconds: 0, text: 'an e-mail' }],
      })
  }
  await sql`update video_entries set words = setweight(to_tsvector('simple', title), 'A')`
  await sql`update moments set words = to_tsvector('simple', 'an e-mail')`
  await sql`
    insert into words_to_remake (videos_before, after_user, after_video)
    select max(id) + 1, '00000000-0000-0000-0000-000000000000', ''
    from   video_entries`
}

it('every video and every transcript gets its new words, whatever the batch, and no progress is left behind', async () => {
  await fromBefore()
  const known = async () => [
    (await sql`select from video_entries where words @@ 'wifi'`).length,
    (await sql`select from moments where words @@ 'email'`).length,
  ]
  expect(await known()).toEqual([0, 0])

  let rounds = 0
  while ((await sql`select from words_to_remake`).length > 0) {
    await remakeWords(everyoneIn(sql), { videos: 2, transcripts: 1 })
    rounds += 1
  }

  expect(await known()).toEqual([6, 4])
  expect(rounds).toBe(2)
})

it('without anything to make again, nothing is done', async () => {
  await person(sql, 'alice')
  await remakeWords(everyoneIn(sql))
  expect(await sql`select from words_to_remake`).toEqual([])
})
