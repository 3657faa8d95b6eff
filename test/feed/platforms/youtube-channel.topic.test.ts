import { expect, it } from 'vitest'
import { youtubeTopicOf } from '../../../src/feed/platforms/youtube-channel.ts'

const feed = 'https://www.youtube.com/feeds/videos.xml'
const rest = 'abcdefghijklmnopqrstuv'
const topic = `${feed}?channel_id=UC${rest}`

it.each([
  `${feed}?channel_id=UC${rest}`,
  `https://youtube.com/feeds/videos.xml?channel_id=UC${rest}`,
  `https://www.youtube.com/xml/feeds/videos.xml?channel_id=UC${rest}`,
  ...['UU', 'UULF', 'UUSH', 'UULV'].map(prefix => `${feed}?playlist_id=${prefix}${rest}`),
])('%s is announced with its channel', address => {
  expect(youtubeTopicOf(address)).toBe(topic)
})

it.each([
  `${feed}?playlist_id=PL${rest}`,
  `${feed}?user=alice`,
  `${feed}?channel_id=hers`,
  feed,
  `https://www.youtube.com:8443/feeds/videos.xml?channel_id=UC${rest}`,
  `https://youtube.com.evil.example/feeds/videos.xml?channel_id=UC${rest}`,
  `https://www.youtube.com/channel/UC${rest}`,
  'not an address',
])('%s is announced by no hub', address => {
  expect(youtubeTopicOf(address)).toBeUndefined()
})
