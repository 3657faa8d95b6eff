/** Which cookies of a redirect come back, and where. */
import { expect, it } from 'vitest'
import { createJar } from '../../../src/feed/fetch/cookie-jar.ts'
import { fetchDocument } from '../../../src/feed/fetch/fetch.ts'
import { withMemory } from '../../../src/feed/fetch/memory.ts'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { siteWith } from '../../support/media/feed-site.ts'

const fetch = (url: string) =>
  withMemory('ana', share => fetchDocument(url, { policy: addressPolicy(['127.0.0.1']) }, share))

it('a site that redirects until its cookie comes back is read, and the next request has no cookie', async () => {
  const got: (string | undefined)[] = []
  const site = await siteWith(({ headers }, response) => {
    got.push(headers.cookie)
    if (headers.cookie === 'seen=1; round=2') return response.end('hello')
    const round = headers.cookie === undefined ? ['seen=1; Path=/; HttpOnly', 'round=1'] : ['round=2; Max-Age=60']
    return response.writeHead(302, { location: '/feed', 'set-cookie': round }).end()
  })
  for (const _ of [1, 2]) expect(Buffer.from((await fetch(`${site.url}/feed`)).body).toString()).toBe('hello')
  expect(got).toEqual([
    undefined,
    'seen=1; round=1',
    'seen=1; round=2',
    undefined,
    'seen=1; round=1',
    'seen=1; round=2',
  ])
})

it.each([
  ['https://a.example/', ['a=1; Secure'], 'https://a.example/x', 'a=1'],
  ['https://a.example/', ['a=1; Secure'], 'http://a.example/', undefined],
  ['http://a.example/', ['a=1; Secure'], 'https://a.example/', undefined],
  ['http://a.example/', ['a=1'], 'https://a.example/', 'a=1'],
  ['https://a.example/', ['a=1; Domain=example'], 'https://b.example/', undefined],
  ['https://a.example/', ['a=1'], 'https://b.example/', undefined],
  ['https://a.example/', ['a=1'], 'https://b.a.example/', undefined],
  ['https://a.example:8443/', ['a=1'], 'https://a.example/', 'a=1'],
  ['https://a.example/', ['a=1; Domain=a.example'], 'https://b.a.example/', 'a=1'],
  ['https://login.site.example/', ['a=1; domain=.Site.example'], 'https://www.site.example/', 'a=1'],
  ['https://login.site.example/', ['a=1; Domain=site.example'], 'https://othersite.example/', undefined],
  ['https://login.site.example/', ['a=1; Domain=other.example'], 'https://other.example/', undefined],
  ['https://login.site.example/', ['a=1; Domain=other.example'], 'https://login.site.example/', 'a=1'],
  ['https://a.github.io/', ['a=1; Domain=github.io'], 'https://b.github.io/', undefined],
  ['https://a.co.uk/', ['a=1; Domain=co.uk'], 'https://b.co.uk/', undefined],
  ['http://127.0.0.1/', ['a=1; Domain=0.0.1'], 'http://1.0.0.1/', undefined],
  ['https://a.example/', ['a=1', 'a=2; Max-Age=60'], 'https://a.example/', 'a=2'],
  ['https://a.example/', [`a=${'x'.repeat(5000)}`], 'https://a.example/', undefined],
  ['https://a.example/', ['no pair'], 'https://a.example/', undefined],
  ['https://www.youtube.com/', ['a=1'], 'https://www.youtube.com/', 'SOCS=CAI; a=1'],
])('from %s %j goes to %s as %s', (from, set, to, cookie) => {
  const jar = createJar()
  jar.keep({ headers: { 'set-cookie': set } } as never, new URL(from))
  expect(jar.headersFor(new URL(to)).cookie).toBe(cookie)
})
