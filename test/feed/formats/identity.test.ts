/** What tells videos and channels apart, by the feeds that make it hard. */
import { describe, expect, it } from 'vitest'
import { guidOf, withOwnGuids } from '../../../src/feed/formats/identity.ts'
import { parseFeed } from '../../../src/feed/formats/parse.ts'
import { entry } from '../../support/app/people.ts'
import { bytesOf, documentOf } from '../../support/media/feeds.ts'

const youtube = 'https://www.youtube.com/feeds/videos.xml'
const read = (name: string, url: string) => parseFeed(documentOf(bytesOf(name), { url }))

it('entries of JSON Feed at one address differ by their ids, which may be numbers', () => {
  const items = [1, 2].map(id => ({ id, url: 'https://h.example/live', title: `Live ${id}` }))
  const { entries } = parseFeed(documentOf(JSON.stringify({ title: 'T', items })))
  expect(entries.map(({ title, guid }) => [title, guid])).toEqual([
    ['Live 1', '1'],
    ['Live 2', '2'],
  ])
})

describe('a playlist of several channels', () => {
  const feed = read('youtube-playlist-of-several-channels.xml', `${youtube}?playlist_id=PL0123456789abcdef`)

  it('a playlist of several channels is followed as itself, not as a channel of its entries or its author', () => {
    expect(feed.channel_id).toBe('PL0123456789abcdef')
  })

  it('a playlist keeps its order, and every identifier as written', () => {
    expect(feed.entries.map(({ video_id }) => video_id)).toEqual(['-0123456789', 'AbCdEfGhIjK', 'abcdefghijk'])
  })

  it('a playlist has a Short once, even if it is listed as a video too, and skips private videos', () => {
    expect(feed.entries[1]).toMatchObject({ title: 'A short without a group', thumbnail_url: null })
    expect(feed.skipped).toBe(1)
  })

  it('an entry of a playlist gives the page, not the Flash file, and the date of publication, not of the last change', () => {
    expect(feed.entries[0]).toMatchObject({
      video_url: 'https://www.youtube.com/watch?v=-0123456789',
      published_at: new Date('2020-01-01T00:00:00Z'),
    })
  })

  it('an entry with a platform’s identifier needs no guid', () => {
    expect(feed.entries.every(({ guid }) => guid === undefined)).toBe(true)
  })
})

it.each(['channel_id=UC', 'playlist_id=UU', 'playlist_id=UULF', 'playlist_id=UUSH', 'playlist_id=UULV'])(
  'a channel is one by its feed ?%s…',
  query => {
    const feed = read('youtube-channel-id-without-uc.xml', `${youtube}?${query}abcdefghijklmnopqrstuv`)
    expect(feed.channel_id).toBe('UCabcdefghijklmnopqrstuv')
  },
)

it('no channel has the path of the page on which channels are added', () => {
  const feed = '<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015"><yt:channelId>new</yt:channelId></feed>'
  expect(parseFeed(documentOf(feed)).channel_id).toMatch(/^host\.example\./)
})

describe('what a feed on another host says about YouTube', () => {
  const yt = 'UCabcdefghijklmnopqrstuv'
  const saying = (entry: string, more = '') =>
    parseFeed(
      documentOf(`<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015">${more}
        <link href="https://www.youtube.com/channel/${yt}"/><yt:channelId>${yt}</yt:channelId>${entry}</feed>`),
    ).channel_id
  const film = '<entry><link href="https://www.youtube.com/watch?v=a-b_c1D2e3F"/></entry>'
  const episode = '<entry><link href="https://pod.example/1"/><yt:channelId>x</yt:channelId></entry>'

  it.each([
    ['a podcast that only links to its channel', saying(episode)],
    ['a podcast with a film in between', saying(film + episode)],
    ['a podcast without an episode', saying('')],
    ['a podcast that names a playlist', saying(episode, '<yt:playlistId>PL0123456789</yt:playlistId>')],
  ])('does not make it the channel: %s', (_, channel_id) => {
    expect(channel_id).toMatch(/^host\.example\.[0-9a-f]{16}$/)
  })

  it('counts if all of its videos are YouTube’s', () => {
    expect(saying(film)).toBe(yt)
  })
})

describe('the name that a feed gives an entry', () => {
  const guidIn = (item: string) =>
    parseFeed(documentOf(`<rss><channel>${item}</channel></rss>`)).entries.map(({ guid }) => guid)

  it.each([
    ['<item><link>https://h.example/1</link><guid isPermaLink="false"> a1 </guid></item>', 'a1'],
    [
      '<item><link>https://h.example/1</link><guid>http://www.h.example/?p=1&amp;utm_source=x</guid></item>',
      'h.example?p=1',
    ],
    ['<item><link>http://www.h.example/1</link><guid></guid></item>', 'h.example/1'],
    ['<item><link>https://h.example/1</link><enclosure url="/1.mp4" type="video/mp4"/></item>', 'h.example/1'],
    ['<item><enclosure url="https://h.example/1.mp4" type="video/mp4"/></item>', undefined],
    ['<item><link>https://vimeo.com/76979871</link><guid>tag:vimeo,clip1</guid></item>', undefined],
  ])('in %s is %s', (item, guid) => expect(guidIn(item)).toEqual([guid]))

  it('a guid contains no character that the database refuses', () => {
    expect(guidOf('urn:\u0000a\ud800')).toBe('urn:a')
  })

  it('a guid is at most 200 characters long', () => {
    const [one, two] = ['a', 'b'].map(end => guidOf(`${'x'.repeat(5000)}${end}`))
    expect(one).toMatch(/^[0-9a-f]{64}$/)
    expect(one).not.toBe(two)
  })

  it('a guid that several entries share is dropped', () => {
    const named = [entry('1', { guid: 'same' }), entry('2', { guid: 'own' }), entry('3', { guid: 'same' }), entry('4')]
    expect(withOwnGuids(named).map(({ guid }) => guid)).toEqual([undefined, 'own', undefined, undefined])
  })
})

describe('entries of one document at one address', () => {
  const idsIn = (items: string) =>
    parseFeed(documentOf(`<rss><channel>${items}</channel></rss>`)).entries.map(({ video_id }) => video_id)
  const item = (link: string, guid = '') =>
    `<item><title>T</title><link>${link}</link>${guid && `<guid isPermaLink="false">${guid}</guid>`}</item>`
  const page = 'https://h.example/page'

  it.each([
    ['two guids', item(page, '123_live') + item(page, '124_live'), 2],
    ['two guids that are two places', item(page, `${page}#a`) + item(page, `${page}#b`), 2],
    ['one guid', item(page, 'a') + item(page, 'a'), 1],
    ['no guid and two places', item(`${page}#a`) + item(`${page}#b`), 2],
    ['no guid, and words to highlight', item(`${page}#:~:text=a`) + item(`${page}#:~:text=b`), 1],
    ['no guid', item(page) + item(page), 1],
    [
      'two guids, and the platform’s own identifier',
      item('https://vimeo.com/76979871', 'a') + item('https://vimeo.com/76979871', 'b'),
      1,
    ],
    [
      'guids that say they are addresses, and no link',
      `<item><guid isPermaLink="true">${page}#a</guid></item><item><guid>${page}#b</guid></item>`,
      2,
    ],
  ])('with %s are so many', (_, items, count) => {
    const ids = idsIn(items)
    expect(new Set(ids).size).toBe(count)
    expect(idsIn(items)).toEqual(ids)
  })

  it('entries at one address have the same identifiers in any order, except an entry that is alone', () => {
    const [a, b, c] = ['a', 'b', 'c'].map(guid => item(page, guid)) as [string, string, string]
    expect(idsIn(a + b + c)).toEqual(idsIn(c + b + a).toReversed())
    expect(idsIn(a + b)).toEqual(idsIn(a + b + c).slice(0, 2))
    expect(idsIn(a)).toEqual(idsIn(item(page)))
  })
})
