/** Looks, from a new video of a feed to the facts of all its followers, against a platform in this process. */
import type { JobHelpers } from 'graphile-worker'
import { beforeEach, describe, expect, it } from 'vitest'
import { lookTask } from '../../../jobs/tasks/videos.ts'
import { recordClosedVideo } from '../../../src/db/videos/everyone/facts.ts'
import { queueLooks } from '../../../src/db/videos/everyone/look-plans.ts'
import { changeRule } from '../../../src/domain/rules/rules.ts'
import { saveFeed } from '../../../src/domain/saving/save-feed.ts'
import { isKnownHost, oneAddressOf, platformVideoIdOf } from '../../../src/feed/platforms/by-address.ts'
import { RuleRequest } from '../../../src/schema/rules/rule.ts'
import type { FeedEntry } from '../../../src/schema/sources/feed.ts'
import { silent } from '../../support/app/app.ts'
import { useDatabase } from '../../support/app/database.ts'
import { entry, type Person, person } from '../../support/app/people.ts'
import { type FakePlatform, failing, fakePlatform, listed, pageAt } from '../../support/app/platform.ts'

const { sql } = useDatabase()
const host = 'youtube.com'
const host_limits = { host_concurrency: 2, host_pause_seconds: 0, isOurs: () => false }
const rss_url = 'https://www.youtube.com/feeds/videos.xml?playlist_id=UULFkitchen000000000000000'
const idOf = (name: string) => name.padEnd(11, '0')

let [platform, alice, bob]: [FakePlatform, Person, Person] = [fakePlatform(), {} as Person, {} as Person]
beforeEach(async () => {
  await sql`delete from channels`
  await sql`truncate host_pauses, host_looks`
  await sql`delete from graphile_worker._private_jobs`
  platform = fakePlatform()
  ;[alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
})

const video = (name: string, more: Partial<FeedEntry> = {}) =>
  entry(idOf(name), { video_url: pageAt(idOf(name)), published_at: new Date(), ...more })
const follow = (
  { library }: Person,
  entries: FeedEntry[],
  address = rss_url,
  channel_id = 'UCkitchen000000000000000',
) => saveFeed(library, { rss_url: address, feed: { channel_id, title: 'Kitchen', entries, skipped: 0 } })

/** One job, and then the jobs that it added. Returns how many there were. */
async function look(of = host): Promise<number> {
  const task = lookTask({ sql, log: silent, listings: platform.listings, host_limits })
  await queueLooks(sql, { isKnownHost })
  for (let runs = 0; ; runs++) {
    const taken = await sql`delete from graphile_worker._private_jobs where key = ${`looks:${of}`} returning id`
    if (taken.length === 0) return runs
    await task({ host: of }, {} as JobHelpers)
  }
}
/** Until every planned look is due, as if that much time had passed. */
const later = () => sql`update video_entries set look_at = now() where look_at is not null`
const lookLater = () => later().then(() => look())
const factsOf = async ({ library }: Person, name: string) => {
  const { duration_seconds, live_status, availability } = (await library.videos.find(idOf(name))) ?? expect.fail(name)
  return { duration_seconds, live_status, availability }
}
const planOf = async ({ user }: Person, name: string) => {
  const [row] = await sql<{ hours: number | null; looks: number }[]>`
    select round(extract(epoch from look_at - now()) / 3600)::int as hours, looks
    from   video_entries
    where  user_id = ${user.user_id} and video_id = ${idOf(name)}`
  return row
}

describe('new videos', () => {
  it('the newest page of the listing is read once for new videos of a feed, for all its followers', async () => {
    const followers = [alice, bob, await person(sql, 'carol')]
    for (const one of followers) await follow(one, [video('v1'), video('v2')])
    platform.page = [
      listed(idOf('v1'), { duration_seconds: 61 }),
      listed(idOf('v2'), { duration_seconds: null, live_status: 'upcoming' }),
    ]
    platform.videos.set(idOf('v2'), {
      duration_seconds: null,
      live_status: 'upcoming',
      starts_at: new Date(Date.now() + 36e5),
    })

    await look()

    expect(platform.lists).toEqual([rss_url])
    for (const one of followers) {
      expect(await factsOf(one, 'v1')).toEqual({ duration_seconds: 61, live_status: null, availability: null })
      expect(await factsOf(one, 'v2')).toMatchObject({ duration_seconds: null, live_status: 'upcoming' })
      expect(await planOf(one, 'v1')).toMatchObject({ hours: null })
      expect(await planOf(one, 'v2')).toMatchObject({ hours: 1 })
    }
    // When the premiere begins is on its own page, requested once for all three.
    expect(platform.looks).toEqual([idOf('v2')])
    expect(await look()).toBe(0)
  })

  it('an announced video has the time at which it begins as its date, also after its feed is saved again', async () => {
    const announced = video('p1', { published_at: new Date(Date.now() - 2 * 864e5) })
    const undated = video('p2', { published_at: null })
    await follow(alice, [announced, undated])
    const begins = (hours: number) => new Date(Date.now() + hours * 36e5)
    const dateOf = async (name: string) => {
      const { published_at, published_precision } = (await alice.library.videos.find(idOf(name))) ?? expect.fail(name)
      return [published_at, published_precision]
    }
    const upcoming = (starts_at: Date) => ({ duration_seconds: null, live_status: 'upcoming' as const, starts_at })

    const first = begins(2)
    for (const name of ['p1', 'p2']) platform.videos.set(idOf(name), upcoming(first))
    await look()
    expect(await dateOf('p1')).toEqual([first, 'exact'])
    expect(await dateOf('p2')).toEqual([first, 'exact'])
    await follow(alice, [{ ...announced, title: 'Renamed' }, undated])
    expect(await dateOf('p1')).toEqual([first, 'exact'])

    // It is moved to an earlier time.
    const moved = begins(1)
    platform.videos.set(idOf('p1'), upcoming(moved))
    await lookLater()
    expect(await dateOf('p1')).toEqual([moved, 'exact'])

    // It has begun, so its feed decides again.
    platform.videos.set(idOf('p1'), { live_status: 'was_live', duration_seconds: 60 })
    await lookLater()
    await follow(alice, [announced, undated])
    expect(await dateOf('p1')).toEqual([announced.published_at, 'exact'])
    expect(await dateOf('p2')).toEqual([first, 'exact'])
  })

  it('a new video that the page does not show is looked up once for everyone, and then never again', async () => {
    for (const one of [alice, bob]) await follow(one, [video('v1')])
    platform.videos.set(idOf('v1'), { duration_seconds: 99, availability: 'unlisted' })
    await look()
    await lookLater()
    expect([platform.lists, platform.looks]).toEqual([[rss_url], [idOf('v1')]])
    for (const one of [alice, bob])
      expect(await factsOf(one, 'v1')).toEqual({ duration_seconds: 99, live_status: 'none', availability: 'unlisted' })
  })

  it('a platform without a listing gets one look for each new video, and other sites get no request', async () => {
    const peertube = video('p1', { video_url: 'https://tube.example/w/4ngQiY2nMXUaKgyEZBnvCz' })
    const id = platformVideoIdOf(peertube.video_url) ?? expect.fail('no id')
    await follow(alice, [{ ...peertube, video_id: id }], 'https://tube.example/feeds/videos.xml', 'tube')
    await follow(alice, [entry('post', { video_url: 'https://blog.example/post' })], 'https://blog.example/f', 'blog')
    const asked: string[] = []
    const lookAt = platform.listings.lookAt
    platform.listings.lookAt = request => {
      asked.push(request.url)
      return lookAt(request)
    }
    expect(await look('blog.example')).toBe(0)
    await look('tube.example')
    expect([asked, platform.lists]).toEqual([[oneAddressOf(peertube.video_url)], []])
  })

  it('a feed that gives durations, and a save of known videos, cause no look', async () => {
    await follow(alice, [video('v1', { duration_seconds: 5 })])
    await sql`update video_entries set look_at = null`
    await follow(alice, [video('v1')])
    expect(await look()).toBe(0)
  })

  it('looks end when the channel is unfollowed, even while its listing is read', async () => {
    await follow(alice, [video('v1')])
    const list = platform.listings.listChannel
    platform.listings.listChannel = async request => {
      await alice.library.channels.remove('UCkitchen000000000000000')
      return list(request)
    }
    platform.page = [listed(idOf('v1'))]
    await look()
    expect(await sql`select from video_entries`).toEqual([])
    expect(await look()).toBe(0)
  })

  it('a new channel has its picture before the lengths of videos that a page left out', async () => {
    platform.channel = { ...platform.channel, image_url: 'https://yt3.example/1' }
    const task = lookTask({ sql, log: silent, listings: platform.listings, host_limits })
    const step = () => task({ host }, {} as JobHelpers)
    await follow(
      alice,
      Array.from({ length: 15 }, (_, at) => video(`old${at}`)),
    )
    await step()
    // An import follows channels while the first ones are looked at.
    const further = ['UCgarden0000000000000000', 'UCmusic00000000000000000']
    for (const id of further)
      await follow(alice, [video(id.slice(2, 7))], `https://www.youtube.com/feeds/videos.xml?channel_id=${id}`, id)
    await step()
    await step()

    const channels = await alice.library.channels.list()
    expect(channels.map(({ image_url }) => image_url)).toEqual(Array(3).fill('https://yt3.example/1'))
    expect([platform.lists.length, platform.looks.length]).toEqual([3, 0])
    const jobs = await sql`select from graphile_worker.jobs where key = 'pictures:yt3.example'`
    expect(jobs).toHaveLength(1)
  })

  it('the picture of a channel whose feed names none is taken from the listing, and replaced at most weekly', async () => {
    const picture = async () => (await alice.library.channels.find('UCkitchen000000000000000'))?.image_url
    const reads = async (image_url: string, name: string) => {
      platform.channel = { ...platform.channel, image_url }
      await follow(alice, [video(name)])
      await look()
    }
    await reads('https://yt3.example/1', 'v1')
    expect(await picture()).toBe('https://yt3.example/1')
    await reads('https://yt3.example/2', 'v2')
    expect(await picture()).toBe('https://yt3.example/1')
    await sql`update channels set pictured_at = now() - interval '8 days'`
    await reads('https://yt3.example/3', 'v3')
    expect(await picture()).toBe('https://yt3.example/3')
    await sql`update channels set pictured_at = null, image_url = 'https://feed.example/own'`
    await reads('https://yt3.example/4', 'v4')
    expect(await picture()).toBe('https://feed.example/own')
  })
})

describe('facts that change', () => {
  it('a members-only video is downloaded when it opens, for the person who requested it and for a rule', async () => {
    for (const one of [alice, bob]) await follow(one, [video('v1')])
    await changeRule(bob.library, 'UCkitchen000000000000000', RuleRequest.parse({ auto_download: true }))
    await alice.library.downloads.request([idOf('v1')])
    await bob.library.downloads.request([idOf('v1')], 'rule')
    for (const { library } of [alice, bob]) {
      const claim = crypto.randomUUID()
      await library.downloads.start(idOf('v1'), claim)
      await library.downloads.fail(idOf('v1'), claim, {
        download_error: 'Members only.',
        next_attempt_at: null,
        reason: 'members',
        availability: 'members_only',
      })
    }
    await sql`delete from graphile_worker._private_jobs`
    platform.videos.set(idOf('v1'), failing('members'))

    await look()
    expect([platform.looks, await planOf(alice, 'v1')]).toEqual([[], { hours: expect.closeTo(25, -1), looks: 0 }])
    await lookLater()
    expect([platform.looks.length, (await planOf(bob, 'v1'))?.looks]).toEqual([1, 1])

    platform.videos.set(idOf('v1'), {})
    await lookLater()
    expect(platform.looks).toHaveLength(2)
    for (const one of [alice, bob]) {
      expect(await factsOf(one, 'v1')).toMatchObject({ availability: 'public' })
      expect(await one.library.videos.find(idOf('v1'))).toMatchObject({ download_status: 'pending', queued: true })
      expect(await planOf(one, 'v1')).toMatchObject({ hours: null })
    }
  })

  it('a stream is looked up until it has ended, and its length is then known', async () => {
    await follow(alice, [video('v1')])
    platform.page = [listed(idOf('v1'), { live_status: 'live', duration_seconds: null })]
    await look()
    expect([platform.looks, (await planOf(alice, 'v1'))?.hours]).toEqual([[], 1])
    platform.videos.set(idOf('v1'), { live_status: 'was_live', duration_seconds: 7200 })
    await lookLater()
    expect(await factsOf(alice, 'v1')).toMatchObject({ live_status: 'was_live', duration_seconds: 7200 })
    expect(await planOf(alice, 'v1')).toMatchObject({ hours: null })
  })

  it('a removed video is marked for everyone, and corrected when the listing shows it again', async () => {
    for (const one of [alice, bob]) await follow(one, [video('v1')])
    await look()
    for (const one of [alice, bob]) expect(await factsOf(one, 'v1')).toMatchObject({ availability: 'removed' })
    await follow(alice, [video('v2')])
    platform.page = [listed(idOf('v1')), listed(idOf('v2'))]
    await look()
    for (const one of [alice, bob]) expect(await factsOf(one, 'v1')).toMatchObject({ availability: null })
  })

  it('several members-only videos are looked up by one page, and only those without the mark one by one', async () => {
    const names = ['m1', 'm2', 'm3', 'm4']
    await follow(
      alice,
      names.map(name => video(name, { availability: 'members_only', duration_seconds: 9 })),
    )
    await look()
    expect([platform.lists, platform.looks]).toEqual([[], []])
    platform.page = names.map(name => listed(idOf(name), { availability: name === 'm1' ? null : 'members_only' }))
    platform.videos.set(idOf('m1'), {})
    await later()
    await sql`update video_entries set looks = 1`
    await look()
    expect([platform.lists, platform.looks]).toEqual([[rss_url], [idOf('m1')]])
    expect(await factsOf(alice, 'm1')).toMatchObject({ availability: 'public' })
    expect(await factsOf(alice, 'm2')).toMatchObject({ availability: 'members_only' })
  })

  it('old videos that the page does not show are looked up one by one, and the page is not read again for them', async () => {
    const names = ['m1', 'm2', 'm3', 'm4']
    await follow(
      alice,
      names.map(name => video(name, { availability: 'members_only', duration_seconds: 9 })),
    )
    await look()
    for (const name of names) platform.videos.set(idOf(name), failing('members'))
    await later()
    await sql`update video_entries set looks = 1`
    await look()
    expect([platform.lists, platform.looks.toSorted()]).toEqual([[rss_url], names.map(idOf)])
    for (const name of names) expect(await planOf(alice, name)).toMatchObject({ looks: 2 })
  })

  it('a failed download marks the video for everyone with the same address, and for no other', async () => {
    for (const one of [alice, bob]) await follow(one, [video('v1')])
    const carol = await person(sql, 'carol')
    await follow(carol, [video('v1', { video_url: 'https://youtu.be/v1000000000' })])
    await recordClosedVideo(sql, { user_id: alice.user.user_id, video_id: idOf('v1') }, 'members_only')
    expect(await factsOf(bob, 'v1')).toMatchObject({ availability: 'members_only' })
    expect(await factsOf(carol, 'v1')).toMatchObject({ availability: null })
  })
})

describe('politeness', () => {
  it('a refusal pauses the looks of a person at the host, which go on after the pause, and nothing else', async () => {
    await follow(alice, [video('v1')])
    await follow(
      alice,
      [video('v9')],
      'https://www.youtube.com/feeds/videos.xml?playlist_id=UULFgarden0000000000000000',
      'garden',
    )
    platform.refusal = failing('rate_limited', { kind: 'rate_limited' })
    await look()
    expect(platform.lists).toHaveLength(1)
    const { user_id } = alice.user
    expect(await sql`select host, user_id from host_pauses`).toEqual([{ host: `looks:${host}`, user_id }])
    const jobs = await sql`select key from graphile_worker.jobs`
    expect(jobs).toEqual([{ key: `look:${host}` }])
    await look()
    expect(platform.lists).toHaveLength(1)

    platform.refusal = undefined
    platform.page = [listed(idOf('v1')), listed(idOf('v9'))]
    await sql`update host_pauses set until = now()`
    await look()
    expect(await factsOf(alice, 'v9')).toMatchObject({ duration_seconds: 61 })
    expect(await sql`select from host_pauses`).toEqual([])
  })

  it('a host that is paused for everyone gets no look', async () => {
    await follow(alice, [video('v1')])
    await sql`insert into host_pauses (host, until, reason) values (${host}, now() + interval '1 hour', 'asked')`
    expect(await look()).toBe(0)
    expect(platform.lists).toEqual([])
  })

  it.each([
    ['tools', 'operator'],
    ['proxy', 'outage'],
  ] as const)('without the %s looks wait, and no host is checked', async (reason, kind) => {
    await follow(alice, [video('v1')])
    platform.refusal = failing(reason, { kind })
    await look()
    expect(await planOf(alice, 'v1')).toMatchObject({ hours: 0, looks: 0 })
    expect(await sql`select from host_looks`).toEqual([])
  })

  it('one job is queued for a host, and the next one comes after a pause that is longer after a single look', async () => {
    await follow(alice, [video('v1')])
    expect([await queueLooks(sql, { isKnownHost }), await queueLooks(sql, { isKnownHost })]).toEqual([1, 0])
    const task = lookTask({
      sql,
      log: silent,
      listings: platform.listings,
      host_limits: { ...host_limits, host_pause_seconds: 30 },
    })
    const waits: number[] = []
    for (const _ of ['page', 'look']) {
      await sql`delete from graphile_worker._private_jobs`
      await task({ host }, {} as JobHelpers)
      const [job] = await sql<{ wait_s: number }[]>`
        select round(extract(epoch from run_at - now()))::int as wait_s from graphile_worker.jobs`
      waits.push(job?.wait_s ?? -1)
      expect(await queueLooks(sql, { isKnownHost })).toBe(0)
    }
    expect(waits).toEqual([30, 60])
  })

  it('a worker that dies over a look does not repeat it at once, and another worker does not take it meanwhile', async () => {
    await follow(alice, [video('v1')])
    const { promise: dead, resolve: dies } = Promise.withResolvers<never>()
    platform.listings.listChannel = request => {
      platform.lists.push(request.rss_url ?? '')
      dies(undefined as never)
      return new Promise(() => {})
    }
    void lookTask({ sql, log: silent, listings: platform.listings, host_limits })({ host }, {} as JobHelpers)
    await dead
    expect(await look()).toBe(0)
    expect(await planOf(alice, 'v1')).toEqual({ hours: 0, looks: 0 })
    await later()
    expect(await queueLooks(sql, { isKnownHost })).toBe(1)
  })
})
