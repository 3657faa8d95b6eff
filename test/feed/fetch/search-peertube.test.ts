/** Asks a server in this process for channels by name. */
import { expect, it } from 'vitest'
import { createPeertubeSearcher } from '../../../src/feed/fetch/search-peertube.ts'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { siteWith } from '../../support/media/feed-site.ts'

/** What a server that answers with this body finds, and what it was asked. */
async function searching(body: unknown, policy = addressPolicy(['127.0.0.1'])) {
  const { url: origin, asked } = await siteWith((_, reply) => {
    reply.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  const signal = new AbortController().signal
  return { asked, found: createPeertubeSearcher({ policy })({ origin, words: 'field notes', signal }) }
}

it('channels are found with their pages, also those of other servers', async () => {
  const named = { displayName: 'Field Notes', host: 'tube.example', url: 'https://tube.example/video-channels/notes' }
  const { asked, found } = await searching({ total: 2, data: [named, { ...named, url: 'javascript:alert(1)' }] })
  expect(await found).toEqual([{ title: 'Field Notes', page_url: named.url, site: 'tube.example' }])
  expect(asked).toEqual(['/api/v1/search/video-channels?search=field+notes&start=0&count=10'])
})

it('the site is the host of the page, whatever the server calls it', async () => {
  const page_url = 'https://tube.example/video-channels/notes'
  const data = [{ displayName: 'Field Notes', host: 'YouTube · @fieldnotes', url: page_url }]
  expect(await (await searching({ total: 1, data })).found).toEqual([
    { title: 'Field Notes', page_url, site: 'tube.example' },
  ])
})

it('an answer that is no list of channels is refused', async () => {
  const { found } = await searching({ error: 'no' })
  await expect(found).rejects.toMatchObject({ code: 'feed_failed' })
})

it('a server inside this network is not asked', async () => {
  const { asked, found } = await searching({}, addressPolicy([]))
  await expect(found).rejects.toMatchObject({ code: 'address_refused' })
  expect(asked).toEqual([])
})
