/** Asks a server in this process for channels by name. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPeertubeSearcher } from '../../../src/feed/fetch/search-peertube.ts'
import { addressPolicy } from '../../../src/net/addresses.ts'

const signal = new AbortController().signal
const asked: string[] = []
let body: unknown
let server: Server
let origin: string

beforeAll(async () => {
  server = createServer((request, reply) => {
    asked.push(request.url ?? '')
    reply.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise(resolve => server.close(resolve)))

const search = (policy = addressPolicy(['127.0.0.1'])) =>
  createPeertubeSearcher({ policy })({ origin, words: 'field notes', signal })

it('channels are found with their pages, also those of other servers', async () => {
  const named = { displayName: 'Field Notes', host: 'tube.example', url: 'https://tube.example/video-channels/notes' }
  body = { total: 2, data: [named, { ...named, url: 'javascript:alert(1)' }] }
  expect(await search()).toEqual([{ title: 'Field Notes', page_url: named.url, site: 'tube.example' }])
  expect(asked.at(-1)).toBe('/api/v1/search/video-channels?search=field+notes&start=0&count=10')
})

it('the site is the host of the page, whatever the server calls it', async () => {
  const page_url = 'https://tube.example/video-channels/notes'
  body = { total: 1, data: [{ displayName: 'Field Notes', host: 'YouTube · @fieldnotes', url: page_url }] }
  expect(await search()).toEqual([{ title: 'Field Notes', page_url, site: 'tube.example' }])
})

it('an answer that is no list of channels is refused', async () => {
  body = { error: 'no' }
  await expect(search()).rejects.toMatchObject({ code: 'feed_failed' })
})

it('a server inside this network is not asked', async () => {
  const before = asked.length
  await expect(search(addressPolicy([]))).rejects.toMatchObject({ code: 'address_refused' })
  expect(asked).toHaveLength(before)
})
