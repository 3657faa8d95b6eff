/** Requests to a provider: bounded, without redirects, and only to allowed addresses. */
import { expect, it } from 'vitest'
import { addressPolicy } from '../../src/net/addresses.ts'
import { providerFetch } from '../../src/net/provider-fetch.ts'
import { siteWith } from '../support/media/feed-site.ts'

const get = { method: 'GET', headers: {} }

/** A provider on this machine. `send`: as the service sends to the issuer that the operator names. */
async function provider() {
  const { url, asked } = await siteWith((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: '/target' })
    if (request.url === '/nothing') response.writeHead(204)
    if (request.url === '/large') response.write(Buffer.alloc(1024 * 1024 + 1))
    if (request.url === '/silent') return
    response.end(request.url === '/nothing' ? undefined : 'text')
  })
  return { url, asked, send: providerFetch(url, addressPolicy([])) }
}

it('reaches the issuer that the operator names, even at a private address', async () => {
  const { url, send } = await provider()
  const answer = await send(`${url}/document`, get)
  expect([answer.status, await answer.text()]).toEqual([200, 'text'])
  expect((await send(`${url}/nothing`, get)).status).toBe(204)
})

it('reaches no other private address unless it is allowed', async () => {
  const { url, asked } = await provider()
  const elsewhere = providerFetch('https://id.example.org', addressPolicy([]))
  await expect(elsewhere(`${url}/secret`, get)).rejects.toThrow('does not lead to a public site')
  expect(asked).not.toContain('/secret')
  const allowed = providerFetch('https://id.example.org', addressPolicy(['127.0.0.1']))
  expect((await allowed(`${url}/allowed`, get)).status).toBe(200)
})

it('follows no redirect', async () => {
  const { url, asked, send } = await provider()
  expect((await send(`${url}/moved`, get)).status).toBe(302)
  expect(asked).not.toContain('/target')
})

it('stops reading an answer of more than a megabyte', async () => {
  const { url, send } = await provider()
  await expect(send(`${url}/large`, get)).rejects.toThrow('more than 1048576 bytes')
})

it('ends with its signal', async () => {
  const { url, send } = await provider()
  const stop = new AbortController()
  const waiting = send(`${url}/silent`, { ...get, signal: stop.signal })
  stop.abort(new Error('too slow'))
  await expect(waiting).rejects.toThrow()
})
