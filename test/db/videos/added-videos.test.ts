/** Videos that a person added by their address: kept without following, marked, forgotten. */
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { rule_off } from '../../../src/schema/rules/rule.ts'
import { useDatabase } from '../../support/app/database.ts'
import { entry, follows, has, type Person, person } from '../../support/app/people.ts'
import { lowered } from '../../support/app/user-limits.ts'

const { sql } = useDatabase({ connections: 8 })

let alice: Person
beforeEach(async () => {
  alice = await person(sql, 'alice')
})

const kitchen = { channel_id: 'kitchen', title: 'Kitchen', page_url: 'https://videos.example/kitchen', image_url: null }
const add = ({ library }: Person, video_id: string, channel = kitchen) =>
  library.channels.addVideo(channel, entry(video_id))
const idsOf = async ({ library }: Person) =>
  (await library.videos.list({ limit: 50 })).entries.map(({ video_id }) => video_id).toSorted()

describe('adding a video', () => {
  it('an added video is in a channel that is not followed, and no feed is fetched for it', async () => {
    expect(await add(alice, 'v1')).toEqual({ video_id: 'v1', created: true, has_rule: false })
    expect(await alice.library.channels.list()).toEqual([])
    const [channel, ...others] = await alice.library.channels.list(false)
    expect([channel, others]).toMatchObject([
      { ...kitchen, followed: false, rss_url: null, next_fetch_at: null, entry_count: 1 },
      [],
    ])
    expect(await alice.library.videos.find('v1')).toMatchObject({ source: 'address', channel_title: 'Kitchen' })
    expect(await alice.library.channels.tally()).toEqual({ followed: 0, failing: 0, unfollowed: 1 })
  })

  it('a video that is added twice, also at the same moment, is stored once', async () => {
    const added = await Promise.all([add(alice, 'v1'), add(alice, 'v1'), add(alice, 'v2')])
    expect(added.filter(({ created }) => created)).toHaveLength(2)
    expect(await idsOf(alice)).toEqual(['v1', 'v2'])
    expect(await alice.library.channels.list(false)).toMatchObject([{ entry_count: 2 }])
  })

  it('two videos of one site with the same title and the same day are two videos', async () => {
    const alike = { title: 'News', published_at: new Date('2026-05-01'), published_precision: 'day' } as const
    for (const id of ['news.1', 'news.2']) await alice.library.channels.addVideo(kitchen, entry(id, alike))
    expect(await idsOf(alice)).toEqual(['news.1', 'news.2'])
  })

  it('a video of a followed channel is added to that channel, which keeps its title and feed', async () => {
    await follows(alice, 'kitchen', ['v1'])
    await add(alice, 'v2')
    expect(await alice.library.channels.list()).toMatchObject([
      {
        title: 'Channel kitchen',
        rss_url: 'https://videos.example/kitchen.xml',
        page_url: kitchen.page_url,
        entry_count: 2,
      },
    ])
    expect(await alice.library.channels.list(false)).toEqual([])
  })

  it('a video that a feed brought keeps its texts when it is added, and is marked as added', async () => {
    await follows(alice, 'kitchen', ['v1'])
    await alice.library.channels.addVideo(kitchen, entry('v1', { title: 'Translated', duration_seconds: 90 }))
    expect(await alice.library.videos.find('v1')).toMatchObject({
      title: 'Video v1',
      duration_seconds: 90,
      source: 'address',
    })
  })

  it('an added video is not added when the person has as many videos as allowed, and no empty channel stays', async () => {
    await follows(alice, 'other', ['v1', 'v2'])
    onTestFinished(lowered({ videos: 2 }))
    await expect(alice.library.channels.addVideo(kitchen, entry('v3'))).rejects.toMatchObject({ code: 'invalid' })
    expect(await alice.library.channels.list(false)).toEqual([])
    expect(await idsOf(alice)).toEqual(['v1', 'v2'])
  })

  it('a channel that is not followed does not count for the limit of channels', async () => {
    const { channels } = alice.library
    onTestFinished(lowered({ channels: 1 }))
    await channels.addVideo(kitchen, entry('v1'))
    await channels.save({ channel_id: 'a', title: 'A', rss_url: 'https://videos.example/a' }, [])
    const second = channels.save({ channel_id: 'b', title: 'B', rss_url: 'https://videos.example/b' }, [])
    await expect(second).rejects.toMatchObject({ code: 'invalid' })
    await channels.addVideo({ ...kitchen, channel_id: 'c' }, entry('v2'))
    expect(await channels.tally()).toMatchObject({ followed: 1, unfollowed: 2 })
  })

  it('a rule of a followed channel is reported for an added video', async () => {
    await follows(alice, 'kitchen', [])
    await alice.library.rules.save('kitchen', { ...rule_off, auto_download: true })
    expect(await add(alice, 'v1')).toMatchObject({ has_rule: true })
  })
})

describe('marking a video', () => {
  it('a marked video is an added one; a missing one and another person’s are not marked', async () => {
    const bob = await person(sql, 'bob')
    await follows(alice, 'kitchen', ['v1', 'v2'])
    expect(await bob.library.added.mark('v1')).toBe(false)
    expect(await alice.library.added.mark('v1')).toBe(true)
    expect(await alice.library.added.mark('nope')).toBe(false)
    expect(await alice.library.videos.find('v1')).toMatchObject({ source: 'address' })
    expect(await alice.library.videos.find('v2')).toMatchObject({ source: 'feed' })
    const addedIn = async ({ library }: Person) => (await library.channels.unfollowOutlook('kitchen')).added
    expect([await addedIn(alice), await addedIn(bob)]).toEqual([1, 0])
  })

  it('a video stays marked when its feed lists it again', async () => {
    await follows(alice, 'kitchen', ['v1'])
    await alice.library.added.mark('v1')
    await alice.library.channels.save(
      { channel_id: 'kitchen', title: 'K', rss_url: 'https://videos.example/kitchen.xml' },
      [entry('v1', { title: 'Changed' })],
    )
    expect(await alice.library.videos.find('v1')).toMatchObject({ title: 'Changed', source: 'address' })
  })
})

describe('forgetting a video', () => {
  it('a forgotten video leaves no viewing and no job, and its channel goes with the last one', async () => {
    for (const id of ['v1', 'v2']) await add(alice, id)
    await alice.library.viewings.record('v1', { position_seconds: 5, duration_seconds: 10 })
    await alice.library.downloads.request(['v1'])

    expect(await alice.library.added.canForget('v1')).toBe(true)
    expect(await alice.library.added.forget('v1')).toEqual({ download_path: null })

    expect(await idsOf(alice)).toEqual(['v2'])
    expect(await alice.library.channels.list(false)).toMatchObject([{ entry_count: 1 }])
    expect(await sql`select from viewings where user_id = ${alice.user.user_id}`).toHaveLength(0)
    expect(await sql`select from graphile_worker.jobs where key like ${`%${alice.user.user_id}%`}`).toHaveLength(0)
    await alice.library.added.forget('v2')
    expect(await alice.library.channels.list(false)).toEqual([])
  })

  it('the path of the file of a forgotten video is returned', async () => {
    await add(alice, 'v1')
    await has(alice, 'v1', 'somewhere/v1.mp4', 9)
    expect(await alice.library.added.forget('v1')).toEqual({ download_path: 'somewhere/v1.mp4' })
  })

  it('a video of a followed channel, a missing one and another person’s are not forgotten', async () => {
    const bob = await person(sql, 'bob')
    await follows(alice, 'other', ['v1'])
    await add(alice, 'v1')
    await add(alice, 'v2')
    expect(await alice.library.added.canForget('v1')).toBe(false)
    expect(await alice.library.added.forget('v1')).toBe('followed')
    expect(await alice.library.added.forget('nope')).toBeUndefined()
    expect([await bob.library.added.canForget('v2'), await bob.library.added.forget('v2')]).toEqual([false, undefined])
    expect(await idsOf(alice)).toEqual(['v1', 'v2'])
  })

  it('a run of a forgotten video loses its claim', async () => {
    await add(alice, 'v1')
    const claim = crypto.randomUUID()
    await alice.library.downloads.request(['v1'])
    await alice.library.downloads.start('v1', claim)
    await alice.library.added.forget('v1')
    const ended = await alice.library.downloads.finish(
      'v1',
      claim,
      { download_path: 'a', file_size: 1 },
      async () => {
        throw new Error('the file must not be kept')
      },
      async () => {},
    )
    expect(ended).toBeFalsy()
  })
})

it('adding, marking, forgetting, following and unfollowing at the same moment never fail, and every count stays right', async () => {
  const feed = { channel_id: 'kitchen', title: 'Kitchen', rss_url: 'https://videos.example/kitchen.xml' }
  const ids = ['v1', 'v2', 'v3']
  const { library } = alice
  for (let round = 0; round < 15; round++) {
    await Promise.all([
      ...ids.map(id => add(alice, id)),
      ...ids.map(id => library.added.forget(id)),
      ...ids.map(id => library.added.mark(id)),
      library.channels.save(
        feed,
        ids.map(id => entry(id)),
      ),
      library.channels.remove('kitchen'),
      ...ids.map(id => library.downloads.request([id])),
    ])
    const wrong = await sql`
      select channel_id
      from   channels channel
      where  user_id = ${alice.user.user_id}
      and    (entry_count <> (select count(*) from video_entries entry
                              where  (entry.user_id, entry.channel_id) = (channel.user_id, channel.channel_id))
              or rss_url is null and entry_count = 0)`
    expect(wrong).toHaveLength(0)
  }
})
