/** Checks that hostile documents are read quickly wherever they would delay the answers to other people. */
import { describe, expect, it } from 'vitest'
import { max_entries } from '../../src/feed/formats/entry.ts'
import { parseFeed } from '../../src/feed/formats/parse.ts'
import { parseList } from '../../src/feed/lists/parse-list.ts'
import { textOf } from '../../src/feed/markup/encoding.ts'
import { attributesIn, descriptionOf, titleOf } from '../../src/feed/markup/html.ts'
import { feedsOnPage } from '../../src/feed/pages/page-feeds.ts'
import { expectQuick } from '../support/app/quick.ts'
import { documentOf } from '../support/media/feeds.ts'

/** A delay this short is not noticed. */
const most_ms = 200

const fill = (unit: string, length: number) => unit.repeat(Math.floor(length / unit.length))

/** Only the time matters, so the document may also be refused. */
const answered = (work: () => unknown) => () => {
  try {
    work()
  } catch {}
}

it.each([
  ['endless names', `<link href=/x ${fill('a', 1980)}>`],
  ['short names', `<link href=/x ${fill('a ', 1980)}>`],
  ['spaces', `<link href=/x ${fill(' ', 1980)}>`],
  ['an endless name in a meta tag', `<meta ${fill('a', 1980)}>`],
])('a page of tags with %s is read at once', (_, tag) => {
  expectQuick(
    most_ms,
    answered(() => feedsOnPage(`<html>${fill(tag, 1_200_000)}`, 'https://a.example/')),
  )
})

it.each([
  ['OPML with endless names', `<opml>${fill(`<outline ${fill('a', 65_000)}>`, 2_000_000)}`],
  ['Takeout of empty rows', `UC${fill('a', 22)},x\n${fill('\n', 2_000_000)}`],
  ['brackets', fill('[', 2_000_000)],
  ['brackets on lines', `{\n${fill('{"a":1\n', 2_000_000)}`],
])('a list that is %s is read at once', (_, text) => {
  expectQuick(
    most_ms,
    answered(() => parseList(text)),
  )
})

it.each([
  ['lone < signs', `<b>${fill('<', 5_000_000)}`],
  ['tags', fill('<b>', 5_000_000)],
  ['unknown tags', `<b>${fill('<x>', 5_000_000)}`],
  ['entities', `<b>${fill('&amp;', 5_000_000)}`],
  ['lone quotes', fill('<b "', 5_000_000)],
])('a text of 5 MB of %s is read at once, as title and as description', (_, html) => {
  expectQuick(most_ms, () => titleOf(html))
  expectQuick(most_ms, () => descriptionOf(html))
})

it('a big text with one damaged letter is read at once', () => {
  const damaged = Buffer.concat([Buffer.from(fill('\u00e9', 2_500_000)), Buffer.from([0xff])])
  expectQuick(
    most_ms,
    answered(() => textOf(damaged)),
  )
})

it.each([
  ['comments', fill('<!---->', 8000)],
  ['comments that do not end', fill('<!-- --', 8000)],
  ['line breaks of HTML', fill('<br />', 8000)],
])('a document that begins with %s is read at once', (_, start) => {
  expectQuick(
    most_ms,
    answered(() => parseFeed(documentOf(`${start}<rss>`))),
  )
})

it('addresses that are encoded over and over are read at once', () => {
  const address = `https://a.example/%${fill('25', 1980)}20`
  expectQuick(
    most_ms,
    answered(() => parseFeed(documentOf(`<rss><channel>${fill(`<item><link>${address}</link></item>`, 60_000)}`))),
  )
})

describe('feeds with too many entries', () => {
  it.each([
    ['JSON', `{"items":[${fill('{"url":"https://a.example/"},', 900_000)}{}]}`],
    ['RSS', `<rss><channel>${fill('<item><link>https://a.example/</link></item>', 900_000)}</channel></rss>`],
    ['Atom', `<feed>${fill('<entry><link href="https://a.example/"/></entry>', 900_000)}</feed>`],
  ])('a feed with too many entries counts all it leaves out, in %s', (_, text) => {
    const { entries, skipped } = parseFeed(documentOf(text))
    const all = text.split(/<item>|<entry>|\{(?!"items")/).length - 1
    expect({ entries: entries.length, skipped }).toEqual({ entries: 1, skipped: all - max_entries })
  })
})

describe('attributes', () => {
  it.each<[string, Record<string, string>]>([
    [' rel="alternate" HREF=\'/feed\' type=text/xml', { rel: 'alternate', href: '/feed', type: 'text/xml' }],
    [' rel = "a"href="b"/', { rel: 'a', href: 'b' }],
    [' title="a href=x" hidden href=/y', { title: 'a href=x', hidden: '', href: '/y' }],
    [' href="/first" href="/second"', { href: '/first' }],
    [' data="no end href=x', { data: '', href: 'x' }],
  ])('the attributes in %s are %j', (text, expected) => {
    expect(Object.fromEntries(attributesIn(text))).toMatchObject(expected)
  })
})
