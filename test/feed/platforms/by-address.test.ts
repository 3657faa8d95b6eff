import { describe, expect, it } from 'vitest'
import { feedlessOf, knownFeedsOf, listingsOf, platformVideoIdOf } from '../../../src/feed/platforms/by-address.ts'

const tail = 'abcdefghijklmnopqrst-_'
const channel = `UC${tail}`
const youtube = 'https://www.youtube.com/feeds/videos.xml'
const id = 'a-b_c1D2e3F'
const claim = '0123456789abcdef0123456789abcdef01234567'
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
    [`https://www.youtube.com/embed/live_stream?channel=${channel}`, `${youtube}?channel_id=${channel}`],
    ['https://www.youtube.com/embed/videoseries?list=PL0123456789ab', `${youtube}?playlist_id=PL0123456789ab`],
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

  it('the feeds of a YouTube channel are everything, its videos, its Shorts and its live streams', () => {
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

it.each([
  ['https://rumble.com/c/somebody', true],
  ['https://m.twitch.tv/somebody', true],
  ['https://x.com/somebody', true],
  ['https://netflix.com/', false],
  ['https://fox.com/', false],
])('knows of %s that it has no feeds: %s', (url, expected) => expect(feedlessOf(url) !== undefined).toBe(expected))

describe('the identifier of a video on a platform', () => {
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
    ['https://vimeo.com/groups/shorts/videos/76979871', 'vimeo.76979871'],
    ['https://vimeo.com/manage/videos/76979871', 'vimeo.76979871'],
    ['https://vimeo.com/someone/review/76979871/0a1b2c3d4e', 'vimeo.76979871'],
    ['https://vimeo.com/ondemand/film/76979871', 'vimeo.76979871'],
    ['https://rumble.com/vbxyzd-some-title.html', 'rumble.vbxyzd'],
    ['https://rumble.com/embed/vbxyzd/?pub=4', 'rumble.vbxyzd'],
    ['https://rumble.com/v2jhcte', 'rumble.v2jhcte'],
    [`https://odysee.com/what:${claim}`, `odysee.${claim}`],
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
  ])('of %s is %s', (url, expected) => expect(platformVideoIdOf(url)).toBe(expected))

  it.each([
    'https://rumble.com/vlog2024',
    'https://rumble.com/v2024/',
    'https://rumble.com/videos1999-the-best',
    'https://vimeo.com/2024/festival',
    'https://vimeo.com/videos/2024/shorts',
    'https://vimeo.com/channels/staffpicks/2019/winners',
  ])('is not known of %s, which is a list or a page of a year', url => {
    expect(platformVideoIdOf(url)).toBeUndefined()
  })

  it.each([
    ['https://rumble.com/vlog2024-the-best.html', 'rumble.vlog2024'],
    ['https://rumble.com/vdmum1', 'rumble.vdmum1'],
    ['https://vimeo.com/2024', 'vimeo.2024'],
    ['https://vimeo.com/2024/', 'vimeo.2024'],
    ['https://vimeo.com/20240/0a1b2c3d4e', 'vimeo.20240'],
  ])('of %s is %s, a number like a year', (url, expected) => expect(platformVideoIdOf(url)).toBe(expected))

  it.each([
    'https://www.youtube.com:8444/watch?v=-0123456789',
    'https://www.youtube.com/watch/-0123456789/x%20has%20been%20removed',
    'https://youtu.be/-0123456789/more',
  ])('is not known of %s, which yt-dlp reads as another page', url => {
    expect(platformVideoIdOf(url)).toBeUndefined()
  })
})

describe('the pages that list all videos', () => {
  const tabs = ['videos', 'shorts', 'streams'].map(tab => `https://www.youtube.com/channel/${channel}/${tab}`)
  it.each([
    [`${youtube}?channel_id=${channel}`, tabs],
    [`${youtube}?playlist_id=UU${tail}`, tabs],
    [`${youtube}?playlist_id=UULF${tail}`, tabs.slice(0, 1)],
    [`${youtube}?playlist_id=UUSH${tail}`, tabs.slice(1, 2)],
    [`${youtube}?playlist_id=UULV${tail}`, tabs.slice(2)],
    [`${youtube}?playlist_id=PL0123456789ab`, ['https://www.youtube.com/playlist?list=PL0123456789ab']],
    [
      `${youtube}?user=Some.body`,
      ['videos', 'shorts', 'streams'].map(tab => `https://www.youtube.com/user/Some.body/${tab}`),
    ],
    [`https://www.youtube.com/channel/${channel}/about`, tabs],
    [
      'https://www.youtube.com/@handle/featured',
      ['videos', 'shorts', 'streams'].map(tab => `https://www.youtube.com/@handle/${tab}`),
    ],
    ['https://vimeo.com/someone/videos/rss', ['https://vimeo.com/someone']],
    ['https://vimeo.com/channels/staffpicks/videos/rss', ['https://vimeo.com/channels/staffpicks']],
    ['https://vimeo.com/groups/shorts', ['https://vimeo.com/groups/shorts']],
    ['https://www.dailymotion.com/rss/user/someone', ['https://www.dailymotion.com/someone']],
    ['https://www.dailymotion.com/rss/playlist/x7vjjm', ['https://www.dailymotion.com/playlist/x7vjjm']],
    ['https://odysee.com/$/rss/@Who-Ever:a', ['https://odysee.com/@Who-Ever:a']],
    ['https://odysee.com/@Who-Ever:a', ['https://odysee.com/@Who-Ever:a']],
    ['https://api.bitchute.com/feeds/rss/channel/AbC_12', ['https://www.bitchute.com/channel/AbC_12/']],
    ['https://rumble.com/c/SomeOne/videos', ['https://rumble.com/c/SomeOne']],
    ['https://www.twitch.tv/someone', ['https://www.twitch.tv/someone/videos']],
    ['https://kick.com/someone', ['https://kick.com/someone/videos']],
    ['https://space.bilibili.com/123?spm=x', ['https://space.bilibili.com/123/video']],
    ['https://www.nicovideo.jp/user/123/video?rss=2.0', ['https://www.nicovideo.jp/user/123/video']],
    ['https://www.nicovideo.jp/mylist/456?rss=2.0', ['https://www.nicovideo.jp/mylist/456']],
    ['https://www.youtube.com/watch?v=a-b_c1D2e3F', []],
    ['https://www.twitch.tv/videos/123456789', []],
    ['https://www.twitch.tv/directory', []],
    ['https://vimeo.com/76979871', []],
    ['https://www.bilibili.com/video/BV1xx411c7mD', []],
    ['https://podcast.example/feed.xml', []],
    ['not an address', []],
    [`${youtube}?x=1`, []],
  ])('of %s are %j', (url, pages) => expect(listingsOf(url)).toEqual(pages))
})

it.each([
  'https://www.youtube.com/embed/videoseries?list=PL0123456789ab',
  `https://www.youtube.com/embed/live_stream?channel=${channel}`,
  'https://www.youtube-nocookie.com/embed/videoseries',
  'https://vimeo.com/showcase/1234567',
  'https://vimeo.com/album/1234567',
  'https://vimeo.com/event/1234567',
  'https://vimeo.com/event/1234567/embed',
  'https://vimeo.com/user/12345/folder/6789012',
  'https://vimeo.com/channels/123456',
  'https://vimeo.com/groups/123456/videos',
  'https://vimeo.com/categories/12345',
  'https://vimeo.com/blog/post/12345',
  'https://vimeo.com/manage/folders/12345',
  'https://rumble.com/videos',
  'https://rumble.com/video',
  'https://rumble.com/videos?sort=views',
  'https://rumble.com/vertical-thing',
  'https://rumble.com/viral/today',
  'https://youtu.be/live_stream',
  'https://youtu.be/videoseries?list=PL0123456789ab',
  'https://dai.ly/playlist/x7vjjm',
  'https://dai.ly/search',
  `https://odysee.com/@who:${claim}`,
  `https://odysee.com/$/rss/@who:${claim}`,
  'https://www.bilibili.com/read/mobile?aid=170001',
])('%s is no video', address => {
  expect(platformVideoIdOf(address)).toBeUndefined()
})

it('a video in a showcase of Vimeo is that video', () => {
  expect(platformVideoIdOf('https://vimeo.com/showcase/1234567/video/76979871')).toBe('vimeo.76979871')
})

it.each([
  'https://www.youtube.com/@อนุรักน์โชคชัยศรีวิเชียร',
  'https://www.youtube.com/@ЛюбительскийТеатрМосквы',
  'https://www.youtube.com/c/МодельЖелезнойДороги',
])('%s has the tabs of a channel', address => {
  expect(listingsOf(new URL(address).href)).toHaveLength(3)
})
