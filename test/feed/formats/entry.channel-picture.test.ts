/** The picture of a channel, in every place where feeds name one. */
import { expect, it } from 'vitest'
import { parseFeed } from '../../../src/feed/formats/parse.ts'
import { documentOf } from '../../support/media/feeds.ts'

const url = 'https://videos.example/feeds/all'
const pictureIn = (document: string) => parseFeed(documentOf(document, { url })).image_url

const itunes = 'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"'
const rss = (inside: string) => `<rss version="2.0" ${itunes}><channel><title>t</title>${inside}</channel></rss>`
const atom = (inside: string) => `<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title>${inside}</feed>`
const json = (fields: object) =>
  JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 't', items: [], ...fields })

it.each([
  ['an RSS image', rss('<image><url>https://a.example/p.png</url></image>'), 'https://a.example/p.png'],
  [
    'a podcast’s before it',
    rss('<image><url>https://a.example/p.png</url></image><itunes:image href="https://a.example/i.jpg"/>'),
    'https://a.example/i.jpg',
  ],
  ['an Atom icon', atom('<icon>/icon.png</icon>'), 'https://videos.example/icon.png'],
  ['an Atom logo', atom('<logo>https://a.example/logo.png</logo>'), 'https://a.example/logo.png'],
  ['a JSON Feed icon', json({ icon: 'https://a.example/icon.png' }), 'https://a.example/icon.png'],
  ['nothing', rss(''), undefined],
  ['what is no address of the web', rss('<image><url>javascript:alert(1)</url></image>'), undefined],
  ['a data address', atom('<icon>data:image/png;base64,AAAA</icon>'), undefined],
  ['something too long', atom(`<icon>https://a.example/${'x'.repeat(2048)}</icon>`), undefined],
  [
    'a picture of an item alone',
    rss('<item><title>i</title><image><url>https://a.example/p.png</url></image></item>'),
    undefined,
  ],
])('is read from %s', (_, document, picture) => {
  expect(pictureIn(document)).toBe(picture)
})
