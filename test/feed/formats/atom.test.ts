/** What Atom documents say in unusual ways. */
import { describe, expect, it } from 'vitest'
import { parseFeed } from '../../../src/feed/formats/parse.ts'
import { documentOf } from '../../support/media/feeds.ts'

const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64')
const entry = (more: string) => `<entry><link href="https://h.example/1"/>${more}</entry>`
const read = (...entries: string[]) =>
  parseFeed(documentOf(`<feed xmlns="http://www.w3.org/2005/Atom">${entries.join('')}</feed>`)).entries

describe('content in Atom', () => {
  it.each<[string, string, string | null]>([
    [
      'is decoded when its mode is base64',
      `<content type="text/html" mode="base64">${base64('<p>Bread</p>')}</content>`,
      'Bread',
    ],
    [
      'is decoded when its type is binary',
      `<content type="application/octet-stream">\n ${base64('Bread & butter')} \n</content>`,
      'Bread & butter',
    ],
    [
      'is nothing when it is binary and no text',
      `<content type="image/png">${base64(new Uint8Array([0x89, 0x50, 0, 1]))}</content>`,
      null,
    ],
    ['is nothing when it is binary and not base64', '<content type="application/octet-stream">~~~</content>', null],
    ['is text when its type says so', `<content type="text/plain">${base64('Bread')}</content>`, base64('Bread')],
    [
      'is without the scripts and styles of its XHTML',
      '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">a<script>alert(1)</script><style>b{}</style>c</div></content>',
      'ac',
    ],
    [
      'is without the scripts of its XHTML by prefix',
      '<content type="xhtml" xmlns:x="http://www.w3.org/1999/xhtml"><x:div>a<x:script>alert(1)</x:script>c</x:div></content>',
      'ac',
    ],
  ])('%s', (_, xml, description) => {
    expect(read(entry(xml))[0]?.description).toBe(description)
  })

  it('a title in Atom may be base64', () => {
    expect(read(entry(`<title type="text/html" mode="base64">${base64('A &amp; <b>b</b>')}</title>`))[0]?.title).toBe(
      'A & b',
    )
  })
})

describe('an Atom document that is a single entry', () => {
  const alone = (name: string, xmlns: string) =>
    `<?xml version="1.0"?><${name} ${xmlns}="http://www.w3.org/2005/Atom"><${name.replace('entry', 'title')}>Bread</${name.replace('entry', 'title')}>
      <${name.replace('entry', 'link')} href="https://h.example/1"/></${name}>`

  it.each([
    ['entry', 'xmlns'],
    ['atom:entry', 'xmlns:atom'],
  ])('is read: <%s>', (name, xmlns) => {
    const feed = parseFeed(documentOf(alone(name, xmlns)))
    expect(feed).toMatchObject({ entries: [{ title: 'Bread', video_url: 'https://h.example/1' }], skipped: 0 })
  })

  it('a single entry that is not Atom is refused', () => {
    expect(() => parseFeed(documentOf('<entry><title>Bread</title></entry>'))).toThrow('not a feed in a format we know')
  })
})
