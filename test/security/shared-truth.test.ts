/**
 * What one person's rows, addresses and archives can do to the facts, lists and pauses of others: nothing. Mallory attacks, bob must not
 * notice.
 */
import type { JobHelpers } from 'graphile-worker'
import { beforeEach, describe, expect, it } from 'vitest'
import { refreshFeedTask } from '../../jobs/tasks/feeds.ts'
import { captionsTask } from '../../jobs/tasks/transcripts.ts'
import { lookTask } from '../../jobs/tasks/videos.ts'
import { takeListing } from '../../src/db/channels/everyone/listings.ts'
import { mergeChannels } from '../../src/db/imports/archive-channels.ts'
import { queueCaptions } from '../../src/db/search/everyone/captions.ts'
import { dueLooks, queueLooks } from '../../src/db/videos/everyone/look-plans.ts'
import { saveFeed } from '../../src/domain/saving/save-feed.ts'
import { DomainError } from '../../src/errors.ts'
import { isKnownHost, platformVideoIdOf } from '../../src/feed/platforms/by-address.ts'
import { ArchiveChannel } from '../../src/schema/imports/archive.ts'
import { type FeedEntry, never_fetched } from '../../src/schema/sources/feed.ts'
import { useDatabase } from '../support/app/database.ts'
import { idleParts } from '../support/app/parts.ts'
import { entry, type Person, person } from '../support/app/people.ts'
import { type FakePlatform, failing, fakePlatform, listed, pageAt } from '../support/app/platform.ts'

const { sql } = useDatabase()
const id = 'VICTIMVIDA1'

let platform: FakePlatform
let [bob, mallory]: [Person, Person] = [{} as Person, {} as Person]
beforeEach(async () => {
  await sql`truncate users cascade`
  await sql`truncate host_pauses, host_looks, feeds`
  await sql`delete from graphile_worker._private_jobs`
  platform = fakePlatform()
  const people = [await person(sql, 'bob'), await person(sql, 'mallory')]
  // The attacker is the first follower in every order.
  people.sort((a, b) => (a.user.user_id < b.user.user_id ? 1 : -1))
  ;[bob, mallory] = people as [Person, Person]
})

const feedOf = (channel_id: string) => `https://${channel_id}.example/feed`
const follow = ({ library }: Person, channel_id: string, entries: FeedEntry[], rss_url = feedOf(channel_id)) =>
  saveFeed(library, { rss_url, feed: { channel_id, title: channel_id, entries, skipped: 0 } })

/** Runs the looks, and the jobs that they add. */
async function look(parts: Partial<Parameters<typeof lookTask>[0]> = {}) {
  const task = lookTask({ ...idleParts(sql), listings: platform.listings, ...parts })
  for (let n = 0; n < 50; n++) {
    await queueLooks(sql, { isKnownHost })
    const [job] = await sql<{ host: string }[]>`
      delete from graphile_worker._private_jobs
      where  id = (select id from graphile_worker._private_jobs where key like 'looks:%' order by priority, id limit 1)
      returning payload ->> 'host' as host`
    if (!job) return
    await task({ host: job.host }, {} as JobHelpers)
  }
}

const factsOf = async ({ library }: Person, video_id: string) => {
  const { duration_seconds, live_status, availability } = (await library.videos.find(video_id)) ?? expect.fail(video_id)
  return { duration_seconds, live_status, availability }
}

const nothing = { duration_seconds: null, live_status: null, availability: null }
/** A look is planned for both: now for this person's video, later for the other's. */
const dueFor = ({ user }: Person) => sql`
  update video_entries set look_at = now() + case when user_id = ${user.user_id} then '0' else '1 hour' end::interval`

describe('facts of a video come from its own address', () => {
  it.each([
    [`https://www.youtube.com:8444/watch/${id}/x`, 'removed'],
    [`https://www.youtube.com/watch/${id}/x`, 'premiere'],
    [`http://user@www.youtube.com/embed/${id}`, 'private'],
  ] as const)('a failure at %s says nothing about the video of others', async (forged, reason) => {
    await follow(bob, 'kitchen', [entry(id, { video_url: pageAt(id) })])
    await follow(mallory, 'attack', [entry(id, { video_url: forged })])
    platform.listings.lookAt = async ({ url }) => ({
      failure: url === forged ? failing(reason) : failing('unknown', { kind: 'transient' }),
    })
    await dueFor(mallory)

    await look()

    expect(await sql`select from video_entries where user_id = ${mallory.user.user_id} and look_at <= now()`).toEqual(
      [],
    )
    expect(await factsOf(bob, id)).toEqual(nothing)
  })

  it('a list of another site says nothing about it', async () => {
    await follow(bob, 'kitchen', [entry(id, { video_url: pageAt(id) })])
    const evil = 'https://evil.example/feeds/videos.xml?videoChannelName=mal'
    await follow(mallory, 'attack', [entry(id, { video_url: pageAt(id) })], evil)
    platform.page = [listed(id, { availability: 'members_only', duration_seconds: 1 })]
    platform.videos.set(id, failing('unknown', { kind: 'transient' }))
    await dueFor(mallory)

    await look()

    expect(platform.lists).toContain(evil)
    expect(await factsOf(bob, id)).toEqual(nothing)
  })

  it('every spelling of one address shares them', async () => {
    await follow(bob, 'kitchen', [entry(id, { video_url: `https://youtu.be/${id}` })])
    await follow(mallory, 'other', [entry(id, { video_url: `https://m.youtube.com/watch?v=${id}&t=3` })])
    platform.videos.set(id, { duration_seconds: 99 })
    await dueFor(mallory)

    await look()

    expect(platform.looks).toHaveLength(1)
    for (const one of [bob, mallory]) expect(await factsOf(one, id)).toMatchObject({ duration_seconds: 99 })
  })
})

describe('a refusal that only words tell', () => {
  it.each(['rate_limited', 'bot_check', 'tools'] as const)(
    'of a look (%s) pauses the looks of its person alone',
    async reason => {
      await follow(mallory, 'attack', [entry('AAAAAAAAAA1', { video_url: pageAt('AAAAAAAAAA1') })])
      await follow(bob, 'kitchen', [entry(id, { video_url: pageAt(id) })])
      platform.videos.set(id, { duration_seconds: 99 })
      const { lookAt } = platform.listings
      platform.listings.lookAt = async request =>
        request.url.includes('AAAAAAAAAA1') ? { failure: failing(reason) } : lookAt(request)

      await look()

      expect(await factsOf(bob, id)).toMatchObject({ duration_seconds: 99 })
      expect(await sql`select host, user_id from host_pauses`).toEqual([
        { host: 'looks:youtube.com', user_id: mallory.user.user_id },
      ])
      const checks = await sql`select from graphile_worker.jobs where task_identifier = 'look-at-host'`
      expect(checks).toHaveLength(reason === 'tools' ? 0 : 1)
    },
  )

  it('of captions pauses the captions of its person alone', async () => {
    for (const one of [mallory, bob]) await one.library.settings.save({ captions_of_all: true })
    await follow(mallory, 'attack', [entry('AAAAAAAAAA1', { video_url: pageAt('AAAAAAAAAA1') })])
    await follow(bob, 'kitchen', [entry(id, { video_url: pageAt(id) })])
    platform.said.set('AAAAAAAAAA1', failing('rate_limited'))
    await sql`update users set captions_at = case when id = ${mallory.user.user_id} then 'epoch' else 'epoch'::timestamptz + interval '1 s' end`

    const task = captionsTask({ ...idleParts(sql), listings: platform.listings })
    for (let n = 0; n < 2; n++) {
      await queueCaptions(sql, { isKnownHost })
      await sql`delete from graphile_worker._private_jobs`
      await task({ host: 'youtube.com' }, {} as JobHelpers)
    }

    expect(platform.asked).toEqual(['AAAAAAAAAA1', id])
    expect(await sql`select host, user_id from host_pauses`).toEqual([
      { host: 'captions:youtube.com', user_id: mallory.user.user_id },
    ])
  })
})

describe('what a feed is comes from the feed', () => {
  const legit = 'https://legit.example/pod'
  const injected = 'https://evil.example/video-channels/mal/videos'
  const since = new Date(Date.now() - 30 * 864e5)
  const pod = (n: number) => entry(`pod${n}`, { published_at: new Date(since.getTime() + n * 864e5) })
  const episodes = Array.from({ length: 16 }, (_, n) => pod(n))
  let answer: { page_url?: string; entries: FeedEntry[] } | DomainError

  const importAs = ({ user }: Person, given: object) =>
    mergeChannels(sql, user.user_id, [
      ArchiveChannel.parse({
        channel_id: 'zzz',
        title: 'mine',
        followed_at: since.toISOString(),
        rss_url: legit,
        page_url: injected,
        ...given,
      }),
    ])
  const refresh = async () => {
    await sql`update channels set next_fetch_at = now() where rss_url = ${legit}`
    const fetchChanges = async () => {
      if (answer instanceof DomainError) throw answer
      return {
        feed: { channel_id: 'legit', title: 'Legit', skipped: 0, ...answer },
        known: never_fetched,
        min_wait_s: null,
      }
    }
    await refreshFeedTask({ ...idleParts(sql), fetchChanges, refresh_interval_minutes: 30 })(
      { rss_url: legit },
      {} as JobHelpers,
    )
  }
  const inject = () => {
    platform.page = ['INJECTED001', 'INJECTED002'].map(video_id =>
      listed(video_id, {
        video_url: `https://evil.example/w/${video_id}`,
        published_at: new Date(),
        published_precision: 'exact',
      }),
    )
  }
  const titlesOf = async ({ user }: Person) =>
    (await sql<{ video_id: string }[]>`select video_id from video_entries where user_id = ${user.user_id}`).map(
      row => row.video_id,
    )

  it('a page that an archive claims is never listed in place of a feed that fails', async () => {
    await follow(bob, 'legit', episodes, legit)
    await importAs(mallory, {})
    answer = new DomainError('feed_failed', 'The site answered 500.')
    inject()

    await refresh()
    await sql`update channels set list_at = now() where list_at is not null`
    await look()

    expect(platform.lists).toEqual([])
    expect(await titlesOf(bob)).toHaveLength(16)
  })

  it('nor in place of one that works and names no page, whatever videos the archive has', async () => {
    await follow(bob, 'legit', episodes, legit)
    await importAs(mallory, {})
    await sql`
      insert into video_entries (user_id, channel_id, video_id, video_url, title, published_at)
      values (${mallory.user.user_id}, 'zzz', 'old', 'https://evil.example/w/old', 'Old', '2001-01-01')`
    answer = { entries: [...episodes, pod(16)] }
    inject()

    await refresh()
    await look()

    expect(platform.lists).toEqual([])
    expect(await titlesOf(bob)).toHaveLength(17)
    expect(await sql`select page_url from channels where user_id = ${bob.user.user_id}`).toEqual([{ page_url: null }])
  })

  it('the page that the feed itself names is listed while it fails, and no row of a person hides a video of the list', async () => {
    await follow(bob, 'legit', episodes, legit)
    await importAs(mallory, { page_url: null })
    answer = { page_url: 'https://tube.example/video-channels/pod/videos', entries: episodes }
    await refresh()
    const video_url = 'https://tube.example/w/4ngQiY2nMXUaKgyEZBnvCz'
    await sql`
      insert into video_entries (user_id, channel_id, video_id, video_url, title, published_at)
      select ${mallory.user.user_id}, 'zzz', hidden, ${video_url}, 'Hidden', now()
      from   unnest(${[platformVideoIdOf(video_url) ?? '', video_url]}::text[]) hidden`
    answer = new DomainError('feed_failed', 'The site answered 500.')
    platform.page = [listed('x', { video_url, published_at: new Date(), published_precision: 'exact' })]

    await refresh()
    await sql`update channels set list_at = now() where list_at is not null`
    await look()

    expect(platform.lists).toEqual([legit])
    expect(await titlesOf(bob)).toHaveLength(17)
  })
})

describe('looks take turns between people', () => {
  const slow = (n: number) => entry(`slow${n}`, { video_url: `https://h${n}.evil.example/w/4ngQiY2nMXUaKgyEZBnvCz` })
  const jobs = () => sql<{ key: string; queue: string | null; priority: number }[]>`
    select key, queue_name as queue, priority from graphile_worker.jobs order by priority, id`

  it('a platform and the first host of each person come before the many hosts of another', async () => {
    await follow(
      mallory,
      'attack',
      Array.from({ length: 40 }, (_, n) => slow(n)),
    )
    await follow(bob, 'kitchen', [
      entry(id, { video_url: pageAt(id) }),
      entry('own', { video_url: 'https://tube.example/w/4ngQiY2nMXUaKgyEZBnvCz' }),
    ])
    await sql`update video_entries set look_at = now() - case when video_url like '%evil%' then '2 min' else '1 min' end::interval`

    await queueLooks(sql, { isKnownHost })

    const queued = await jobs()
    expect(queued).toHaveLength(42)
    expect(queued[0]).toEqual({ key: 'looks:youtube.com', queue: null, priority: 0 })
    expect(queued.slice(1, 4).map(({ key }) => key)).toContain('looks:tube.example')
    expect(new Set(queued.slice(1).map(({ queue }) => queue))).toEqual(new Set(['slow looks']))
  })

  it('at one platform each person gets turns, however many looks another has planned', async () => {
    const many = Array.from({ length: 300 }, (_, n) => `many${String(n).padStart(7, '0')}`)
    await follow(
      mallory,
      'attack',
      many.map(video_id => entry(video_id, { video_url: pageAt(video_id) })),
    )
    await follow(bob, 'kitchen', [entry(id, { video_url: pageAt(id) })])
    await dueFor(mallory)
    await sql`update video_entries set look_at = now() where user_id = ${bob.user.user_id}`

    const turns = await Promise.all(Array.from({ length: 60 }, () => dueLooks(sql, 'youtube.com')))

    // By chance alone, it fails once in 10^17 runs.
    expect(new Set(turns.map(([first]) => first?.user_id))).toEqual(new Set([bob.user.user_id, mallory.user.user_id]))
    for (const turn of turns) expect(new Set(turn.map(({ user_id }) => user_id)).size).toBe(1)
  })

  it('listings too, however many one person has planned', async () => {
    const channels = Array.from({ length: 60 }, (_, n) => `UCattack${String(n).padStart(16, '0')}`)
    const address = (channel_id: string) => `https://www.youtube.com/feeds/videos.xml?channel_id=${channel_id}`
    for (const channel_id of channels) await follow(mallory, channel_id, [], address(channel_id))
    await follow(bob, 'UCkitchen000000000000000', [], address('UCkitchen000000000000000'))
    await sql`
      update channels
      set    list_at = now() - case when user_id = ${mallory.user.user_id} then '2 h' else '1 min' end::interval`

    const taken: string[] = []
    for (let n = 0; n < 50; n++) {
      const due = await takeListing(sql, 'youtube.com', () => false)
      taken.push(...(due?.followers.map(({ user_id }) => user_id) ?? []))
    }

    // By chance alone, it fails once in 10^15 runs.
    expect(new Set(taken)).toEqual(new Set([bob.user.user_id, mallory.user.user_id]))
  })
})
