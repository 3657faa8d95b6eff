/** Facts are stored for all who have a video, without waiting in a circle with the saves of its feed. */
import { expect, it } from 'vitest'
import { type FoundVideo, recordClosedVideo, storeFacts } from '../../../../src/db/videos/everyone/facts.ts'
import { oneAddressOf } from '../../../../src/feed/platforms/by-address.ts'
import { DownloadJob } from '../../../../src/schema/service/jobs.ts'
import { aLockIsWaitedFor, useDatabase } from '../../../support/app/database.ts'

const { sql } = useDatabase({ connections: 4 })
const rss_url = 'https://videos.example/kitchen.xml'

/** Forty people with a rule. Their rows are stored in the opposite order of their ids, which is that of a save. */
async function fortyFollowers(): Promise<string[]> {
  await sql`truncate users cascade`
  await sql`insert into users (username, password_hash) select 'person' || n, 'not a hash' from generate_series(1, 40) n`
  await sql`
    insert into channels (user_id, channel_id, title, rss_url)
    select id, 'kitchen', 'Kitchen', ${rss_url} from users order by id desc`
  await sql`
    insert into channel_rules (user_id, channel_id, on_since)
    select user_id, channel_id, now() from channels order by user_id desc`
  await sql`
    insert into video_entries (user_id, channel_id, video_id, video_url, title)
    select user_id, channel_id, 'bread', 'https://videos.example/bread', 'Bread' from channels order by user_id desc`
  return (await sql<{ id: string }[]>`select id from users order by id`).map(({ id }) => id)
}

const looked: FoundVideo = {
  video_id: 'bread',
  video_url: 'https://videos.example/bread',
  duration_seconds: 600,
  live_status: null,
  availability: null,
  published_at: null,
  published_precision: null,
  by: 'look',
}

it.each<[string, (user_id: string) => Promise<unknown>]>([
  ['of a look', () => storeFacts(sql, { rss_url, found: [looked], oneAddressOf })],
  [
    'of a failed download',
    user_id => recordClosedVideo(sql, DownloadJob.parse({ user_id, video_id: 'bread' }), 'members_only'),
  ],
])('the facts %s lock the rules of a feed in the order of their people, as a save does', async (_, store) => {
  const [first = '', ...others] = await fortyFollowers()
  let storing: Promise<unknown> | undefined
  await sql.begin(async tx => {
    await tx`select from channel_rules where user_id = ${first} for update`
    storing = store(first)
    await aLockIsWaitedFor(sql)
    const free = await tx`select from channel_rules where user_id = any(${others}::uuid[]) for update skip locked`
    expect(free.length).toBe(others.length)
  })
  await storing
  expect(await sql`select distinct judge_from is not null as noted from channel_rules`).toEqual([{ noted: true }])
})
