import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createChangeFetcher, createFeedReader } from '../../../src/feed/fetch/fetch-feed.ts'
import { type AddressPolicy, addressPolicy } from '../../../src/net/addresses.ts'
import { never_fetched } from '../../../src/schema/sources/feed.ts'
import { siteWith } from '../../support/media/feed-site.ts'

const limits = { timeout_ms: 5000 }
const check = createChangeFetcher({ policy: addressPolicy(['127.0.0.1']), limits })

const feedOf = (titles: string[], more = '') =>
  `<rss><channel><title>Kitchen</title>${more}${titles.map(item).join('')}</channel></rss>`
const item = (title: string) => `<item><title>${title}</title><link>https://h.example/${title}</link></item>`

/** A site that says what was asked of it, and answers as told. */
async function site(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const headers: IncomingMessage['headers'][] = []
  const { url } = await siteWith((request, response) => {
    headers.push(request.headers)
    answer(request, response)
  })
  return { url: `${url}/feed`, headers }
}

describe('a second fetch', () => {
  it('the validators of a site are sent back unchanged, and its 304 counts as unchanged', async () => {
    const etag = 'W/"this, or so"'
    const { url, headers } = await site((request, response) => {
      response.setHeader('etag', etag).setHeader('last-modified', 'last Tuesday')
      if (request.headers['if-none-match'] === etag) return response.writeHead(304).end()
      response.end(feedOf(['v1']))
    })

    const first = await check(url, never_fetched)
    const second = await check(url, first.known)

    expect(first.feed?.entries).toHaveLength(1)
    expect(first.known).toMatchObject({ etag, last_modified: 'last Tuesday' })
    expect(headers[0]).not.toHaveProperty('if-none-match')
    expect(headers[0]).not.toHaveProperty('if-modified-since')
    expect(headers[1]).toMatchObject({ 'if-none-match': etag, 'if-modified-since': 'last Tuesday' })
    expect(second.feed).toBeUndefined()
    expect(second.known).toEqual(first.known)
  })

  it('without validators, an unchanged feed is known by its bytes', async () => {
    let body = feedOf(['v1'])
    const { url } = await site((_, response) => response.end(body))

    const first = await check(url, never_fetched)
    const second = await check(url, first.known)
    body = feedOf(['v1', 'v2'])
    const third = await check(url, second.known)

    expect(second.feed).toBeUndefined()
    expect(second.known).toEqual(first.known)
    expect(third.feed?.entries).toHaveLength(2)
    expect(third.known.body_hash).not.toBe(first.known.body_hash)
  })

  it('an unchanged feed is not parsed', async () => {
    const broken = 'no feed at all'
    const { url } = await site((_, response) => response.end(broken))
    const body_hash = createHash('sha256').update(broken).digest('base64url')
    await expect(check(url, never_fetched)).rejects.toMatchObject({ code: 'not_a_feed' })
    expect((await check(url, { ...never_fetched, body_hash })).feed).toBeUndefined()
  })

  it('validators are sent through a redirect', async () => {
    const { url, headers } = await site((request, response) =>
      request.url === '/feed' ? response.writeHead(302, { location: '/there' }).end() : response.writeHead(304).end(),
    )
    const { feed, known } = await check(url, { ...never_fetched, etag: '"1"' })
    expect(feed).toBeUndefined()
    expect(known.etag).toBe('"1"')
    expect(headers.map(sent => sent['if-none-match'])).toEqual(['"1"', '"1"'])
  })

  it('a 304 to an unconditional request is an error', async () => {
    const { url } = await site((_, response) => response.writeHead(304).end())
    await expect(check(url, never_fetched)).rejects.toMatchObject({ code: 'feed_failed' })
  })
})

describe('what the host asks for', () => {
  it('the longer wish of the host and the feed counts', async () => {
    let age = 900
    const { url } = await site((_, response) => {
      response.setHeader('cache-control', `max-age=${age}`).end(feedOf(['v1'], '<ttl>60</ttl>'))
    })
    const first = await check(url, never_fetched)
    age = 7200
    expect(first).toMatchObject({ min_wait_s: 3600, known: { every_minutes: 60 } })
    expect(await check(url, never_fetched)).toMatchObject({ min_wait_s: 7200 })
  })

  it('a wish still counts when the feed is unchanged', async () => {
    const { url } = await site((request, response) =>
      request.headers['if-none-match']
        ? response.writeHead(304).end()
        : response.setHeader('etag', '"1"').end(feedOf(['v1'], '<ttl>120</ttl>')),
    )
    const { known } = await check(url, never_fetched)
    expect(await check(url, known)).toMatchObject({ min_wait_s: 7200, known: { every_minutes: 120 } })
  })

  it.each([
    [429, '120', 120],
    [503, 'a date in ten minutes', 600],
    [429, '9999999', 86_400],
    [429, undefined, undefined],
    [404, '120', undefined],
  ])(
    'a refusal carries the time that the host asks for: %i and Retry-After %s',
    async (status, retry_after, seconds) => {
      const sent = retry_after?.startsWith('a date') ? new Date(Date.now() + 600_000).toUTCString() : retry_after
      const { url } = await site((_, response) =>
        response.writeHead(status, sent === undefined ? {} : { 'retry-after': sent }).end(),
      )
      const refusal = await check(url, never_fetched).catch((fault: unknown) => fault)
      expect(refusal).toMatchObject({ code: 'feed_failed', message: expect.stringContaining(String(status)) })
      const { retry_after_s } = refusal as { retry_after_s?: number }
      if (seconds === undefined) expect(retry_after_s).toBeUndefined()
      else expect(Math.abs((retry_after_s ?? 0) - seconds)).toBeLessThanOrEqual(120)
    },
  )

  it('a fetch stops when its signal is aborted, with the reason of the signal', async () => {
    const stop = new AbortController()
    const { url } = await site(() => stop.abort(new Error('the worker stops')))
    await expect(check(url, never_fetched, stop.signal)).rejects.toThrow('the worker stops')
  })
})

describe('a channel of YouTube', () => {
  /** youtube.com, as far as this machine is concerned. */
  const youtube: AddressPolicy = { resolve: async () => [{ address: '127.0.0.1', family: 4 }] } as AddressPolicy
  const rest = 'abcdefghijklmnopqrstuv'
  const shorts = '<item><title>s</title><link>https://www.youtube.com/shorts/abcdefghijk</link></item>'

  /** A YouTube on which these lists answer with `status`, and the others with a feed. */
  async function youtubeWithout(status: number, gone: string[]) {
    const asked: string[] = []
    const { port } = await siteWith((request, response) => {
      const list = new URL(request.url ?? '', 'http://h').search.split('=')[1] ?? ''
      asked.push(list)
      if (gone.includes(list)) return response.writeHead(status).end()
      response.setHeader('etag', `"${list}"`).end(feedOf(['v1'], shorts))
    })
    return { feed: `http://www.youtube.com:${port}/feeds/videos.xml`, asked }
  }
  const options = { policy: youtube, limits }
  const checkYouTube = createChangeFetcher(options)

  it.each([404, 500])('a YouTube channel that answers %i is requested at its second address', async status => {
    const { feed, asked } = await youtubeWithout(status, [`UC${rest}`])
    const checked = await checkYouTube(`${feed}?channel_id=UC${rest}`, { ...never_fetched, etag: '"mine"' })
    expect(asked).toEqual([`UC${rest}`, `UU${rest}`])
    expect(checked.feed).toMatchObject({ channel_id: `UC${rest}` })
    expect(checked.feed?.entries).toHaveLength(2)
    // Nothing to ask the usual address with, once it is back.
    expect(checked.known).toMatchObject({ etag: null, body_hash: null })
  })

  it('a channel followed for videos only gets no Shorts from the second address', async () => {
    const { feed, asked } = await youtubeWithout(404, [`UULF${rest}`])
    const checked = await checkYouTube(`${feed}?playlist_id=UULF${rest}`, never_fetched)
    expect(asked).toEqual([`UULF${rest}`, `UC${rest}`])
    expect(checked.feed?.entries.map(({ title }) => title)).toEqual(['v1'])
  })

  it('a YouTube channel fails with the first refusal when both addresses fail', async () => {
    const { feed, asked } = await youtubeWithout(404, [`UC${rest}`, `UU${rest}`])
    await expect(checkYouTube(`${feed}?channel_id=UC${rest}`, never_fetched)).rejects.toThrow('Not found (404)')
    expect(asked).toHaveLength(2)
  })

  it('a YouTube channel is requested once for any other refusal', async () => {
    const { feed, asked } = await youtubeWithout(503, [`UC${rest}`])
    await expect(checkYouTube(`${feed}?channel_id=UC${rest}`, never_fetched)).rejects.toThrow('(503)')
    expect(asked).toEqual([`UC${rest}`])
  })

  it('a YouTube channel is read from its second address when it is refreshed by hand, too', async () => {
    const { feed } = await youtubeWithout(404, [`UC${rest}`])
    const address = `${feed}?channel_id=UC${rest}`
    expect(await createFeedReader(options)(address)).toMatchObject({ title: 'Kitchen' })
  })
})
