/** One user's channels: saving a feed while its videos are requested, and the stored number of videos. */
import { beforeEach, expect, it } from 'vitest'
import { libraryOf } from '../../../src/db/library.ts'
import type { Sql } from '../../../src/db/postgres/client.ts'
import { aLockIsWaitedFor, useDatabase } from '../../support/app/database.ts'
import { entry, type Person, person } from '../../support/app/people.ts'
import { fails, finishes, runs } from '../../support/app/scene.ts'
import { statementsOf } from '../../support/app/statements.ts'

const { sql } = useDatabase({ connections: 4 })

let alice: Person
beforeEach(async () => {
  alice = await person(sql, 'alice')
})

it('saving a feed and requesting its videos never deadlock, whatever their order', async () => {
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

it('the list of channels by title counts none of their videos', async () => {
  for (const title of ['Part 10', 'part 2'])
    await alice.library.channels.save({ ...channelOf(title), title }, [entry(title)])
  const sent = await statementsOf(sql, async () => {
    const titles = (await alice.library.channels.list()).map(({ title }) => title)
    expect(titles).toEqual(['part 2', 'Part 10'])
  })

  expect(sent).toEqual([expect.stringContaining('from channels')])
})

/** The stored number of videos of each channel, next to the real one. */
const numbersOf = ({ user: { user_id } }: Person) => sql<{ channel_id: string; stored: number; real: number }[]>`
  select   channel_id, entry_count as stored,
           (select count(*) from video_entries entry where entry.user_id = c.user_id and entry.channel_id = c.channel_id) as real
  from     channels c
  where    user_id = ${user_id}
  order by channel_id`

const ids = (most: number, prefix = 'v') => Array.from({ length: most }, (_, n) => `${prefix}${n}`)
const channelOf = (channel_id: string) => ({ channel_id, title: 'C', rss_url: `https://videos.example/${channel_id}` })

it('the stored number of videos of a channel is right after every kind of change', async () => {
  const bob = await person(sql, 'bob')
  const save = (who: Person, channel_id: string, video_ids: string[]) =>
    who.library.channels.save(
      channelOf(channel_id),
      video_ids.map(id => entry(id)),
    )

  await save(alice, 'empty', [])
  const { channel } = await save(alice, 'kitchen', ids(5))
  expect(channel.entry_count).toBe(5)
  // Known videos, new ones, and the same videos in another channel and at another person.
  await save(alice, 'kitchen', ids(7))
  await save(alice, 'oven', ids(3))
  await save(bob, 'kitchen', ids(2))
  await alice.library.channels.update('oven', { title: 'Oven', entries: [...ids(3), 'new'].map(id => entry(id)) })
  await alice.library.channels.switchFeed('oven', 'https://videos.example/other')
  await alice.library.downloads.request(ids(3))
  // Statements that the code does not make.
  await sql`delete from video_entries where user_id = ${alice.user.user_id} and video_id = 'v1'`
  await sql`
    insert into video_entries (user_id, channel_id, video_id, video_url, title)
    select ${alice.user.user_id}, channel_id, 'by-hand', 'https://videos.example/by-hand', 'By hand'
    from   channels
    where  user_id = ${alice.user.user_id}`
  await sql`
    insert into video_entries (user_id, channel_id, video_id, video_url, title)
    values (${bob.user.user_id}, 'kitchen', 'v0', 'https://videos.example/v0', 'Known')
    on conflict do nothing`

  expect(await numbersOf(alice)).toEqual([
    { channel_id: 'empty', stored: 1, real: 1 },
    { channel_id: 'kitchen', stored: 7, real: 7 },
    { channel_id: 'oven', stored: 4, real: 4 },
  ])
  expect(await numbersOf(bob)).toEqual([{ channel_id: 'kitchen', stored: 2, real: 2 }])

  await alice.library.channels.remove('kitchen')
  await save(alice, 'kitchen', ids(4))
  expect((await numbersOf(alice)).map(({ stored, real }) => [stored, real])).toEqual([
    [1, 1],
    [4, 4],
    [4, 4],
  ])
})

it('the stored number of videos is right after concurrent saves of the same channels', async () => {
  const saves = Array.from({ length: 24 }, (_, round) => {
    const entries = ids(20 + round, round % 2 ? 'v' : `${round}-`).map(id => entry(id))
    const channel = channelOf(round % 3 === 0 ? 'kitchen' : 'oven')
    return round < 8 || round % 4 === 0
      ? alice.library.channels.save(channel, entries)
      : alice.library.channels.update(channel.channel_id, { title: 'C', entries })
  })
  await Promise.all(saves)

  const numbers = await numbersOf(alice)
  expect(numbers).toHaveLength(2)
  expect(numbers.filter(({ stored, real }) => stored !== real || real === 0)).toEqual([])
})

it('a save that is rolled back does not change the stored number of videos', async () => {
  await alice.library.channels.save(channelOf('kitchen'), [entry('known')])

  const rolled_back = sql.begin(async tx => {
    await libraryOf(tx as unknown as Sql, alice.user.user_id).channels.update('kitchen', {
      title: 'C',
      entries: ids(9).map(id => entry(id)),
    })
    throw new Error('the process ends here')
  })

  await expect(rolled_back).rejects.toThrow('ends here')
  expect(await numbersOf(alice)).toEqual([{ channel_id: 'kitchen', stored: 1, real: 1 }])
})

it('unfollowing a channel that is being saved has no video locked while it waits for the save', async () => {
  await alice.library.channels.save(channelOf('kitchen'), [entry('v1')])

  const { removing } = await sql.begin(async tx => {
    // A save writes the channel first, and then its videos.
    await tx`update channels set title = 'Changed' where user_id = ${alice.user.user_id}`
    const removing = alice.library.channels.remove('kitchen')
    await aLockIsWaitedFor(sql)
    await tx`select from video_entries where user_id = ${alice.user.user_id} for update nowait`
    return { removing }
  })

  expect(await removing).toBeDefined()
})

it('the number of videos in each status is right after every kind of download change', async () => {
  const { library } = alice
  await library.channels.save(
    channelOf('kitchen'),
    ids(9).map(id => entry(id)),
  )
  await library.channels.save(
    channelOf('oven'),
    ids(4).map(id => entry(id)),
  )
  const areRight = async () => {
    for (const channel_id of ['kitchen', 'oven']) {
      const real = await sql<{ status: string; count: number }[]>`
        select   lower(download_status::text) as status, count(*) as count
        from     video_entries
        where    user_id = ${alice.user.user_id} and channel_id = ${channel_id}
        group by 1`
      const expected = Object.fromEntries(real.map(({ status, count }) => [status, count]))
      const none = { pending: 0, downloading: 0, completed: 0, failed: 0 }
      expect(await library.videos.counts({ channel_id })).toEqual({ ...none, ...expected })
    }
  }

  await areRight()
  await runs(alice, 'v0')
  await finishes(alice, 'v1', 1000)
  await fails(alice, 'v2', 'It is gone.')
  await fails(alice, 'v3', 'Later.', new Date(Date.now() + 60_000))
  await library.downloads.request(['v4', 'v8'])
  await areRight()

  await library.downloads.deleteFile('v1')
  await library.downloads.request(['v2'])
  await library.channels.save(
    channelOf('oven'),
    ids(9).map(id => entry(id)),
  )
  await areRight()
})
