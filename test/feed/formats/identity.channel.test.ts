import { describe, expect, it } from 'vitest'
import { channelIdOf } from '../../../src/feed/formats/identity.ts'
import { knownFeedsOf } from '../../../src/feed/platforms/by-address.ts'
import type { ChannelClues } from '../../../src/feed/platforms/youtube-channel.ts'

const tail = 'abcdefghijklmnopqrstuv'
const youtube = 'https://www.youtube.com/feeds/videos.xml'
const clues = (given: Partial<ChannelClues> = {}): ChannelClues => ({ entry_channels: [], links: [], ...given })

describe('the identifier of a channel', () => {
  it.each([
    [`${youtube}?channel_id=UC${tail}`, `UC${tail}`],
    [`${youtube}?playlist_id=UU${tail}`, `UC${tail}`],
    [`${youtube}?playlist_id=UULF${tail}`, `UC${tail}`],
    [`${youtube}?playlist_id=UUSH${tail}`, `UC${tail}`],
    [`${youtube}?playlist_id=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf`, 'PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf'],
  ])('of %s is %s, whatever the feed says', (address, expected) => {
    expect(channelIdOf(address, clues({ channel: 'other', entry_channels: [`UC${'x'.repeat(22)}`] }))).toBe(expected)
  })

  it.each([
    ['its own word', { channel: `UC${tail}` }],
    ['its own word without UC', { channel: tail }],
    ['its own link', { channel: '', links: ['not a link', `https://www.youtube.com/channel/UC${tail}`] }],
    ['its link to itself', { links: [`http://www.youtube.com/feeds/videos.xml?channel_id=UC${tail}`] }],
    ['its entries', { entry_channels: [`UC${tail}`, `UC${tail}`] }],
  ])('comes from %s where the address says nothing', (_, given) => {
    expect(channelIdOf(`${youtube}?user=somebody`, clues(given))).toBe(`UC${tail}`)
  })

  it.each(['www.youtube-nocookie.com', 'youtu.be', 'www.youtubekids.com'])(
    'a feed on %s has the stored identifier of any other host, because YouTube has its feeds on youtube.com',
    host => {
      const address = `https://${host}/feeds/videos.xml?channel_id=UC${tail}`
      expect(channelIdOf(address, clues({ channel: tail }))).toMatch(/\.[0-9a-f]{16}$/)
      expect(knownFeedsOf(address)).toEqual([])
      const linking = clues({ links: [address] })
      expect(channelIdOf('https://mirror.example/feed', linking, true)).toMatch(/^mirror\.example\./)
    },
  )

  it('a playlist does not get the identifier of an entry’s channel', () => {
    const given = clues({ playlist: 'PL0123456789', entry_channels: [`UC${tail}`] })
    expect(channelIdOf(`${youtube}?user=x`, given)).toBe('PL0123456789')
  })

  it('a channel identifier is not guessed from entries of several channels, and must be valid', () => {
    const address = 'https://mix.example/feed'
    const given = clues({ channel: '../../etc', entry_channels: [`UC${tail}`, `UC${'x'.repeat(22)}`] })
    expect(channelIdOf(address, given)).toMatch(/^mix\.example\.[0-9a-f]{16}$/)
  })

  it('the channel identifier of any other feed is its host and a hash, the same for every spelling of its address', () => {
    const ids = [
      'https://host.example/feed?a=1&b=2',
      'http://www.host.example/feed/?b=2&a=1',
      'https://host.example/feed?a=1&b=2&utm_source=x#top',
    ].map(address => channelIdOf(address, clues()))
    expect(new Set(ids).size).toBe(1)
    expect(ids[0]).toMatch(/^host\.example\.[0-9a-f]{16}$/)
  })

  it('two feeds of one host get different channel identifiers, even if only a token differs', () => {
    const ids = ['/a', '/b', '/a?token=1', '/a?token=2'].map(path =>
      channelIdOf(`https://host.example${path}`, clues()),
    )
    expect(new Set(ids).size).toBe(4)
  })

  it('a channel identifier is fit for a path', () => {
    expect(channelIdOf('http://[::1]:8080/feed', clues())).toMatch(/^[A-Za-z0-9_-][A-Za-z0-9._-]+$/)
  })
})
