import { describe, expect, it } from 'vitest'
import { pictureIn } from '../../../src/feed/formats/entry.ts'
import { parseFeed } from '../../../src/feed/formats/parse.ts'
import { documentOf } from '../../support/media/feeds.ts'

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

it('an image in the HTML of an entry comes after every picture that the feed names, and its address is on the web', () => {
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

describe('the picture of an entry', () => {
  const avatar = 'https://0.gravatar.com/avatar/abc?s=96'
  const pictureOf = (more: string) =>
    parseFeed(
      documentOf(`<rss xmlns:media="http://search.yahoo.com/mrss/" xmlns:News="https://www.bing.com/news/search"
        xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><link>https://h.example/</link>
        <item><link>https://h.example/1</link>${more}</item></channel></rss>`),
    ).entries[0]?.thumbnail_url

  it.each<[string, string, string | null]>([
    [
      'is not the face of its author, which comes first',
      `<media:content url="${avatar}" medium="image"/><media:content url="https://h.example/a.jpg" medium="image"/>`,
      'https://h.example/a.jpg',
    ],
    ['is none rather than a face', `<media:thumbnail url="${avatar.replace('0.', 'secure.')}"/>`, null],
    [
      'is not a face from the text',
      '<description>&lt;img src="https://cdn.libravatar.org/avatar/1">&lt;img src="/b.jpg"></description>',
      'https://h.example/b.jpg',
    ],
    ['is an image by its address alone', '<image>https://h.example/a.jpg</image>', 'https://h.example/a.jpg'],
    [
      'is an image with an address inside',
      '<image><url>https://h.example/a.jpg</url><title>A</title></image>',
      'https://h.example/a.jpg',
    ],
    ['is an image of any namespace', '<News:Image>https://h.example/a.jpg</News:Image>', 'https://h.example/a.jpg'],
    ['is an image of an unknown prefix', '<x:image href="https://h.example/a.jpg"/>', 'https://h.example/a.jpg'],
    [
      'is an enclosure that is a picture by its name',
      '<enclosure url="https://h.example/a.jpeg"/>',
      'https://h.example/a.jpeg',
    ],
    [
      'is large enough, and no larger than it need be',
      [120, 1280, 640, 4000].map(width => `<media:thumbnail url="/${width}.jpg" width="${width}"/>`).join(''),
      'https://h.example/640.jpg',
    ],
    [
      'is the largest when all are small',
      '<media:thumbnail url="/s.jpg" width="75" height="75"/><media:content url="/m.jpg" medium="image" width="300"/>',
      'https://h.example/m.jpg',
    ],
    [
      'is the first when it has no size, because the first counts most',
      '<media:thumbnail url="/first.jpg"/><media:thumbnail url="/second.jpg" width="640"/>',
      'https://h.example/first.jpg',
    ],
  ])('%s', (_, xml, picture) => {
    expect(pictureOf(xml)).toBe(picture)
  })
})
