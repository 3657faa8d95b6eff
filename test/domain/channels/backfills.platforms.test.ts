/** Backfills of real lists: a playlist of the small YouTube, read by the real yt-dlp, and a channel of PeerTube, read by its API. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { beginBackfill, getBackfill } from '../../../src/domain/channels/backfills.ts'
import { performBackfill } from '../../../src/domain/channels/perform-backfill.ts'
import { webListings } from '../../../src/domain/listings/listings.ts'
import { changeRule } from '../../../src/domain/rules/rules.ts'
import { saveFeed } from '../../../src/domain/saving/save-feed.ts'
import { createFeedReader } from '../../../src/feed/fetch/fetch-feed.ts'
import { type AddressPolicy, addressPolicy } from '../../../src/net/addresses.ts'
import { RuleRequest } from '../../../src/schema/rules/rule.ts'
import { useDatabase } from '../../support/app/database.ts'
import { type Person, person } from '../../support/app/people.ts'
import { siteWith } from '../../support/media/feed-site.ts'
import { openSmallYoutube, type SmallYoutube, smallChannel, smallVideo } from '../../support/media/small-youtube.ts'
import { toolsForTests } from '../../support/process/tools.ts'

const { sql } = useDatabase()
let youtube: SmallYoutube
const channel = smallChannel('mixed', { videos: 40, every_hours: 30 })
beforeAll(async () => {
  youtube = await openSmallYoutube(channel)
})
afterAll(() => youtube.close())

/** Follows the feed, or fetches it again. */
async function fetched({ library }: Person, rss_url: string, policy: AddressPolicy) {
  const feed = await createFeedReader({ policy })(rss_url)
  const { channel } = await saveFeed(library, { rss_url, feed })
  return channel.channel_id
}
async function load({ library }: Person, channel_id: string, policy: AddressPolicy) {
  const tools = youtube.tools(toolsForTests())
  const { listChannel } = webListings({ policy, findTools: async () => tools, pause_s: 0 })
  await beginBackfill(library, channel_id)
  await performBackfill({ library, listChannel, stopping: new AbortController().signal }, channel_id)
  return getBackfill(library, channel_id)
}
const history = async ({ library }: Person) => (await library.videos.list({ limit: 100 })).entries

it('a playlist whose feed lists fifteen is loaded whole, and what is appended is found, in any order, once', async () => {
  // The oldest first, so that the feed never lists what is appended.
  const ids = channel.videos.map(({ id }) => id).toReversed()
  const list_id = 'PLsmallmixedplaylist'
  const playlist = { list_id, title: 'Mixed', channel, video_ids: ids.slice(0, 20) }
  youtube.playlists.push(playlist)
  const rss_url = `https://www.youtube.com/feeds/videos.xml?playlist_id=${list_id}`
  const alice = await person(sql, 'alice')
  const channel_id = await fetched(alice, rss_url, youtube.policy())
  await changeRule(alice.library, channel_id, RuleRequest.parse({ auto_download: true }))

  expect(await load(alice, channel_id, youtube.policy())).toMatchObject({ state: 'done', found: 20, saved: 5 })
  const [newest, removed] = [smallVideo('added', 1), smallVideo('added', 2, { kind: 'removed' })]
  channel.videos.unshift(newest, removed)
  playlist.video_ids.push(ids[30] ?? '', removed.id, newest.id, ids[25] ?? '')
  await fetched(alice, rss_url, youtube.policy())
  expect(await load(alice, channel_id, youtube.policy())).toMatchObject({ state: 'done', found: 24, saved: 3 })

  const videos = await history(alice)
  const expected = [...ids.slice(0, 20), ids[30], newest.id, ids[25]]
  expect(videos).toHaveLength(23)
  expect(new Set(videos.map(({ video_id }) => video_id))).toEqual(new Set(expected))
  const sourceOf = (id: string | undefined) => videos.find(({ video_id }) => video_id === id)
  for (const id of ids.slice(0, 15))
    expect(sourceOf(id)).toMatchObject({ source: 'feed', published_precision: 'exact' })
  for (const id of [...ids.slice(15, 20), ids[25], ids[30]])
    expect(sourceOf(id)).toMatchObject({ source: 'listing', published_precision: 'approximate', queued: false })
  expect(videos.every(({ duration_seconds }) => duration_seconds !== null)).toBe(true)
}, 120_000)

it('a channel of PeerTube is loaded by its API, and its videos have the ids and the dates of its feed', async () => {
  const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
  const publishedAt = (n: number) => new Date(Date.UTC(2026, 0, 1) - n * 86_400_000).toISOString()
  const digits = '123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'
  const short = (n: number) => {
    let [number, text] = [BigInt(`0x${uuid(n).replaceAll('-', '')}`), '']
    for (; text.length < 22; number /= 58n) text = digits[Number(number % 58n)] + text
    return text
  }
  const site = await siteWith((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x')
    const [start, count] = [Number(searchParams.get('start')), Number(searchParams.get('count'))]
    const numbers = Array.from({ length: Math.max(0, Math.min(count, 130 - start)) }, (_, n) => start + n)
    if (pathname.startsWith('/api/')) {
      const data = numbers.map(n => ({
        uuid: uuid(n),
        shortUUID: short(n),
        name: `Video ${n}`,
        duration: 60 + n,
        publishedAt: publishedAt(n),
        isLive: false,
        state: { id: 1 },
        privacy: { id: 1 },
        previewPath: `/previews/${n}.jpg`,
      }))
      response.setHeader('content-type', 'application/json')
      return void response.end(JSON.stringify({ total: 130, data }))
    }
    const items = Array.from(
      { length: 20 },
      (_, n) => `<item><title>Video ${n}</title>
      <link>http://${request.headers.host}/w/${short(n)}</link><guid>${uuid(n)}</guid>
      <pubDate>${new Date(publishedAt(n)).toUTCString()}</pubDate></item>`,
    )
    response.setHeader('content-type', 'text/xml')
    response.end(`<rss version="2.0"><channel><title>Tube</title>${items.join('')}</channel></rss>`)
  })
  const policy = addressPolicy(['127.0.0.1'])
  const bob = await person(sql, 'bob')
  const channel_id = await fetched(bob, `${site.url}/feeds/videos.xml?videoChannelName=cooking`, policy)

  expect(await load(bob, channel_id, policy)).toMatchObject({ state: 'done', found: 130, saved: 110 })
  expect(site.asked.filter(path => path.startsWith('/api/'))).toHaveLength(2)
  const videos = (await bob.library.videos.list({ limit: 200 })).entries
  expect(videos.map(({ title }) => title)).toEqual(Array.from({ length: 130 }, (_, n) => `Video ${n}`))
  expect(videos.every(({ published_precision: precision }) => precision === 'exact')).toBe(true)
  expect(videos.map(({ duration_seconds }) => duration_seconds)).toEqual(videos.map((_, n) => 60 + n))
  // The feed comes again.
  await fetched(bob, `${site.url}/feeds/videos.xml?videoChannelName=cooking`, policy)
  expect((await bob.library.videos.list({ limit: 200 })).entries).toHaveLength(130)
})
