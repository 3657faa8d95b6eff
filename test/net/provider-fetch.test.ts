/** Requests to a provider: bounded, without redirects, and only to allowed addresses. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addressPolicy } from '../../src/net/addresses.ts'
import { type ProviderFetch, providerFetch } from '../../src/net/provider-fetch.ts'

const requests: string[] = []
const server = createServer((request, response) => {
  requests.push(request.url ?? '')
  if (request.url === '/moved') response.writeHead(302, { location: '/target' })
  if (request.url === '/nothing') response.writeHead(204)
  if (request.url === '/large') response.write(Buffer.alloc(1024 * 1024 + 1))
  if (request.url === '/silent') return
  response.end(request.url === '/nothing' ? undefined : 'text')
})
let own: string
let send: ProviderFetch
const get = { method: 'GET', headers: {} }

beforeAll(async () => {
  await new Promise<void>(listening => void server.listen(0, '127.0.0.1', listening))
  own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  send = providerFetch(own, addressPolicy([]))
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

it('reaches the issuer that the operator names, even at a private address', async () => {
  const answer = await send(`${own}/document`, get)
  expect([answer.status, await answer.text()]).toEqual([200, 'text'])
  expect((await send(`${own}/nothing`, get)).status).toBe(204)
})

it('reaches no other private address unless it is allowed', async () => {
  const elsewhere = providerFetch('https://id.example.org', addressPolicy([]))
  await expect(elsewhere(`${own}/secret`, get)).rejects.toThrow('does not lead to a public site')
  expect(requests).not.toContain('/secret')
  const allowed = providerFetch('https://id.example.org', addressPolicy(['127.0.0.1']))
  expect((await allowed(`${own}/allowed`, get)).status).toBe(200)
})

it('follows no redirect', async () => {
  expect((await send(`${own}/moved`, get)).status).toBe(302)
  expect(requests).not.toContain('/target')
})

it('stops reading an answer of more than a megabyte', async () => {
  await expect(send(`${own}/large`, get)).rejects.toThrow('more than 1048576 bytes')
})

it('ends with its signal', async () => {
  const stop = new AbortController()
  const waiting = send(`${own}/silent`, { ...get, signal: stop.signal })
  stop.abort(new Error('too slow'))
  await expect(waiting).rejects.toThrow()
})
