/** One user's channels: saving a feed while its videos are requested. */
import { expect, it } from 'vitest'
import { useDatabase } from '../../support/app/database.ts'
import { entry, person } from '../../support/app/people.ts'

const { sql } = useDatabase()

it('saving a feed and requesting its videos never deadlock, whatever their order', async () => {
  const alice = await person(sql, 'alice')
  const channel = { channel_id: 'c', title: 'C', rss_url: 'https://videos.example/c' }
  const ids = Array.from({ length: 300 }, (_, n) => `v${String(n).padStart(3, '0')}`)
  for (const id of ids.toReversed()) await alice.library.channels.save(channel, [entry(id)])

  const rounds = Array.from({ length: 12 }, (_, round) => [
    alice.library.channels.save(
      channel,
      ids.map(id => entry(id, { title: `Edition ${round}` })),
    ),
    alice.library.downloads.request(ids),
  ]).flat()

  const refused = (await Promise.allSettled<unknown>(rounds)).filter(({ status }) => status === 'rejected')
  expect(refused).toEqual([])
})
