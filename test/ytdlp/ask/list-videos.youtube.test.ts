/** Listings by the real yt-dlp, of the small YouTube. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ListedEntry, ListingRequest } from '../../../src/schema/sources/listing.ts'
import { createLister, type VideoLister } from '../../../src/ytdlp/ask/list-videos.ts'
import { openSmallYoutube, type SmallYoutube, smallChannel } from '../../support/media/small-youtube.ts'
import { toolsForTests } from '../../support/process/tools.ts'

const channel = smallChannel('cooking', { videos: 65, shorts: 32, streams: 3 })
const quiet = smallChannel('quiet', { videos: 2 })
const tab = (name: string) => `https://www.youtube.com/channel/${channel.channel_id}/${name}`
let youtube: SmallYoutube
let lister: VideoLister

beforeAll(async () => {
  youtube = await openSmallYoutube(channel, quiet)
  lister = createLister({
    findTools: async () => youtube.tools(toolsForTests()),
    policy: youtube.policy(),
    pause_s: 0,
  })
})
afterAll(() => youtube.close())
beforeEach(() => void youtube.requests.splice(0))

async function listed(url: string, request: Partial<ListingRequest> = {}) {
  const entries: ListedEntry[] = []
  const end = await lister({
    url,
    signal: new AbortController().signal,
    async onEntries(batch) {
      entries.push(...batch)
    },
    ...request,
  })
  return { end, entries }
}

it('the videos of a tab are listed to the end, with lengths, approximate dates and the channel', async () => {
  const { end, entries } = await listed(tab('videos'))
  expect(end).toEqual({
    end: 'complete',
    listed: 65,
    channel: {
      platform_id: channel.channel_id,
      title: 'Channel cooking',
      page_url: `https://www.youtube.com/channel/${channel.channel_id}`,
      image_url: `https://yt3.ggpht.com/${channel.channel_id}=s0`,
    },
  })
  const videos = channel.videos.filter(video => video.tab === 'videos')
  expect(entries.map(({ video_url }) => video_url)).toEqual(
    videos.map(({ id }) => `https://www.youtube.com/watch?v=${id}`),
  )
  expect(entries.map(({ duration_seconds }) => duration_seconds)).toEqual(videos.map(({ seconds }) => seconds))
  expect(new Set(entries.map(({ published_precision }) => published_precision))).toEqual(new Set(['approximate']))
  const off_days = entries.slice(0, 7).map(({ published_at }, n) => {
    const exact = videos[n]?.published_at.getTime() ?? 0
    return Math.abs((published_at?.getTime() ?? 0) - exact) / 86_400_000
  })
  expect(Math.max(...off_days)).toBeLessThanOrEqual(2)
})

it('shorts are listed at their own addresses, without lengths and dates', async () => {
  const { end, entries } = await listed(tab('shorts'))
  expect(end).toMatchObject({ end: 'complete', listed: 32 })
  const [first] = channel.videos.filter(video => video.tab === 'shorts')
  expect(entries[0]).toMatchObject({
    video_url: `https://www.youtube.com/shorts/${first?.id}`,
    title: first?.title,
    published_at: null,
    published_precision: null,
    duration_seconds: null,
  })
})

it('past streams, upcoming and live videos, and videos for members are listed as such', async () => {
  const [upcoming, live, members] = channel.videos.filter(video => video.tab === 'videos')
  if (!upcoming || !live || !members) throw new Error('the channel has videos')
  upcoming.kind = 'upcoming'
  live.kind = 'live'
  members.kind = 'members'
  const { entries } = await listed(tab('videos'), { newest: 4 })
  expect(entries.map(({ live_status, availability }) => [live_status, availability])).toEqual([
    ['upcoming', null],
    ['live', null],
    [null, 'members_only'],
    [null, null],
  ])
  for (const video of [upcoming, live, members]) video.kind = 'public'
  const streams = await listed(tab('streams'))
  expect(streams.entries.map(({ live_status }) => live_status)).toEqual(['was_live', 'was_live', 'was_live'])
})

it('the newest videos cost one page of the list', async () => {
  const { end, entries } = await listed(tab('videos'), { newest: 30 })
  expect(end).toMatchObject({ end: 'complete', listed: 30, channel: { image_url: expect.any(String) } })
  expect(entries).toHaveLength(30)
  expect(youtube.requests.filter(({ page }) => page)).toEqual([])
})

it('a listing that is stopped requests at most one page more', async () => {
  const { end } = await listed(tab('videos'), { isEnough: () => true })
  expect(end).toMatchObject({ end: 'stopped', listed: 30, channel: { platform_id: channel.channel_id } })
  expect(youtube.requests.filter(({ page }) => page).length).toBeLessThanOrEqual(1)
})

it('a channel without a tab has a complete and empty list there', async () => {
  const { end } = await listed(`https://www.youtube.com/channel/${quiet.channel_id}/shorts`)
  expect(end).toMatchObject({ end: 'complete', listed: 0 })
})

it('a playlist is listed in its own order, with hidden videos as such', async () => {
  const ids = channel.videos.slice(0, 5).map(({ id }) => id)
  youtube.playlists.push({ list_id: 'PLaaaaaaaaaaaaaa', title: 'A list', channel, video_ids: ids.toReversed() })
  youtube.video(ids[4] ?? '').kind = 'removed'
  youtube.video(ids[3] ?? '').kind = 'private'
  const { end, entries } = await listed('https://www.youtube.com/playlist?list=PLaaaaaaaaaaaaaa')
  for (const id of ids) youtube.video(id).kind = 'public'
  expect(end).toMatchObject({ end: 'complete', listed: 5, channel: { platform_id: channel.channel_id } })
  expect(entries.map(({ title, availability }) => [title, availability]).slice(0, 2)).toEqual([
    [null, 'removed'],
    [null, 'private'],
  ])
  expect(entries[4]).toMatchObject({
    video_url: `https://www.youtube.com/watch?v=${ids[0]}`,
    duration_seconds: youtube.video(ids[0] ?? '').seconds,
    published_precision: 'approximate',
  })
})

it.each([
  ['a refusal (429)', { status: 429 }, { reason: 'rate_limited', kind: 'rate_limited' }],
  ['a fault (500)', { status: 500 }, { reason: 'site_trouble', kind: 'transient' }],
  ['a page without content', { status: 200, text: '{}' }, { kind: expect.any(String) }],
])('%s on the second page makes the listing incomplete', async (_, fault, failure) => {
  const heal = youtube.fail(`tab ${channel.channel_id} videos 30`, fault)
  const { end } = await listed(tab('videos'))
  heal()
  expect(end).toMatchObject({ end: 'incomplete', listed: 30, failure })
})

it('an unknown channel is incomplete, and the sentence is about a channel', async () => {
  const { end } = await listed('https://www.youtube.com/channel/UCunknown000000000000000/videos')
  expect(end).toMatchObject({
    end: 'incomplete',
    listed: 0,
    failure: { reason: 'not_found', sentence: 'youtube.com has no such channel or list any more.' },
  })
})

it('a page of an unknown site is no list, whatever videos it embeds', async () => {
  const { end } = await listed('https://podcast.example/')
  expect(end).toMatchObject({ end: 'incomplete', listed: 0, failure: { reason: 'unsupported' } })
  expect(youtube.requests).toEqual([])
})
