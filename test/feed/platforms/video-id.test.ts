import { describe, expect, it } from 'vitest'
import { videoIdOf } from '../../../src/feed/platforms/video-id.ts'

const id = 'a-b_c1D2e3F'
const claim = '0123456789abcdef0123456789abcdef01234567'
const uuid = '9c9de5e8-0a1e-484a-b099-e80766180a6d'

describe('the identifier of a video', () => {
  it.each([
    [`https://www.youtube.com/watch?v=${id}`, id],
    [`http://youtube.com/watch?list=PL1&v=${id}&t=5s#x`, id],
    [`https://m.youtube.com/watch?v=${id}`, id],
    [`https://music.youtube.com/watch?v=${id}&si=abc`, id],
    [`https://youtu.be/${id}?t=1`, id],
    [`https://www.youtube.com/shorts/${id}`, id],
    [`https://www.youtube.com/embed/${id}?rel=0`, id],
    [`https://www.youtube.com/live/${id}/`, id],
    [`https://www.youtube.com/v/${id}?version=3`, id],
    [`https://www.youtube-nocookie.com/embed/${id}`, id],
    ['https://www.youtube.com/watch?v=-0123456789', '-0123456789'],
    ['https://vimeo.com/76979871', 'vimeo.76979871'],
    ['https://vimeo.com/channels/staffpicks/76979871', 'vimeo.76979871'],
    ['https://vimeo.com/76979871/0a1b2c3d4e', 'vimeo.76979871'],
    ['https://player.vimeo.com/video/76979871?h=1', 'vimeo.76979871'],
    ['https://www.dailymotion.com/video/x8abcd1', 'dailymotion.x8abcd1'],
    ['https://dai.ly/x8abcd1', 'dailymotion.x8abcd1'],
    [`https://odysee.com/@who:a/what:${claim}`, `odysee.${claim}`],
    ['https://www.twitch.tv/videos/123456789', 'twitch.123456789'],
    ['https://rumble.com/v2jhcte-some-title.html', 'rumble.v2jhcte'],
    ['https://www.bitchute.com/video/AbCdEf012345/', 'bitchute.AbCdEf012345'],
    ['https://www.bilibili.com/video/BV17x411w7KC', 'bilibili.BV17x411w7KC'],
    [
      'https://www.bilibili.com/video/BV17x411w7KC/?spm_id_from=333.337.search-card.all.click&vd_source=a',
      'bilibili.BV17x411w7KC',
    ],
    ['https://m.bilibili.com/video/BV17x411w7KC?p=1', 'bilibili.BV17x411w7KC'],
    ['https://www.bilibili.com/video/BV17x411w7KC?p=3', 'bilibili.BV17x411w7KC_p3'],
    ['https://www.bilibili.com/video/av170001', 'bilibili.BV17x411w7KC'],
    ['https://player.bilibili.com/player.html?aid=170001&page=1', 'bilibili.BV17x411w7KC'],
    ['https://player.bilibili.com/player.html?bvid=BV17x411w7KC', 'bilibili.BV17x411w7KC'],
    ['https://b23.tv/BV17x411w7KC', 'bilibili.BV17x411w7KC'],
    ['https://www.bilibili.com/bangumi/play/ep21495', 'bilibili.ep21495'],
    [`https://tube.example/videos/watch/${uuid}`, `tube.example.${uuid}`],
    ['https://tube.example/w/kkGMgK9ZtnKfYAgnEtQxbv', `tube.example.${uuid}`],
    [`https://tube.example/videos/embed/${uuid}`, `tube.example.${uuid}`],
  ])('of %s is %s', (url, expected) => expect(videoIdOf(url)).toBe(expected))

  it.each([
    ['https://www.youtube.com/watch?v=short'],
    ['https://www.youtube.com/watch?v=../../../etc'],
    ['https://www.youtube.com.evil.example/watch?v=a-b_c1D2e3F'],
    ['https://notyoutube.com/watch?v=a-b_c1D2e3F'],
    ['https://evil.example/vimeo.com/76979871'],
    ['https://b23.tv/aBcDeFg'],
    ['https://www.bilibili.com/video/av99999999999999999999'],
    ['https://space.bilibili.com/1'],
    // No identifier of PeerTube's: more than 128 bits.
    ['https://tube.example/w/ZZZZZZZZZZZZZZZZZZZZZZ'],
    ['https://host.example/.hidden'],
    ['https://host.example/..%2f..%2fetc'],
    ['https://host.example/'],
    ['https://host.example'],
    ['https://host.example/видео.mp4'],
    [`https://host.example/${'x'.repeat(1500)}`],
    ['https://[::1]:9000/a'],
  ])('of %s is made from it, and fit to name a file', url => {
    const made = videoIdOf(url) ?? ''
    expect(made).toMatch(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/)
    expect(made).toMatch(/\.[0-9a-f]{16}$/)
    expect(made).not.toContain('..')
  })

  it('stays while tracking, signatures and the scheme change', () => {
    const made = [
      'https://cdn.example/show/Episode%201.mp4?id=7',
      'http://www.cdn.example/show/Episode%201.mp4?id=7&utm_source=rss#t=1',
      'https://m.cdn.example/show/Episode%201.mp4/?si=x&id=7&mc_cid=1',
      'https://cdn.example/show/Episode%201.mp4?token=abc&id=7&Expires=99',
    ].map(videoIdOf)
    expect(new Set(made).size).toBe(1)
    expect(made[0]).toMatch(/^Episode-1\./)
  })

  it('is the same for a page that is the whole of a host, with www. or without', () => {
    expect(videoIdOf('https://www.live.example/?utm_source=x')).toBe(videoIdOf('http://live.example'))
  })

  it('tells apart what differs in host, path, case or question', () => {
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
