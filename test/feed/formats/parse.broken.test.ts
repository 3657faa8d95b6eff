/** Documents that are broken or break off: every entry that can be read is read, and every other one is counted. */
import { describe, expect, it } from 'vitest'
import { DomainError } from '../../../src/errors.ts'
import { parseFeed } from '../../../src/feed/formats/parse.ts'
import { expectQuick } from '../../support/app/quick.ts'
import { documentOf } from '../../support/media/feeds.ts'

const parse = (text: string) => parseFeed(documentOf(text))
const titlesIn = (text: string) => parse(text).entries.map(({ title }) => title)
const item = (title: string, more = '') =>
  `<item><title>${title}</title><link>https://h.example/${encodeURIComponent(title)}</link>${more}</item>`
const rss = (inside: string) => `<rss><channel><title>T</title>${inside}</channel></rss>`

describe('an unclosed tag costs no entry and no field', () => {
  const date = '<pubDate>Fri, 20 Nov 2026 10:00:00 GMT</pubDate>'
  it.each([
    ['<br> in a description', item('A', `<description>a<br>b</description>${date}`)],
    ['<img> in a description', item('A', `<description>a<img src="/x.png">b</description>${date}`)],
    ['<p> in a description', item('A', `<description><p>a<p>b</description>${date}`)],
    ['an entry that is not closed', item('A', date).replace('</item>', '')],
    ['a category of the channel', `<category text="x">${item('A', date)}`],
    ['a category with single quotes', `<itunes:category text='x'>${item('A', date)}`],
    ['a title of the channel', `<title>Of all${item('A', date)}`],
    ['a title of an entry', item('A', date).replace('</title>', '')],
    ['the author of an entry', item('A', date).replace('<link>', '<dc:creator>Joe<link>')],
    ['two elements of an entry', item('A', date).replace('<link>', '<author><name>Joe<link>')],
    [
      'the author of an entry that is not closed either',
      item('A', date).replace('<link>', '<author>Joe<link>').replace('</item>', ''),
    ],
    ['an attribute without its second quotation mark', item('A', `${date}<enclosure url="/a.mp3 type=x/>`)],
    ['an attribute without quotation marks', item('A', `${date}<enclosure url=/a.txt type=text/plain length=1 />`)],
    ['a closing tag that nothing opened', item('A', `</b></description>${date}`)],
    ['a comment that never ends', item('A', `<!-- ${date}`)],
    ['CDATA that never ends', item('A', `<description><![CDATA[a</description>${date}`)],
  ])('%s', (_, inside) => {
    const { entries, skipped } = parse(rss(`${item('First')}${inside}${item('B')}${item('C')}`))
    const titles = entries.map(({ title }) => title)
    expect(skipped).toBe(0)
    expect(titles).toEqual(expect.arrayContaining(['First', 'B']))
    expect(entries.find(({ title }) => title.startsWith('A'))).toMatchObject({
      published_at: new Date('2026-11-20T10:00:00Z'),
    })
    expect(titles).toContain('C')
  })

  it('an unclosed tag costs no entry in Atom, where entries are not closed and are inside another element', () => {
    const entry = (n: number) => `<entry><title>${n}</title><link href='https://h.example/${n}'><id>${n}</id>`
    expect(titlesIn(`<feed><title>T</title><list>${entry(1)}${entry(2)}${entry(3)}</entry></list></feed>`)).toEqual([
      '1',
      '2',
      '3',
    ])
  })

  it.each([
    ['5 < 6', '5 < 6'],
    ['5 <6', '5 <6'],
    ['I <3 you & me', 'I <3 you & me'],
    ['if x <y then', 'if x <y then'],
    ['<![CDATA[5 < 6 & </item> <item>]]>', '5 < 6 & </item> <item>'],
  ])('a text costs no entry and no field: %s', (written, said) => {
    const first = `<item><title>${written}</title><link>https://h.example/1</link></item>`
    expect(titlesIn(rss(`${first}${item('B')}`))).toEqual([said, 'B'])
  })
})

describe('entries are found', () => {
  it('entries are found at any depth, also where the document is well-formed', () => {
    expect(titlesIn(rss(`<list><part>${item('A')}</part>${item('B')}</list>${item('C')}`))).toEqual(['A', 'B', 'C'])
  })

  it('entries are found after the end of the channel, and of the root', () => {
    expect(titlesIn(`<rss><channel><title>T</title>${item('A')}</channel></rss>${item('B')}`)).toEqual(['A', 'B'])
  })

  it('entries are found in each of several documents in a row', () => {
    expect(titlesIn(`${rss(item('A'))}\n<?xml version="1.0"?>${rss(item('B'))}${rss(item('C'))}`)).toEqual([
      'A',
      'B',
      'C',
    ])
  })

  it('entries are not found in a list inside an entry', () => {
    const own = '<x:list><item><name>one</name></item><item><name>two</name></item></x:list>'
    const { entries, skipped } = parse(rss(item('A', `${own}<guid>a</guid>`) + item('B')))
    expect(entries.map(({ title, guid }) => [title, guid])).toEqual([
      ['A', 'a'],
      ['B', 'h.example/B'],
    ])
    expect(skipped).toBe(0)
  })

  it('entries are not found in CDATA or a comment', () => {
    const { entries, skipped } = parse(
      rss(`<!-- ${item('X')} -->${item('A', `<description><![CDATA[<item>]]></description>`)}`),
    )
    expect({ entries: entries.length, skipped }).toEqual({ entries: 1, skipped: 0 })
  })

  it('entries are found next to elements with dangerous names', () => {
    expect(titlesIn(rss(`<constructor>x</constructor><__proto__ a="b"/>${item('A')}`))).toEqual(['A'])
    expect(({} as { a?: string }).a).toBeUndefined()
  })
})

describe('a document that breaks off', () => {
  const more =
    '<description><![CDATA[<p>x</p>]]></description><guid isPermaLink="false">g</guid><!-- c --><x a="b" c=\'d\'/>'
  const whole = `<?xml version="1.0"?>\n${rss([1, 2].map(n => item(`N${n}`, more.replace('>g<', `>g${n}<`))).join('\n'))}`
  const ends = [...whole.matchAll(/<\/item>/g)].map(({ index }) => index + '</item>'.length)

  it('a document that breaks off keeps every complete entry, and counts the incomplete one', () => {
    for (let cut = whole.length - 1; cut > whole.indexOf('<item>'); cut -= 1) {
      const text = whole.slice(0, cut)
      const complete = ends.filter(end => end <= cut).length
      const opened = text.split('<item>').length - 1
      if (complete === 0) continue
      const { entries, skipped } = parse(text)
      // A closing tag that misses its last sign is read as one.
      expect([complete, complete + 1]).toContain(entries.length)
      expect(entries.length + skipped, text.slice(-20)).toBe(opened)
    }
  })

  it('a document is refused only if it breaks off before its first entry ends', () => {
    const refused = 'feed is damaged'
    for (const text of [
      '<rss><channel><title>Kitchen',
      '<rss><channel><item><link>https://h.example/1</link>',
      '<feed>',
    ])
      expect(() => parse(text)).toThrow(refused)
    expect(parse('<feed><entry><link href="https://h.example/1"/></entry>').entries).toHaveLength(1)
    expect(parse('<rss><channel><title>Empty</title></channel>')).toMatchObject({ title: 'Empty', entries: [] })
    expect(parse(`${rss(item('A')).slice(0, -1)}`).entries).toHaveLength(1)
    expect(parse(`<rss><channel>${item('A').replace(/<link>.*<\/link>/, '')}`)).toMatchObject({ skipped: 1 })
  })

  it('a document that breaks off keeps an incomplete entry if the platform’s identifier is known', () => {
    const text = `<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015"><entry><title>A</title>
      <link href="https://www.youtube.com/watch?v=abcdefghijk"/></entry><entry><yt:videoId>ABCDEFGHIJK</yt:videoId>
      <link href="https://www.youtube.com/watch?v=ABCDEFGHIJK"/><title>Half a ti`
    expect(parse(text)).toMatchObject({
      entries: [{ title: 'A' }, { video_id: 'ABCDEFGHIJK', title: 'ABCDEFGHIJK' }],
      skipped: 0,
    })
  })
})

it('a web page with a feed’s tags inside is still a web page', () => {
  for (const text of ['<html><body><item>x</item>', '<!doctype html><p>a<rss>', '<body><br><feed></feed>'])
    expect(() => parse(text)).toThrow('web page')
})

it('a document that defines entities is refused, broken or not', () => {
  const bomb = '<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
  for (const text of [`${bomb}${rss(item('&b;'))}`, `${bomb}<rss><channel><item><title>&b;`])
    expect(() => parse(text)).toThrow('entities')
})

describe('a broken document of 1 MB is read at once', () => {
  const fill = (unit: string) => unit.repeat(Math.floor(1_000_000 / unit.length))
  it.each([
    ['tags that stay open', fill('<a>')],
    ['tags that stay open, and others that close', `${fill('<a>').slice(0, 499_998)}${fill('</b>').slice(0, 500_000)}`],
    ['entries that stay open', fill('<item><title>a')],
    ['signs of text', `<title>${fill('<')}`],
    ['beginnings of tags', fill('<a')],
    ['beginnings of tags with quotation marks', fill('<a "')],
    ['attributes', `<a ${fill('b="c" ')}`],
    ['attributes of a name each', `<a ${Array.from({ length: 100_000 }, (_, n) => `b${n}='c'`).join(' ')}>`],
    ['comments that stay open', fill('<!--')],
    ['CDATA that stays open', fill('<![CDATA[')],
    ['CDATA and comments that stay open in a feed that ends', `${fill('<![CDATA[<!--')}</channel></rss>`],
    ['CDATA that begins and ends', fill('<![CDATA[]]>')],
    ['declarations', fill('<!x ')],
    ['instructions', fill('<?x ')],
    ['references', `<title>${fill('&amp;')}`],
    ['half references', `<title>${fill('&')}`],
    ['entries in entries', `${fill('<item>').slice(0, 300_000)}${fill('</item>').slice(0, 350_000)}`],
  ])('a broken document of 1 MB is read at once: full of %s', (_, text) => {
    expectQuick(1500, () => {
      try {
        parse(`<rss><channel>${text}`)
      } catch (fault) {
        expect(fault).toBeInstanceOf(DomainError)
      }
    })
  })
})
