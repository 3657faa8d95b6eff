import { describe, expect, it } from 'vitest'
import { hubFor, pushSettings } from '../../../src/domain/push/hubs.ts'
import type { Feed } from '../../../src/schema/sources/feed.ts'

const topic = 'https://h.example/self'
const settingsAt = (PUBLIC_URL: string | undefined, ALLOWED_ADDRESSES: string[] = [], REFRESH_INTERVAL_MINUTES = 30) =>
  pushSettings({ PUBLIC_URL, ALLOWED_ADDRESSES, REFRESH_INTERVAL_MINUTES })
const usedAt = (public_url: string, hub: string, allowed: string[] = []) =>
  settingsAt(public_url, allowed)?.usable({ hub, topic })?.hub

describe('whether a hub is used', () => {
  it('push is off without PUBLIC_URL, and while feeds are not checked by the clock', () => {
    expect(settingsAt(undefined)).toBeUndefined()
    expect(settingsAt('https://tv.example.org', [], 0)).toBeUndefined()
    expect(settingsAt('https://tv.example.org')?.callbacks).toBe('https://tv.example.org/push/')
  })

  it.each(['https://tv.example.org', 'https://tv.example.org:8443/', 'https://93.184.215.14'])(
    'a hub on the internet can call %s',
    public_url => {
      expect(usedAt(public_url, 'https://hub.example.org/')).toBe('https://hub.example.org/')
    },
  )

  it.each([
    'http://tv.example.org',
    'https://localhost:8000',
    'https://127.0.0.1',
    'https://[::1]',
    'https://192.168.1.5',
    'https://169.254.169.254',
    'https://tv.local',
    'https://tv.lan',
    'https://tv.home.arpa',
    'https://tv.localhost',
    'https://nas',
  ])('a hub on the internet cannot call %s, so it is not used', public_url => {
    expect(usedAt(public_url, 'https://hub.example.org/')).toBeUndefined()
  })

  it('a hub in ALLOWED_ADDRESSES may call any PUBLIC_URL, and needs no https', () => {
    expect(usedAt('http://localhost:8000', 'http://10.0.0.7:4000/', ['10.0.0.0/8'])).toBe('http://10.0.0.7:4000/')
    expect(usedAt('http://localhost:8000', 'http://hub.lan/', ['hub.lan:80'])).toBe('http://hub.lan/')
    expect(usedAt('http://localhost:8000', 'http://11.0.0.7:4000/', ['10.0.0.0/8'])).toBeUndefined()
  })

  it('the secret crosses the internet by https only', () => {
    expect(usedAt('https://tv.example.org', 'http://hub.example.org/x?y')).toBe('https://hub.example.org/x?y')
    expect(usedAt('https://tv.example.org', 'http://hub.example.org:8080/')).toBeUndefined()
    const longest = `http://hub.example.org/${'x'.repeat(2048 - 'http://hub.example.org/'.length)}`
    expect(usedAt('https://tv.example.org', longest)).toBeUndefined()
  })
})

describe('the hub of a feed', () => {
  const settings = settingsAt('https://tv.example.org')
  const feed = (hub?: string): Feed => ({
    ...{ channel_id: 'c', title: 'c', entries: [], skipped: 0 },
    ...(hub && { hub: { hub, topic } }),
  })
  const hubOf = (rss_url: string, read: Feed | undefined) => settings && hubFor(settings, rss_url, read)
  const rest = 'abcdefghijklmnopqrstuv'
  const youtube = {
    hub: 'https://pubsubhubbub.appspot.com/subscribe',
    topic: `https://www.youtube.com/feeds/videos.xml?channel_id=UC${rest}`,
  }

  it('YouTube’s is known, even when the feed has not changed, and whatever the feed names', () => {
    const shorts = `https://www.youtube.com/feeds/videos.xml?playlist_id=UUSH${rest}`
    expect(hubOf(youtube.topic, undefined)).toEqual(youtube)
    expect(hubOf(shorts, feed('https://evil.example.org/'))).toEqual(youtube)
  })

  it('the one that the feed names is used, none if it names none, and an unread feed changes nothing', () => {
    expect(hubOf('https://h.example/feed', feed('https://hub.example.org/'))).toEqual({
      hub: 'https://hub.example.org/',
      topic,
    })
    expect(hubOf('https://h.example/feed', feed())).toBeNull()
    expect(hubOf('https://h.example/feed', feed('http://hub.example.org:81/'))).toBeNull()
    expect(hubOf('https://h.example/feed', undefined)).toBeUndefined()
  })
})
