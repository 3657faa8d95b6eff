/** What a save, a download and a full quota leave in the outbox, and for whom. */
import { expect, it } from 'vitest'
import { saveForFollowers } from '../../../src/db/channels/everyone/save-for-followers.ts'
import { everyoneIn } from '../../../src/db/everyone.ts'
import type { MessageEvent } from '../../../src/schema/notifications/message.ts'
import { useDatabase } from '../../support/app/database.ts'
import { entry, follows, type Person, person, personWith } from '../../support/app/people.ts'

const { sql } = useDatabase()

async function addTarget({ library }: Person, ...events: MessageEvent[]): Promise<void> {
  await library.targets.add({ kind: 'webhook', address: 'https://hook.example/', token_or_key: null, events })
}

const rows = ({ user }: Person) => sql<{ event: string; video_ids: string[]; videos: number; details: unknown }[]>`
  select   event, video_ids, videos, details
  from     notifications
  where    user_id = ${user.user_id}
  order by notification_id`

/** A person with the channel `bread`, its bell, and a target for new videos. */
async function listener(name: string): Promise<Person> {
  const made = await personWith(sql, name, 'bread', ['b1'])
  await addTarget(made, 'new_video')
  await made.library.channels.setBell('bread', true)
  return made
}

it('a save writes one row for a channel with a bell, the newest video first', async () => {
  const alice = await listener('alice')
  const newer = entry('b3', { published_at: new Date('2026-05-03T12:00:00Z') })

  await alice.library.channels.update('bread', { title: 'Bread', entries: [entry('b1'), entry('b2'), newer] })
  await alice.library.channels.update('bread', { title: 'Bread', entries: [entry('b1'), entry('b2'), newer] })

  expect(await rows(alice)).toEqual([{ event: 'new_video', video_ids: ['b3', 'b2'], videos: 2, details: null }])
})

it('the bell of a group counts for its channels, unless the group is deleted', async () => {
  const alice = await personWith(sql, 'alice', 'bread', ['b1'])
  await follows(alice, 'tea', ['t1'])
  await addTarget(alice, 'new_video')
  const { group_id } = await alice.library.groups.create('Food')
  await alice.library.groups.addChannels(group_id, ['bread'])
  await alice.library.groups.setBell(group_id, true)

  await follows(alice, 'bread', ['b2'])
  await follows(alice, 'tea', ['t2'])
  await alice.library.groups.remove(group_id)
  await follows(alice, 'bread', ['b3'])

  expect(await rows(alice)).toMatchObject([{ video_ids: ['b2'] }])
})

it('nothing is written without a bell, without a target, or without a target for new videos', async () => {
  const silent = await personWith(sql, 'alice', 'bread', ['b1'])
  await addTarget(silent, 'new_video')
  const homeless = await personWith(sql, 'bob', 'bread', ['b1'])
  await homeless.library.channels.setBell('bread', true)
  const other = await personWith(sql, 'carol', 'bread', ['b1'])
  await addTarget(other, 'download_failed', 'space')
  await other.library.channels.setBell('bread', true)

  for (const one of [silent, homeless, other]) {
    await follows(one, 'bread', ['b2'])
    expect(await rows(one)).toEqual([])
  }
})

it('what the first fetch of a channel finds is no news, and neither is a video that its person added', async () => {
  const alice = await listener('alice')
  const { group_id } = await alice.library.groups.create('Food')
  await alice.library.groups.setBell(group_id, true)
  await alice.library.channels.addVideo({ channel_id: 'tea', title: 'Tea' }, entry('t0'))
  await alice.library.groups.addChannels(group_id, ['tea'])

  await follows(alice, 'tea', ['t1', 't2'])
  await alice.library.channels.addVideo({ channel_id: 'bread', title: 'Bread' }, entry('b9'))
  // As an import of an archive leaves a channel: followed, and not fetched yet.
  await sql`update channels set last_fetched_at = null where user_id = ${alice.user.user_id} and channel_id = 'bread'`
  await follows(alice, 'bread', ['b2', 'b3'])

  expect(await rows(alice)).toEqual([])
})

it('a row names the newest 500 videos, and counts all', async () => {
  const alice = await listener('alice')
  const many = Array.from({ length: 700 }, (_, at) =>
    entry(`m${at}`, { published_at: new Date(Date.UTC(2026, 0, 1, 0, at)) }),
  )

  await alice.library.channels.update('bread', { title: 'Bread', entries: many })

  const [row] = await rows(alice)
  expect(row).toMatchObject({ event: 'new_video', videos: 700 })
  expect(row?.video_ids).toHaveLength(500)
  expect(row?.video_ids.slice(0, 2)).toEqual(['m699', 'm698'])
})

it('a shared feed tells each follower by their own bell alone', async () => {
  const [alice, bob, carol] = [await listener('alice'), await listener('bob'), await listener('carol')]
  await bob.library.channels.setBell('bread', false)
  await sql`delete from notification_targets where user_id = ${carol.user.user_id}`
  const followers = [alice, bob, carol].map(({ user }) => ({ user_id: user.user_id, channel_id: 'bread' }))
  const rss_url = 'https://videos.example/bread.xml'
  const feed = { channel_id: 'bread', title: 'Bread', skipped: 0, entries: [entry('b2')] }
  const known = { etag: null, last_modified: null, body_hash: null, every_minutes: null }

  await saveForFollowers(everyoneIn(sql), [{ rss_url, feed, followers, known, next_fetch_at: new Date() }])

  expect(await rows(alice)).toMatchObject([{ video_ids: ['b2'], videos: 1 }])
  expect(await rows(bob)).toEqual([])
  expect(await rows(carol)).toEqual([])
})

it('a channel, a bell and targets of another person decide nothing', async () => {
  const alice = await listener('alice')
  const bob = await personWith(sql, 'bob', 'bread', ['b1'])
  const { group_id } = await alice.library.groups.create('Food')
  await alice.library.groups.addChannels(group_id, ['bread'])
  await alice.library.groups.setBell(group_id, true)

  await follows(bob, 'bread', ['b2'])

  expect(await rows(bob)).toEqual([])
  expect(await rows(alice)).toEqual([])
})

async function begun(someone: Person, video_id: string): Promise<string> {
  await someone.library.downloads.request([video_id])
  const claim = crypto.randomUUID()
  expect(await someone.library.downloads.start(video_id, claim)).toBeDefined()
  return claim
}

const file = { download_path: 'a/b.mp4', file_size: 9 }
const nothing = async () => {}

it('a download that completes, and one that fails for good, are told; one that will be tried again is not', async () => {
  const alice = await personWith(sql, 'alice', 'bread', ['b1', 'b2', 'b3'])
  await addTarget(alice, 'download_completed', 'download_failed')
  const { downloads } = alice.library

  await downloads.finish('b1', await begun(alice, 'b1'), file, nothing, nothing)
  await downloads.fail('b2', await begun(alice, 'b2'), { download_error: 'It is gone.', next_attempt_at: null })
  const later = new Date('2099-01-01T00:00:00Z')
  await downloads.fail('b3', await begun(alice, 'b3'), { download_error: 'Not now.', next_attempt_at: later })

  expect(await rows(alice)).toEqual([
    { event: 'download_completed', video_ids: ['b1'], videos: 1, details: null },
    { event: 'download_failed', video_ids: ['b2'], videos: 1, details: { error: 'It is gone.' } },
  ])
})

it('a run that has lost its claim tells nothing, and neither does a file that cannot be put into its place', async () => {
  const alice = await personWith(sql, 'alice', 'bread', ['b1', 'b2'])
  await addTarget(alice, 'download_completed', 'download_failed')
  const { downloads } = alice.library
  const lost = crypto.randomUUID()
  await begun(alice, 'b1')
  const claim = await begun(alice, 'b2')
  const full = async () => {
    throw new Error('the disk is full')
  }

  await downloads.finish('b1', lost, file, nothing, nothing)
  await downloads.fail('b1', lost, { download_error: 'It is gone.', next_attempt_at: null })
  await expect(downloads.finish('b2', claim, file, full, nothing)).rejects.toThrow('the disk is full')

  expect(await rows(alice)).toEqual([])
})

it('a nearly full quota is told once, and again only after there was room', async () => {
  const alice = await person(sql, 'alice')
  await addTarget(alice, 'space')
  const { outbox } = alice.library
  const used = async (percent: number) => {
    await outbox.recordSpace({ used_bytes: percent, quota_bytes: 100 })
    return (await rows(alice)).length
  }

  expect([await used(89), await used(90), await used(97), await used(86)]).toEqual([0, 1, 1, 1])
  expect([await used(84), await used(89), await used(91)]).toEqual([0, 0, 1])
  await outbox.recordSpace({ used_bytes: 91, quota_bytes: null })
  expect(await rows(alice)).toEqual([])
})
