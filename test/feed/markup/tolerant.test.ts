/** Feeds with something in front of them or addresses without a scheme. */
import { describe, expect, it } from 'vitest'
import { parseFeed } from '../../../src/feed/formats/parse.ts'
import { documentOf } from '../../support/media/feeds.ts'

const feed = '<rss><channel><title>Bread</title><item><link>https://h.example/1</link></item></channel></rss>'

describe('a feed behind what its server said by mistake', () => {
  it.each([
    [
      'a warning of PHP',
      `<br />\n<b>Warning</b>:  Undefined variable $x in <b>/srv/a.php</b> on line <b>3</b><br />\n<?xml version="1.0"?>\n${feed}`,
    ],
    ['two notices', `<br />\n<b>Notice</b>: a<br />\n<br />\n<b>Deprecated</b>: b<br />\n${feed}`],
    ['a warning without line breaks', `<b>Strict Standards</b>: a in <b>/srv/a.php</b>${feed}`],
    ['a warning in plain text', `\nWarning: a in /srv/a.php on line 3\n<?xml version="1.0"?>${feed}`],
    ['a comment and a warning', `<!-- x --><br />\n<b>Warning</b>: a<br />${feed}`],
  ])('is read: %s', (_, text) => {
    expect(parseFeed(documentOf(text))).toMatchObject({ title: 'Bread', entries: [{}] })
  })

  it.each([
    ['with a warning and no feed', '<br />\n<b>Fatal error</b>: a in <b>/srv/a.php</b>'],
    [
      'that shows a feed as an example',
      `<html><body><p>Like this:</p><pre><?xml version="1.0"?>${feed}</pre></body></html>`,
    ],
    ['that begins with a line break', `<br /><p>Like this:</p>${feed}`],
  ])('is still a web page %s', (_, text) => {
    expect(() => parseFeed(documentOf(text))).toThrow('web page')
  })
})

describe('a link without a scheme', () => {
  const urlOf = (link: string) =>
    parseFeed(documentOf(`<rss><channel><item><link>${link}</link></item></channel></rss>`)).entries[0]?.video_url

  it.each([
    ['www.h.example/a', 'https://www.h.example/a'],
    ['WWW.h.example', 'https://www.h.example/'],
    ['//www.h.example/a', 'https://www.h.example/a'],
    ['www.html', 'https://host.example/www.html'],
    ['/www.h.example/a', 'https://host.example/www.h.example/a'],
    ['h.example/a', 'https://host.example/h.example/a'],
  ])('%s leads to %s', (link, url) => {
    expect(urlOf(link)).toBe(url)
  })
})
