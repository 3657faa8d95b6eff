import { describe, expect, it } from 'vitest'
import { max_entries } from '../../../src/feed/formats/entry.ts'
import { parseFeed } from '../../../src/feed/formats/parse.ts'
import { Feed } from '../../../src/schema/sources/feed.ts'
import { bytesOf, documentOf } from '../../support/media/feeds.ts'

const parse = (name: string, at: { url?: string; content_type?: string } = {}) =>
  Feed.parse(parseFeed(documentOf(bytesOf(name), at)))
const rss = (items: string, head = '<title>T</title>') =>
  parseFeed(documentOf(`<rss version="2.0"><channel>${head}${items}</channel></rss>`))
const entry = (inside: string) => rss(`<item>${inside}</item>`).entries[0]
const refused = expect.objectContaining({ name: 'DomainError', code: 'not_a_feed' })
const faultOf = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (fault) {
    return fault
  }
}

describe('a YouTube feed', () => {
  it('a YouTube feed without UC in its identifier gets it back, and every entry keeps its own identifier', () => {
    const feed = parse('youtube-channel-id-without-uc.xml')
    expect(feed).toEqual({
      channel_id: 'UCabcdefghijklmnopqrstuv',
      page_url: 'https://www.youtube.com/channel/UCabcdefghijklmnopqrstuv',
      title: 'Rock & Roll <3',
      skipped: 1,
      warning: '1 entry of this feed could not be read: it has no address.',
      entries: [
        {
          video_id: '-0123456789',
          video_url: 'https://www.youtube.com/watch?v=-0123456789',
          title: 'An identifier that looks like a number',
          thumbnail_url: 'https://i2.ytimg.com/vi/-0123456789/hqdefault.jpg',
          description: 'First line & more\n\nThird line: 1 < 2',
          published_at: new Date('2026-11-19T09:00:00Z'),
        },
        {
          video_id: 'Sh0rt_Sh0rt',
          video_url: 'https://www.youtube.com/shorts/Sh0rt_Sh0rt',
          title: 'A short without a media group',
          thumbnail_url: null,
          description: null,
          published_at: new Date('2026-11-18T09:00:00Z'),
        },
      ],
    })
  })

  it('a YouTube feed of all uploads has its author as title and its channel as identifier', () => {
    const { channel_id, title } = parse('youtube-uploads-called-videos.xml', {
      url: 'https://www.youtube.com/feeds/videos.xml?user=whose',
    })
    expect({ channel_id, title }).toEqual({ channel_id: 'UCabcdefghijklmnopqrstuv', title: 'Whose they are' })
  })

  it('a YouTube feed from another front end keeps the identifiers of YouTube', () => {
    const found = entry(
      '<yt:videoId>abcdefghijk</yt:videoId><link>https://front.example/watch?v=abcdefghijk</link><title>x</title>',
    )
    expect(found).toMatchObject({
      video_id: 'abcdefghijk',
      video_url: 'https://front.example/watch?v=abcdefghijk',
    })
  })
})

describe('an RSS feed', () => {
  it('an RSS feed loses its markup, its links become absolute, and the video file is chosen', () => {
    const feed = parse('rss-html-in-titles-and-relative-links.xml')
    expect(feed.title).toBe('Films and more & more')
    expect(feed.entries[0]).toMatchObject({
      video_url: 'https://films.example/files/one.mp4?token=abc',
      title: 'One film',
      thumbnail_url: 'https://films.example/pictures/one.jpg',
      description: 'Café,\ntwo lines.\n\nAnd a third.',
      published_at: new Date('2026-11-20T10:00:00Z'),
    })
  })

  it('an RSS feed may have audio only, invalid dates and invalid pictures', () => {
    const { entries } = parse('rss-html-in-titles-and-relative-links.xml')
    expect(entries[1]).toMatchObject({
      video_url: 'https://films.example/talk.mp3',
      thumbnail_url: null,
      published_at: null,
    })
  })

  it('an entry without a title gets its first words as title, else its identifier', () => {
    const item = (link: string, more = '') => `<item><link>https://a.example/${link}</link>${more}</item>`
    const told = item('1', '<description>Bread again.\nAnd more.</description>')
    const { entries } = parseFeed(documentOf(`<rss><channel>${told}${item('2')}</channel></rss>`))
    expect(entries.map(({ title, video_id }) => [title, title === video_id])).toEqual([
      ['Bread again.', false],
      [entries[1]?.video_id, true],
    ])
  })

  it('an entry without an address is left out', () => {
    const { entries, skipped } = parse('rss-html-in-titles-and-relative-links.xml')
    expect(entries[2]).toMatchObject({ video_url: 'https://films.example/untitled' })
    expect({ entries: entries.length, skipped }).toEqual({ entries: 3, skipped: 1 })
  })

  it('an RSS feed may use any prefixes and any case, and its best quality is chosen', () => {
    expect(parse('rss-film-in-many-qualities.xml').entries).toMatchObject([
      {
        title: 'Under another prefix',
        video_url: 'https://tube.example/1080.mp4',
        thumbnail_url: 'https://tube.example/still.jpg',
      },
    ])
  })

  const prefixed = (text: string, prefix: string) => text.replace(/<(\/?)(?=[a-z])(?!\w+:)/g, `<$1${prefix}:`)
  const in_rss = '<channel><title>T</title><item><title>V</title><link>https://h.example/v</link></item></channel>'
  const in_atom = '<title>T</title><entry><title>V</title><id>urn:v</id><link href="https://h.example/v"/></entry>'
  it.each([
    ['RSS', prefixed(`<rss xmlns:r="urn:x" version="2.0">${in_rss}</rss>`, 'r')],
    ['RSS with an undeclared one', prefixed(`<rss>${in_rss}</rss>`, 'rss')],
    ['RSS that is broken', prefixed(`<rss xmlns:r="urn:x">${in_rss}`, 'r')],
    ['Atom', prefixed(`<feed xmlns:a="http://www.w3.org/2005/Atom">${in_atom}</feed>`, 'a')],
    ['Atom with another one', prefixed(`<feed xmlns:f="urn:x">${in_atom}</feed>`, 'f')],
    [
      'RDF',
      `<x:RDF xmlns:x="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="http://purl.org/rss/1.0/">${prefixed(in_rss, 's')}</x:RDF>`,
    ],
    ['RDF without prefixes', `<RDF xmlns="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${in_rss}</RDF>`],
  ])('a feed may have a prefix on every element: %s', (_, text) => {
    expect(parseFeed(documentOf(text))).toMatchObject({ title: 'T', entries: [{ title: 'V' }], skipped: 0 })
  })

  it('a prefix of the root further inside is another one', () => {
    const text = `<rss xmlns:x="urn:x"><channel><x:rss/><x:title>No</x:title><title>T</title></channel></rss>`
    expect(parseFeed(documentOf(text)).title).toBe('T')
  })

  it('an RSS feed has each video once, as it first appears', () => {
    const { entries, skipped } = parse('rss-same-video-twice.xml')
    expect(entries.map(({ video_id, title }) => [video_id, title])).toEqual([
      ['abcdefghijk', 'First'],
      ['ABCDEFGHIJK', 'Another'],
    ])
    expect(skipped).toBe(0)
  })

  it('an entry links to the page on a known platform, even if it also names a file', () => {
    const found = entry(
      '<link>https://vimeo.com/76979871</link><enclosure url="https://cdn.example/f.mp4" type="video/mp4"/>',
    )
    expect(found).toMatchObject({ video_id: 'vimeo.76979871', video_url: 'https://vimeo.com/76979871' })
  })

  it('the guid is the address when there is no other', () => {
    expect(entry('<guid>https://h.example/v/1</guid>')?.video_url).toBe('https://h.example/v/1')
    expect(entry('<guid isPermaLink="false">https://h.example/v/1</guid>')).toBeUndefined()
  })

  it.each([
    ['/blog/x', 'https://h.example/blog/x'],
    ['blog/x', 'https://h.example/papers/blog/x'],
    ['https://h.example/x', 'https://h.example/x'],
    ['tag:h.example,2020:x', undefined],
    ['0012', undefined],
  ])('resolves the guid %s where it says that it is the address', (guid, address) => {
    const guided = `<item><guid isPermaLink="true">${guid}</guid></item><item><guid>${guid}</guid></item>`
    const feed = rss(guided, '<link>https://h.example/papers/</link>')
    expect(feed.entries[0]?.video_url).toBe(address)
    expect(feed.skipped).toBe(address === undefined ? 2 : guid.startsWith('http') ? 0 : 1)
  })

  it('an address that is not on the web is never passed on', () => {
    const links = [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'ftp://h.example/x.mp4',
      'https://u:p@h.example/',
      '-o x',
    ]
    const feed = rss(links.map(link => `<item><link>${link}</link></item>`).join(''), '<link>ftp://x</link>')
    expect(feed.entries.map(({ video_url }) => video_url)).toEqual(['https://host.example/-o%20x'])
    expect(feed.skipped).toBe(4)
  })

  it('a feed without a title gets the name of its host', () => {
    expect(rss('', '').title).toBe('host.example')
  })

  it('a feed is read up to the limit, and the entries beyond it are counted', () => {
    const many = Array.from({ length: max_entries + 3 }, (_, i) => `<item><link>https://h.example/${i}</link></item>`)
    const feed = rss(many.join(''))
    expect({ entries: feed.entries.length, skipped: feed.skipped }).toEqual({ entries: max_entries, skipped: 3 })
  })

  it('a feed may have a single entry, or none', () => {
    expect(rss('<item><link>https://h.example/1</link></item>').entries).toHaveLength(1)
    expect(rss('').entries).toEqual([])
  })
})

describe('Atom, RDF and JSON feeds', () => {
  it('reads Atom without dates, with bases within bases and every kind of text', () => {
    const feed = parse('atom-without-dates.xml')
    expect(feed.title).toBe('A & B')
    expect(feed.entries).toMatchObject([
      {
        title: 'Is <b> a tag?',
        video_url: 'https://atom.example/show/two/film.webm',
        description: 'Less is more',
        published_at: null,
      },
    ])
  })

  it('resolves the entities of XML, and never reads text as a number', () => {
    const titles = ['0012', '1e3', '0x10', '&#65;&#x42;&amp;&lt;', '&amp;amp;']
    const entries = titles.map((title, n) => `<entry><title type="text">${title}</title><link href="/${n}"/></entry>`)
    const feed = parseFeed(documentOf(`<feed xmlns="http://www.w3.org/2005/Atom">${entries.join('')}</feed>`))
    expect(feed.entries.map(({ title }) => title)).toEqual(['0012', '1e3', '0x10', 'AB&<', '&amp;'])
  })

  it('reads RDF whose items are next to the channel, under a harmless DOCTYPE', () => {
    expect(parse('rdf-items-beside-the-channel.xml')).toMatchObject({
      title: 'Old',
      entries: [{ video_url: 'https://old.example/7', published_at: new Date('2004-05-28T08:00:00Z') }],
    })
  })

  it.each([
    ['a list of attachments', (one: object) => [one]],
    ['a single attachment without a list', (one: object) => one],
  ])('reads the file and the length of %s in JSON, as a number or a text', (_, listed) => {
    const entries = [125, '125', '2:05'].map((duration_in_seconds, n) => {
      const file = { url: `https://json.example/${n}.mp4`, mime_type: 'video/mp4', duration_in_seconds }
      const item = { id: n, title: 'T', attachments: listed(file) }
      const body = JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'F', items: [item] })
      return parseFeed(documentOf(body)).entries[0]
    })
    const expected = [0, 1, 2].map(n => ({ video_url: `https://json.example/${n}.mp4`, duration_seconds: 125 }))
    expect(entries).toMatchObject(expected)
  })

  it('reads JSON whose values have the wrong types', () => {
    const feed = parse('json-feed-with-wrong-types.json')
    expect(feed).toMatchObject({
      title: 'JSON – feed',
      skipped: 2,
      entries: [
        {
          video_url: 'https://json.example/1.mp4',
          description: 'One\n\nTwo',
          thumbnail_url: 'https://host.example/banner.png',
          published_at: new Date('2026-11-20T15:00:00Z'),
        },
        { video_url: 'https://json.example/3', title: 'By its id alone' },
      ],
    })
  })
})

describe('encodings', () => {
  it.each([
    ['rss-iso-8859-1.xml', 'Café', ''],
    ['rss-utf-8-called-iso-8859-1.xml', 'Café', ''],
    ['rss-utf-16-with-a-mark.xml', 'Café', ''],
    ['rss-utf-16-without-a-mark.xml', 'Café', ''],
    ['rss-ascii-called-utf-16.xml', 'Cafe', ''],
    ['rss-windows-1251-not-declared-in-xml.xml', 'Видео', 'text/xml; charset="windows-1251"'],
    ['rss-letter-cut-in-half.xml', 'ééééééééééééééééééé\ufffd', ''],
    ['rss-with-nul-and-half-letters.xml', 'ABCDE', ''],
  ])('%s says %s', (name, title, content_type) => {
    expect(parse(name, { content_type }).title).toBe(title)
  })

  it('a text that could only be garbled is refused', () => {
    expect(() => parse('rss-latin-1-without-a-word.xml')).toThrow('encoding')
  })
})

describe('what is no feed, or a trap', () => {
  it.each([
    ['doctype-billion-laughs.xml', 'entities'],
    ['doctype-entity-from-a-file.xml', 'entities'],
    ['doctype-inside-the-root.xml', 'entities'],
    ['login-page.html', 'page'],
  ])('refuses %s', (name, reason) => {
    const fault = faultOf(() => parse(name))
    expect(fault).toEqual(refused)
    expect((fault as Error).message).toContain(reason)
  })

  it.each([
    ['nothing', ''],
    ['blanks', ' \n '],
    ['plain words', 'Not found'],
    ['other XML', '<opml><body/></opml>'],
    ['other JSON', '{"a": 1}'],
    ['broken JSON', '{"items": ['],
    ['an opened tag', '<rss'],
    ['a comment without end', '<rss><!--'],
    ['deep nesting', `<rss>${'<a>'.repeat(20_000)}`],
    ['deep JSON', `{"items":${'['.repeat(100_000)}`],
    ['bytes', '\u0000\u0001\u0002'],
  ])('refuses %s in words', (_, text) => {
    expect(faultOf(() => parseFeed(documentOf(text)))).toEqual(refused)
  })

  it('a feed that breaks off keeps the entries before the break', () => {
    const { entries, skipped } = parse('cut-off-in-the-middle.xml')
    expect(entries.map(({ title }) => title)).toEqual(['Whole'])
    expect(skipped).toBe(1)
  })

  it('attributes without a value cost no entry', () => {
    const links = '<link rel href="/a"/><link href/><link rel="enclosure" type length href="/a.mp4"/>'
    const { entries } = parseFeed(documentOf(`<feed xml:base><entry>${links}<id>1</id></entry></feed>`))
    expect(entries.map(({ video_url }) => video_url)).toEqual(['https://host.example/a.mp4'])
  })

  it('a feed cannot change Object.prototype', () => {
    faultOf(() => rss('<__proto__><polluted>yes</polluted></__proto__>'))
    faultOf(() => parseFeed(documentOf('{"items": [], "__proto__": {"polluted": "yes"}}')))
    expect(({} as { polluted?: string }).polluted).toBeUndefined()
  })
})

it('keeps the identifier of the followed address wherever a redirect leads', () => {
  const address = 'https://host.example/feed'
  const channels = ['https://a.example/1', 'https://b.example/2'].map(
    url => parseFeed(documentOf('<rss><channel/></rss>', { url }), address).channel_id,
  )
  expect(new Set(channels).size).toBe(1)
})
