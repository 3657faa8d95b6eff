import { describe, expect, it } from 'vitest'
import { identityOf } from '../../../src/feed/formats/identity.ts'
import { webUrlOf } from '../../../src/feed/markup/web-url.ts'

/** As an entry that says nothing but its address has it; undefined for what is no web address. */
function videoIdOf(given: string): string | undefined {
  const url = webUrlOf(given)
  return url && identityOf(url, { page: url }).video_id
}

describe('the identifier of a video', () => {
  it.each([
    'https://www.youtube.com/watch?v=short',
    'https://www.youtube.com/watch?v=../../../etc',
    'https://www.youtube.com.evil.example/watch?v=a-b_c1D2e3F',
    'https://notyoutube.com/watch?v=a-b_c1D2e3F',
    'https://evil.example/vimeo.com/76979871',
    'https://b23.tv/aBcDeFg',
    'https://www.bilibili.com/video/av99999999999999999999',
    'https://space.bilibili.com/1',
    // No identifier of PeerTube's: more than 128 bits.
    'https://tube.example/w/ZZZZZZZZZZZZZZZZZZZZZZ',
    'https://host.example/.hidden',
    'https://host.example/..%2f..%2fetc',
    'https://host.example/',
    'https://host.example',
    'https://host.example/видео.mp4',
    `https://host.example/${'x'.repeat(1500)}`,
    'https://[::1]:9000/a',
  ])('of %s is made from it, and fit to name a file', url => {
    const made = videoIdOf(url) ?? ''
    expect(made).toMatch(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/)
    expect(made).toMatch(/\.[0-9a-f]{16}$/)
    expect(made).not.toContain('..')
  })

  it('a video identifier stays the same when tracking parameters, signatures or the scheme change', () => {
    const made = [
      'https://cdn.example/show/Episode%201.mp4?id=7',
      'http://www.cdn.example/show/Episode%201.mp4?id=7&utm_source=rss#t=1',
      'https://m.cdn.example/show/Episode%201.mp4/?si=x&id=7&mc_cid=1',
      'https://cdn.example/show/Episode%201.mp4?token=abc&id=7&Expires=99',
    ].map(videoIdOf)
    expect(new Set(made).size).toBe(1)
    expect(made[0]).toMatch(/^Episode-1\./)
  })

  it('a video identifier is the same for a host with and without www.', () => {
    expect(videoIdOf('https://www.live.example/?utm_source=x')).toBe(videoIdOf('http://live.example'))
  })

  it('addresses that differ in host, path, case or query get different video identifiers', () => {
    const urls = [
      'https://a.example/v?id=1',
      'https://a.example/v?id=2',
      'https://b.example/v?id=1',
      'https://a.example/V?id=1',
      'https://a.example/#/v/1',
      'https://a.example/#!/v/2',
    ]
    expect(new Set(urls.map(videoIdOf)).size).toBe(urls.length)
  })

  it.each([
    ...['javascript:alert(1)', 'file:///etc/passwd', 'not an address', '', 'https://u:p@h.example/'],
    ...['https://host.example/%00', 'https://host.example/a%0D%0Ab'],
    // Node says of it that it can be parsed, and can't.
    `https://${'A!'.repeat(9000)}/`,
  ])('of "%.40s" is none', url => expect(videoIdOf(url)).toBeUndefined())
})
