/** Downloads whose video has opened, among many that have failed. */
import { expect, it } from 'vitest'
import { openedDownloads } from '../../../../src/db/downloads/everyone/due-downloads.ts'
import { everyoneIn } from '../../../../src/db/everyone.ts'
import { useDatabase } from '../../../support/app/database.ts'
import { person } from '../../../support/app/people.ts'
import { rowsRead } from '../../../support/app/rows-read.ts'

const { sql } = useDatabase()

it('a download whose video has opened is found without reading the others that failed', async () => {
  const { user } = await person(sql, 'alice')
  await sql`insert into channels (user_id, channel_id, title, rss_url) values (${user.user_id}, 'c', 'c', 'https://h.example/c')`
  await sql`
    insert into video_entries (
      user_id, channel_id, video_id, video_url, title, download_status, download_error, download_reason, download_asked_by, availability)
    select ${user.user_id}, 'c', 'v' || n, 'https://h.example/v' || n, 'v', 'FAILED', 'Members only.',
           case when n % 2 = 0 then 'members' else 'not_found' end, 'person', case when n <> 2 then 'members_only' end
    from   generate_series(1, 2000) n`
  await sql`analyze video_entries`

  const { whole, by_index } = await rowsRead(sql, 'video_entries', async tx => {
    expect(await openedDownloads(everyoneIn(tx))).toEqual([{ user_id: user.user_id, video_id: 'v2' }])
  })

  expect(whole + by_index).toBeLessThan(10)
})
