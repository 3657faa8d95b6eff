/** The connection of a request, against a site on this machine. */
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { fetchDocument } from '../../src/feed/fetch/fetch.ts'
import { withMemory } from '../../src/feed/fetch/memory.ts'
import type { AddressPolicy } from '../../src/net/addresses.ts'
import { type Site, siteWith } from '../support/media/feed-site.ts'

/** An address of a name that only the policy of the test resolves. */
const urlOf = ({ port }: Site, name: string) => `http://${name}.invalid:${port}/`
const leadingTo = (...addresses: string[]): AddressPolicy => ({
  resolve: async () => addresses.map(address => ({ address, family: 4 })),
})
const fetch = (url: string, policy = leadingTo('127.0.0.1')) =>
  withMemory('ana', share => fetchDocument(url, { policy, limits: { timeout_ms: 20_000 } }, share))

it('each request has a connection of its own, which ends with the answer', async () => {
  const site = await siteWith((_, response) => response.end('feed'))
  for (const _ of [1, 2]) await fetch(urlOf(site, 'same'))
  expect(site.connections).toHaveLength(2)
  for (const connection of site.connections) if (!connection.destroyed) await once(connection, 'close')
})

it('a request whose connection breaks is not sent again', async () => {
  let requests = 0
  const site = await siteWith(request => {
    requests += 1
    request.socket.destroy()
  })
  await expect(fetch(urlOf(site, 'broken'))).rejects.toMatchObject({ code: 'feed_failed' })
  expect(requests).toBe(1)
})
