import { describe, expect, it } from 'vitest'
import { secondAddressOf } from '../../../src/feed/platforms/youtube-channel.ts'

describe('the second address of a YouTube channel', () => {
  const feed = 'https://www.youtube.com/feeds/videos.xml'
  const rest = 'abcdefghijklmnopqrstuv'
  it.each<[string, string | undefined]>([
    [`${feed}?channel_id=UC${rest}`, `${feed}?playlist_id=UU${rest}`],
    [`${feed}?playlist_id=UU${rest}`, `${feed}?channel_id=UC${rest}`],
    [`${feed}?playlist_id=UULF${rest}`, `${feed}?channel_id=UC${rest}`],
    [`https://www.youtube.com/xml/feeds/videos.xml?channel_id=UC${rest}`, `${feed}?playlist_id=UU${rest}`],
    [`${feed}?playlist_id=UUSH${rest}`, undefined],
    [`${feed}?playlist_id=PL${rest}`, undefined],
    [`${feed}?user=somebody`, undefined],
    [`https://www.youtube.com/channel/UC${rest}`, undefined],
    [`https://youtube.com.evil.example/feeds/videos.xml?channel_id=UC${rest}`, undefined],
  ])('of %s is %s', (address, second) => {
    expect(secondAddressOf(address)?.address).toBe(second)
  })
})
