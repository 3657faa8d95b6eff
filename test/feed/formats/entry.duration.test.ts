import { expect, it } from 'vitest'
import { durationOf } from '../../../src/feed/formats/entry.ts'
import { parseFeed } from '../../../src/feed/formats/parse.ts'

it.each([
  ['3723', 3723],
  ['1:02:03', 3723],
  ['01:02:03', 3723],
  ['62:03', 3723],
  ['0:07', 7],
  [' 7 ', 7],
  ['7.2', 8],
  ['00:00:07,5', 8],
  ['PT1H2M3S', 3723],
  ['PT3723S', 3723],
  ['P1DT1S', 86_401],
  ['PT0.5S', 1],
  ['pt1h2m3.0s', 3723],
  ['1h 2m', 3720],
  ['1h2m3s', 3723],
  ['1h 02m 03s', 3723],
  ['62 min', 3720],
  ['62 mins.', 3720],
  ['1 hour, 2 minutes', 3720],
  ['2 hrs 1 sec', 7201],
  ['61 Seconds', 61],
  ['62m', 3720],
  ['1.5 h', undefined],
  ['3 months', undefined],
  ['2 min 1 h', undefined],
  ['1h 2', undefined],
  ['0 min', undefined],
  ['h', undefined],
  ['P', undefined],
  ['0', undefined],
  ['00:00', undefined],
  ['PT', undefined],
  ['', undefined],
  [undefined, undefined],
  ['an hour', undefined],
  ['-5', undefined],
  ['1:2:3:4', undefined],
  ['999999999', undefined],
  ['NaN', undefined],
])('the length %j is %j seconds', (text, seconds) => expect(durationOf(text)).toBe(seconds))

const parsed = (text: string, content_type = 'text/xml') =>
  parseFeed({ url: 'https://pod.example/feed', content_type, body: new TextEncoder().encode(text) })

const rss = (inside: string) => `<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
  xmlns:media="http://search.yahoo.com/mrss/"><channel><title>A</title><link>https://pod.example/show</link>
  <item><title>B</title><link>https://pod.example/b</link>${inside}</item></channel></rss>`

it.each([
  ['<itunes:duration>1:02</itunes:duration>', 62],
  ['<media:group><media:content url="https://pod.example/b.mp4" duration="61.2"/></media:group>', 62],
  ['<itunes:duration>soon</itunes:duration><media:content url="https://pod.example/b.mp4" duration="9"/>', 9],
  ['<itunes:duration>99999999999</itunes:duration>', undefined],
  ['', undefined],
])('an entry with %s has the length %j, and is not lost', (inside, seconds) => {
  const { entries } = parsed(rss(inside))
  expect(entries).toHaveLength(1)
  expect(entries[0]?.duration_seconds).toBe(seconds)
})

it('a JSON feed has lengths in its attachments, and its page', () => {
  const attachments = [{ url: 'https://pod.example/b.mp4', mime_type: 'video/mp4', duration_in_seconds: 61.2 }]
  const items = [{ id: '1', url: 'https://pod.example/b', title: 'B', attachments }]
  const document = { version: 'https://jsonfeed.org/version/1.1', title: 'A', home_page_url: '/show', items }
  const feed = parsed(JSON.stringify(document), 'application/feed+json')
  expect(feed.entries[0]?.duration_seconds).toBe(62)
  expect(feed.page_url).toBe('https://pod.example/show')
})

it('a feed names the page that it belongs to, in RSS and in Atom', () => {
  expect(parsed(rss('')).page_url).toBe('https://pod.example/show')
  const atom = (links: string) => `<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title>${links}
    <entry><title>B</title><link href="https://pod.example/b"/></entry></feed>`
  const self = '<link rel="self" href="https://pod.example/feed"/>'
  expect(parsed(atom(`${self}<link rel="alternate" href="/show"/>`)).page_url).toBe('https://pod.example/show')
  expect(parsed(atom(self)).page_url).toBeUndefined()
  expect(parsed(atom('<link href="javascript:alert(1)"/>')).page_url).toBeUndefined()
})
