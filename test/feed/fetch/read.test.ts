import { describe, expect, it } from 'vitest'
import { parseApart } from '../../../src/feed/fetch/parse-apart.ts'
import { createFeedFinder, createFeedReader } from '../../../src/feed/fetch/read.ts'
import { parseFeed } from '../../../src/feed/formats/parse.ts'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { siteWith } from '../../support/media/feed-site.ts'
import { bytesOf, documentOf } from '../../support/media/feeds.ts'

const edge = { policy: addressPolicy(['127.0.0.1']), limits: { timeout_ms: 5000 } }
const readFeed = createFeedReader(edge)
const findFeed = createFeedFinder(edge)
const bigFeed = (items: number) => {
  const item = (n: number) =>
    `<item><link>https://h.example/${n}</link><description>${'x'.repeat(600)}</description></item>`
  return `<rss><channel><title>Big</title>${Array.from({ length: items }, (_, n) => item(n)).join('')}</channel></rss>`
}

describe('reading a feed', () => {
  it('keeps the address that was given, wherever it leads today', async () => {
    const site = await siteWith((request, response) =>
      request.url === '/feed'
        ? response.writeHead(302, { location: '/today.xml' }).end()
        : response.end(bytesOf('youtube-channel-id-without-uc.xml')),
    )
    const { rss_url, feed } = await readFeed(`${site.url}/feed`)
    expect(rss_url).toBe(`${site.url}/feed`)
    expect(feed).toMatchObject({ channel_id: 'UCabcdefghijklmnopqrstuv', title: 'Rock & Roll <3' })
  })

  it('stays at its address, whatever feed a page there names', async () => {
    const site = await siteWith((_, response) =>
      response.end('<html><link rel="alternate" type="application/rss+xml" href="/next"></html>'),
    )
    await expect(readFeed(site.url)).rejects.toMatchObject({ code: 'not_a_feed' })
    expect(site.asked).toHaveLength(1)
  })
})

describe('finding a feed', () => {
  it('goes on from a page to the feed that it names', async () => {
    const site = await siteWith((request, response) => {
      if (request.url !== '/blog/') return response.end(bytesOf('rss-same-video-twice.xml'))
      return response.end('<html><head><link rel="alternate" type="application/rss+xml" href="../feed"></head></html>')
    })
    const { rss_url, feed } = await findFeed(`${site.url}/blog/`)
    expect(rss_url).toBe(`${site.url}/feed`)
    expect(feed.title).toBe('Twice')
    expect(site.asked).toEqual(['/blog/', '/feed'])
  })

  it.each([
    '<!doctype html><title>T</title>',
    '<meta charset=utf-8>',
    '<!-- T --><head>',
    '<div id=top>',
    `<!-- ${'T'.repeat(20_000)} --><html>`,
  ])('knows a page that begins with %s', async begins => {
    const link = '<link rel=alternate type="application/rss+xml" href=/feed>'
    const site = await siteWith((request, response) =>
      response.end(request.url === '/feed' ? bytesOf('rss-same-video-twice.xml') : begins + link),
    )
    expect((await findFeed(site.url)).feed.title).toBe('Twice')
  })

  it.each([
    '</feed>; rel="alternate"; type="application/rss+xml"',
    '</style.css>; rel=preload, <feed>; type=application/atom+xml; title="a, b"; rel="alternate hub"',
  ])('takes the word of a header: %s', async header => {
    const site = await siteWith((request, response) => {
      if (request.url === '/feed') return response.end(bytesOf('rss-same-video-twice.xml'))
      return response.setHeader('link', header).end('<html>A page</html>')
    })
    expect((await findFeed(site.url)).rss_url).toBe(`${site.url}/feed`)
  })

  it('goes one step and no further', async () => {
    const site = await siteWith((_, response) =>
      response.end('<html><link rel="alternate" type="application/rss+xml" href="/next"></html>'),
    )
    await expect(findFeed(site.url)).rejects.toMatchObject({ code: 'not_a_feed' })
    expect(site.asked).toHaveLength(2)
  })

  it('does not follow a page into this network', async () => {
    const site = await siteWith((_, response) =>
      response.end('<html><link rel="alternate" type="application/rss+xml" href="http://127.0.0.2/"></html>'),
    )
    await expect(findFeed(site.url)).rejects.toMatchObject({ code: 'address_refused' })
  })

  it('says of a page without a feed what to look for', async () => {
    const site = await siteWith((_, response) => response.end(bytesOf('login-page.html')))
    await expect(findFeed(site.url)).rejects.toMatchObject({
      code: 'not_a_feed',
      message: expect.stringContaining('RSS'),
    })
  })
})

/** In microseconds of the processor. */
function workOf(task: () => void): number {
  const before = process.threadCpuUsage()
  task()
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}

describe('a big feed', () => {
  it('is read in a thread of its own, so that others are answered meanwhile', async () => {
    const document = documentOf(bigFeed(4000))
    const { body } = document
    const site = await siteWith((_, response) => response.end(body))
    // The work of this thread alone, however busy the machine is; at its quickest, because at first it is compiled.
    const inline_us = Math.min(...[1, 2, 3].map(() => workOf(() => void parseFeed(document))))
    const before = process.threadCpuUsage()
    const { feed } = await readFeed(site.url)
    const { user, system } = process.threadCpuUsage(before)
    expect(feed.entries).toHaveLength(4000)
    expect(user + system).toBeLessThan(inline_us / 2)
  })

  it('is refused there in the same words', async () => {
    const deep = documentOf(`<rss>${'<a>'.repeat(200_000)}`)
    const apart = parseApart(deep, deep.url, { inline_bytes: 0 })
    await expect(apart).rejects.toMatchObject({ code: 'not_a_feed', message: expect.stringContaining('breaks off') })
  })

  it('is given up when it takes too long', async () => {
    const document = documentOf(bigFeed(4000))
    await expect(parseApart(document, document.url, { timeout_ms: 1 })).rejects.toMatchObject({ code: 'not_a_feed' })
  })
})
