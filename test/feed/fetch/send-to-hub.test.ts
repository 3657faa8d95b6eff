import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createHubSender } from '../../../src/feed/fetch/send-to-hub.ts'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { siteWith } from '../../support/media/feed-site.ts'

const fields = { 'hub.mode': 'subscribe', 'hub.secret': 'a secret & more' }
const send = (hub: string, allowed = ['127.0.0.1'], timeout_ms = 5000) =>
  createHubSender({ policy: addressPolicy(allowed), timeout_ms })(hub, fields)

/** A hub that remembers the forms it got. */
async function hubThat(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const forms: string[] = []
  const site = await siteWith((request, response) => {
    let text = ''
    request.on('data', piece => {
      text += piece
    })
    request.on('end', () => {
      forms.push(`${request.method} ${request.headers['content-type']} ${text}`)
      answer(request, response)
    })
  })
  return { ...site, forms }
}
const redirectTo = (location: string, status: number) => (_: unknown, response: ServerResponse) =>
  void response.writeHead(status, { location }).end()

const form = 'POST application/x-www-form-urlencoded hub.mode=subscribe&hub.secret=a+secret+%26+more'

describe('a request to a hub', () => {
  it('is a form, and only the status of the answer is read', async () => {
    const hub = await hubThat((_, response) => void response.writeHead(202).end('a'.repeat(100_000)))
    expect(await send(hub.url)).toEqual({ status: 202, retry_after_s: undefined })
    expect(hub.forms).toEqual([form])
  })

  it.each<[number, string | undefined, number | undefined]>([
    [429, '120', 120],
    [503, '120', 120],
    [503, undefined, undefined],
    [500, '120', undefined],
  ])('status %i with Retry-After %s asks to wait for %s seconds', async (status, header, retry_after_s) => {
    const hub = await hubThat(
      (_, response) => void response.writeHead(status, header ? { 'retry-after': header } : {}).end(),
    )
    expect(await send(hub.url)).toEqual({ status, retry_after_s })
  })

  it.each([307, 308])('a redirect with status %i is followed with the same form', async status => {
    const other = await hubThat((_, response) => void response.writeHead(202).end())
    const hub = await hubThat(redirectTo(other.url, status))
    expect(await send(hub.url)).toMatchObject({ status: 202 })
    expect(other.forms).toEqual([form])
  })

  it.each([301, 302, 303])('a redirect with status %i, which may drop the form, is not followed', async status => {
    const other = await hubThat((_, response) => void response.writeHead(202).end())
    const hub = await hubThat(redirectTo(other.url, status))
    expect(await send(hub.url)).toMatchObject({ status })
    expect(other.forms).toEqual([])
  })

  it('redirects without end are followed three times', async () => {
    const hub = await hubThat((request, response) => redirectTo(`${request.url}x`, 307)(request, response))
    expect(await send(hub.url)).toMatchObject({ status: 307 })
    expect(hub.asked).toHaveLength(4)
  })
})

describe('a hub that leads to an inside address', () => {
  it.each([
    'http://127.0.0.1:1/',
    'http://localhost/',
    'http://[::ffff:127.0.0.1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'https://name.internal/',
  ])('%s gets no request', async hub => {
    await expect(send(hub, [])).rejects.toMatchObject({ code: 'address_refused' })
  })

  it('a redirect to an inside address is not followed', async () => {
    const inside = await hubThat((_, response) => void response.writeHead(202).end())
    const hub = await hubThat(redirectTo(inside.url, 307))
    await expect(send(hub.url, [`127.0.0.1:${hub.port}`])).rejects.toMatchObject({ code: 'address_refused' })
    expect(inside.forms).toEqual([])
  })

  it.each(['ftp://hub.example/', 'http://user:password@hub.example/', 'file:///etc/passwd'])(
    '%s is not used',
    async hub => {
      await expect(send(hub)).rejects.toMatchObject({ code: 'address_refused' })
    },
  )
})

it('a hub that does not answer is given up', async () => {
  const hub = await hubThat(() => {})
  await expect(send(hub.url, ['127.0.0.1'], 100)).rejects.toMatchObject({ code: 'feed_timeout' })
})
