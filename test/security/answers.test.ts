/** Checks that answers reveal nothing about inside machines, and never repeat what a site sent. */
import { describe, expect, it } from 'vitest'
import { bestOf, createDiscover } from '../../src/domain/channels/discovery.ts'
import { webSources } from '../../src/domain/channels/feed-search.ts'
import { type AddressPolicy, addressPolicy } from '../../src/net/addresses.ts'
import { useApp } from '../support/app/app.ts'
import { person } from '../support/app/people.ts'
import { siteWith } from '../support/media/feed-site.ts'

const finderWith = (policy: AddressPolicy, request_ms = 2000) =>
  bestOf(createDiscover(webSources(policy), { request_ms }))
const strict = useApp({ findFeed: finderWith(addressPolicy([])) })
const lenient = useApp({ findFeed: finderWith(addressPolicy(['127.0.0.1'])) })

/** Every answer about one address, requested in every way there is. */
async function told({ ask, sql }: typeof strict, url: string) {
  const alice = await person(sql, 'alice')
  const answers = [
    await ask('/api/channels', { as: alice, json: { url } }),
    await ask('/api/feed', { as: alice, json: { rss_url: url } }),
    await ask(`/api/discover?${new URLSearchParams({ url })}`, { as: alice }),
    await ask('/channels', { as: alice, form: { url } }),
    await ask(`/channels/new?${new URLSearchParams({ url })}`, { as: alice }),
    await ask('/channels', { as: alice }),
  ]
  return Promise.all(
    answers.map(
      async answer =>
        `${answer.status} ${(await answer.text()).replaceAll(url, 'URL').replaceAll(alice.user.username, 'NAME')}`,
    ),
  )
}

describe('inside addresses', () => {
  it('an inside address gets the same answer whether it serves a feed or a page, refuses, or does not exist', async () => {
    const listening = await siteWith((_, response) =>
      response.end('<rss><channel><title>SECRET-123</title></channel></rss>'),
    )
    const page = await siteWith((_, response) => response.writeHead(500).end('SECRET-123'))
    const closed = 'http://127.0.0.1:1/'

    const answers = await Promise.all(
      [
        `${listening.url}/`,
        `${page.url}/`,
        closed,
        'http://169.254.169.254/',
        'http://10.255.255.1:81/',
        'http://[::1]:5432/',
        'http://no-such-name.invalid/',
      ].map(async url => (await told(strict, url)).map(text => text.replaceAll(encodeURIComponent(url), 'URL'))),
    )

    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]?.[0]).toMatch(/^422 .*does not lead to a public site/)
    expect([...listening.asked, ...page.asked]).toEqual([])
  })
})

describe('the body and headers of a site', () => {
  it.each([
    ['a page', 200, '<html><title>SECRET-123</title><p>SECRET-123</p></html>', 'text/html'],
    ['a text', 200, 'SECRET-123', 'text/plain'],
    ['JSON', 200, '{"token":"SECRET-123"}', 'application/json'],
    ['a fault', 500, 'SECRET-123', 'text/plain'],
    ['a refusal', 401, '{"password":"SECRET-123"}', 'application/json'],
    ['half a feed', 200, '<rss><channel><title>SECRET-123', 'application/rss+xml'],
    ['a feed cut off in an entity', 200, '<!DOCTYPE a [<!ENTITY b "SECRET-123">]><a>&b;</a>', 'text/xml'],
    ['a redirect', 302, 'SECRET-123', 'text/plain'],
  ])('no answer shows what a site sent: %s', async (_, status, body, type) => {
    const site = await siteWith((_, response) => {
      response.writeHead(status, { 'content-type': type, 'x-secret': 'SECRET-123', location: '/SECRET-123' })
      response.end(body)
    })
    const texts = await told(lenient, `${site.url}/`)
    expect(site.asked.length).toBeGreaterThan(0)
    expect(texts.filter(text => text.includes('SECRET-123'))).toEqual([])
  })
})

describe('DNS rebinding', () => {
  it('a name that resolves to another address each time never leads to this machine', async () => {
    const site = await siteWith((_, response) => response.end('SECRET-123'))
    let times = 0
    const policy = addressPolicy([], async () => [{ address: times++ % 2 === 0 ? '192.0.0.9' : '127.0.0.1' }])
    const find = finderWith(policy, 200)
    for (let n = 0; n < 50; n++) await expect(find(`http://rebind.example:${site.port}/`)).rejects.toThrow()
    expect(times).toBe(50)
    expect(site.asked).toEqual([])
  })
})
