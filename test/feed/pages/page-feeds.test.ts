import { describe, expect, it } from 'vitest'
import { feedsOnPage } from '../../../src/feed/pages/page-feeds.ts'
import { cpuMsOf } from '../../support/app/quick.ts'

const channel = 'UCabcdefghijklmnopqrst-_'
const other = `UC${'x'.repeat(22)}`
const first = `https://www.youtube.com/feeds/videos.xml?channel_id=${channel}`
const link = (href: string, more = '') => `<link rel="alternate" type="application/rss+xml" href="${href}" ${more}>`

describe('a page with several feeds', () => {
  it('a page with several feeds offers each once, with its title, those of comments last', () => {
    const page = [
      link('/comments/feed', 'title="Comments"'),
      link('/feed', 'title="All &amp; everything"'),
      link('/films.atom'),
      link('/feed'),
    ]
    expect(feedsOnPage(page.join(''), 'https://host.example/blog')).toEqual([
      { rss_url: 'https://host.example/feed', kind: 'feed', title: 'All & everything' },
      { rss_url: 'https://host.example/films.atom', kind: 'feed' },
      { rss_url: 'https://host.example/comments/feed', kind: 'feed', title: 'Comments' },
    ])
  })

  it('oEmbed data and WordPress’s API are not feeds', () => {
    const page = `
      <link rel="alternate" type="application/json+oembed" href="/oembed?format=json">
      <link rel="alternate" type="text/xml+oembed" href="/oembed?format=xml">
      <link rel="alternate" type="application/json" title="JSON" href="/wp-json/wp/v2/pages/2">
      <link rel="alternate" type="application/rss+xml; charset=utf-8" href="/feed">`
    expect(feedsOnPage(page, 'https://host.example/').map(({ rss_url }) => rss_url)).toEqual([
      'https://host.example/feed',
    ])
  })

  it('a page with hundreds of feeds does not offer all of them', () => {
    const page = Array.from({ length: 500 }, (_, n) => link(`/feed/${n}`)).join('')
    expect(feedsOnPage(page, 'https://host.example/').length).toBeLessThan(20)
  })
})

describe('a page that only links its feed', () => {
  const guessed = (html: string) =>
    feedsOnPage(html, 'https://host.example/blog/').map(({ rss_url, is_guess }) => {
      expect(is_guess).toBe(true)
      return rss_url.replace('https://host.example', '')
    })

  it.each([
    ['<a href="/a">RSS</a>', '/a'],
    ['<a href=/a title="Our RSS feed"><svg></svg></a>', '/a'],
    ['<a href="/a"><b>Podcast</b> feed</a>', '/a'],
    [`<a href="/a">\n${' '.repeat(80)}<span>\n${' '.repeat(90)}RSS</span>\n</a>`, '/a'],
    ['<a href="/a" aria-label="Atom">…</a>', '/a'],
    ['<a href="/a"><img src="i.png" alt="RSS"></a>', '/a'],
    ['<a rel="alternate" type="application/rss+xml" href="/a">All</a>', '/a'],
    ['<a rel="feed" href="/a">All</a>', '/a'],
    ['<a href="../feed.xml"><i class="icon"></i></a>', '/feed.xml'],
    ['<a href="/?feed=rss2">Subscribe</a>', '/?feed=rss2'],
    ['<a href="rss/">Subscribe</a>', '/blog/rss/'],
    ['<base href="/x/"><a href="posts.xml#top">Subscribe</a>', '/x/posts.xml'],
    ['<link rel="feed" href="/a">', '/a'],
    ['<link type="application/atom+xml" href="/a">', '/a'],
    ['<link rel="alternate" type="application/xml" title="RSS" href="/a">', '/a'],
    ['<meta http-equiv="refresh" content="0; URL=\'/a\'">', '/a'],
    ['<META HTTP-EQUIV=Refresh CONTENT="3;url=a">', '/blog/a'],
  ])('a page may lead to its feed by %s', (html, path) => expect(guessed(html)).toEqual([path]))

  it.each([
    '<a href="/feed/comments">RSS</a>',
    '<a href="/a/feed/">Kommentar-Feed</a>',
    '<a href="/feedback">Feedback</a>',
    '<a href="/how-to-feed-a-cat">How to feed a cat</a>',
    '<a href="/sitemap.xml">Sitemap</a>',
    '<a href="javascript:rss()">RSS</a>',
    '<a>RSS</a>',
    '<!-- <a href="/a">RSS</a> -->',
    `<a href="/a">${'Anything about everything. '.repeat(4)}RSS</a>`,
    '<a href="/a">Home</a> RSS',
    '<link rel="stylesheet" href="/css/feed.css">',
    '<link rel="alternate" hreflang="de" href="/de/feed">',
    '<link rel="alternate" type="application/rss+xml" href="/wp-json/feed">',
    '<meta http-equiv="refresh" content="600; url=/blog/?again">',
    '<meta http-equiv="refresh" content="5">',
    '<meta http-equiv="refresh" content="0; url=file:///etc/passwd">',
  ])('a page does not lead to a feed by %s', html => expect(guessed(html)).toEqual([]))

  it('a site whose name has the word comment has a feed', () => {
    const [feed] = feedsOnPage('<a href="/feed">RSS</a>', 'https://commentary.example/')
    expect(feed?.rss_url).toBe('https://commentary.example/feed')
  })

  it('a page offers at most three such links, those that look most like its own feed first, after each declared feed', () => {
    const links = ['https://other.example/rss', '/what-is', 'https://help.example/', '/feed', '/feed', '/about']
    const page = links.map(href => `<a href="${href}">RSS</a>`).join('') + link('/declared')
    expect(feedsOnPage(page, 'https://www.host.example/')).toEqual([
      { rss_url: 'https://www.host.example/declared', kind: 'feed' },
      { rss_url: 'https://www.host.example/feed', kind: 'feed', is_guess: true },
      { rss_url: 'https://other.example/rss', kind: 'feed', is_guess: true },
      { rss_url: 'https://www.host.example/what-is', kind: 'feed', is_guess: true },
    ])
  })

  it('a page of a known platform leads only to the feeds of the platform', () => {
    const rss = '<a href="/feed.xml">RSS</a>'
    const says = '<meta property="og:platform" content="PeerTube">'
    expect(feedsOnPage(rss, 'https://www.youtube.com/@who')).toEqual([])
    expect(feedsOnPage(says + rss, 'https://tube.example/w/kkGMgK9ZtnKfYAgnEtQxbv')).toEqual([])
  })
})

describe('a page without end', () => {
  it.each([
    '<a>',
    '<a href=/rss>RSS',
    `<a href=/${'rss'.repeat(600)}>`,
    '<',
    '<link>',
    `<link ${'a="b" '.repeat(600)}>`,
    '<link rel="canonical" href="https://h.example/">',
  ])('of %j takes no longer for being longer', piece => {
    /** The fastest of three tries: the first also pays for the memory of the page. */
    const time = (bytes: number) => {
      const page = `<html>${piece.repeat(bytes / piece.length)}`
      return Math.min(...[1, 2, 3].map(() => cpuMsOf(() => feedsOnPage(page, 'https://host.example/'))))
    }
    // Whatever grows with the square of the length takes 64 times as long.
    expect(time(8_000_000)).toBeLessThan(24 * (time(1_000_000) + 10))
  })
})

describe("a page of YouTube's", () => {
  const seen = (html: string, path = '/@who') => feedsOnPage(html, `https://www.youtube.com${path}`)

  it.each([
    ['the feed it names', link(`https://www.youtube.com/feeds/videos.xml?channel_id=${channel}`)],
    ['its canonical address', `<link rel="canonical" href="https://www.youtube.com/channel/${channel}">`],
    ['its identifier', `<meta itemprop="identifier" content="${channel}">`],
    ['its channelId', `<meta itemprop="channelId" content="${channel}">`],
    ['its scripts, of a channel', `<script>{"channelId":"${other}"},{"externalId":"${channel}"}</script>`],
    [
      'its scripts, of a video',
      `<script>{"channelId":"${other}"},"videoDetails":{"videoId":"a","keywords":["b"],"channelId":"${channel}"}</script>`,
    ],
    ['the only channel in its scripts', `<script>{"channelId":"${channel}"},{"channelId":"${channel}"}</script>`],
  ])('tells whose it is by %s', (_, html) => {
    const found = seen(`<html><head>${html}</head></html>`)
    expect(found[0]).toEqual({ rss_url: first, kind: 'channel' })
    expect(found).toHaveLength(4)
  })

  it('a YouTube page is not read as a channel that it only recommends', () => {
    expect(seen(`<script>{"channelId":"${other}"},{"channelId":"${channel}"}</script>`, '/')).toEqual([])
    expect(seen(`<link rel="canonical" href="https://www.youtube.com/watch?v=a-b_c1D2e3F">`)).toEqual([])
  })
})

describe("a page of PeerTube's", () => {
  const says = '<meta property="og:platform" content="PeerTube">'
  const whole_place = link('https://tube.example/feeds/videos.xml', 'title="Tube - Videos feed"')

  it('a PeerTube page leads to its channel first, then to the whole server and to podcast players', () => {
    const podcast = link('https://tube.example/feeds/podcast/videos.xml?videoChannelId=4')
    const found = feedsOnPage(says + podcast + whole_place, 'https://tube.example/c/cooking')
    expect(found.map(({ rss_url }) => rss_url)).toEqual([
      'https://tube.example/feeds/videos.xml?videoChannelName=cooking',
      'https://tube.example/feeds/videos.xml',
      'https://tube.example/feeds/podcast/videos.xml?videoChannelId=4',
    ])
  })

  it('a PeerTube video leads nowhere if its page names only the feed of the whole server', () => {
    expect(feedsOnPage(says + whole_place, 'https://tube.example/w/kkGMgK9ZtnKfYAgnEtQxbv')).toEqual([])
    expect(feedsOnPage(says + whole_place, 'https://tube.example/')).toHaveLength(1)
  })
})
