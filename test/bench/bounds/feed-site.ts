/**
 * As a process: a site with feeds on many hosts (127.10.0.0/16), shaped like those of YouTube with 15 entries, or as many as `?entries=`
 * says.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'

/**
 * `unchanged`: 304 to a conditional request. `same`: the same bytes without validators. `new`: other 15 entries in every `edition`.
 */
export type FeedMode = { mode: 'unchanged' | 'same' | 'new'; edition: number }

let current: FeedMode = { mode: 'unchanged', edition: 0 }
const bodies = new Map<string, Buffer>()

const server = createServer((request, response) => {
  const etag = '"a"'
  if (current.mode === 'unchanged' && request.headers['if-none-match'] === etag) return response.writeHead(304).end()
  const key = `${request.headers.host}${request.url} ${current.edition}`
  const body = bodies.get(key) ?? Buffer.from(feedOf(key))
  bodies.set(key, body)
  if (current.mode === 'unchanged') response.setHeader('etag', etag)
  response.setHeader('content-type', 'text/xml; charset=UTF-8').setHeader('content-length', body.length).end(body)
})

server.listen(0, '0.0.0.0', () => process.send?.((server.address() as AddressInfo).port))
process.on('message', (mode: FeedMode) => {
  if (mode.edition !== current.edition) bodies.clear()
  current = mode
  process.send?.('ready')
})
process.on('disconnect', () => process.exit())

/** A document may have 5 MB, so the descriptions of a long one are short. */
const description = 'What we bake today, with all the steps and the times, and where to find the flour. '.repeat(6)

function feedOf(key: string): string {
  const [place = '', edition] = key.split(' ')
  const id = place.replace(/\W/g, '-')
  const count = Number(/\?entries=(\d+)/.exec(place)?.[1] ?? 15)
  const published = Date.UTC(2026, 4, 1) + Number(edition) * 86_400_000
  const entries = Array.from({ length: count }, (_, n) => {
    const video = `${id}-${edition}-${n}`
    return `<entry><id>yt:video:${video}</id><title>Bread ${n} of ${place} in edition ${edition}</title>
  <link rel="alternate" href="http://${place}/watch/${video}"/><published>${new Date(published + n * 60_000).toISOString()}</published>
  <updated>${new Date(published).toISOString()}</updated><media:group><media:title>Bread ${n}</media:title>
  <media:thumbnail url="http://${place}/${video}.jpg" width="480" height="360"/><media:description>${count > 100 ? 'Bread' : description}</media:description>
  <media:community><media:starRating count="812" average="5.00" min="1" max="5"/><media:statistics views="${n}"/></media:community></media:group></entry>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom"><id>${id}</id>
<title>Channel ${id}</title><link rel="alternate" href="http://${place}/"/>${entries.join('\n')}</feed>`
}
