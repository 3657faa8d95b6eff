import { expect, it } from 'vitest'
import { parseFeed } from '../../src/feed/parse.ts'
import { pictureIn } from '../../src/feed/picture.ts'
import { documentOf } from './fixtures.ts'

it.each([
  ['<p>Text <img src="https://h.example/a.jpg?a=1&amp;b=2"></p>', 'https://h.example/a.jpg?a=1&b=2'],
  ["<IMG class='x' SRC = '/a.jpg'/><img src=b.jpg>", '/a.jpg'],
  ['<img src="https://count.example/1" width="1" height="1"><img width="100%" src="b.jpg">', 'b.jpg'],
  ['<img src="data:image/gif;base64,R0lGOD"><img data-src="x" src="b.jpg">', 'b.jpg'],
  ['<!-- <img src="a.jpg"> -->Text', undefined],
  ['<script>"<img src=a.jpg>"</script>', undefined],
  ['<img>', undefined],
  ['imgs src="a.jpg"', undefined],
  [undefined, undefined],
])('the picture in %j is %j', (html, picture) => expect(pictureIn(html)).toBe(picture))

it('stands behind every picture that the feed names itself, and never leads off the web', () => {
  const item = (more: string) => `<item><link>https://h.example/${more.length}</link>${more}</item>`
  const text = '<description>&lt;img src="/in-text.jpg"></description>'
  const items = [
    item(text),
    item(`${text}<itunes:image href="/named.jpg"/>`),
    item('<description>&lt;img src="javascript:alert(1)"></description>'),
  ]
  const { entries } = parseFeed(documentOf(`<rss><channel>${items.join('')}</channel></rss>`))
  expect(entries.map(({ thumbnail_url }) => thumbnail_url)).toEqual([
    'https://host.example/in-text.jpg',
    'https://host.example/named.jpg',
    null,
  ])
})
