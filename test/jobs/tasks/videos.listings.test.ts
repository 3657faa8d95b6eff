/** The listing of a channel replaces its feed while the feed fails, and completes it when it lists too little. */
import type { JobHelpers } from 'graphile-worker'
import { beforeEach, describe, expect, it } from 'vitest'
import { refreshFeedTask } from '../../../jobs/tasks/feeds.ts'
import { lookTask } from '../../../jobs/tasks/videos.ts'
import { queueLooks } from '../../../src/db/videos/everyone/look-plans.ts'
import { changeRule } from '../../../src/domain/rules/rules.ts'
import { saveFeed, updateFeed } from '../../../src/domain/saving/save-feed.ts'
import { DomainError } from '../../../src/errors.ts'
import { isKnownHost } from '../../../src/feed/platforms/by-address.ts'
import { RuleRequest } from '../../../src/schema/rules/rule.ts'
import { type FeedEntry, never_fetched } from '../../../src/schema/sources/feed.ts'
import { useDatabase } from '../../support/app/database.ts'
import { idleParts } from '../../support/app/parts.ts'
import { entry, type Person, person } from '../../support/app/people.ts'
import { type FakePlatform, failing, fakePlatform, listed, pageAt } from '../../support/app/platform.ts'

const { sql } = useDatabase()
const channel_id = 'UCkitchen000000000000000'
const tab = 'https://www.youtube.com/feeds/videos.xml?playlist_id=UULFkitchen000000000000000'
const list = 'https://www.youtube.com/feeds/videos.xml?playlist_id=PLkitchen000000000000'

type Upload = { video_id: string; at: Date; precise: boolean }
let platform: FakePlatform
let [alice, bob]: [Person, Person] = [{} as Person, {} as Person]
/** All videos of the channel, the newest first, and whether its feed works. */
let [uploads, feed_works]: [Upload[], boolean] = [[], true]

beforeEach(async () => {
  await sql`delete from channels`
  await sql`truncate host_pauses, host_looks, feeds`
  await sql`delete from graphile_worker._private_jobs`
  platform = fakePlatform()
  uploads = []
  feed_works = true
  ;[alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
})

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000)
const upload = (count: number, hours_ago = 0) => {
  const first = uploads.length
  for (let n = 0; n < count; n++)
    uploads.unshift({ video_id: `video${String(first + n).padStart(6, '0')}`, at: ago(hours_ago), precise: true })
}
const entryOf = ({ video_id, at }: Upload): FeedEntry =>
  entry(video_id, { video_url: pageAt(video_id), published_at: at, duration_seconds: 60 })
const inFeed = () => uploads.slice(0, 15).map(entryOf)

const image_url = 'https://yt3.example/feed'
const follow = ({ library }: Person, rss_url = tab) =>
  saveFeed(library, { rss_url, feed: { channel_id, title: 'Kitchen', image_url, entries: inFeed(), skipped: 0 } })
const followWithoutPicture = async (one: Person) => {
  await follow(one)
  await sql`update channels set image_url = null where user_id = ${one.user.user_id}`
}

/** Approximate dates, cut to the day, as YouTube's lists have them. */
const show = () => {
  platform.page = uploads.map(({ video_id, at }) => {
    const day = new Date(at)
    day.setUTCHours(0, 0, 0, 0)
    return listed(video_id, { published_at: day, published_precision: 'approximate' })
  })
}

async function refresh(rss_url = tab) {
  await sql`update channels set next_fetch_at = now()`
  const fetchChanges = async () => {
    if (!feed_works) throw new DomainError('feed_failed', 'The site answered 404.')
    return {
      feed: { channel_id, title: 'Kitchen', entries: inFeed(), skipped: 0 },
      known: never_fetched,
      min_wait_s: null,
    }
  }
  await refreshFeedTask({ ...idleParts(sql), fetchChanges, refresh_interval_minutes: 30 })(
    { rss_url },
    {} as JobHelpers,
  )
}

/** These people follow the channel, and its feed has failed for long enough to read the listing instead. */
async function failingFeedOf(...followers: Person[]) {
  upload(15, 24)
  for (const follower of followers) await follow(follower)
  feed_works = false
  await refresh()
  await pass(4)
}

/** The jobs of housekeeping, and those that they add. */
async function look() {
  show()
  const task = lookTask({ ...idleParts(sql), listings: platform.listings })
  await queueLooks(sql, { isKnownHost })
  for (;;) {
    const taken = await sql`delete from graphile_worker._private_jobs where key like 'looks:%' returning id`
    if (taken.length === 0) return
    await task({ host: 'youtube.com' }, {} as JobHelpers)
  }
}

/** A scheduled fetch, and the looks that are due after it. */
async function check(rss_url?: string) {
  await refresh(rss_url)
  await look()
}

/** Lets time pass: everything that has happened, and everything that is planned, is so much earlier. */
async function pass(hours: number) {
  const by = sql`${hours} * interval '1 hour'`
  await sql`
    update channels
    set    failing_since = failing_since - ${by}, list_at = list_at - ${by}, list_since = list_since - ${by},
           listed_at = listed_at - ${by}, last_fetched_at = last_fetched_at - ${by}, created_at = created_at - ${by}`
  await sql`
    update video_entries
    set    first_seen_at = first_seen_at - ${by}, published_at = published_at - ${by}, look_at = look_at - ${by}`
  await sql`update channel_rules set on_since = on_since - ${by}`
  for (const video of uploads) video.at = new Date(video.at.getTime() - hours * 3_600_000)
}

const idsIn = (videos: { video_id: string }[]) => videos.map(({ video_id }) => video_id).toSorted()
const videosOf = async ({ library }: Person) => (await library.videos.list({ limit: 200 })).entries
const channelOf = async ({ library }: Person) => (await library.channels.find(channel_id)) ?? expect.fail('no channel')

describe('a channel whose videos all have lengths', () => {
  const picture = async (one: Person) => (await channelOf(one)).image_url

  it('gets its picture from its listing, once, and no further video', async () => {
    platform.channel = { ...platform.channel, image_url: 'https://yt3.example/1' }
    upload(20, 24)
    await followWithoutPicture(alice)
    await check()
    expect([await picture(alice), platform.lists.length, (await videosOf(alice)).length]).toEqual([
      'https://yt3.example/1',
      1,
      15,
    ])
    for (const _ of [1, 2]) {
      await pass(24)
      await check()
    }
    expect(platform.lists.length).toBe(1)

    // A later follower has no video that needs a look either.
    await followWithoutPicture(bob)
    await check()
    expect([await picture(bob), platform.lists.length]).toEqual(['https://yt3.example/1', 2])
  })

  it('is read once where its page shows no picture', async () => {
    upload(3, 24)
    await followWithoutPicture(alice)
    for (const _ of [1, 2, 3]) {
      await check()
      await pass(24)
    }
    expect([await picture(alice), platform.lists.length]).toEqual([null, 1])
  })
})

describe('a feed that fails', () => {
  it('an outage of five days loses nothing: the listing brings 40 videos, and the feed then gives the newest exact dates', async () => {
    for (let hours = 15; hours > 0; hours--) upload(1, hours * 24)
    await follow(alice)
    await follow(bob)
    await changeRule(alice.library, channel_id, RuleRequest.parse({ auto_download: true }))
    feed_works = false

    for (let hours = 0; hours < 120; hours += 3) {
      await pass(3)
      upload(1, 0)
      await check()
    }
    expect(uploads).toHaveLength(55)
    for (const one of [alice, bob]) {
      const videos = await videosOf(one)
      // The last ones were uploaded after the last reading.
      expect(videos.length).toBeGreaterThanOrEqual(53)
      expect(new Set(videos.map(({ video_id }) => video_id)).size).toBe(videos.length)
      expect(videos.every(({ source }) => source === 'feed')).toBe(true)
    }
    const { failing_since, listed_at } = await channelOf(alice)
    expect([failing_since, listed_at]).toEqual([expect.any(Date), expect.any(Date)])
    // Read once for both followers, every few hours.
    expect(platform.lists.length).toBeGreaterThan(14)
    expect(platform.lists.length).toBeLessThan(32)

    feed_works = true
    await check()

    for (const one of [alice, bob]) {
      const videos = await videosOf(one)
      expect(idsIn(videos)).toEqual(idsIn(uploads))
      const newest = new Map(videos.map(video => [video.video_id, video]))
      for (const { video_id, at } of uploads.slice(0, 15))
        expect(newest.get(video_id)).toMatchObject({ published_at: at, published_precision: 'exact' })
      expect(await channelOf(one)).toMatchObject({ failing_since: null, fetch_error: null, listed_at: null })
    }
    const wanted = idsIn((await videosOf(alice)).filter(({ queued }) => queued))
    expect(wanted).toEqual(idsIn(uploads.slice(0, 40)))
    expect((await videosOf(bob)).filter(({ queued }) => queued)).toEqual([])
  }, 120_000)

  it('the listing is first read after three hours of failures, and not after the feed has worked again', async () => {
    upload(15, 24)
    await follow(alice)
    feed_works = false
    await refresh()
    await pass(2)
    await check()
    expect(platform.lists).toEqual([])
    feed_works = true
    await refresh()
    await pass(9)
    await look()
    expect(platform.lists).toEqual([])
  })

  it('a listing that ends early is saved as far as it was read, and read again later', async () => {
    await failingFeedOf(alice)
    upload(1)
    const { listChannel } = platform.listings
    platform.listings.listChannel = async request => ({
      ...(await listChannel(request)),
      end: 'incomplete',
      failure: failing('site_trouble'),
    })
    await look()
    expect([platform.lists.length, (await videosOf(alice)).length, (await channelOf(alice)).listed_at]).toEqual([
      1,
      16,
      null,
    ])
    await pass(5)
    await look()
    expect(platform.lists).toHaveLength(2)
  })

  it('a refused listing is read again half an hour later', async () => {
    await failingFeedOf(alice)
    upload(1)
    platform.refusal = failing('rate_limited', { kind: 'rate_limited' })
    await look()
    await look()
    expect(platform.lists).toHaveLength(1)
    platform.refusal = undefined
    await pass(1)
    await look()
    expect(await videosOf(alice)).toHaveLength(16)
  })

  it('a channel that is unfollowed while its listing is read gets no videos', async () => {
    await failingFeedOf(alice, bob)
    upload(1)
    const { listChannel } = platform.listings
    platform.listings.listChannel = async request => {
      await alice.library.channels.remove(channel_id)
      return listChannel(request)
    }
    await look()
    expect([(await videosOf(alice)).length, (await videosOf(bob)).length]).toEqual([0, 16])
  })

  it('a feed whose site has no listing is left as it is', async () => {
    await saveFeed(alice.library, {
      rss_url: 'https://blog.example/f',
      feed: { channel_id: 'blog', title: 'Blog', entries: [entry('post')], skipped: 0 },
    })
    feed_works = false
    await refresh('https://blog.example/f')
    expect(await sql`select list_at from channels`).toEqual([{ list_at: null }])
  })

  it('a worker that dies over a listing does not repeat it at once, and loses nothing', async () => {
    await failingFeedOf(alice)
    upload(2)
    const { listChannel } = platform.listings
    platform.listings.listChannel = async request => {
      await listChannel(request)
      throw new Error('the worker dies')
    }
    await expect(look()).rejects.toThrow('dies')
    await look()
    expect([platform.lists.length, (await videosOf(alice)).length]).toEqual([1, 15])
    platform.listings.listChannel = listChannel
    await pass(1)
    await look()
    expect([platform.lists.length, (await videosOf(alice)).length]).toEqual([2, 17])
  })
})

it('a video that vanished from inside its feed gets one look, which marks it as removed for all followers', async () => {
  for (let n = 8; n > 0; n--) upload(1, n * 24)
  await follow(alice)
  await follow(bob)
  const gone = uploads.splice(3, 1)[0]?.video_id ?? expect.fail('no video')
  const hidden = uploads.splice(5, 1)[0]?.video_id ?? expect.fail('no video')
  platform.videos.set(hidden, { availability: 'unlisted' })
  for (const _ of [1, 2, 3]) {
    await check()
  }
  expect([platform.lists, platform.looks.toSorted()]).toEqual([[], [gone, hidden].toSorted()])
  for (const { library } of [alice, bob]) {
    expect(await library.videos.find(gone)).toMatchObject({ availability: 'removed' })
    expect(await library.videos.find(hidden)).toMatchObject({ availability: 'unlisted' })
  }
})

it('a video that the newest page must show and does not is looked up, and no other', async () => {
  for (let n = 40; n > 0; n--) upload(1, n * 24)
  for (let from = 30; from >= 0; from -= 10) {
    const entries = uploads.slice(from, from + 15).map(entryOf)
    await saveFeed(alice.library, { rss_url: tab, feed: { channel_id, title: 'Kitchen', entries, skipped: 0 } })
  }
  const gone = uploads.splice(3, 1)[0]?.video_id ?? expect.fail('no video')
  const fresh = entry('fresh000000', { video_url: pageAt('fresh000000'), published_at: ago(1) })
  await saveFeed(alice.library, { rss_url: tab, feed: { channel_id, title: 'Kitchen', entries: [fresh], skipped: 0 } })
  await look()
  // The new video is not on the page either; it gets its own look.
  expect(platform.looks.toSorted()).toEqual(['fresh000000', gone])
  expect(await alice.library.videos.find(gone)).toMatchObject({ availability: 'removed' })
})

describe('a feed that lists too little', () => {
  it('when a channel posts more than its feed holds, the listing brings what is missing, once', async () => {
    for (let hours = 20; hours > 0; hours--) upload(1, hours * 30)
    await follow(alice)
    await pass(2)
    upload(25)
    await refresh()
    expect(await videosOf(alice)).toHaveLength(30)
    await look()
    expect(platform.lists).toEqual([tab])
    const videos = await videosOf(alice)
    expect(idsIn(videos)).toEqual(idsIn(uploads.slice(0, 40)))
    expect(videos.every(({ source }) => source === 'feed')).toBe(true)
    await pass(30)
    await check()
    expect(platform.lists).toHaveLength(1)
  })

  describe('a channel that posts more than its feed holds', () => {
    const idsOf = async (one: Person) => idsIn(await videosOf(one))
    const all = () => idsIn(uploads)

    it('a person gets what the feed has dropped also when another person follows the channel before the next check', async () => {
      upload(15, 30)
      const [late, early] = [alice, bob].toSorted((a, b) => (a.user.user_id < b.user.user_id ? -1 : 1))
      if (!late || !early) throw new Error('there are two people')
      await follow(early)
      await pass(50)
      upload(40, 1)
      await follow(late)
      await check()
      expect(await idsOf(early)).toEqual(all())
    })

    it('a refresh by hand brings what the feed has dropped', async () => {
      upload(15, 30)
      await follow(alice)
      await pass(50)
      upload(40, 1)
      await updateFeed(alice.library, channel_id, { channel_id, title: 'Kitchen', entries: inFeed(), skipped: 0 })
      await look()
      expect(await idsOf(alice)).toEqual(all())
      expect(platform.lists).toHaveLength(1)
    })

    it('a refresh by hand completes the library of that person alone, whatever videos they had', async () => {
      upload(60, 24 * 300)
      upload(15, 30)
      await follow(alice)
      await follow(bob)
      await sql`
        update video_entries set published_at = '2001-01-01' where user_id = ${bob.user.user_id}`
      upload(15, 1)
      await updateFeed(bob.library, channel_id, { channel_id, title: 'Kitchen', entries: inFeed(), skipped: 0 })
      await look()
      expect([(await idsOf(alice)).length, (await idsOf(bob)).length]).toEqual([15, 90])

      upload(15, 0)
      await sql`update channels set list_at = now(), list_since = '2001-01-01' where user_id = ${bob.user.user_id}`
      await check()
      expect((await idsOf(alice)).length).toBe(45)
    })

    it('a listing and a look at one site take turns', async () => {
      upload(15, 30)
      await follow(alice)
      await sql`update channels set list_at = now()`
      await sql`update video_entries set look_at = now(), duration_seconds = null`
      show()
      const task = lookTask({ ...idleParts(sql), listings: platform.listings })
      const due = async () => (await sql`select from video_entries where look_at <= now()`).length
      await task({ host: 'youtube.com' }, {} as JobHelpers)
      expect([platform.lists.length, await due()]).toEqual([1, 15])
      await sql`update channels set list_at = now()`
      await task({ host: 'youtube.com' }, {} as JobHelpers)
      expect(await due()).toBe(0)
    })

    it('a video that is announced for later hides nothing', async () => {
      upload(14, 30)
      upload(1, -100)
      await follow(alice)
      await pass(50)
      const announced = uploads.shift() ?? expect.fail('no upload')
      upload(40, 1)
      uploads.unshift({ ...announced, video_id: 'announced00' })
      await sql`update video_entries set video_id = 'announced00' where video_id = ${announced.video_id}`
      await check()
      expect(await idsOf(alice)).toEqual(all())
    })
  })

  it('the listing of a full playlist is read daily: its older videos are not new, and appended ones are', async () => {
    upload(20, 24 * 30)
    await follow(alice, list)
    await check(list)
    expect(platform.lists).toEqual([list])
    const sources = async () => Object.groupBy(await videosOf(alice), ({ source }) => source)
    expect([(await sources()).feed?.length, (await sources()).listing?.length]).toEqual([15, 5])

    await pass(30)
    uploads.push({ video_id: 'appended000', at: ago(24 * 400), precise: true })
    await check(list)
    expect(platform.lists).toHaveLength(2)
    expect((await sources()).feed?.map(({ video_id }) => video_id)).toContain('appended000')
    await check(list)
    expect(platform.lists).toHaveLength(2)
  })

  it('a playlist that its feed holds whole is not listed', async () => {
    upload(9, 24)
    await follow(alice, list)
    await check(list)
    expect(platform.lists).toEqual([])
  })
})
