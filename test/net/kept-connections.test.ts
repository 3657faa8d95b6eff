/** Connections that are kept for the next feed of the same host, against a site on this machine. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect, it, vi } from 'vitest'
import { fetchDocument } from '../../src/feed/fetch/fetch.ts'
import { withMemory } from '../../src/feed/fetch/memory.ts'
import type { AddressPolicy } from '../../src/net/addresses.ts'
import { max_idle_connections } from '../../src/net/kept-connections.ts'
import { type Site, siteWith } from '../support/media/feed-site.ts'

/** An address of a name that only the policy of the test resolves. */
const urlOf = ({ port }: Site, name: string) => `http://${name}.invalid:${port}/`
const leadingTo = (...addresses: string[]): AddressPolicy => ({
  resolve: async () => addresses.map(address => ({ address, family: 4 })),
})
const fetch = (url: string, policy = leadingTo('127.0.0.1')) =>
  withMemory('ana', share => fetchDocument(url, { policy, limits: { timeout_ms: 20_000 } }, share))

it('two requests to one host use one connection', async () => {
  const site = await siteWith((_, response) => response.end('feed'))
  for (const _ of [1, 2, 3]) await fetch(urlOf(site, 'same'))
  expect(site.connections).toHaveLength(1)
})

it('a kept connection is not used for another host at the same address', async () => {
  const site = await siteWith((_, response) => response.end('feed'))
  for (const name of ['one', 'other']) await fetch(urlOf(site, name))
  expect(site.connections).toHaveLength(2)
})

it('a kept connection is not used when the host leads to another address now', async () => {
  let requests = 0
  const site = await siteWith((_, response) => {
    requests += 1
    response.end('feed')
  })
  await fetch(urlOf(site, 'moved'))
  // The site listens at one address only, and the kept connection must not answer for the other one.
  await expect(fetch(urlOf(site, 'moved'), leadingTo('127.255.255.254'))).rejects.toMatchObject({ code: 'feed_failed' })
  expect(requests).toBe(1)
})

it('a kept connection is not used for a host that the policy refuses now', async () => {
  const site = await siteWith((_, response) => response.end('feed'))
  await fetch(urlOf(site, 'refused'))
  const refuse: AddressPolicy = { resolve: () => Promise.reject(new Error('refused')) }
  await expect(fetch(urlOf(site, 'refused'), refuse)).rejects.toThrow()
  expect(site.connections).toHaveLength(1)
})

it('a connection that is idle for seconds is closed by us', async () => {
  const site = await siteWith((_, response) => response.end('feed'))
  await fetch(urlOf(site, 'idle'))
  const [connection] = site.connections
  if (!connection?.destroyed) await once(connection as Socket, 'close')
  await fetch(urlOf(site, 'idle'))
  expect(site.connections).toHaveLength(2)
})

it('only the latest connections are kept', async () => {
  const site = await siteWith((_, response) => response.end('feed'))
  for (let n = 0; n < max_idle_connections + 10; n++) await fetch(urlOf(site, `host${n}`))
  await vi.waitFor(() =>
    expect(site.connections.filter(({ destroyed }) => !destroyed).length).toBeLessThan(max_idle_connections + 1),
  )
  expect(site.connections.slice(0, 10).every(({ destroyed }) => destroyed)).toBe(true)
})

it('a request whose kept connection breaks is sent again on a new connection', async () => {
  const site = await siteWith((request, response) => {
    const is_first = !site.connections.slice(0, 1).some(socket => socket === request.socket && socket.bytesWritten > 0)
    if (is_first) response.end('feed')
    else request.socket.destroy()
  })
  await fetch(urlOf(site, 'breaks'))
  const { body } = await fetch(urlOf(site, 'breaks'))
  expect(new TextDecoder().decode(body)).toBe('feed')
  expect(site.connections).toHaveLength(2)
})

it('a request on a new connection that breaks is not sent again', async () => {
  let requests = 0
  const site = await siteWith(request => {
    requests += 1
    request.socket.destroy()
  })
  await expect(fetch(urlOf(site, 'broken'))).rejects.toMatchObject({ code: 'feed_failed' })
  expect(requests).toBe(1)
})

it('a request whose answer breaks off on a kept connection is not sent again', async () => {
  let requests = 0
  const site = await siteWith((request, response) => {
    requests += 1
    if (requests !== 2) response.end('feed')
    else request.socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfeed\r\nno chunk\r\n')
  })
  await fetch(urlOf(site, 'garbled'))
  await expect(fetch(urlOf(site, 'garbled'))).rejects.toMatchObject({ code: 'feed_failed' })
  // A request that was sent again would have arrived before this one.
  await fetch(urlOf(site, 'next'))
  expect(requests).toBe(3)
  expect(site.connections).toHaveLength(2)
})
