/** Looks and listings of the small YouTube with the real yt-dlp: a members-first video, and a feed that fails for hours. */
import type { JobHelpers, Task } from 'graphile-worker'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { downloadTask } from '../../../jobs/tasks/downloads.ts'
import { refreshFeedTask } from '../../../jobs/tasks/feeds.ts'
import { lookTask } from '../../../jobs/tasks/videos.ts'
import { queueLooks } from '../../../src/db/videos/everyone/look-plans.ts'
import { webListings } from '../../../src/domain/listings/listings.ts'
import { changeRule } from '../../../src/domain/rules/rules.ts'
import { saveFeed } from '../../../src/domain/saving/save-feed.ts'
import { createChangeFetcher, createFeedReader } from '../../../src/feed/fetch/fetch-feed.ts'
import { isKnownHost } from '../../../src/feed/platforms/by-address.ts'
import { RuleRequest } from '../../../src/schema/rules/rule.ts'
import { createDownloader } from '../../../src/ytdlp/fetch/download.ts'
import { useDatabase } from '../../support/app/database.ts'
import { idleParts } from '../../support/app/parts.ts'
import { type Person, person } from '../../support/app/people.ts'
import { openSmallYoutube, type SmallYoutube, smallChannel, smallVideo } from '../../support/media/small-youtube.ts'
import { toolsForTests } from '../../support/process/tools.ts'

const { sql } = useDatabase()
let youtube: SmallYoutube
let [alice, bob]: [Person, Person] = [{} as Person, {} as Person]
const channel = smallChannel('cooking', {
  videos: 20,
  every_hours: 30,
  newest_at: new Date(Date.now() - 30 * 3_600_000),
})
const rss_url = `https://www.youtube.com/feeds/videos.xml?playlist_id=UULF${channel.channel_id.slice(2)}`

beforeAll(async () => {
  youtube = await openSmallYoutube(channel)
})
afterAll(() => youtube.close())
beforeEach(async () => {
  await sql`delete from channels`
  await sql`delete from graphile_worker._private_jobs`
  ;[alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
  const feed = await createFeedReader({ policy: youtube.policy() })(rss_url)
  for (const { library } of [alice, bob]) await saveFeed(library, { rss_url, feed })
  youtube.requests.splice(0)
})

const parts = () => {
  const [tools, policy] = [youtube.tools(toolsForTests()), youtube.policy()]
  return {
    ...idleParts(sql),
    listings: webListings({ policy, findTools: async () => tools, pause_s: 0 }),
    downloadVideo: createDownloader({ tools, policy }),
    fetchChanges: createChangeFetcher({ policy }),
    refresh_interval_minutes: 30,
  }
}
const helpers = { abortSignal: new AbortController().signal } as JobHelpers
/** Runs every job whose key begins with `prefix`, and those that they add. */
async function runAll(task: Task, prefix: string) {
  for (;;) {
    const taken = await sql<{ payload: unknown }[]>`
      delete from graphile_worker._private_jobs where starts_with(key, ${prefix}) returning payload`
    if (taken.length === 0) return
    for (const { payload } of taken) await task(payload, helpers)
  }
}
async function look() {
  await queueLooks(sql, { isKnownHost })
  await runAll(lookTask(parts()), 'looks:')
}
async function refresh() {
  await sql`update channels set next_fetch_at = now()`
  await refreshFeedTask(parts())({ rss_url }, helpers)
}
const download = () => runAll(downloadTask(parts()), 'download:')
const dueNow = () => sql`update video_entries set look_at = now() where look_at is not null`

it('the newest page gives all followers the lengths of new videos with one request', async () => {
  await look()
  for (const one of [alice, bob]) {
    const { entries } = await one.library.videos.list({ limit: 50 })
    expect(entries).toHaveLength(15)
    for (const { video_id, duration_seconds } of entries) expect(duration_seconds).toBe(youtube.video(video_id).seconds)
    expect((await one.library.channels.list())[0]?.image_url).toContain(channel.channel_id)
  }
  const pages = youtube.requests.filter(({ host }) => host === 'www.youtube.com')
  expect(pages.map(({ path }) => path)).toEqual([`/channel/${channel.channel_id}/videos`])
})

it('a person who follows a channel later gets its picture with the next look, too', async () => {
  await look()
  const carol = await person(sql, 'carol')
  await saveFeed(carol.library, { rss_url, feed: await createFeedReader({ policy: youtube.policy() })(rss_url) })
  youtube.requests.splice(0)
  await look()
  const [followed] = await carol.library.channels.list()
  expect(followed?.image_url).toContain(channel.channel_id)
  expect(
    await sql`select url from pictures where kind = 'channel' and url = ${followed?.image_url ?? ''}`,
  ).toHaveLength(1)
  expect(youtube.requests.map(({ path }) => path)).toEqual([`/channel/${channel.channel_id}/videos`])
})

it('a members-first video is downloaded once it opens, and looked up once for all who have it', async () => {
  const [video] = channel.videos
  if (!video) throw new Error('the channel has videos')
  video.kind = 'members'
  await alice.library.downloads.request([video.id])
  await download()
  expect(await alice.library.videos.find(video.id)).toMatchObject({
    download_status: 'failed',
    queued: false,
    availability: 'members_only',
    download_error: "Members only. We'll keep checking.",
  })
  expect((await bob.library.videos.find(video.id))?.availability).toBe('members_only')
  await look()

  await dueNow()
  youtube.requests.splice(0)
  await look()
  expect(youtube.counts()['www.youtube.com /watch']).toBe(1)
  expect((await alice.library.videos.find(video.id))?.queued).toBe(false)

  video.kind = 'public'
  await dueNow()
  await look()
  expect(await alice.library.videos.find(video.id)).toMatchObject({ availability: 'public', queued: true })
  await download()
  expect((await alice.library.videos.find(video.id))?.download_status).toBe('completed')
  expect(await bob.library.videos.find(video.id)).toMatchObject({ availability: 'public', download_status: 'pending' })
}, 120_000)

it('a rule waits for the recording of a stream that has ended, and downloads it when it is ready', async () => {
  const [stream] = channel.videos
  if (!stream) throw new Error('the channel has videos')
  const attempt = () => downloadTask(parts())({ user_id: alice.user.user_id, video_id: stream.id }, helpers)
  const state = async ({ library }: Person) => (await library.videos.find(stream.id)) ?? expect.fail('no video')
  onTestFinished(() => {
    stream.kind = 'public'
  })
  await changeRule(alice.library, channel.channel_id, RuleRequest.parse({ auto_download: true }))
  await alice.library.downloads.request([stream.id], 'rule')

  for (const kind of ['ended', 'post_live'] as const) {
    stream.kind = kind
    await attempt()
    expect(await state(alice)).toMatchObject({ download_status: 'failed', queued: true, keeps_trying: true })
    expect((await state(alice)).download_error).toContain('recording is not ready')
    for (const one of [alice, bob]) expect((await state(one)).availability).toBeNull()
    // The next attempt tells, so no look is needed.
    youtube.requests.splice(0)
    await sql`update video_entries set look_at = now(), live_status = 'live' where video_id = ${stream.id} and download_asked_by = 'rule'`
    await look()
    expect(youtube.requests.filter(({ search }) => search.includes(stream.id))).toEqual([])
  }

  stream.kind = 'public'
  await attempt()
  expect(await state(alice)).toMatchObject({ download_status: 'completed', duration_seconds: stream.seconds })
}, 120_000)

it('the listing replaces a feed that fails, once for all its followers, and hands back to it', async () => {
  await look()
  const works = youtube.fail('/feeds/videos.xml', { status: 404 })
  const added = Array.from({ length: 4 }, (_, n) =>
    smallVideo('fresh', n, { published_at: new Date(Date.now() - (n + 1) * 3_600_000) }),
  )
  await refresh()
  channel.videos.unshift(...added)
  await sql`
    update channels
    set    failing_since = failing_since - interval '6 hours', list_at = list_at - interval '6 hours',
           list_since = list_since - interval '6 hours'`
  youtube.requests.splice(0)
  await look()
  expect(youtube.requests.filter(({ path }) => path.endsWith('/videos'))).toHaveLength(1)
  for (const { library } of [alice, bob]) {
    const { entries } = await library.videos.list({ limit: 50 })
    expect(entries).toHaveLength(19)
    for (const { id } of added)
      expect(entries.find(({ video_id }) => video_id === id)).toMatchObject({
        published_precision: 'approximate',
        source: 'feed',
        duration_seconds: youtube.video(id).seconds,
      })
    expect((await library.channels.list())[0]?.listed_at).toEqual(expect.any(Date))
  }

  works()
  await refresh()
  for (const { library } of [alice, bob]) {
    const { entries } = await library.videos.list({ limit: 50 })
    expect(entries).toHaveLength(19)
    expect(entries.every(({ published_precision }) => published_precision === 'exact')).toBe(true)
    expect((await library.channels.list())[0]).toMatchObject({ failing_since: null, listed_at: null })
  }
}, 120_000)
