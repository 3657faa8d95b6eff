/** Listings of a PeerTube on loopback, in the form of its API. */
import { expect, it, onTestFinished, vi } from 'vitest'
import { createPeertubeLister } from '../../../src/feed/fetch/list-peertube.ts'
import { peertubeListingOf } from '../../../src/feed/platforms/peertube.ts'
import { addressPolicy } from '../../../src/net/addresses.ts'
import type { ListedEntry, ListingRequest } from '../../../src/schema/sources/listing.ts'
import { siteWith } from '../../support/media/feed-site.ts'

const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const idOf = (n: number) => `${digits[n % 33]}${digits[Math.floor(n / 33) % 33]}`.padEnd(22, 'a')
const videoAt = (n: number) => ({
  uuid: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  shortUUID: idOf(n),
  name: `Video ${n}`,
  duration: 60 + n,
  publishedAt: new Date(Date.UTC(2026, 0, 1) - n * 86_400_000).toISOString(),
  isLive: n === 3 || n === 5,
  state: { id: n === 3 ? 4 : n === 5 ? 5 : 1 },
  privacy: { id: n === 4 ? 2 : 1 },
  previewPath: `/previews/${n}.jpg`,
  channel: {
    name: 'cooking',
    displayName: 'Slow cooking',
    url: '/video-channels/cooking',
    avatars: [
      { path: '/avatars/48.png', width: 48 },
      { path: '/avatars/600.png', width: 600 },
    ],
  },
})

/** A channel with as many videos. `answer`: replaces the answer for a page. */
async function peertubeWith(total: number, answer: Record<number, { status: number; body?: string }> = {}) {
  return siteWith((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://x')
    const [start, count] = [Number(searchParams.get('start')), Number(searchParams.get('count'))]
    const given = answer[start]
    if (given) return void response.writeHead(given.status).end(given.body ?? '')
    const data = Array.from({ length: Math.max(0, Math.min(count, total - start)) }, (_, n) => videoAt(start + n))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ total, data }))
  })
}

async function listed(
  site: { url: string },
  more: Partial<ListingRequest> = {},
  options: { longest_ms?: number } = {},
) {
  const batches: ListedEntry[][] = []
  const lister = createPeertubeLister({ policy: addressPolicy(['127.0.0.1']), pause_s: 0, ...options })
  const end = await lister({
    url: peertubeListingOf(`${site.url}/feeds/videos.xml?videoChannelName=cooking`) ?? '',
    signal: new AbortController().signal,
    async onEntries(entries) {
      batches.push(entries)
    },
    ...more,
  })
  return { end, entries: batches.flat() }
}

it('a channel is listed to its end, a hundred videos at a time, with lengths and exact dates', async () => {
  const site = await peertubeWith(250)
  const { end, entries } = await listed(site)
  expect(end).toEqual({
    end: 'complete',
    listed: 250,
    channel: {
      platform_id: null,
      title: 'Slow cooking',
      page_url: `${site.url}/video-channels/cooking`,
      image_url: `${site.url}/avatars/600.png`,
    },
  })
  expect(entries[7]).toEqual({
    video_url: `${site.url}/w/${idOf(7)}`,
    title: 'Video 7',
    thumbnail_url: `${site.url}/previews/7.jpg`,
    published_at: new Date('2025-12-25T00:00:00Z'),
    published_precision: 'exact',
    duration_seconds: 67,
    live_status: 'none',
    availability: 'public',
  })
  expect(entries[3]).toMatchObject({ live_status: 'upcoming', duration_seconds: null })
  expect(entries[4]).toMatchObject({ availability: 'unlisted' })
  // The stream has ended, and its recording is not ready.
  expect(entries[5]).toMatchObject({ live_status: 'was_live', duration_seconds: null })
  expect(site.asked).toEqual(
    [0, 100, 200].map(start => `/api/v1/video-channels/cooking/videos?start=${start}&count=100&sort=-publishedAt`),
  )
})

it('the newest videos cost one request', async () => {
  const site = await peertubeWith(250)
  expect((await listed(site, { newest: 15 })).end).toMatchObject({ end: 'complete', listed: 15 })
  expect(site.asked).toHaveLength(1)
})

it('a listing is stopped after a page that is enough', async () => {
  const site = await peertubeWith(250)
  expect((await listed(site, { isEnough: () => true })).end).toMatchObject({ end: 'stopped', listed: 100 })
  expect(site.asked).toHaveLength(1)
})

it.each([
  ['a refusal', { status: 429 }, 'asks us to slow down'],
  ['a fault', { status: 500 }, 'has a problem'],
  ['a page that is no list', { status: 200, body: '<html>' }, 'not a list of videos'],
  ['an empty page', { status: 200, body: '{"total":250,"data":[]}' }, 'only a part'],
])('%s in the middle makes the listing incomplete, and what was listed counts', async (_, answer, sentence) => {
  const { end } = await listed(await peertubeWith(250, { 100: answer }))
  expect(end).toMatchObject({ end: 'incomplete', listed: 100 })
  expect(end.end === 'incomplete' && end.fault.message).toContain(sentence)
})

it('an entry that cannot be read does not harm the others', async () => {
  const data = [null, { video: null }, { uuid: 7 }, { video: videoAt(1) }, videoAt(2)]
  const site = await peertubeWith(5, { 0: { status: 200, body: JSON.stringify({ total: 5, data }) } })
  const { end, entries } = await listed(site)
  expect(end).toMatchObject({ end: 'complete', listed: 2 })
  expect(entries.map(({ title }) => title)).toEqual(['Video 1', 'Video 2'])
})

it('a listing rejects with the fault of the caller, and with the reason of its signal', async () => {
  const site = await peertubeWith(250)
  const fault = new Error('the database is away')
  await expect(listed(site, { onEntries: () => Promise.reject(fault) })).rejects.toBe(fault)
  const abort = new AbortController()
  const onEntries = async () => abort.abort(new Error('cancelled'))
  await expect(listed(site, { onEntries, signal: abort.signal })).rejects.toThrow('cancelled')
})

it('an address inside our network is not listed', async () => {
  const site = await peertubeWith(5)
  const lister = createPeertubeLister({ policy: addressPolicy([]) })
  const end = await lister({
    url: `${site.url}/api/v1/video-channels/x/videos`,
    signal: new AbortController().signal,
    onEntries: async () => {},
  })
  expect(end).toMatchObject({ end: 'incomplete', fault: { code: 'address_refused' } })
  expect(site.asked).toEqual([])
})

it('no more videos are stored than were requested, however many the server sends', async () => {
  const site = await siteWith((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ total: 900, data: Array.from({ length: 900 }, (_, n) => videoAt(n)) }))
  })
  const sizes: number[] = []
  const { end } = await listed(site, {
    newest: 40,
    async onEntries(entries) {
      sizes.push(entries.length)
    },
  })
  expect(end).toMatchObject({ end: 'complete', listed: 40 })
  expect(sizes).toEqual([40])
})

it('a server that sends its list one video at a time is listed for a limited time only', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const site = await siteWith((request, response) => {
    const start = Number(new URL(request.url ?? '/', 'http://x').searchParams.get('start'))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ total: 1e9, data: [videoAt(start)] }))
  })
  const onEntries = async () => void vi.advanceTimersByTime(400)
  const { end } = await listed(site, { onEntries }, { longest_ms: 1500 })
  expect(end).toMatchObject({ end: 'incomplete', fault: { code: 'feed_timeout' }, listed: 4 })
})
