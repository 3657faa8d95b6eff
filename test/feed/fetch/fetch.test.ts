import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type FetchLimits, fetchDocument } from '../../../src/feed/fetch/fetch.ts'
import { withMemory } from '../../../src/feed/fetch/memory.ts'
import { type AddressPolicy, addressPolicy } from '../../../src/net/addresses.ts'
import { siteWith } from '../../support/media/feed-site.ts'

const here = addressPolicy(['127.0.0.1'])
const fetch = (url: string, limits: Partial<FetchLimits> = {}, policy: AddressPolicy = here) =>
  withMemory('ana', share => fetchDocument(url, { policy, limits: { timeout_ms: 5000, ...limits } }, share))
const textAt = async (url: string) => new TextDecoder().decode((await fetch(url)).body)
const redirect = (response: ServerResponse, location: string, status = 302) =>
  response.writeHead(status, { location }).end('moved')
const failed = (words: string) => ({ code: 'feed_failed', message: expect.stringContaining(words) })

describe('a document', () => {
  it('a fetched document has its address, its type and its bytes', async () => {
    const site = await siteWith((request, response) => {
      response.setHeader('content-type', 'application/rss+xml; charset=utf-8')
      response.end(`asked by ${request.headers['user-agent']}`)
    })
    const document = await fetch(`${site.url}/feed`)
    expect(document).toMatchObject({ url: `${site.url}/feed`, content_type: 'application/rss+xml; charset=utf-8' })
    expect(new TextDecoder().decode(document.body)).toMatch(/^asked by Backlot\/\d/)
  })

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['identity', (text: string) => Buffer.from(text)],
    ['', gzipSync],
    ['utf-8', gzipSync],
    ['zstd', zstdCompressSync],
    ['gzip, gzip', (text: string) => gzipSync(gzipSync(text))],
    ['deflate, gzip', (text: string) => gzipSync(deflateSync(text))],
    ['br, deflate', (text: string) => deflateSync(brotliCompressSync(text))],
  ])('a document is unpacked from %s', async (encoding, pack) => {
    const site = await siteWith((_, response) => response.setHeader('content-encoding', encoding).end(pack('hello')))
    expect(await textAt(site.url)).toBe('hello')
  })

  it.each(['utf-8', 'none', 'binary', 'aws-chunked', 'rot13'])('%s packs nothing', async encoding => {
    const site = await siteWith((_, response) => response.setHeader('content-encoding', encoding).end('1,2'))
    expect(await textAt(site.url)).toBe('1,2')
  })

  it.each(['gzip', 'deflate', 'br', 'utf-8'])(
    'a document that was not packed is read although its site says %s',
    async encoding => {
      const site = await siteWith((_, response) => response.setHeader('content-encoding', encoding).end(' <rss>'))
      expect(await textAt(site.url)).toBe(' <rss>')
    },
  )

  it.each([
    [203, undefined],
    [226, undefined],
    [206, 'bytes 0-4/5'],
  ])('a whole document is read although its site answers %i %s', async (status, range) => {
    const site = await siteWith((_, response) => {
      if (range !== undefined) response.setHeader('content-range', range)
      response.writeHead(status).end('hello')
    })
    expect(await textAt(site.url)).toBe('hello')
  })

  it.each([
    [206, 'bytes 0-4/9'],
    [206, 'bytes 4-8/9'],
    [206, 'bytes 0-4/*'],
    [206, 'items 0-4/5'],
    [206, ''],
    [202, ''],
    [204, ''],
  ])('a part of a document, or none, is refused: %i %s', async (status, range) => {
    const site = await siteWith((_, response) => {
      response.setHeader('content-range', range)
      response.writeHead(status).end(status === 204 ? undefined : 'hello')
    })
    await expect(fetch(site.url)).rejects.toMatchObject(failed(`unexpected status (${status})`))
  })

  it.each([301, 302, 303, 307, 308])('a redirect is followed: %i', async status => {
    const site = await siteWith((request, response) =>
      request.url === '/' ? redirect(response, 'caf\u00c3\u00a9', status) : response.end('there'),
    )
    const document = await fetch(site.url)
    expect(document.url).toBe(`${site.url}/caf%C3%A9`)
    expect(site.asked).toEqual(['/', '/caf%C3%A9'])
  })
})

describe('the address', () => {
  it.each([
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'http://user:password@127.0.0.1/',
    'http://:secret@127.0.0.1/',
    `http://127.0.0.1/${'x'.repeat(3000)}`,
  ])('an address is refused: %s', async url => {
    await expect(fetch(url)).rejects.toMatchObject({ code: 'address_refused' })
  })

  it('an address is checked before a byte is sent', async () => {
    const site = await siteWith((_, response) => response.end('SECRET'))
    const fault = await fetch(site.url, {}, addressPolicy([])).catch((fault: unknown) => fault)
    expect(fault).toMatchObject({ code: 'address_refused' })
    expect(site.asked).toEqual([])
  })

  it('an address is refused when its name leads to this machine', async () => {
    const site = await siteWith((_, response) => response.end('SECRET'))
    const policy = addressPolicy([], async () => [{ address: '127.0.0.1' }])
    await expect(fetch(`http://public.example:${site.port}/`, {}, policy)).rejects.toMatchObject({
      code: 'address_refused',
    })
    expect(site.asked).toEqual([])
  })

  it('a name is resolved once, and the checked address is the one that is connected to', async () => {
    const site = await siteWith((request, response) => response.end(request.headers.host))
    let times = 0
    const policy: AddressPolicy = {
      async resolve() {
        times++
        return [{ address: '127.0.0.1', family: 4 }]
      },
    }
    const { body } = await fetch(`http://never-in-any-dns.invalid:${site.port}/`, {}, policy)
    expect(new TextDecoder().decode(body)).toBe(`never-in-any-dns.invalid:${site.port}`)
    expect(times).toBe(1)
  })

  it.each([
    'http://127.0.0.2:9/',
    'http://[::1]/',
    '//169.254.169.254/latest/meta-data',
    '\\\\127.0.0.2\\x',
    'http://0x7f.2/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'http://user:password@127.0.0.1/',
  ])('the target of a redirect is checked again: %s', async location => {
    const site = await siteWith((_, response) => redirect(response, location))
    await expect(fetch(site.url)).rejects.toMatchObject({ code: 'address_refused' })
    expect(site.asked).toEqual(['/'])
  })
})

describe('a site that misbehaves', () => {
  it.each(['http://', 'http://a b/', 'https://[::1/'])(
    'a redirect to no address is blamed on the site: %s',
    async location => {
      const site = await siteWith((_, response) => redirect(response, location))
      await expect(fetch(site.url)).rejects.toMatchObject({
        code: 'feed_failed',
        message: 'This link redirects to something that is not a web address.',
      })
    },
  )

  it('redirects in a circle are refused', async () => {
    const site = await siteWith((request, response) => redirect(response, `${request.url}x`))
    await expect(fetch(site.url)).rejects.toMatchObject({ code: 'feed_failed' })
    expect(site.asked).toHaveLength(6)
  })

  it.each([
    [404, 'Not found (404)'],
    [410, 'Not found (410)'],
    [403, 'does not allow access (403)'],
    [429, 'asks us to slow down (429)'],
    [500, 'has a problem (500)'],
    [204, 'unexpected status (204)'],
    [304, 'unexpected status (304)'],
    [302, 'unexpected status (302)'],
  ])('an answer %i is reported in our words, without the words of the site', async (status, words) => {
    const site = await siteWith((_, response) => response.writeHead(status).end('SECRET-123'))
    const fault = await fetch(site.url).catch((fault: unknown) => fault)
    expect(fault).toMatchObject(failed(words))
    expect(String(fault)).not.toContain('SECRET')
  })

  it.each([
    ['says nothing', () => {}],
    ['stops after the headers', (response: ServerResponse) => response.flushHeaders()],
    ['stops in the middle', (response: ServerResponse) => response.write('<rss>')],
  ])('a fetch does not wait for a site that %s', async (_, behave) => {
    const site = await siteWith((_, response) => void behave(response))
    await expect(fetch(site.url, { timeout_ms: 100 })).rejects.toMatchObject({ code: 'feed_timeout' })
  })

  it('a fetch ends in time when the name is not resolved', async () => {
    const policy: AddressPolicy = { resolve: () => new Promise(() => {}) }
    await expect(fetch('http://slow.example/', { timeout_ms: 50 }, policy)).rejects.toMatchObject({
      code: 'feed_timeout',
    })
  })

  it('a document without end is refused', async () => {
    let closed: Promise<unknown> | undefined
    const site = await siteWith((_, response) => {
      closed = once(response, 'close')
      const send = () => {
        while (response.write(Buffer.alloc(64 * 1024)));
      }
      response.on('drain', send)
      send()
    })
    await expect(fetch(site.url, { max_bytes: 1024 * 1024 })).rejects.toMatchObject(failed('too large'))
    await closed
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('a document cannot hide its size in %s', async (encoding, pack) => {
    const bomb = pack(Buffer.alloc(8 * 1024 * 1024))
    const site = await siteWith((_, response) => response.setHeader('content-encoding', encoding).end(bomb))
    await expect(fetch(site.url)).rejects.toMatchObject(failed('too large'))
  })

  it.each([
    ['gzip', 'not packed at all'],
    ['compress', 'not packed at all'],
  ])('a body that cannot be unpacked is refused: %s', async (encoding, body) => {
    const site = await siteWith((_, response) => response.setHeader('content-encoding', encoding).end(body))
    await expect(fetch(site.url)).rejects.toMatchObject({ code: 'feed_failed' })
  })

  it('a site that breaks off, or is not there, is reported in a sentence', async () => {
    const site = await siteWith((_, response) => {
      response.setHeader('content-length', 100)
      response.write('<rss>', () => response.destroy())
    })
    await expect(fetch(site.url)).rejects.toMatchObject(failed('broke off'))
    await expect(fetch('http://127.0.0.1:1/')).rejects.toMatchObject({
      code: 'feed_failed',
      message: 'Could not connect to 127.0.0.1. Check the link or try again later.',
    })
  })

  it('a fetch ends when its signal is aborted, with the reason of the signal', async () => {
    const enough = new AbortController()
    const site = await siteWith(() => enough.abort(new Error('enough')))
    const options = { policy: here, signal: enough.signal }
    await expect(withMemory('ana', share => fetchDocument(site.url, options, share))).rejects.toThrow('enough')
  })
})
