/** What pages read of a large library while the tables of what few people have done yet have no statistics. */
import { beforeAll, expect, it } from 'vitest'
import { unlimited, useApp } from '../../support/app/app.ts'
import { type Person, person } from '../../support/app/people.ts'

/** One connection, so that its numbers are all there are. */
const { sql, ask } = useApp({ connections: 1, limits: unlimited })

let alice: Person

/** Others have few videos, so a plan for anybody expects few. The library has statistics, as after its first videos. */
beforeAll(async () => {
  alice = await person(sql, 'alice')
  const others = await Promise.all(Array.from({ length: 20 }, (_, nth) => person(sql, `other-${nth}`)))
  const people = [alice, ...others].map(({ user }) => user.user_id)
  await sql`
    insert into channels (user_id, channel_id, title, rss_url, next_fetch_at)
    select user_id, 'c' || c, 'Channel ' || c, 'https://videos.example/' || c, now() + interval '1 day'
    from   unnest(${people}::uuid[]) user_id, generate_series(1, case user_id when ${alice.user.user_id} then 100 else 2 end) c`
  await sql`
    insert into video_entries (user_id, channel_id, video_id, video_url, title, description, thumbnail_url, duration_seconds, published_at)
    select user_id, channel_id, channel_id || 'v' || v, 'https://videos.example/' || v, 'Bread ' || v, 'About bread',
           'https://videos.example/' || v || '.jpg', (v * 97) % 3600, now() - v * interval '1 hour'
    from   channels, generate_series(1, 200) v
    order by user_id, v`
  await sql`analyze channels, video_entries`
  // Counts what the list of channels keeps.
  await ask('/channels', { as: alice })
})

/** How many rows of the largest table a request reads. */
async function videosRead(path: string): Promise<number> {
  const soFar = async () => {
    await sql`select pg_stat_force_next_flush()`
    const [read] = await sql<{ rows: number }[]>`
      select seq_tup_read + idx_tup_fetch as rows from pg_stat_user_tables where relname = 'video_entries'`
    return read?.rows ?? 0
  }
  const before = await soFar()
  expect((await ask(path, { as: alice })).status).toBe(200)
  return (await soFar()) - before
}

it.each([
  '/',
  '/?seen=false',
  '/?seen=true',
  '/?later=true',
  '/?dismissed=true',
  '/?on_disk=true',
  '/?length=long',
  '/?length=short',
  '/?live=true',
  '/?live=false',
  '/?seen=false&shorts=false&length=long',
  '/channels',
  '/channels/c2',
  '/channels/c2?seen=false',
  '/channels/c2?sort=longest',
  '/channels/c2?status=failed',
  '/history',
  '/history?q=bread',
  '/playlists',
  '/watch/c2v3',
  '/downloads',
  '/space',
  '/api/videos?later=false',
  '/api/videos?watched=false&dismissed=false',
  '/api/videos?min_seconds=60',
  '/api/videos?sort=oldest&seen=false',
  '/api/channels',
])('of 20,000 videos, %s reads few', async path => {
  expect(await videosRead(path)).toBeLessThan(1500)
})
