/** The real yt-dlp, with the operator's proxy between it and the sites. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type AddressPolicy, addressPolicy } from '../../../src/net/addresses.ts'
import { operatorProxy, throughProxy } from '../../../src/net/operator-proxy.ts'
import { createCaptionFetcher } from '../../../src/ytdlp/ask/captions.ts'
import { createLister } from '../../../src/ytdlp/ask/list-videos.ts'
import { createLooker } from '../../../src/ytdlp/ask/look-at.ts'
import { createYoutubeSearcher } from '../../../src/ytdlp/ask/search-channels.ts'
import { mayBeMended } from '../../../src/ytdlp/tools/renewal.ts'
import { download, succeeded } from '../../support/media/downloads.ts'
import { type MediaServer, openMediaServer } from '../../support/media/media.ts'
import { openSmallYoutube, smallChannel } from '../../support/media/small-youtube.ts'
import { proxies_are_here, startTapped } from '../../support/process/proxies.ts'
import { toolsForTests } from '../../support/process/tools.ts'

let media: MediaServer
beforeAll(async () => {
  media = await openMediaServer()
})
afterAll(() => media.close())

const usual = addressPolicy([], async () => [{ address: '10.0.0.1' }])
/** Knows a public name, and judges all others as usual. */
const policy = (): AddressPolicy => ({
  async resolve(hostname, port) {
    if (hostname !== 'media.test') return usual.resolve(hostname, port)
    return [{ address: '127.0.0.1', family: 4, port: port === 80 ? Number(new URL(media.url).port) : port }]
  },
})

const through = (proxy_url: string, path: string) =>
  download(
    { tools: toolsForTests(), policy: throughProxy(policy(), {}, operatorProxy(proxy_url)) },
    { url: `http://media.test${path}` },
  )

describe.skipIf(!proxies_are_here)('through the operator’s proxy', () => {
  it.each([
    ['tinyproxy', '/plain.mp4'],
    ['microsocks', '/hls/master.m3u8'],
    ['danted', '/dash/manifest.mpd'],
  ] as const)('%s a video is downloaded, and the proxy learns no name', async (program, path) => {
    const { proxy, tap } = await startTapped(program)

    const result = succeeded(await through(tap.url, path))

    expect((await readFile(result.file)).length).toBe(result.file_size)
    // Of http, the proxy carries the request itself, which has the name in its Host header alone.
    expect(tap.sent().replaceAll(/^host: media\.test\r$/gim, '')).not.toMatch(/media\.test(?!\/)/)
    expect(tap.sent()).not.toMatch(/CONNECT media|http:\/\/media/)
    expect(await proxy.log()).toContain('127.0.0.1')
    expect(await proxy.log()).not.toContain('media.test')
    expect(tap.open()).toBe(0)
  })

  it.each(['http://127.0.0.1/', 'http://localhost/', 'http://[::ffff:127.0.0.1]/', 'http://inside.test/'])(
    'a site leads to no inside address by a redirect to %s',
    async inside => {
      const { tap } = await startTapped('tinyproxy')
      media.redirect('/leads-inside', inside)

      const result = await through(tap.url, '/leads-inside')

      expect(result).toMatchObject({ failure: { reason: 'site_trouble', sentence: expect.stringContaining('public') } })
      const asked = tap.sent().match(/CONNECT \S+/g) ?? []
      expect(new Set(asked)).toEqual(new Set([`CONNECT ${new URL(media.url).host}`]))
    },
  )

  it.each(['tinyproxy', 'microsocks'] as const)(
    '%s that refuses the password has a failure of its own',
    async program => {
      const { tap } = await startTapped(program)

      const result = await through(tap.url.replace('hunter2', 'hunter3'), '/plain.mp4')

      if (!('failure' in result)) throw new Error('it was downloaded')
      expect(result.failure).toMatchObject({ kind: 'outage', reason: 'proxy', detail: '' })
      expect(result.failure.sentence).toMatch(/proxy .*refuses our password.*administrator.*DOWNLOAD_PROXY/)
      expect(JSON.stringify(result)).not.toMatch(/hunter|127\.67/)
      expect(mayBeMended(result.failure)).toBe(false)
    },
  )

  it('over TLS, small YouTube is asked and listed through it', async () => {
    const youtube = await openSmallYoutube(smallChannel('proxied', { videos: 2 }))
    onTestFinished(youtube.close)
    const { tap } = await startTapped('microsocks')
    const policy = throughProxy(youtube.policy(), {}, operatorProxy(tap.url))
    const asks = { findTools: async () => youtube.tools(toolsForTests()), policy }
    const { signal } = new AbortController()
    const [video] = youtube.channels[0]?.videos ?? []

    const url = `https://www.youtube.com/watch?v=${video?.id}`
    expect(await createLooker(asks)({ url, signal })).toMatchObject({ video: { title: video?.title } })
    const list_url = `https://www.youtube.com/channel/${youtube.channels[0]?.channel_id}/videos`
    const listing = await createLister(asks)({ url: list_url, signal, onEntries: async () => {} })
    expect(listing).toMatchObject({ end: 'complete', listed: 2 })
    expect(youtube.requests.length).toBeGreaterThan(1)
    expect(tap.sent()).not.toBe('')
  })
})

describe('without the operator’s proxy', () => {
  const away = () => throughProxy(policy(), {}, operatorProxy('socks5://user:hunter2@127.0.0.1:9'))
  const failure = {
    kind: 'outage',
    reason: 'proxy',
    detail: '',
    cause: 'ECONNREFUSED',
    sentence: 'The proxy of this service does not answer. We try again until it does.',
  }
  const signal = new AbortController().signal
  const findTools = async () => toolsForTests()
  const url = 'http://media.test/plain.mp4'

  it('a download fails by the proxy’s fault', async () => {
    expect(await through('http://user:hunter2@127.0.0.1:9', '/plain.mp4')).toEqual({ failure })
  })

  it('a look, a listing, captions and a search fail by the proxy’s fault', async () => {
    const asks = { findTools, policy: away() }
    expect(await createLooker(asks)({ url, signal })).toEqual({ failure })
    expect(await createCaptionFetcher(asks)({ url, signal })).toEqual({ failure })
    const known: AddressPolicy = { resolve: async () => [{ address: '127.0.0.1', family: 4 }] }
    const atYoutube = { findTools, policy: throughProxy(known, {}, operatorProxy('http://127.0.0.1:9')) }
    const list_url = 'https://www.youtube.com/channel/UC2s4xjRHlrLaMvQDKd4RcaQ/videos'
    const listing = await createLister(atYoutube)({ url: list_url, signal, onEntries: async () => {} })
    expect(listing).toMatchObject({ end: 'incomplete', failure })
    const searches = createYoutubeSearcher(atYoutube)
    expect(await searches({ words: 'gardens', signal })).toEqual({ failure })
  })
})
