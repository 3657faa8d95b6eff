/** What the service itself fetches with FEED_PROXY=on, through the real proxies of Debian. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createHostChecker, fetchDocument } from '../../../src/feed/fetch/fetch.ts'
import { createFeedReader } from '../../../src/feed/fetch/fetch-feed.ts'
import { createPictureFetcher } from '../../../src/feed/fetch/fetch-picture.ts'
import { withMemory } from '../../../src/feed/fetch/memory.ts'
import type { AddressPolicy } from '../../../src/net/addresses.ts'
import { operatorProxy, throughProxy } from '../../../src/net/operator-proxy.ts'
import { type Site, siteWith } from '../../support/media/feed-site.ts'
import { openSmallYoutube, smallChannel } from '../../support/media/small-youtube.ts'
import { proxies_are_here, startTapped } from '../../support/process/proxies.ts'

const here: AddressPolicy = { resolve: async () => [{ address: '127.0.0.1', family: 4 }] }
const urlOf = ({ port }: Site) => `http://site.invalid:${port}/`
const through = (url: string, policy = here) => throughProxy(policy, { FEED_PROXY: 'on' }, operatorProxy(url))
const fetch = (url: string, policy: AddressPolicy, stop?: AbortSignal) =>
  withMemory('ana', share => fetchDocument(url, { policy, signal: stop }, share))

describe.skipIf(!proxies_are_here)('through the operator’s proxy', () => {
  it.each(['tinyproxy', 'microsocks', 'danted'] as const)(
    '%s requests pass through it, and the names of sites do not',
    async program => {
      const { proxy, tap } = await startTapped(program)
      const site = await siteWith((_, response) => response.end('feed'))
      const policy = through(tap.url)

      expect(String((await fetch(urlOf(site), policy)).body)).toBe('feed')

      expect(tap.sent().match(/GET /g)).toHaveLength(1)
      expect(tap.sent().split('GET ')[0]).not.toContain('site.invalid')
      expect(await proxy.log()).not.toContain('site.invalid')
    },
  )

  it('each request goes the way that its own policy says', async () => {
    const { tap } = await startTapped('microsocks')
    const site = await siteWith((_, response) => response.end('feed'))

    for (const policy of [here, through(tap.url), here]) await fetch(urlOf(site), policy)

    expect(site.connections.length).toBe(3)
    expect(tap.sent().match(/GET /g)).toHaveLength(1)
  })

  it.each(['tinyproxy', 'microsocks'] as const)('%s real feeds are read over TLS', async program => {
    const channel = smallChannel('proxied', { videos: 3 })
    const youtube = await openSmallYoutube(channel)
    onTestFinished(youtube.close)
    const { proxy, tap } = await startTapped(program)
    const readFeed = createFeedReader({ policy: through(tap.url, youtube.policy()) })
    const url = `https://www.youtube.com/feeds/videos.xml?channel_id=${channel.channel_id}`

    for (const _ of [1, 2]) expect((await readFeed(url)).entries).toHaveLength(3)

    expect(await proxy.log()).not.toContain('youtube')
  })

  it('a request that is given up leaves no connection', async () => {
    const { tap } = await startTapped('danted')
    const asked = Promise.withResolvers<void>()
    const site = await siteWith(() => asked.resolve())
    const stop = new AbortController()
    const fetching = fetch(urlOf(site), through(tap.url), stop.signal)
    await asked.promise

    stop.abort(new Error('given up'))

    await expect(fetching).rejects.toThrow('given up')
    await vi.waitFor(() => expect(tap.open()).toBe(0))
  })

  it('without FEED_PROXY, requests are direct', async () => {
    const { tap } = await startTapped('microsocks')
    const site = await siteWith((_, response) => response.end('feed'))

    await fetch(urlOf(site), throughProxy(here, { FEED_PROXY: 'off' }, operatorProxy(tap.url)))

    expect(tap.sent()).toBe('')
  })
})

describe('without the operator’s proxy', () => {
  const away = through('socks5://user:hunter2@127.0.0.1:9')
  const signal = new AbortController().signal

  it.each(['http://site.invalid/', 'https://site.invalid/'])(
    '%s fails by the proxy’s fault, in words without its address',
    async url => {
      await expect(fetch(url, away)).rejects.toMatchObject({
        code: 'feed_failed',
        message: 'The proxy of this service does not answer. We try again until it does.',
        cause: 'ECONNREFUSED',
      })
    },
  )

  it('no host is found to be in trouble', async () => {
    expect(await createHostChecker({ policy: away })('site.invalid', signal, 'or_trouble')).toBeUndefined()
    // A site that is away itself is.
    const elsewhere: AddressPolicy = { resolve: async () => [{ address: '127.0.0.1', family: 4, port: 9 }] }
    expect(await createHostChecker({ policy: elsewhere })('site.invalid', signal, 'or_trouble')).toBeDefined()
  })

  it('a picture was not asked for', async () => {
    expect(await createPictureFetcher({ policy: away })('http://site.invalid/a.jpg', signal)).toEqual({
      found: 'not_asked',
    })
  })
})
