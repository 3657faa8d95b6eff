import fc from 'fast-check'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import { type Format, wellFormed } from '../../../src/feed/markup/markup.ts'
import { holds } from '../../support/run/holds.ts'

const format: Format = { root: 'rss', entry: 'item', nameIn: name => name.toLowerCase() }
const long = 'A sentence that is long enough to be put into a section. '
const check = (text: string) => wellFormed(text, format)

describe('the check of a document before it is parsed', () => {
  it('accepts a feed with everything that usual feeds have, and counts its entries', () => {
    const feed = `<?xml version="1.0"?>\n<?xml-stylesheet href="a.xsl"?><!-- made by hand -->
      <rss version="2.0" xmlns:a='b'><channel><title>A &amp; B &#233; &#xe9;</title><atom:link href="x>y?a=b&c=d" rel = '=" rel="' />
      <item><description><![CDATA[<item>]]></description></item><!-- <item> --><ITEM/></channel></rss>\n<!-- cached -->\n`
    expect(check(feed)).toEqual({ text: feed, entries: 2 })
  })

  it('puts a long text into a CDATA section, and no text with entities or the end of a section', () => {
    expect(check(`<rss>${long}</rss>`)?.text).toBe(`<rss><![CDATA[${long}]]></rss>`)
    for (const text of [`${long} &lt;`, `${long} ]]>`, 'short', `<!-- > ${long} -->`, `<![CDATA[ > ${long} ]]>`])
      expect(check(`<rss>${text}</rss>`)?.text).toBe(`<rss>${text}</rss>`)
  })

  it.each([
    '<rss><a></rss>',
    '<rss><a></b></rss>',
    '<rss></rss><rss></rss>',
    '<rss></rss>text',
    '<rss/>',
    'text<rss></rss>',
    '<rss>',
    '<rss>a & b</rss>',
    '<rss>&;</rss>',
    ...['<rss><!-- no end </rss>', '<rss><![CDATA[ no end </rss>', '<rss><a b="1" b="2"></a></rss>'],
    '<rss><a b="1"c="2"></a></rss>',
    '<rss><a b=1></a></rss>',
    '<rss><a b></a></rss>',
    '<rss>1 < 2</rss>',
    '<rss><?php ?></rss>',
    '<!DOCTYPE rss><rss></rss>',
    `<rss ${Array.from({ length: 60 }, (_, n) => `a${n}=""`).join(' ')}></rss>`,
  ])('leaves %s to the validator', text => {
    expect(check(text)).toBeUndefined()
  })

  const parts = [
    '<rss>',
    '</rss>',
    '<a b="c">',
    '<a/>',
    '</a>',
    '<item >',
    '</item\n>',
    '<a b="1" b=\'2\'>',
    '<a b = "x>y" />',
  ]
  const others = [
    ' ',
    '\r\n',
    'x',
    long,
    '&amp;',
    '&',
    ';',
    '<',
    '>',
    '"',
    ']]>',
    '<![CDATA[',
    '<!--',
    '-->',
    '<?xml ?>',
    '<é>',
  ]

  it('accepts nothing that the validator refuses, and does not change how it is parsed', () => {
    const parser = new XMLParser({ preserveOrder: true, ignoreAttributes: false, trimValues: false })
    // Neighbouring texts are one text.
    const parsed = (text: string) => JSON.stringify(parser.parse(text)).replaceAll('"},{"#text":"', '')
    const inside = fc
      .array(fc.constantFrom(...parts, ...others), { maxLength: 12 })
      .map(all => `<rss>${all.join('')}</rss>`)
    const any = fc.array(fc.constantFrom(...parts, ...others), { maxLength: 12 }).map(all => all.join(''))
    let accepted = 0
    holds(
      fc.property(fc.oneof(inside, any), text => {
        const found = check(text)
        if (!found) return
        accepted += 1
        expect(XMLValidator.validate(text, { allowBooleanAttributes: true })).toBe(true)
        expect(parsed(found.text)).toBe(parsed(text))
      }),
      { runs: 5000 },
    )
    expect(accepted).toBeGreaterThan(50)
  })

  it('takes time in proportion to the document, whatever it repeats', () => {
    for (const part of [
      ...['<!---->', '<!-- -->', '<a b="c" ', ' b="c"', '<a>', ' ', '&a', '<![CDATA[', '<?xml-stylesheet ?>'],
    ])
      for (const start of ['', '<rss>', '<rss><a ', '<rss></rss>'])
        expect(check(`${start}${part.repeat(100_000)}<`)).toBeUndefined()
  })
})
