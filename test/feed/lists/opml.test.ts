/** Outlines in unusual dress. */
import { expect, it } from 'vitest'
import { parseList } from '../../../src/feed/lists/parse-list.ts'

const feed = 'https://kitchen.example/feed'

it('a prefix before the names of elements changes nothing', () => {
  const plain = `<opml version="2.0"><body><outline text="Food"><outline text="Kitchen" xmlUrl="${feed}"/></outline>
    <outline text="Fish" xmlUrl="https://fish.example/feed"></outline></body></opml>`
  const expected = { ...parseList(plain), groups: [{ name: 'Food', positions: [0] }] }
  for (const prefix of ['o:', 'ns0:', 'a.b-c:'])
    expect(parseList(plain.replaceAll(/(<\/?)(?=opml|body|outline)/g, `$1${prefix}`))).toEqual(expected)
})

it('pages of which FreshRSS makes feeds are counted and not followed', () => {
  const types = ['HTML+XPath', 'XML+XPath', 'JSON+DotPath', 'HTML+XPath+JSON+DotNotation']
  const pages = types.map(
    type => `<outline text="P" type="${type}" xmlUrl="https://page.example/" htmlUrl="https://page.example/"/>`,
  )
  const opml = (outlines: string[]) => `<opml version="2.0"><body>${outlines.join('\n')}</body></opml>`
  expect(parseList(opml([...pages, `<outline text="Kitchen" type="rss" xmlUrl="${feed}"/>`]))).toMatchObject({
    lines: [{ address: feed, title: 'Kitchen' }],
    passed_over: 0,
    content: { pages_unread: 4, items: 0 },
  })
  expect(() => parseList(opml(pages))).toThrow('only pages without a feed')
})
