import { describe, expect, it } from 'vitest'
import { feedlessOf, knownFeedsOf, peertubeFeedsOf, peertubeVideoOf } from '../../../src/feed/platforms/known-feeds.ts'

const tail = 'abcdefghijklmnopqrst-_'
const channel = `UC${tail}`
const youtube = 'https://www.youtube.com/feeds/videos.xml'
const uuid = '9c9de5e8-0a1e-484a-b099-e80766180a6d'

describe('the feeds of a platform, by the address alone', () => {
  it.each([
    [`https://www.youtube.com/channel/${channel}`, `${youtube}?channel_id=${channel}`],
    [`https://m.youtube.com/channel/${channel}/featured?view=0`, `${youtube}?channel_id=${channel}`],
    ['https://www.youtube.com/user/Some.body/videos', `${youtube}?user=Some.body`],
    ['https://www.youtube.com/playlist?list=PL0123456789ab&si=x', `${youtube}?playlist_id=PL0123456789ab`],
    ['https://youtu.be/a-b_c1D2e3F?list=PL0123456789ab', `${youtube}?playlist_id=PL0123456789ab`],
    [`http://www.youtube.com/feeds/videos.xml?channel_id=${channel}`, `${youtube}?channel_id=${channel}`],
    [`https://youtube.com/xml/feeds/videos.xml?x=1&channel_id=${channel}#top`, `${youtube}?channel_id=${channel}`],
    ['https://m.youtube.com/feeds/videos.xml?playlist_id=PL0123456789ab', `${youtube}?playlist_id=PL0123456789ab`],
    [`http://www.youtube.com:8080/feeds/videos.xml?user=a`, `http://www.youtube.com:8080/feeds/videos.xml?user=a`],
    [`https://www.youtube.com/feeds/videos.xml?x=1`, `https://www.youtube.com/feeds/videos.xml?x=1`],
    [`https://gaming.youtube.com/channel/${channel}`, `${youtube}?channel_id=${channel}`],
    [`https://www.youtube.com/playlist?list=UULF${tail}`, `${youtube}?playlist_id=UULF${tail}`],
    [`${youtube}?user=somebody`, `${youtube}?user=somebody`],
    ['https://odysee.com/@Who-Ever:a', 'https://odysee.com/$/rss/@Who-Ever:a'],
    ['https://odysee.com/@Who-Ever:a/some-video:9?r=x', 'https://odysee.com/$/rss/@Who-Ever:a'],
    ['https://vimeo.com/someone', 'https://vimeo.com/someone/videos/rss'],
    ['https://vimeo.com/user1234/videos', 'https://vimeo.com/user1234/videos/rss'],
    ['https://vimeo.com/channels/staffpicks', 'https://vimeo.com/channels/staffpicks/videos/rss'],
    ['https://vimeo.com/groups/shorts/videos', 'https://vimeo.com/groups/shorts/videos/rss'],
    ['https://www.dailymotion.com/someone', 'https://www.dailymotion.com/rss/user/someone'],
    ['https://www.dailymotion.com/user/someone/1', undefined],
    ['https://www.dailymotion.com/playlist/x7vjjm', 'https://www.dailymotion.com/rss/playlist/x7vjjm'],
    ['https://www.bitchute.com/channel/AbC_12/', 'https://api.bitchute.com/feeds/rss/channel/AbC_12'],
    ['https://www.youtube.com/', undefined],
    ['https://www.youtube.com/@handle', undefined],
    ['https://www.youtube.com/c/Name', undefined],
    ['https://www.youtube.com/watch?v=a-b_c1D2e3F&list=RDa-b_c1D2e3F', undefined],
    [`https://www.youtube.com/channel/${channel}x`, undefined],
    [`https://www.youtube.com.evil.example/channel/${channel}`, undefined],
    [`https://notyoutube.com/channel/${channel}`, undefined],
    ['https://vimeo.com/76979871', undefined],
    ['https://vimeo.com/watch', undefined],
    ['https://vimeo.com/channels', undefined],
    ['https://www.dailymotion.com/video/x8abcd1', undefined],
    ['https://odysee.com/$/rss/@Who-Ever:a', undefined],
    ['https://odysee.com/', undefined],
  ])('of %s is %s', (url, feed) => expect(knownFeedsOf(url)[0]?.rss_url).toBe(feed))

  it('of a YouTube channel are all of it, its videos, its shorts and its live streams', () => {
    expect(knownFeedsOf(`https://www.youtube.com/channel/${channel}`)).toEqual([
      { rss_url: `${youtube}?channel_id=${channel}`, kind: 'channel' },
      { rss_url: `${youtube}?playlist_id=UULF${tail}`, kind: 'videos' },
      { rss_url: `${youtube}?playlist_id=UUSH${tail}`, kind: 'shorts' },
      { rss_url: `${youtube}?playlist_id=UULV${tail}`, kind: 'live' },
    ])
  })

  it.each(['channel_id=UC', 'playlist_id=UULF', 'playlist_id=UUSH', 'playlist_id=UU'])(
    'of ?%s… begin with itself, and have each kind once',
    query => {
      const given = `${youtube}?${query}${tail}`
      const found = knownFeedsOf(given)
      expect(found[0]?.rss_url).toBe(given)
      expect(found.map(({ kind }) => kind).sort()).toEqual(['channel', 'live', 'shorts', 'videos'])
    },
  )
})

it.each([
  ['UULF', ['videos', 'channel', 'shorts', 'live']],
  ['UU', ['channel', 'videos', 'shorts', 'live']],
])('a list %s… is a part of its channel, and the other parts come after it', (prefix, kinds) => {
  const found = knownFeedsOf(`https://www.youtube.com/playlist?list=${prefix}${tail}`)
  expect(found[0]?.rss_url).toBe(`${youtube}?playlist_id=${prefix}${tail}`)
  expect(found.map(({ kind }) => kind)).toEqual(kinds)
})

describe("PeerTube's, on a host of anybody's", () => {
  const host = 'https://tube.example'
  it.each([
    ['/video-channels/cooking/videos', 'videoChannelName=cooking'],
    ['/c/cooking@other.example/videos?s=1', 'videoChannelName=cooking@other.example'],
    ['/a/alice/video-channels', 'accountName=alice'],
    ['/accounts/alice', 'accountName=alice'],
  ])('at %s is asked for at once', (path, query) => {
    expect(peertubeFeedsOf(host + path)).toEqual([{ rss_url: `${host}/feeds/videos.xml?${query}`, kind: 'channel' }])
  })

  it.each(['/c/cooking', '/a/alice/'])('at %s is believed only where the page says PeerTube', path => {
    expect(peertubeFeedsOf(host + path)).toEqual([])
    expect(peertubeFeedsOf(host + path, true)).toHaveLength(1)
  })

  it.each(['/', '/about/instance', '/c/a b/videos', '/c/%2e%2e/videos', '/c/x?y/videos'])('at %s is none', path => {
    expect(peertubeFeedsOf(host + path)).toEqual([])
  })

  it.each([
    [`/videos/watch/${uuid}`, `${host}/api/v1/videos/${uuid}`],
    ['/w/kkGMgK9ZtnKfYAgnEtQxbv?start=1s', `${host}/api/v1/videos/kkGMgK9ZtnKfYAgnEtQxbv`],
    ['/w/p/kkGMgK9ZtnKfYAgnEtQxbv', undefined],
    ['/watch?v=a-b_c1D2e3F', undefined],
  ])('of the video at %s is told at %s', (path, place) => expect(peertubeVideoOf(host + path)).toBe(place))
})

it.each([
  ['https://rumble.com/c/somebody', true],
  ['https://m.twitch.tv/somebody', true],
  ['https://x.com/somebody', true],
  ['https://netflix.com/', false],
  ['https://fox.com/', false],
])('knows of %s that it has no feeds: %s', (url, expected) => expect(feedlessOf(url) !== undefined).toBe(expected))
