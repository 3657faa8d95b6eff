import { describe, expect, it } from 'vitest'
import { createFeedReader } from '../../../src/feed/fetch/fetch-feed.ts'
import { parseApart } from '../../../src/feed/fetch/parse-apart.ts'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { siteWith } from '../../support/media/feed-site.ts'
import { bytesOf, documentOf } from '../../support/media/feeds.ts'

const edge = { policy: addressPolicy(['127.0.0.1']), limits: { timeout_ms: 5000 } }
const readFeed = createFeedReader(edge)
const bigFeed = (items: number) => {
  const item = (n: number) =>
    `<item><link>https://h.example/${n}</link><description>${'x'.repeat(600)}</description></item>`
  return `<rss><channel><title>Big</title>${Array.from({ length: items }, (_, n) => item(n)).join('')}</channel></rss>`
}

describe('reading a feed', () => {
  it('the identifier comes from the followed address, even behind a redirect', async () => {
    const site = await siteWith((request, response) =>
      request.url === '/feed'
        ? response.writeHead(302, { location: '/today.xml' }).end()
        : response.end(bytesOf('youtube-channel-id-without-uc.xml')),
    )
    const feed = await readFeed(`${site.url}/feed`)
    expect(feed).toMatchObject({ channel_id: 'UCabcdefghijklmnopqrstuv', title: 'Rock & Roll <3' })
  })

  it('a web page in place of a followed feed is an error, even if it names a feed', async () => {
    const site = await siteWith((_, response) =>
      response.end('<html><link rel="alternate" type="application/rss+xml" href="/next"></html>'),
    )
    await expect(readFeed(site.url)).rejects.toMatchObject({ code: 'not_a_feed' })
    expect(site.asked).toHaveLength(1)
  })
})

describe('a big feed', () => {
  it('a big feed is read in its own thread, so that other requests are answered meanwhile', async () => {
    const { body } = documentOf(bigFeed(4000))
    const sent = Promise.withResolvers<void>()
    const site = await siteWith((request, response) => {
      if (request.url === '/big') response.end(body, () => sent.resolve())
      else response.end(bytesOf('rss-same-video-twice.xml'))
    })
    const order: string[] = []
    const big = readFeed(`${site.url}/big`).then(({ entries }) => order.push(`big of ${entries.length}`))
    await sent.promise
    await readFeed(`${site.url}/small`).then(() => order.push('small'))
    await big
    expect(order).toEqual(['small', 'big of 4000'])
  })

  it('a big document is refused in the thread with the same sentence', async () => {
    const deep = documentOf(`<rss>${'<a>'.repeat(200_000)}`)
    const apart = parseApart(deep, deep.url, { inline_bytes: 0 })
    await expect(apart).rejects.toMatchObject({
      code: 'not_a_feed',
      message: expect.stringContaining('feed is damaged'),
    })
  })

  it('a big document that takes too long is given up', async () => {
    const document = documentOf(bigFeed(4000))
    await expect(parseApart(document, document.url, { timeout_ms: 1 })).rejects.toMatchObject({ code: 'not_a_feed' })
  })
})
