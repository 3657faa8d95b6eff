/** Adding videos in a session that has planned it while the library was nearly empty, as the first session of a service does. */
import { expect, it } from 'vitest'
import { useDatabase } from '../../support/app/database.ts'
import { personWith } from '../../support/app/people.ts'
import { rowsRead } from '../../support/app/rows-read.ts'

const { sql } = useDatabase({ connections: 1 })

it('a list of many videos reads each of them a few times', async () => {
  const alice = await personWith(sql, 'alice', 'c', ['first'])

  const { whole, by_index } = await rowsRead(
    sql,
    'video_entries',
    tx => tx`
      insert into video_entries (user_id, channel_id, video_id, title, video_url)
      select ${alice.user.user_id}, 'c', 'v' || n, 'n', 'https://videos.example/' || n
      from   generate_series(1, 500) n`,
  )

  expect(whole + by_index).toBeLessThan(500 * 10)
})
