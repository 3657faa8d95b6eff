/** A feed is saved for all its followers at once, and each of them gets what a save of their own would give. */
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { type FeedUpdate, saveForFollowers } from '../../../../src/db/channels/everyone/save-for-followers.ts'
import { everyoneIn } from '../../../../src/db/everyone.ts'
import { connect } from '../../../../src/db/postgres/client.ts'
import { rule_off } from '../../../../src/schema/rules/rule.ts'
import type { Follower } from '../../../../src/schema/service/jobs.ts'
import { type Feed, type FeedEntry, never_fetched } from '../../../../src/schema/sources/feed.ts'
import { aLockIsWaitedFor, useDatabase } from '../../../support/app/database.ts'
import { entry, type Person, person } from '../../../support/app/people.ts'
import { statementsOf } from '../../../support/app/statements.ts'
import { lowered } from '../../../support/app/user-limits.ts'

const { sql, url: database_url } = useDatabase({ connections: 4 })
const rss_url = 'https://videos.example/feed.xml'
const next_fetch_at = new Date('2030-01-01T00:00:00Z')

beforeEach(() => sql`truncate users cascade`)

const feedOf = (entries: FeedEntry[]): Feed => ({ channel_id: 'kitchen', title: 'Kitchen', entries, skipped: 0 })
const videos = (...ids: string[]) => ids.map(id => entry(id))
const update = (followers: Follower[], entries: FeedEntry[], address = rss_url): FeedUpdate => ({
  rss_url: address,
  feed: feedOf(entries),
  followers,
  known: { ...never_fetched, etag: '"2"', every_minutes: 60 },
  next_fetch_at,
})
const save = async (followers: Follower[], entries: FeedEntry[]) =>
  (await saveForFollowers(sql, [update(followers, entries)]))[0] ?? []
const followerIn = ({ user }: Person, channel_id = 'kitchen'): Follower => ({ user_id: user.user_id, channel_id })

/** Follows a channel at `rss_url` with these entries. */
async function follows({ library }: Person, entries: FeedEntry[], channel_id = 'kitchen', address = rss_url) {
  await library.channels.save({ channel_id, title: 'Old title', rss_url: address }, entries)
}
async function peopleWith(count: number, entries: FeedEntry[]): Promise<Person[]> {
  const people = await Promise.all(Array.from({ length: count }, (_, n) => person(sql, `person${n}`)))
  for (const someone of people) await follows(someone, entries)
  return people
}
const idsOf = async ({ library }: Person, channel_id = 'kitchen') =>
  (await library.videos.list({ channel_id, limit: 100 })).entries.map(({ video_id }) => video_id).toSorted()

/** Everything that a save writes, except identifiers and times of rows. */
const rowsOf = ({ user: { user_id } }: Person) => sql`
  select   video_id, video_url, entry.title, thumbnail_url, description, published_at, guid, moved_id, download_status, words,
           channel.title as channel_title, entry_count, skipped, feed_warning, fetch_error, fetch_failures
  from     video_entries entry
  join     channels channel using (user_id, channel_id)
  where    user_id = ${user_id}
  order by channel_id, video_id`

/** Stored videos, and a feed of them in which one is changed, one is moved, one is unchanged, one is gone and two are new. */
const [bread, soup, rice, tea] = ['bread', 'soup', 'rice', 'tea'].map(id => ({
  ...entry(`${id}.0123456789abcdef`, { title: id, guid: `guid of ${id}` }),
  aliases: { spare_id: `${id}-spare.0123456789abcdef` },
})) as [FeedEntry, FeedEntry, FeedEntry, FeedEntry]
const stored = [bread, soup, rice, tea]
const news: FeedEntry[] = [
  { ...bread, title: 'Better bread', description: null },
  {
    ...soup,
    video_id: 'moved.0123456789abcdef',
    video_url: 'https://elsewhere.example/soup',
    aliases: { spare_id: 'm.1' },
  },
  rice,
  entry('new-1'),
  entry('new-2', { published_at: null }),
]

it('200 followers get the same rows from one save as from 200 single saves', async () => {
  const people = await peopleWith(200, stored)
  const alone = await person(sql, 'alone')
  await follows(alone, stored)
  const { saved } = (await alone.library.channels.update('kitchen', feedOf(news))) ?? {}

  const results = await save(
    people.map(someone => followerIn(someone)),
    news,
  )

  expect(saved).toEqual({ inserted: 2, updated: 2, unchanged: 1 })
  expect(results.map(result => 'saved' in result && result.saved)).toEqual(people.map(() => saved))
  expect(new Set(results.map(({ user_id }) => user_id)).size).toBe(200)
  const expected = await rowsOf(alone)
  expect(expected).toHaveLength(6)
  for (const someone of people) expect(await rowsOf(someone)).toEqual(expected)
  const states = await sql`
    select distinct etag, every_minutes, next_fetch_at from channels where user_id <> ${alone.user.user_id}`
  expect(states).toEqual([{ etag: '"2"', every_minutes: 60, next_fetch_at }])
})

it('two feeds of 30 followers are saved by one statement, their pictures planned by another, and what they had noted by a third', async () => {
  const people = await peopleWith(30, videos('v1'))
  for (const someone of people) await follows(someone, videos('w1'), 'other', 'https://other.example/feed')
  const followers = (channel_id: string) => people.map(someone => followerIn(someone, channel_id))

  const counted = connect(database_url)
  onTestFinished(() => counted.end())
  await counted`select 1`

  const statements = await statementsOf(counted, () =>
    saveForFollowers(everyoneIn(counted), [
      update(followers('kitchen'), videos('v1', 'v2', 'v3')),
      update(followers('other'), videos('w1', 'w2'), 'https://other.example/feed'),
    ]),
  )

  expect(statements.map(text => /insert into (\w+)/.exec(text)?.[1])).toEqual(['video_entries', 'pictures', 'feeds'])
  for (const someone of people) {
    expect(await idsOf(someone)).toEqual(['v1', 'v2', 'v3'])
    expect(await idsOf(someone, 'other')).toEqual(['w1', 'w2'])
  }
})

it('a follower who has unfollowed, or follows another feed of the channel by now, gets nothing, and the others do', async () => {
  const [alice, bob, carol] = (await peopleWith(3, videos('v1'))) as [Person, Person, Person]
  await alice.library.channels.remove('kitchen')
  await bob.library.channels.switchFeed('kitchen', 'https://videos.example/other.xml')

  const results = await save(
    [alice, bob, carol].map(someone => followerIn(someone)),
    videos('v1', 'v2'),
  )

  expect(results).toMatchObject([{ ...followerIn(carol), saved: { inserted: 1, updated: 0, unchanged: 1 } }])
  expect([await idsOf(alice), await idsOf(bob), await idsOf(carol)]).toEqual([[], ['v1'], ['v1', 'v2']])
})

it('a follower at the limit keeps the newest videos that fit, and is told so; the others keep all', async () => {
  const [alice, bob] = (await peopleWith(2, videos('v1'))) as [Person, Person]
  await follows(alice, videos('a1', 'a2'), 'hers', 'https://hers.example/feed')
  const dated = ['v2', 'v3', 'v4'].map((id, n) => entry(id, { published_at: new Date(Date.UTC(2026, 5, n + 1)) }))

  onTestFinished(lowered({ videos: 5 }))
  const results = await save(
    [alice, bob].map(someone => followerIn(someone)),
    [...videos('v1'), ...dated],
  )

  const byPerson = new Map(results.map(result => [result.user_id, result]))
  expect(byPerson.get(alice.user.user_id)).toMatchObject({ saved: { inserted: 2, updated: 0, unchanged: 1 } })
  expect(byPerson.get(bob.user.user_id)).toMatchObject({ saved: { inserted: 3, updated: 0, unchanged: 1 } })
  expect([await idsOf(alice), await idsOf(bob)]).toEqual([
    ['v1', 'v3', 'v4'],
    ['v1', 'v2', 'v3', 'v4'],
  ])
  const [hers, his] = await Promise.all([alice, bob].map(({ library }) => library.channels.find('kitchen')))
  expect(hers?.fetch_error).toContain('1 new video of this channel is not kept, because you have 5 videos')
  expect(his?.fetch_error).toBeNull()
})

it('two feeds of one person, saved together, share the room that is left', async () => {
  const alice = await person(sql, 'alice')
  await follows(alice, videos('v1'))
  await follows(alice, videos('w1'), 'other', 'https://other.example/feed')
  const may = (day: number) => ({ published_at: new Date(Date.UTC(2026, 4, day)) })
  const old_and_new = (name: string, day: number) => [entry(`${name}2`, may(day)), entry(`${name}3`, may(day + 10))]

  onTestFinished(lowered({ videos: 4 }))
  await saveForFollowers(sql, [
    update([followerIn(alice)], [...videos('v1'), ...old_and_new('v', 1)]),
    update([followerIn(alice, 'other')], [...videos('w1'), ...old_and_new('w', 2)], 'https://other.example/feed'),
  ])

  expect([await idsOf(alice), await idsOf(alice, 'other')]).toEqual([
    ['v1', 'v3'],
    ['w1', 'w3'],
  ])
})

it('videos of several channels are saved in the order in which requests of videos lock them', async () => {
  const alice = await person(sql, 'alice')
  await follows(alice, videos('v2'))
  await follows(alice, videos('v1'), 'other', 'https://other.example/feed')
  const changed = (id: string) => [entry(id, { title: 'Changed' })]
  const updates = [
    update([followerIn(alice)], changed('v2')),
    update([followerIn(alice, 'other')], changed('v1'), 'https://other.example/feed'),
  ]

  const saving = await sql.begin(async tx => {
    await tx`select from video_entries where video_id = 'v1' for update`
    const saving = saveForFollowers(sql, updates)
    await aLockIsWaitedFor(sql)
    // Fails at once if the save has this video and waits for the other.
    await tx`select from video_entries where video_id = 'v2' for update nowait`
    return { saving }
  })

  expect((await saving.saving).flat()).toMatchObject([{ saved: { updated: 1 } }, { saved: { updated: 1 } }])
})

it('a video that a follower has in another channel comes with its download; for the others it is new', async () => {
  const [alice, bob] = (await peopleWith(2, [])) as [Person, Person]
  await follows(alice, videos('v1'), 'playlist', 'https://playlist.example/feed')
  await alice.library.downloads.request(['v1'])

  await save(
    [alice, bob].map(someone => followerIn(someone)),
    videos('v1'),
  )

  const requested = await sql`
    select   user_id, download_requested_at is not null as is_requested
    from     video_entries
    where    channel_id = 'kitchen'`
  const byPerson = new Map(requested.map(({ user_id, is_requested }) => [user_id, is_requested]))
  expect([alice, bob].map(({ user }) => byPerson.get(user.user_id))).toEqual([true, false])
})

it('a follower whose save the database refuses does not lose the others their save', async () => {
  const people = await peopleWith(9, videos('v1'))
  const [, , , unlucky] = people as [Person, Person, Person, Person]
  // A check that only this person's new videos fail.
  await sql.unsafe(
    `alter table video_entries add constraint refused check (user_id <> '${unlucky.user.user_id}') not valid`,
  )
  try {
    const results = await save(
      people.map(someone => followerIn(someone)),
      videos('v1', 'v2'),
    )

    const refused = results.filter(result => 'fault' in result)
    expect(refused).toMatchObject([{ ...followerIn(unlucky), fault: { constraint_name: 'refused' } }])
    expect(results).toHaveLength(9)
    for (const someone of people) expect(await idsOf(someone)).toEqual(someone === unlucky ? ['v1'] : ['v1', 'v2'])
  } finally {
    await sql`alter table video_entries drop constraint refused`
  }
})

it('a follower is reported as having a rule only while the rule is on', async () => {
  const [alice, bob, carol] = (await peopleWith(3, videos('v1'))) as [Person, Person, Person]
  await alice.library.rules.save('kitchen', { ...rule_off, auto_download: true })
  await bob.library.rules.save('kitchen', rule_off)

  const results = await save(
    [alice, bob, carol].map(someone => followerIn(someone)),
    videos('v1', 'v2'),
  )

  const withRule = results.filter(result => 'has_rule' in result && result.has_rule)
  expect(withRule.map(({ user_id }) => user_id)).toEqual([alice.user.user_id])
})

it('unchanged videos are not written', async () => {
  const [alice] = (await peopleWith(1, stored)) as [Person]
  const written = () => sql`select video_id, xmin, xmax, ctid from video_entries order by video_id`
  const before = await written()

  await save([followerIn(alice)], stored)

  expect(await written()).toEqual(before)
})

it('a feed without entries is saved too, first or last among others', async () => {
  const alice = await person(sql, 'alice')
  const names = ['empty', 'full', 'last']
  const addressOf = (name: string) => `https://${name}.example/feed.xml`
  for (const name of names) await follows(alice, videos(`old-${name}`), name, addressOf(name))
  const updates = names.map(name =>
    update([followerIn(alice, name)], name === 'full' ? videos('new') : [], addressOf(name)),
  )
  const results = await saveForFollowers(sql, updates)
  expect(results.map(saved => saved.length)).toEqual([1, 1, 1])
  expect(await sql`select distinct title from channels`).toEqual([{ title: 'Kitchen' }])
})
