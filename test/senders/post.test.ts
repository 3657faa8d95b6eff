/** Requests to addresses that people entered: where they may go, how long they may take, and what is kept of the answer. */
import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { addressPolicy } from '../../src/net/addresses.ts'
import { createPost, deliveryOf } from '../../src/senders/post.ts'
import { siteWith } from '../support/media/feed-site.ts'

const outgoing = { headers: { 'content-type': 'text/plain' }, body: 'a message' }
const send = async (address: string, { allowed = ['127.0.0.1'], timeout_ms = 5000 } = {}) =>
  deliveryOf(await createPost({ policy: addressPolicy(allowed), timeout_ms })(address, outgoing))

const secret_words = 'the secret words of the receiver'

describe('a receiver that answers', () => {
  it.each([200, 201, 202, 204])('with status %i has the message', async status => {
    const site = await siteWith((_, response) => void response.writeHead(status).end())
    expect(await send(site.url)).toEqual({ delivered: true })
  })

  it.each<[number, boolean]>([
    [400, false],
    [401, true],
    [403, true],
    [404, true],
    [410, false],
    [413, false],
    [429, true],
    [500, true],
    [502, true],
    [503, true],
  ])('with status %i does not have it, and a later attempt makes sense: %s', async (status, retry) => {
    const site = await siteWith((_, response) => void response.writeHead(status, secret_words).end(secret_words))
    const detail = `The receiver answered with status ${status}.`
    expect(await send(site.url)).toEqual({ delivered: false, detail, retry })
  })

  it.each([301, 302, 303, 307, 308])('with a redirect (%i) does not lead to another address', async status => {
    const other = await siteWith((_, response) => void response.end())
    const site = await siteWith((_, response) => void response.writeHead(status, { location: other.url }).end())
    expect(await send(site.url)).toMatchObject({
      delivered: false,
      retry: false,
      detail: expect.stringContaining(`${status}`),
    })
    expect(other.asked).toEqual([])
  })
})

describe('a receiver that does not end', () => {
  it('is cut off after 64 kB of its answer, and has the message', async () => {
    const { promise: closed, resolve: recordClosed } = Promise.withResolvers<void>()
    const site = await siteWith((_, response) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000))) {}
      }
      response
        .on('drain', more)
        .on('error', () => {})
        .on('close', recordClosed)
      more()
    })
    expect(await send(site.url, { timeout_ms: 60_000 })).toEqual({ delivered: true })
    await closed
  })

  it.each<[string, RequestListener]>([
    ['never answers', () => {}],
    ['sends its headers slowly', (_, response) => void response.socket?.write('HTTP/1.1 200 OK\r\nX-Slow: ')],
  ])('is cut off when it %s', async (_, answer) => {
    const site = await siteWith(answer)
    const detail = 'The receiver did not answer within 0.2 seconds.'
    expect(await send(site.url, { timeout_ms: 200 })).toEqual({ delivered: false, detail, retry: true })
  })

  it('is cut off when its answer goes on slowly, and has the message', async () => {
    const { promise: closed, resolve: recordClosed } = Promise.withResolvers<void>()
    const site = await siteWith((_, response) => {
      response.on('close', recordClosed).writeHead(200)
      response.write('so far')
    })
    expect(await send(site.url, { timeout_ms: 300 })).toEqual({ delivered: true })
    await closed
  })

  it('is left at once when the sender stops', async () => {
    const stop = new AbortController()
    const site = await siteWith(() => stop.abort(new Error('the worker stops')))
    const post = createPost({ policy: addressPolicy(['127.0.0.1']), timeout_ms: 60_000 })
    await expect(post(site.url, outgoing, stop.signal)).rejects.toThrow('the worker stops')
  })

  it.each(['HTTP/1.1 200', 'no answer of HTTP\r\n\r\n', ''])('breaks off without harm after %j', async words => {
    const site = await siteWith((_, response) => void response.socket?.end(words))
    const detail = 'The receiver could not be reached.'
    expect(await send(site.url)).toEqual({ delivered: false, detail, retry: true })
  })
})

describe('an address inside', () => {
  it.each([
    'http://127.0.0.1:1/',
    'http://localhost/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://192.168.1.1/hook',
    'https://name.internal/',
    'http://93.184.216.34:25/',
  ])('%s gets no request, and the answer of an unknown name', async address => {
    const unknown = await send('http://no-such-name.invalid/', { allowed: [] })
    expect(unknown).toMatchObject({
      delivered: false,
      detail: expect.stringContaining('does not lead to a public site'),
    })
    expect(await send(address, { allowed: [] })).toEqual(unknown)
  })

  it('gets no request although it is there', async () => {
    const site = await siteWith((_, response) => void response.end())
    expect(await send(site.url, { allowed: [] })).toMatchObject({ delivered: false })
    expect(site.asked).toEqual([])
  })

  it('is not reached by a name that resolves to another address when it is connected to', async () => {
    const site = await siteWith((_, response) => void response.end())
    let asked = 0
    // The address is allowed when the name is judged. A second resolution would lead to another one.
    const lookup = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '10.0.0.1' }]
    const post = createPost({ policy: addressPolicy(['127.0.0.1'], lookup, () => []) })
    expect(await post(`http://rebinding.example:${site.port}/`, outgoing)).toEqual({ status: 200 })
    expect([asked, site.asked]).toEqual([1, ['/']])
  })
})
