import { describe, expect, it } from 'vitest'
import { peertubeFeedsOf, peertubeListingOf, peertubeVideoOf } from '../../../src/feed/platforms/peertube.ts'

const uuid = '9c9de5e8-0a1e-484a-b099-e80766180a6d'

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
  ['/feeds/videos.xml?videoChannelName=cooking', '/api/v1/video-channels/cooking/videos'],
  ['/feeds/videos.atom?accountName=who@other.example', '/api/v1/accounts/who@other.example/videos'],
  ['/video-channels/cooking', '/api/v1/video-channels/cooking/videos'],
  ['/c/cooking/videos', '/api/v1/video-channels/cooking/videos'],
  ['/a/who/video-channels', '/api/v1/accounts/who/videos'],
  ['/w/p/eQZzGZGwRGmEnYm1NKnbDn', '/api/v1/video-playlists/eQZzGZGwRGmEnYm1NKnbDn/videos'],
  ['/c/cooking', undefined],
  ['/feeds/videos.xml?channel_id=UCabcdefghijklmnopqrst-_', undefined],
  ['/feeds/videos.xml?videoChannelName=a/../b', undefined],
  ['/w/eQZzGZGwRGmEnYm1NKnbDn', undefined],
])('the list of %s is %s', (path, list) => {
  const origin = 'https://tube.example'
  expect(peertubeListingOf(origin + path)).toBe(list && origin + list)
})
