/** What other apps export, by their own field names. */
import { describe, expect, it } from 'vitest'
import { parseList } from '../../../src/feed/lists/parse-list.ts'

const [a, b, c] = ['a', 'b', 'c'].map(letter => `UC${letter.repeat(22)}`)
const channel = (id: string | undefined) => `https://www.youtube.com/channel/${id}`
const feed = 'https://kitchen.example/feed'
const read = (given: unknown) => {
  const { lines, passed_over } = parseList(typeof given === 'string' ? given : JSON.stringify(given))
  return { lines: lines.map(({ address, title }) => [address, title]), passed_over }
}
const slow = { lines: [[feed, 'Slow kitchen']], passed_over: 0 }

describe('channels are read from', () => {
  it.each([
    ['Miniflux', [{ id: 42, user_id: 1, title: 'Slow kitchen', site_url: 'https://kitchen.example/', feed_url: feed }]],
    ['Feedbin', [{ id: 5, feed_id: 7, title: 'Slow kitchen', feed_url: feed, site_url: 'https://kitchen.example/' }]],
    [
      'FreshRSS',
      { subscriptions: [{ id: `feed/${feed}`, title: 'Slow kitchen', url: feed, htmlUrl: 'https://x.example/' }] },
    ],
    [
      'the Fever API',
      { api_version: 3, feeds: [{ id: 1, title: 'Slow kitchen', url: feed, site_url: 'https://x.example/' }] },
    ],
    ['Pinchflat', [{ id: 1, custom_name: 'Slow kitchen', collection_type: 'channel', original_url: feed }]],
  ])('%s', (_, given) => {
    expect(read(given)).toEqual(slow)
  })

  it('NewPipe, and a channel without an address or a name gives none', () => {
    const subscriptions = [
      { service_id: 0, url: channel(a), name: null },
      { service_id: 0, url: null, name: 'No address' },
      { service_id: 0, name: 'No address' },
    ]
    expect(read({ app_version: '0.27.0', app_version_int: 999, subscriptions })).toEqual({
      lines: [[channel(a), null]],
      passed_over: 2,
    })
  })

  it('Tube Archivist, those that are followed', () => {
    const channels = [
      { channel_id: a, channel_name: 'Slow kitchen', channel_subscribed: true },
      { channel_id: b, channel_name: 'Only one video of it', channel_subscribed: false },
    ]
    const expected = { lines: [[channel(a), 'Slow kitchen']], passed_over: 1 }
    expect(read({ data: channels, paginate: { page_size: 12 } })).toEqual(expected)
    const bulk = channels.flatMap(one => [{ index: { _index: 'ta_channel', _id: one.channel_id } }, one])
    expect(read(bulk.map(line => JSON.stringify(line)).join('\n'))).toEqual(expected)
  })

  it('the database of YoutubeDL-Material', () => {
    const subscriptions = [
      { name: 'Slow kitchen', url: channel(a), id: '3f', type: 'video', isPlaylist: false, videos: [] },
    ]
    const files = [
      { id: 'Rye', title: 'Rye', url: 'https://www.youtube.com/watch?v=aaaaaaaaaaa', path: 'video/Rye.mp4' },
    ]
    expect(read({ files, playlists: [], categories: [], subscriptions, downloads: {}, users: [] })).toEqual({
      lines: [[channel(a), 'Slow kitchen']],
      passed_over: 0,
    })
  })

  it('YT Zero, those that are followed', () => {
    const subscriptions = [
      { channel_id: a, followed: 1, playback_speed: null },
      { channel_id: b, followed: 0, playback_speed: null },
    ]
    expect(read(subscriptions.map(line => JSON.stringify(line)).join('\n'))).toEqual({
      lines: [[channel(a), null]],
      passed_over: 1,
    })
  })

  it('TubeSync', () => {
    const source = (source_type: string, key: string | undefined, name: string) => ({
      model: 'sync.source',
      pk: name,
      fields: { source_type, key, name },
    })
    const given = [
      source('i', a, 'By identifier'),
      source('c', 'slowkitchen', 'By name'),
      source('p', 'PLx1', 'A playlist'),
    ]
    expect(read([...given, { model: 'sync.media', fields: { key: 'abcdefghijk' } }])).toEqual({
      lines: [
        [channel(a), 'By identifier'],
        ['https://www.youtube.com/c/slowkitchen', 'By name'],
        ['https://www.youtube.com/playlist?list=PLx1', 'A playlist'],
      ],
      passed_over: 1,
    })
  })

  it('Overcast, without the episodes', () => {
    const opml = `<opml><body><outline text="playlists"><outline type="podcast-playlist" title="All"/></outline>
      <outline type="rss" text="Slow kitchen" xmlUrl="${feed}">
        <outline type="podcast-episode" title="One" url="https://kitchen.example/1" enclosureUrl="https://kitchen.example/1.mp3"/>
        <outline title="Two" url="https://kitchen.example/2" enclosureUrl="https://kitchen.example/2.mp3"/>
      </outline><outline type="include" text="More" url="https://kitchen.example/more.opml"/></body></opml>`
    expect(read(opml)).toEqual({ ...slow, passed_over: 3 })
  })
})

describe('a title that was escaped twice', () => {
  it.each([
    ['A &amp;amp; B', 'A & B'],
    ['Joe&amp;#39;s', "Joe's"],
    ['A &amp; B', 'A & B'],
    ['AT&T', 'AT&T'],
  ])('%s is shown as %s', (written, title) => {
    expect(read(`<opml><outline xmlUrl="${feed}" text="${written}"/></opml>`).lines).toEqual([[feed, title]])
  })
})

it('videos, playlists and rules are not read as channels', () => {
  const items = [
    { video_id: 'abcdefghijk', channel_id: a },
    { youtube_id: 'abcdefghijk', channel_id: b },
    { type: 'filter', pattern: 'x', channel_id: c },
    { kind: 'youtube#playlistItem', id: 'UExhYmM', snippet: { channelId: a, resourceId: { videoId: 'abcdefghijk' } } },
    { header: 'YouTube', title: 'Watched something', titleUrl: 'https://www.youtube.com/watch?v=abcdefghijk' },
  ]
  expect(() => read(items)).toThrow(expect.objectContaining({ message: expect.stringContaining('No channel') }))
})

it.each([
  [[], [b]],
  [[a], [a, b]],
])('LibreTube: the lists subscriptions %o and localSubscriptions are read together', (first, ids) => {
  const given = { subscriptions: first.map(id => ({ url: channel(id) })), localSubscriptions: [{ channelId: b }] }
  expect(read(given).lines.map(([address]) => address)).toEqual(ids.map(channel))
})
