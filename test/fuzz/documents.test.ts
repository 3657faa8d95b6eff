/** Claims about any feed, page or list that a site or a person may send. */
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect } from 'vitest'
import { DomainError } from '../../src/errors.ts'
import { parseFeed } from '../../src/feed/formats/parse.ts'
import { opmlOf } from '../../src/feed/lists/opml.ts'
import { parseList } from '../../src/feed/lists/parse-list.ts'
import { anyTextOf } from '../../src/feed/markup/any-text.ts'
import { textOf } from '../../src/feed/markup/encoding.ts'
import { descriptionOf, titleOf } from '../../src/feed/markup/html.ts'
import { feedsOnPage } from '../../src/feed/pages/page-feeds.ts'
import { max_list_lines } from '../../src/schema/imports/import.ts'
import { Feed, WebUrl } from '../../src/schema/sources/feed.ts'
import { withoutBidiControls } from '../../src/schema/values/direction.ts'
import { max_description, max_title, siteTitle } from '../../src/schema/values/stored.ts'
import { expectQuick } from '../support/app/quick.ts'
import { documentOf } from '../support/media/feeds.ts'
import { anyText, claim, few_runs, fewest_runs, madeOf, wordOf } from './claims.ts'
import { mutated } from './mutations.ts'

const filesIn = (folder: string) => readdirSync(folder).map(name => new Uint8Array(readFileSync(`${folder}/${name}`)))

const small = [
  '<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>T</title><ttl>60</ttl><item><title>A &amp; b</title><guid isPermaLink="false">g1</guid><link>/a?b=1</link><pubDate>Fri, 20 Nov 2026 10:00:00 GMT</pubDate><enclosure url="https://h.example/a.mp4" type="video/mp4" length="1"/><media:content url="https://h.example/b.mp4" height="720" medium="video"><media:thumbnail url="https://h.example/a.jpg"/></media:content><description><![CDATA[<p>x</p>]]></description></item><item><link>https://youtu.be/abcdefghijk</link></item></channel></rss>',
  '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://h.example/x/"><title type="html">T</title><entry><id>urn:1</id><title>B</title><link rel="alternate" href="w/1"/><published>2026-11-20T10:00:00+01:00</published><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><b>x</b></div></content></entry><entry><link href="https://h.example/2"/></entry></feed>',
  '{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[{"id":"1","url":"https://h.example/1","title":"One","date_published":"2026-11-20T10:00:00Z","attachments":[{"url":"https://h.example/1.mp4","mime_type":"video/mp4"}]},{"id":2,"url":"/2"}]}',
  '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>R</title></channel><item><title>I</title><link>https://h.example/i</link></item></rdf:RDF>',
  '<r:rss xmlns:r="urn:x"><r:channel><r:title>P</r:title><r:item><r:title>V</r:title><r:link>https://h.example/v</r:link></r:item></r:channel></r:rss>',
].map(text => new TextEncoder().encode(text))

const words = [
  '<![CDATA[',
  ']]>',
  '<!--',
  '-->',
  '<?xml version="1.0"?>',
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  '&b;',
  '&#65;',
  '&#x110000;',
  '&#0;',
  '<item>',
  '</item>',
  '<entry>',
  '<channel>',
  '</channel></rss>',
  '<rss>',
  '<feed>',
  '<__proto__>',
  '<constructor>',
  '</',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://u:p@h.example/',
  'http://[::1]/',
  '//h.example/x',
  'file:///etc/passwd',
  '__proto__',
  'null',
  '1e999',
  '{"',
  '"',
  "'",
  '>',
  '<',
  '\u0000',
  '\ud7ff',
  '\u202e',
  '-1',
  '99999999999999999999',
]

/** The result or the refusal. Any other error is a fault. */
function readOrRefusal<T>(read: () => T): T | string {
  try {
    return read()
  } catch (fault) {
    if (!(fault instanceof DomainError)) throw fault
    return `${fault.code}: ${fault.message}`
  }
}

/** What is read the first time. It is read again, to the same result, within this many milliseconds. */
function sameEachTime<T>(most_ms: number, read: () => T): T {
  const first = read()
  let again: T | undefined
  expectQuick(most_ms, () => {
    again = read()
  })
  expect(again).toEqual(first)
  return first
}

const fit_for_a_path = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/

claim(
  'any document of 200 kB gives a safe feed or a refusal with a sentence, the same each time and within half a second',
  fc.property(
    mutated([...filesIn('test/fixtures/feeds'), ...small], words),
    fc.constantFrom(
      '',
      'text/xml; charset=iso-8859-1',
      'application/json',
      'text/html; charset=utf-16',
      'x;charset=nonsense',
    ),
    (body, content_type) => {
      const found = sameEachTime(500, () => readOrRefusal(() => parseFeed(documentOf(body, { content_type }))))
      if (typeof found === 'string') return
      expect(Feed.parse(found)).toEqual(found)
      expect(found.channel_id).toMatch(fit_for_a_path)
      const ids = found.entries.map(({ video_id }) => video_id)
      expect(new Set(ids).size).toBe(ids.length)
      for (const { video_id, video_url, thumbnail_url, title, description, published_at } of found.entries) {
        expect(video_id).toMatch(fit_for_a_path)
        for (const url of [video_url, thumbnail_url ?? video_url]) expect(new URL(url).protocol).toMatch(/^https?:$/)
        expect(title.length).toBeLessThanOrEqual(max_title)
        expect(description?.length ?? 0).toBeLessThanOrEqual(max_description)
        for (const text of [title, description ?? ''])
          expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Surrogate}/u)
        if (published_at) expect(published_at.toISOString()).toMatch(/^\d{4}-/)
      }
    },
  ),
  few_runs,
)

/** A feed with one entry per title, each with its own id, in elements nested as in real feeds. */
const feedOf = (titles: string[], wrappers: string[], is_atom: boolean) => {
  const entry = (title: string, n: number) =>
    is_atom
      ? `<entry><id>urn:${n}</id><title>${title}</title><link href='https://h.example/${n}'/><summary type="html">a &lt;b&gt; c</summary></entry>`
      : `<item><guid isPermaLink="false">g${n}</guid><title><![CDATA[${title}]]></title><link>https://h.example/${n}</link><description>a &amp; b</description><enclosure url="https://h.example/${n}.mp4" type="video/mp4" length="1"/></item>`
  const opened = wrappers.map(name => `<${name}>`).join('')
  const closed = wrappers
    .toReversed()
    .map(name => `</${name}>`)
    .join('')
  const entries = titles.map(entry).join('\n')
  return is_atom
    ? `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title>${opened}${entries}${closed}</feed>`
    : `<rss version="2.0"><channel><title>T</title>${opened}${entries}${closed}</channel></rss>`
}
const anyFeed = fc
  .tuple(
    fc.array(fc.constantFrom('Bread', 'Soup & salt', '5 is more', 'Ä\u{1f600}'), { minLength: 1, maxLength: 6 }),
    fc.array(fc.constantFrom('items', 'list', 'x:part'), { maxLength: 3 }),
    fc.boolean(),
  )
  .map(([titles, wrappers, is_atom]) =>
    feedOf(
      titles.map(title => title.replace('&', 'and')),
      wrappers,
      is_atom,
    ),
  )

claim(
  'a feed that is cut anywhere keeps every entry that ended before the cut, and counts each other one that began',
  fc.property(anyFeed, fc.double({ min: 0, max: 1, noNaN: true }), (text, place) => {
    const cut = text.slice(0, Math.floor(place * text.length))
    const begun = cut.match(/<(item|entry)>/g)?.length ?? 0
    const ended = cut.match(/<\/(item|entry)>/g)?.length ?? 0
    const ids = (of: string) => parseFeed(documentOf(of)).entries.map(({ video_id }) => video_id)
    const found = readOrRefusal(() => parseFeed(documentOf(cut)))
    if (typeof found === 'string') {
      expect(ended, found).toBe(0)
      return
    }
    expect(found.entries.map(({ video_id }) => video_id)).toEqual(ids(text).slice(0, found.entries.length))
    expect(found.entries.length).toBeGreaterThanOrEqual(ended)
    expect(found.entries.length + found.skipped).toBe(begun)
  }),
)

claim(
  'a feed with unclosed or superfluous tags still has every entry, read or counted',
  fc.property(
    anyFeed,
    fc.array(
      fc.tuple(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom(
          '<br>',
          '<img src="x">',
          '<p>',
          '<b>',
          '</b>',
          '</p>',
          '<category text="x">',
          ' < ',
          ' & ',
          '</x>',
        ),
      ),
      { maxLength: 4 },
    ),
    fc.array(fc.nat(40), { maxLength: 3 }),
    (text, insertions, removals) => {
      // Only between elements or in their text, never inside a tag or CDATA.
      const parts = text.split(/(?<=>)(?=<(?!!))/)
      for (const [place, tag] of insertions) parts.splice(1 + Math.floor(place * (parts.length - 1)), 0, tag)
      const closing = [...parts.keys()].filter(n => /^<\/(?!feed|rss)/.test(parts[n] ?? ''))
      for (const n of removals) if (closing.length > 0) parts[closing[n % closing.length] ?? 0] = ''
      const broken = parts.join('')
      const found = sameEachTime(200, () => parseFeed(documentOf(broken)))
      expect(found.entries.length + found.skipped).toBe(broken.match(/<(item|entry)>/g)?.length)
    },
  ),
  few_runs,
)

claim(
  'any text is cut to the stored length without splitting a character, and read within 200 ms',
  fc.property(
    fc.tuple(madeOf([...words, '<b>', '<x>', '&lt;', '👍', '<!--', '<script>', ' ', '\n']), fc.nat(100_000)),
    fc.constantFrom('html' as const, 'text' as const),
    ([unit, times], kind) => {
      const text = unit.repeat(Math.min(times, Math.ceil(5_000_000 / Math.max(1, unit.length))))
      for (const [read, most] of [[titleOf, max_title] as const, [descriptionOf, max_description] as const]) {
        let kept = ''
        expectQuick(200, () => {
          kept = read(text, kind) ?? ''
        })
        expect(kept.length).toBeLessThanOrEqual(most)
        expect(kept).not.toMatch(/\p{Surrogate}/u)
      }
    },
  ),
  fewest_runs,
)

claim(
  'any page gives at most a dozen addresses, all on the web, and is read within 200 ms',
  fc.property(
    mutated(filesIn('test/fixtures/feeds'), [
      ...words,
      '<link rel="alternate" type="application/rss+xml" href="/feed" title="T">',
      '<a href="/feed.xml">RSS</a>',
      '<meta http-equiv="refresh" content="0; url=/a">',
      '<base href="https://evil.example/">',
      '<meta property="og:platform" content="PeerTube">',
      '"channelId":"UCabcdefghijklmnopqrstuv"',
    ]),
    fc.constantFrom(
      'https://h.example/',
      'https://www.youtube.com/@x',
      'https://tube.example/w/abcdefghijkmnopqrstuvw',
    ),
    (body, url) => {
      const text = readOrRefusal(() => textOf(body))
      const found = sameEachTime(200, () => feedsOnPage(text, url))
      expect(found.length).toBeLessThanOrEqual(12)
      for (const { rss_url } of found) WebUrl.parse(rss_url)
      const guessed = found.map(({ is_guess = false }) => is_guess)
      expect(guessed).toEqual(guessed.toSorted())
      expect(guessed.filter(Boolean).length).toBeLessThanOrEqual(3)
    },
  ),
  few_runs,
)

claim(
  'any list gives distinct lines within the limits or a refusal with a sentence, the same each time and within 200 ms',
  fc.property(
    mutated(filesIn('test/fixtures/lists'), [
      ...words,
      '<outline xmlUrl="https://h.example/f" title="T"/>',
      'UCabcdefghijklmnopqrstuv,https://h.example/,T\n',
      '"channelId":"UCabcdefghijklmnopqrstuv"',
      'https://h.example/feed # remark\n',
    ]),
    body => {
      const found = sameEachTime(200, () => readOrRefusal(() => parseList(anyTextOf(body))))
      if (typeof found === 'string') return
      expect(found.lines.length).toBeLessThanOrEqual(max_list_lines)
      expect(new Set(found.lines.map(({ address }) => address)).size).toBe(found.lines.length)
      expect(found.lines.map(({ address, title }) => address + title).join()).not.toContain('\u0000')
    },
  ),
  fewest_runs,
)

claim(
  'an import of an OPML export gives the same channels, whatever their titles',
  fc.property(
    fc.uniqueArray(fc.tuple(fc.webUrl({ withQueryParameters: true }), anyText), {
      selector: ([url]) => url.toLowerCase(),
      maxLength: 5,
      minLength: 1,
    }),
    list => {
      const channels = list.map(([url, title], n) => ({
        // Followed channels always have a title, and no two have addresses that differ only in spelling.
        title: titleOf(title, 'text') ?? `c${n}`,
        rss_url: new URL(`/f${n}`, url).href,
        channel_id: `c${n}`,
      }))
      const { kind, lines } = parseList(opmlOf(channels, new Date(0)))
      expect(kind).toBe('opml')
      const shown = (title: string) => siteTitle(withoutBidiControls(title))
      expect(lines).toEqual(channels.map(({ rss_url, title }) => ({ address: rss_url, title: shown(title) })))
    },
  ),
)

const good_text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.constantFrom('plain words ', 'Привет ', '日本語 ', 'don’t ', '👍🏽 '),
    ),
    {
      maxLength: 60,
    },
  )
  .map(parts => `<a>${parts.join('').repeat(3)} and ${'more text, so that one byte is an accident. '.repeat(25)}</a>`)

claim(
  'one changed byte changes only its own letter, whatever encoding is declared',
  fc.property(
    good_text,
    fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    fc.integer({ min: 0, max: 255 }),
    fc.constantFrom('', 'utf-8', 'iso-8859-1', 'windows-1251', 'koi8-r', 'nonsense'),
    (text, where, byte, charset) => {
      const body = new TextEncoder().encode(text)
      const at = Math.floor(where * body.length)
      const before = new TextDecoder().decode(body.subarray(0, Math.max(0, at - 4))).replace(/\ufffd+$/, '')
      const after = new TextDecoder().decode(body.subarray(at + 4)).replace(/^\ufffd+/, '')
      body[at] = byte
      const read = textOf(body, charset && `text/xml; charset=${charset}`)
      expect(read.startsWith(before)).toBe(true)
      expect(read.endsWith(after)).toBe(true)
    },
  ),
)

/** Languages with the usual encoding of their old files, and letters. */
const old_files = [
  ['ru', 'windows-1251', 'оеаинтсрлвкмд'],
  ['pl', 'windows-1250', 'aieozncąćęłńóśźż'],
  ['cs', 'windows-1250', 'eoanáčďéěňřšťž'],
  ['de', 'windows-1252', 'enisraäöüß'],
  ['tr', 'windows-1254', 'aeinrışğçöü'],
  ['lt', 'windows-1257', 'iasoąčęėįšųūž'],
  ['el', 'windows-1253', 'αοιετσνάέήίό'],
  ['he', 'windows-1255', 'יוהלאמרתבש'],
  ['ar', 'windows-1256', 'اليمنوتربه'],
  ['th', 'windows-874', 'านรอกเงมลส'],
] as const

const old_file = fc.constantFrom(...old_files).chain(([language, encoding, letters]) => {
  const decoder = new TextDecoder(encoding)
  const byteOf = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte] as const))
  const word = wordOf(letters, 6, 12)
  return fc.array(word, { minLength: 3, maxLength: 20 }).map(words => {
    const [first = '', ...rest] = words.join(' ')
    const text = `1\n00:00:01,000 --> 00:00:02,000\n${first.toUpperCase()}${rest.join('')}\n`
    return { language, encoding, text, bytes: Uint8Array.from(text, letter => byteOf.get(letter) ?? 0) }
  })
})

claim(
  'text in an old encoding of its language is read letter by letter, and no bytes give a replacement character',
  fc.property(old_file, fc.uint8Array({ maxLength: 300 }), ({ language, encoding, text, bytes }, others) => {
    expect([encoding, anyTextOf(bytes, language)]).toEqual([encoding, text])
    expect(anyTextOf(bytes)).not.toContain('\ufffd')
    expect(anyTextOf(others, language)).not.toContain('\ufffd')
  }),
  few_runs,
)
