/** Unfollowing a channel: what goes, what stays, and following it again. */
import { expect, it } from 'vitest'
import { rule_off } from '../../../src/schema/rules/rule.ts'
import { useDatabase } from '../../support/app/database.ts'
import { entry, follows, type Person, person } from '../../support/app/people.ts'

const { sql } = useDatabase()

const kitchen = { channel_id: 'kitchen', title: 'Kitchen' }
const feed = { ...kitchen, rss_url: 'https://videos.example/kitchen.xml' }
const rule = { ...rule_off, auto_download: true }
const idsOf = async ({ library }: Person) =>
  (await library.videos.list({ limit: 50 })).entries.map(({ video_id }) => video_id).toSorted()

/** Follows a channel with two videos of the feed and two that she added. */
async function withAdded() {
  const alice = await person(sql, 'alice')
  await follows(alice, 'kitchen', ['v1', 'v2'])
  await alice.library.channels.addVideo(kitchen, entry('added'))
  await alice.library.added.mark('v2')
  return alice
}

it('unfollowing deletes the videos of the feed and keeps those that the person added', async () => {
  const alice = await withAdded()
  await alice.library.viewings.record('v1', { position_seconds: 5, duration_seconds: 10 })
  await alice.library.downloads.request(['v1', 'added'])

  expect(await alice.library.channels.remove('kitchen')).toMatchObject([{ video_id: 'v1', download_path: null }])

  expect(await idsOf(alice)).toEqual(['added', 'v2'])
  expect(await alice.library.channels.find('kitchen')).toMatchObject({ followed: false, entry_count: 2 })
  expect(await sql`select from viewings where user_id = ${alice.user.user_id}`).toHaveLength(0)
  const jobs = await sql<{ key: string }[]>`
    select key from graphile_worker.jobs where key like ${`download:${alice.user.user_id}:%`}`
  expect(jobs.map(({ key }) => key.split(':').at(-1))).toEqual(['added'])
})

it('an unfollowed channel with added videos forgets its feed, its fetches and its rule, and knows where to follow it again', async () => {
  const alice = await withAdded()
  await alice.library.rules.save('kitchen', rule)
  await alice.library.channels.storeFailure('kitchen', 'It failed.', new Date())
  await alice.library.channels.remove('kitchen')

  const [row] = await sql`select * from channels where user_id = ${alice.user.user_id}`
  expect(row).toMatchObject({
    rss_url: null,
    page_url: feed.rss_url,
    last_fetched_at: null,
    next_fetch_at: null,
    etag: null,
    fetch_error: null,
    fetch_failed_at: null,
    fetch_failures: 0,
    failing_since: null,
    refresh_asked_at: null,
  })
  expect(await alice.library.rules.find('kitchen')).toMatchObject({ auto_download: false })
})

it('an unfollowed channel with added videos leaves its groups, and is in them again when it is restored', async () => {
  const alice = await withAdded()
  const { group_id } = await alice.library.groups.create('Food')
  await alice.library.groups.addChannels(group_id, ['kitchen'])

  await alice.library.channels.remove('kitchen', true)
  expect((await alice.library.channels.find('kitchen'))?.group_ids).toEqual([])
  expect(await alice.library.groups.list()).toMatchObject([{ name: 'Food', channels: 0 }])

  await alice.library.bin.restoreChannel('kitchen', { hours: 24, quota_bytes: 0 })
  expect((await alice.library.channels.find('kitchen'))?.group_ids).toEqual([group_id])
})

it('a video that is restored without following its channel puts the channel in no group', async () => {
  const alice = await person(sql, 'alice')
  await follows(alice, 'kitchen', ['v1'])
  const { group_id } = await alice.library.groups.create('Food')
  await alice.library.groups.addChannels(group_id, ['kitchen'])

  await alice.library.channels.remove('kitchen', true)
  await alice.library.bin.restoreVideo('v1', 24)

  expect(await alice.library.channels.find('kitchen')).toMatchObject({ followed: false, group_ids: [] })
  await alice.library.bin.restoreChannel('kitchen', { hours: 24, quota_bytes: 0 })
  expect(await alice.library.channels.find('kitchen')).toMatchObject({ followed: true, group_ids: [group_id] })
})

it('a channel without added videos is deleted when it is unfollowed', async () => {
  const alice = await person(sql, 'alice')
  await follows(alice, 'kitchen', ['v1'])
  expect(await alice.library.channels.remove('kitchen')).toHaveLength(1)
  expect(await alice.library.channels.find('kitchen')).toBeUndefined()
})

it('a channel that is not followed cannot be unfollowed', async () => {
  const alice = await person(sql, 'alice')
  await alice.library.channels.addVideo(kitchen, entry('added'))
  expect(await alice.library.channels.remove('kitchen')).toBeUndefined()
  expect(await idsOf(alice)).toEqual(['added'])
})

it('following later turns the channel into a followed one, without a rule and without downloading what was there', async () => {
  const alice = await withAdded()
  await alice.library.rules.save('kitchen', rule)
  await alice.library.channels.remove('kitchen')
  await sql`update channels set created_at = '2020-01-01' where user_id = ${alice.user.user_id}`

  const followed = await alice.library.channels.save(feed, [entry('added'), entry('v3', { published_at: new Date() })])

  expect(followed).toMatchObject({
    created: true,
    has_rule: false,
    saved: { inserted: 1 },
    channel: { followed: true, rss_url: feed.rss_url, entry_count: 3 },
  })
  expect(await idsOf(alice)).toEqual(['added', 'v2', 'v3'])
  const [{ is_new } = { is_new: false }] = await sql<{ is_new: boolean }[]>`
    select created_at > now() - interval '1 hour' as is_new from channels where user_id = ${alice.user.user_id}`
  expect(is_new).toBe(true)
  await alice.library.rules.save('kitchen', rule)
  expect(await alice.library.rules.toJudge('kitchen')).toBeUndefined()
  expect(await alice.library.videos.find('added')).toMatchObject({ source: 'address' })
})

it('a failure that is noted after the channel was unfollowed plans no fetch', async () => {
  const alice = await withAdded()
  await alice.library.channels.remove('kitchen')
  await alice.library.channels.storeFailure('kitchen', 'It failed.', new Date())
  expect(await alice.library.channels.find('kitchen')).toMatchObject({ fetch_error: null, next_fetch_at: null })
})
