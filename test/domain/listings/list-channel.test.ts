import { expect, it } from 'vitest'
import { createChannelLister } from '../../../src/domain/listings/list-channel.ts'
import { DomainError } from '../../../src/errors.ts'
import { SiteRefusal } from '../../../src/feed/fetch/answer.ts'
import type { PeertubeLister } from '../../../src/feed/fetch/list-peertube.ts'
import type { ListedEntry } from '../../../src/schema/sources/listing.ts'
import type { ListingEnd, VideoLister } from '../../../src/ytdlp/ask/list-videos.ts'
import { unknown_channel } from '../../../src/ytdlp/ask/video-info.ts'
import { failures } from '../../../src/ytdlp/failures/failure.ts'

const channel_id = 'UCabcdefghijklmnopqrst-_'
const feed = (query: string) => `https://www.youtube.com/feeds/videos.xml?${query}`
const tab = (name: string) => `https://www.youtube.com/channel/${channel_id}/${name}`
const request = { signal: new AbortController().signal, onEntries: async () => {} }

const entry = (video_url: string): ListedEntry => ({
  video_url,
  title: 'A film',
  thumbnail_url: null,
  published_at: null,
  published_precision: null,
  duration_seconds: null,
  live_status: null,
  availability: null,
})

const unused: PeertubeLister = () => Promise.reject(new Error('this channel is not on PeerTube'))

/** Ends each list as given, else complete with ten videos. */
function listing(ends: Record<string, Partial<ListingEnd>> = {}) {
  const asked: string[] = []
  const listVideos: VideoLister = async ({ url }) => {
    asked.push(url)
    return { listed: 10, channel: unknown_channel, end: 'complete', ...ends[url] } as ListingEnd
  }
  return { asked, listChannel: createChannelLister({ listVideos, listPeertube: unused }) }
}

it.each([
  ['a channel', feed(`channel_id=${channel_id}`), ['videos', 'shorts', 'streams'].map(tab)],
  ['its videos only', feed(`playlist_id=UULF${channel_id.slice(2)}`), [tab('videos')]],
  ['its shorts', feed(`playlist_id=UUSH${channel_id.slice(2)}`), [tab('shorts')]],
  ['its live streams', feed(`playlist_id=UULV${channel_id.slice(2)}`), [tab('streams')]],
  ['a playlist', feed('playlist_id=PLabcdefghijklmnop'), ['https://www.youtube.com/playlist?list=PLabcdefghijklmnop']],
])('the feed of %s is listed from its own tabs', async (_, rss_url, lists) => {
  const { asked, listChannel } = listing()
  const end = await listChannel({ ...request, rss_url, page_url: null })
  expect(asked).toEqual(lists)
  expect(end).toMatchObject({ end: 'complete', listed: 10 * lists.length })
})

it('a channel whose feed leads to no list is listed from its page', async () => {
  const { asked, listChannel } = listing()
  await listChannel({ ...request, rss_url: 'https://feeds.example/x.xml', page_url: 'https://video.example/@x' })
  expect(asked).toEqual(['https://video.example/@x'])
})

it('a channel without any page is incomplete, and nothing is requested', async () => {
  const { asked, listChannel } = listing()
  const end = await listChannel({ ...request, rss_url: 'https://feeds.example/x.xml', page_url: null })
  expect(end).toMatchObject({ end: 'incomplete', listed: 0, failure: { reason: 'unsupported' } })
  expect(asked).toEqual([])
})

it('an incomplete list ends the listing of its channel, and what was listed counts', async () => {
  const refusal = { ...failures.unknown, reason: 'rate_limited' as const }
  const { asked, listChannel } = listing({ [tab('shorts')]: { listed: 3, end: 'incomplete', failure: refusal } })
  const end = await listChannel({ ...request, rss_url: feed(`channel_id=${channel_id}`), page_url: null })
  expect(end).toMatchObject({ end: 'incomplete', listed: 13, failure: { reason: 'rate_limited' } })
  expect(asked).toEqual([tab('videos'), tab('shorts')])
})

it('a listing is stopped if one of its lists was, and names the channel as the first list does', async () => {
  const named = { ...unknown_channel, title: 'First' }
  const { listChannel } = listing({
    [tab('videos')]: { end: 'stopped', channel: named },
    [tab('streams')]: { channel: { ...named, title: 'Last', image_url: 'https://i.example/a.jpg' } },
  })
  const end = await listChannel({ ...request, rss_url: feed(`channel_id=${channel_id}`), page_url: null })
  expect(end).toMatchObject({ end: 'stopped', channel: { title: 'First', image_url: 'https://i.example/a.jpg' } })
})

it('a list is read until a whole batch is known, by address or by id', async () => {
  const answers: (boolean | undefined)[] = []
  const listVideos: VideoLister = async ({ isEnough }) => {
    const known = entry('https://www.youtube.com/watch?v=aaaaaaaaaaa')
    const short = entry('https://www.youtube.com/shorts/bbbbbbbbbbb')
    const other = entry('https://video.example/known')
    answers.push(isEnough?.([known, entry('https://www.youtube.com/watch?v=new00000000')]))
    answers.push(isEnough?.([known, short, other]))
    return { listed: 5, channel: unknown_channel, end: 'stopped' }
  }
  const until_known = ['aaaaaaaaaaa', 'bbbbbbbbbbb', 'https://video.example/known']
  const rss_url = feed(`playlist_id=UULF${channel_id.slice(2)}`)
  await createChannelLister({ listVideos, listPeertube: unused })({ ...request, rss_url, page_url: null, until_known })
  expect(answers).toEqual([false, true])
})

it.each([
  [new SiteRefusal(429, 60, 'tube.example'), { reason: 'rate_limited', kind: 'rate_limited' }],
  [new SiteRefusal(404, undefined, 'tube.example'), { reason: 'not_found', kind: 'permanent' }],
  [new SiteRefusal(500, undefined, 'tube.example'), { reason: 'site_trouble', kind: 'transient' }],
  [new DomainError('feed_timeout', 'The site did not answer.'), { reason: 'site_trouble', kind: 'transient' }],
])('a PeerTube channel is listed by its own API, and "%s" is a failure like that of yt-dlp', async (fault, failure) => {
  const asked: string[] = []
  const listPeertube: PeertubeLister = async ({ url }) => {
    asked.push(url)
    return { listed: 7, channel: unknown_channel, end: 'incomplete', fault }
  }
  const listVideos: VideoLister = () => Promise.reject(new Error('yt-dlp is not asked'))
  const rss_url = 'https://tube.example/feeds/videos.xml?videoChannelName=cooking'
  const end = await createChannelLister({ listVideos, listPeertube })({ ...request, rss_url, page_url: null })
  expect(asked).toEqual(['https://tube.example/api/v1/video-channels/cooking/videos'])
  expect(end).toMatchObject({ listed: 7, end: 'incomplete', failure })
})
