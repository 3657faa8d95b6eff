/** From what a person pastes to a feed, against a site on this machine: what is asked, in which order, and how often. */
import { describe, expect, it, vi } from 'vitest'
import { bestOf, createDiscover, import_budget } from '../../../src/domain/channels/discovery.ts'
import type { SearchBudget, Sources } from '../../../src/domain/channels/feed-search.ts'
import { webSources } from '../../../src/domain/channels/feed-search.ts'
import { SiteRefusal } from '../../../src/feed/fetch/answer.ts'
import { type Content, withSecondAddress } from '../../../src/feed/fetch/fetch-feed.ts'
import { parseFeed } from '../../../src/feed/formats/parse.ts'
import { youtubeFeedsOf } from '../../../src/feed/platforms/youtube.ts'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { type Site, siteWith } from '../../support/media/feed-site.ts'
import { bytesOf, documentOf } from '../../support/media/feeds.ts'

const policy = addressPolicy(['127.0.0.1'])
const feed = bytesOf('rss-same-video-twice.xml')
const page = (head: string) => `<html><head>${head}</head><body>A page</body></html>`
const names = (href: string) => page(`<link rel="alternate" type="application/rss+xml" href="${href}">`)

const feed_gone = 'The feed was not found (404). The channel may have been renamed or removed.'

type Answers = Record<string, string | Uint8Array | 404 | 'never'>
const serving = (answers: Answers): Promise<Site> =>
  siteWith((request, response) => {
    const answer = answers[request.url ?? ''] ?? 404
    if (answer === 404) response.writeHead(404).end()
    else if (answer !== 'never') response.end(answer)
  })

/** What the downloader would say, and what it was asked. */
function owner(answer: string[] | 'not_ready' = []) {
  const asked: string[] = []
  const findOwner: FindOwner = async url => {
    asked.push(url)
    return answer
  }
  return { asked, findOwner }
}

type FindOwner = NonNullable<Sources['findOwner']>

const searching = (findOwner: FindOwner = owner().findOwner, budget: Partial<SearchBudget> = {}) =>
  createDiscover({ ...webSources(policy), findOwner }, budget)

describe('a feed', () => {
  it('a feed is found at its own address with one request', async () => {
    const site = await serving({ '/feed': feed })
    const { found, tried, ...more } = await searching()(`${site.url}/feed`)
    expect(found).toEqual([
      { rss_url: `${site.url}/feed`, kind: 'feed', title: 'Twice', entries: expect.any(Number), newest_at: null },
    ])
    expect(tried).toEqual([])
    expect(more).toMatchObject({ best: { rss_url: `${site.url}/feed`, feed: { title: 'Twice' } } })
    expect(site.asked).toEqual(['/feed'])
  })

  it('a feed is found by the page that names it, and the others are offered unread', async () => {
    const site = await serving({ '/': names('/feed') + names('/second'), '/feed': feed })
    const { found } = await searching()(site.url)
    expect(found.map(({ rss_url, entries }) => [rss_url, entries === null])).toEqual([
      [`${site.url}/feed`, false],
      [`${site.url}/second`, true],
    ])
    expect(site.asked).toEqual(['/', '/feed'])
  })

  it('the next feed that a page names is found when the first is gone', async () => {
    const site = await serving({ '/': names('/gone') + names('/feed'), '/feed': feed })
    const { found, tried } = await searching()(site.url)
    expect(found[0]?.rss_url).toBe(`${site.url}/feed`)
    expect(tried).toEqual([feed_gone])
  })

  it('the newest date of a feed is found in any order of its entries', async () => {
    const item = (date: string, n: number) =>
      `<item><link>https://h.example/${n}</link><pubDate>${date}</pubDate></item>`
    const dates = ['2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z', '2026-02-01T00:00:00Z']
    const site = await serving({ '/': `<rss><channel><title>T</title>${dates.map(item).join('')}</channel></rss>` })
    const { found } = await searching()(site.url)
    expect(found[0]?.newest_at).toEqual(new Date('2026-03-01T00:00:00Z'))
  })
})

describe('PeerTube', () => {
  const id = 'kkGMgK9ZtnKfYAgnEtQxbv'

  it('a PeerTube channel is known by its path', async () => {
    const site = await serving({ '/feeds/videos.xml?videoChannelName=cooking': feed })
    const { found } = await searching()(`${site.url}/c/cooking/videos`)
    expect(found[0]?.kind).toBe('channel')
    expect(site.asked).toHaveLength(1)
  })

  it('a PeerTube path on another site costs one more request', async () => {
    const site = await serving({ '/c/cooking/videos': names('/feed'), '/feed': feed })
    const { found, tried } = await searching()(`${site.url}/c/cooking/videos`)
    expect(found[0]?.rss_url).toBe(`${site.url}/feed`)
    expect(tried).toHaveLength(1)
    expect(site.asked).toHaveLength(3)
  })

  it('a PeerTube video leads to its channel, even on another host', async () => {
    const home = await serving({ '/feeds/videos.xml?videoChannelName=cooking': feed })
    const channel = { url: `${home.url}/video-channels/cooking` }
    const site = await serving({ [`/api/v1/videos/${id}`]: JSON.stringify({ channel }) })
    const { found } = await searching()(`${site.url}/w/${id}`)
    expect(found[0]?.rss_url).toBe(`${home.url}/feeds/videos.xml?videoChannelName=cooking`)
    expect(site.asked).toEqual([`/api/v1/videos/${id}`])
  })
})

describe('YouTube', () => {
  const id = 'UCabcdefghijklmnopqrst-_'
  const feeds = 'https://www.youtube.com/feeds/videos.xml'
  const uploads = parseFeed(documentOf(bytesOf('youtube-uploads-called-videos.xml')))

  /** YouTube itself is not asked by tests: what it would say, by address. */
  function youtube(answers: Record<string, Content | number>) {
    const asked: string[] = []
    const fetchContent: Sources['fetchContent'] = (url, { mayFetch }) =>
      withSecondAddress(
        url,
        async address => {
          asked.push(address)
          const answer = answers[address] ?? 404
          if (typeof answer === 'number') throw new SiteRefusal(answer, undefined, 'videos.example')
          return answer
        },
        mayFetch,
      )
    return { asked, search: createDiscover({ fetchContent, findOwner: owner().findOwner }) }
  }

  it('a YouTube channel is offered whole and in parts, with one request', async () => {
    const { asked, search } = youtube({ [`${feeds}?channel_id=${id}`]: { feed: uploads } })
    const { found } = await search(id)
    expect(found.map(({ kind }) => kind)).toEqual(['channel', 'videos', 'shorts', 'live'])
    expect(asked).toHaveLength(1)
  })

  it('a YouTube handle costs one more request', async () => {
    const { asked, search } = youtube({
      'https://www.youtube.com/@who': { choices: youtubeFeedsOf(id) },
      [`${feeds}?channel_id=${id}`]: { feed: uploads },
    })
    expect((await search('@who')).found).toHaveLength(4)
    expect(asked).toHaveLength(2)
  })

  it('a YouTube channel that answers 404 is found by its second address, and followed by its first', async () => {
    const { asked, search } = youtube({ [`${feeds}?playlist_id=UU${id.slice(2)}`]: { feed: uploads } })
    const { found } = await search(`https://www.youtube.com/channel/${id}`)
    expect(found[0]).toMatchObject({ rss_url: `${feeds}?channel_id=${id}`, kind: 'channel' })
    expect(asked).toHaveLength(2)
  })

  it('a YouTube video in a playlist leads to the playlist, and to the channel of the video', async () => {
    const video = 'https://www.youtube.com/watch?v=a-b_c1D2e3F&list=PL0123456789ab'
    const { asked, search } = youtube({
      [`${feeds}?playlist_id=PL0123456789ab`]: { feed: uploads },
      [video]: { choices: youtubeFeedsOf(id) },
    })
    const { found, tried } = await search(video)
    expect(found.map(({ kind }) => kind)).toEqual(['playlist', 'channel', 'videos', 'shorts', 'live'])
    expect(asked).toEqual([`${feeds}?playlist_id=PL0123456789ab`, video])
    expect(tried).toEqual([])
  })

  it('a YouTube video in a playlist without a feed leads to its channel', async () => {
    const video = 'https://youtu.be/a-b_c1D2e3F?list=PL0123456789ab'
    const { asked, search } = youtube({
      [video]: { choices: youtubeFeedsOf(id) },
      [`${feeds}?channel_id=${id}`]: { feed: uploads },
    })
    expect((await search(video)).found.map(({ kind }) => kind)).toEqual(['channel', 'videos', 'shorts', 'live'])
    expect(asked).toHaveLength(3)
  })

  it('a YouTube channel that does not exist costs three requests', async () => {
    const { asked, search } = youtube({})
    const { found, tried } = await search(`https://www.youtube.com/channel/${id}`)
    expect(found).toEqual([])
    expect(asked).toHaveLength(3)
    expect(tried).toEqual([feed_gone, 'Not found (404). Check the link.'])
  })
})

describe('where no page names a feed', () => {
  it('yt-dlp is asked for the channel, and its answer is read by the same rules', async () => {
    const site = await serving({ '/video': page(''), '/feeds/videos.xml?accountName=alice': feed })
    const { asked, findOwner } = owner([`${site.url}/accounts/alice`])
    const known = await searching(findOwner)(`${site.url}/video`)
    expect(asked).toEqual([`${site.url}/video`])
    expect(known.found).toMatchObject([{ rss_url: `${site.url}/feeds/videos.xml?accountName=alice` }])
  })

  it('the channel that yt-dlp names is fetched as a page, too', async () => {
    const site = await serving({ '/video': page(''), '/channel': names('/feed'), '/feed': feed })
    const { found } = await searching(owner([`${site.url}/channel`]).findOwner)(`${site.url}/video`)
    expect(found[0]?.rss_url).toBe(`${site.url}/feed`)
    expect(site.asked).toEqual(['/video', '/channel', '/feed'])
  })

  it.each([
    [[] as string[], 'does not know which channel this belongs to either.'],
    ['not_ready' as const, 'Try again in a minute.'],
  ])('when the downloader answers %j, every step is reported', async (answer, sentence) => {
    const site = await serving({ '/': page('') })
    const { found, tried, ...more } = await searching(owner(answer).findOwner)(site.url)
    expect(found).toEqual([])
    expect(tried).toEqual([expect.stringContaining('names no feed'), expect.stringContaining(sentence)])
    expect(more).toMatchObject({ fault: { code: 'not_a_feed' } })
  })

  it('yt-dlp is not asked when the page itself cannot be fetched', async () => {
    const site = await serving({})
    const { asked, findOwner } = owner()
    await expect(bestOf(searching(findOwner))(site.url)).rejects.toMatchObject({
      code: 'feed_failed',
      message: expect.stringContaining('Not found (404)'),
    })
    expect(asked).toEqual([])
    expect(site.asked).toEqual(['/'])
  })
})

describe('where a page only links its feed', () => {
  const links = (...hrefs: string[]) => page('') + hrefs.map(href => `<a href="${href}">RSS</a>`).join('')
  const refresh = (href: string) => page(`<meta http-equiv="refresh" content="0; url=${href}">`)

  it('the link that answers as a feed is taken, and no other link is offered', async () => {
    const site = await serving({ '/': links('/gone', '/feed', '/other'), '/feed': feed })
    const { found } = await searching()(site.url)
    expect(found).toEqual([
      { rss_url: `${site.url}/feed`, kind: 'feed', title: 'Twice', entries: expect.any(Number), newest_at: null },
    ])
    expect(site.asked).toEqual(['/', '/feed'])
  })

  it('a link that answers with anything else is not taken', async () => {
    const site = await serving({ '/': links('/rss', '/about'), '/rss': page(''), '/about': '<x/>' })
    const { found, tried } = await searching()(site.url)
    expect(found).toEqual([])
    expect(tried[0]).toContain('This page names no feed.')
    expect(site.asked).toEqual(['/', '/rss', '/about'])
  })

  it.each([
    ['a page that names its feed', links('/rss'), { '/rss': names('/feed') }],
    ['another page, by a refresh', refresh('/blog'), { '/blog': names('/feed') }],
    ['the feed itself, by a refresh', refresh('/feed'), {}],
  ])('the feed is found where the page leads to %s', async (_, start, others) => {
    const site = await serving({ '/': start, ...others, '/feed': feed })
    expect((await searching()(site.url)).found).toMatchObject([{ rss_url: `${site.url}/feed`, title: 'Twice' }])
  })

  it('pages that lead to each other end the search, and none leads into this network', async () => {
    const site = await serving({ '/': refresh('/a'), '/a': refresh('/b'), '/b': refresh('/c') })
    expect((await searching()(site.url)).found).toEqual([])
    expect(site.asked).toEqual(['/', '/a', '/b'])
    const inward = await serving({ '/': refresh('http://127.0.0.2:1/') })
    expect((await searching()(inward.url)).tried.join()).toContain('does not lead to a public site')
  })

  it('a declared feed and the channel that yt-dlp names come first', async () => {
    const declared = await serving({ '/': links('/rss') + names('/feed'), '/feed': feed, '/rss': feed })
    expect((await searching()(declared.url)).found).toMatchObject([{ rss_url: `${declared.url}/feed` }])
    const video = await serving({ '/video': links('/rss'), '/channel': names('/feed'), '/feed': feed, '/rss': feed })
    const { found } = await searching(owner([`${video.url}/channel`]).findOwner)(`${video.url}/video`)
    expect(found).toMatchObject([{ rss_url: `${video.url}/feed` }])
  })
})

describe('a search', () => {
  it('a search makes three requests at most', async () => {
    const many = Array.from({ length: 9 }, (_, n) => names(`/gone/${n}`)).join('')
    const site = await serving({ '/': many })
    const { found } = await searching(owner([`${site.url}/channel`]).findOwner)(site.url)
    expect(found).toEqual([])
    expect(site.asked).toHaveLength(3)
  })

  it('a search ends in time, and gives that as the reason', async () => {
    const site = await serving({ '/': 'never' })
    const late = await searching(owner().findOwner, { search_ms: 300 })(site.url)
    expect(late).toMatchObject({ found: [], fault: { code: 'feed_timeout' } })
  })

  it('a search ends in time when yt-dlp does not', async () => {
    const site = await serving({ '/': page('') })
    const hanging: FindOwner = (_, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const late = await searching(hanging, { search_ms: 2000 })(site.url)
    expect(late.tried.at(-1)).toMatch(/within 2 seconds/)
  })

  it.each(['javascript:alert(1)', 'two words', 'ftp://host.example/'])('a search does not begin at %s', async given => {
    await expect(searching()(given)).rejects.toMatchObject({ name: 'DomainError', status: 422 })
  })
})

describe('the address policy', () => {
  it('an inside address is refused before anything is sent', async () => {
    const site = await siteWith((_, response) => response.end(feed))
    const strict = createDiscover(webSources(addressPolicy([]), async () => ({ missing: 'not asked' })))
    await expect(strict(site.url)).rejects.toMatchObject({ code: 'address_refused' })
    expect(site.asked).toEqual([])
  })

  it.each([
    ['a page', names('http://127.0.0.2:1/feed')],
    ['a PeerTube', JSON.stringify({ channel: { url: 'http://127.0.0.2:1/video-channels/x' } })],
  ])('an inside address is refused where %s leads to it', async (_, answer) => {
    const path = '/w/kkGMgK9ZtnKfYAgnEtQxbv'
    const site = await serving({ [path]: answer, '/api/v1/videos/kkGMgK9ZtnKfYAgnEtQxbv': answer })
    const { found, tried } = await searching()(site.url + path)
    expect(found).toEqual([])
    expect(tried.join()).toContain('does not lead to a public site')
  })

  it('an inside address is refused where the downloader, or a redirect, leads to it', async () => {
    const site = await siteWith((request, response) =>
      request.url === '/moved'
        ? response.writeHead(302, { location: 'http://127.0.0.2:1/' }).end()
        : response.end(page('')),
    )
    const owned = await searching(owner(['http://127.0.0.2:1/accounts/x']).findOwner)(site.url)
    const moved = await searching()(`${site.url}/moved`).catch(fault => ({ found: [], tried: [String(fault.message)] }))
    for (const { found, tried } of [owned, moved]) {
      expect(found).toEqual([])
      expect(tried.join()).toContain('does not lead to a public site')
    }
  })
})

describe('finding a feed for an import', () => {
  const findFeed = bestOf(createDiscover(webSources(policy), import_budget))

  it('a search for an import has no time limit, so a document that waits long for its parse turn is still read', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new Error('late')))
    const content = { feed: { channel_id: 'c', title: 'c', entries: [], skipped: 0 } }
    const sources = {
      fetchContent: async (_: string, { signal }: { signal: AbortSignal }) => {
        signal.throwIfAborted()
        return content
      },
    }
    try {
      const address = 'https://videos.example/feed.xml'
      await expect(bestOf(createDiscover(sources))(address)).rejects.toMatchObject({ code: 'feed_timeout' })
      expect(await bestOf(createDiscover(sources, import_budget))(address)).toMatchObject(content)
    } finally {
      timeout.mockRestore()
    }
  })

  it('an import finds the feed that a page names', async () => {
    const site = await siteWith((request, response) => {
      if (request.url !== '/blog/') return response.end(bytesOf('rss-same-video-twice.xml'))
      return response.end('<html><head><link rel="alternate" type="application/rss+xml" href="../feed"></head></html>')
    })
    const { rss_url, feed } = await findFeed(`${site.url}/blog/`)
    expect(rss_url).toBe(`${site.url}/feed`)
    expect(feed.title).toBe('Twice')
    expect(site.asked).toEqual(['/blog/', '/feed'])
  })

  it('an import finds the feed that a page only links', async () => {
    const site = await serving({ '/': page('<a href="/feed.xml">RSS</a>'), '/feed.xml': feed })
    expect((await findFeed(site.url)).rss_url).toBe(`${site.url}/feed.xml`)
    expect(site.asked).toEqual(['/', '/feed.xml'])
  })

  it.each([
    '<!doctype html><title>T</title>',
    '<meta charset=utf-8>',
    '<!-- T --><head>',
    '<div id=top>',
    `<!-- ${'T'.repeat(20_000)} --><html>`,
  ])('an import recognises a page that begins with %s', async begins => {
    const link = '<link rel=alternate type="application/rss+xml" href=/feed>'
    const site = await siteWith((request, response) =>
      response.end(request.url === '/feed' ? bytesOf('rss-same-video-twice.xml') : begins + link),
    )
    expect((await findFeed(site.url)).feed.title).toBe('Twice')
  })

  it.each([
    '</feed>; rel="alternate"; type="application/rss+xml"',
    '</style.css>; rel=preload, <feed>; type=application/atom+xml; title="a, b"; rel="alternate hub"',
  ])('an import trusts the type in a header: %s', async header => {
    const site = await siteWith((request, response) => {
      if (request.url === '/feed') return response.end(bytesOf('rss-same-video-twice.xml'))
      return response.setHeader('link', header).end('<html>A page</html>')
    })
    expect((await findFeed(site.url)).rss_url).toBe(`${site.url}/feed`)
  })

  it('an import makes two requests at most', async () => {
    const site = await siteWith((_, response) =>
      response.end('<html><link rel="alternate" type="application/rss+xml" href="/next"></html>'),
    )
    await expect(findFeed(site.url)).rejects.toMatchObject({ code: 'not_a_feed' })
    expect(site.asked).toHaveLength(2)
  })

  it('an import does not follow a page into this network', async () => {
    const site = await siteWith((_, response) =>
      response.end('<html><link rel="alternate" type="application/rss+xml" href="http://127.0.0.2/"></html>'),
    )
    await expect(findFeed(site.url)).rejects.toMatchObject({ code: 'address_refused' })
  })

  it('an import says what to look for on a page without a feed', async () => {
    const site = await siteWith((_, response) => response.end(bytesOf('login-page.html')))
    await expect(findFeed(site.url)).rejects.toMatchObject({
      code: 'not_a_feed',
      message: expect.stringContaining('RSS'),
    })
  })
})
