/** Bytes that are not what they are called, or not quite. */
import { describe, expect, it } from 'vitest'
import { parseFeed } from '../../../src/feed/formats/parse.ts'
import { textOf } from '../../../src/feed/markup/encoding.ts'
import { documentOf } from '../../support/media/feeds.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const bytes = (...parts: (string | number)[]) =>
  new Uint8Array(parts.flatMap(part => (typeof part === 'number' ? [part] : [...utf8(part)])))
const english = 'A video about bread, and how long it should rest. '.repeat(30)

describe('a document of good UTF-8 with a bad byte', () => {
  it.each<[string, Uint8Array, string]>([
    ['a quotation mark of Windows', bytes('<a>', english, 'don', 0x92, 't</a>'), 'don’t</a>'],
    ['a dash of Windows among real letters', bytes('<a>', english, 'é ', 0x96, ' ü</a>'), 'é – ü</a>'],
    ['an emoji cut after three bytes', bytes('<a>', english, 0xf0, 0x9f, 0x98, '</a>'), '\ufffd</a>'],
    ['a letter cut after one byte', bytes('<a>', english, 0xd0, '</a>'), '\ufffd</a>'],
    ['a letter of Latin-1', bytes('<a>caf', 0xe9, english, '</a>'), '</a>'],
    ['a byte that no encoding has', bytes('<a>', english, 0xff, '</a>'), '\ufffd</a>'],
    ['a byte order mark before it', bytes(0xef, 0xbb, 0xbf, '<a>', english, 0xf0, 0x9f, '</a>'), '\ufffd</a>'],
  ])('a document of good UTF-8 with a bad byte is read: %s', (_, body, end) => {
    for (const type of ['', 'text/xml; charset=utf-8', 'text/xml; charset=nonsense']) {
      const text = textOf(body, type)
      expect(text.endsWith(end)).toBe(true)
      expect(text).toContain(english)
    }
  })

  it('the rest of a feed with a bad byte is read', () => {
    const items = Array.from(
      { length: 30 },
      (_, n) => `<item><link>https://h.example/${n}</link><title>T${n}</title></item>`,
    )
    const [before, after] = [
      '<rss><channel><title>Bread</title><item><link>https://h.example/x</link><title>Don',
      't</title></item>',
    ]
    const feed = parseFeed(documentOf(bytes(before, 0x92, `${after}${items.join('')}</channel></rss>`)))
    expect(feed.entries).toHaveLength(31)
    expect(feed.entries[0]?.title).toBe('Don’t')
  })

  it('a document is read as UTF-8 if its letters are, whatever encoding it declares', () => {
    const russian = 'Привет, мир'
    for (const said of ['iso-8859-1', 'windows-1251', 'koi8-r']) {
      const text = textOf(bytes(`<?xml version="1.0" encoding="${said}"?><a>${russian}`, 0xd0, '</a>'))
      expect(text).toContain(`${russian}\ufffd</a>`)
    }
  })
})

describe('an encoding', () => {
  it.each<[string, number[], string]>([
    ['iso8859_2', [0xb3], 'ł'],
    ['ISO_8859-2', [0xb3], 'ł'],
    ['iso 8859-2', [0xb3], 'ł'],
    ['latin2', [0xb3], 'ł'],
    ['cp1251', [0xcf, 0xf0], 'Пр'],
    ['win-1251', [0xcf, 0xf0], 'Пр'],
    ['windows1251', [0xcf, 0xf0], 'Пр'],
    ['windows_1251', [0xcf, 0xf0], 'Пр'],
    ['koi8r', [0xf0, 0xd2], 'Пр'],
    ['KOI8-U', [0xf0, 0xd2], 'Пр'],
    ['cp936', [0xd6, 0xd0], '中'],
    ['ms932', [0x92, 0x86], '中'],
    ['iso-8859-1', [0xe9], 'é'],
    ['ISO-8859-1', [0x92], '’'],
  ])('an encoding is known: %s', (said, letters, text) => {
    const body = bytes(`<?xml version="1.0" encoding="${said}"?><a>`, ...letters, '</a>')
    expect(textOf(body)).toContain(`<a>${text}</a>`)
    expect(textOf(bytes('<a>', ...letters, '</a>'), `text/xml; charset="${said}"`)).toBe(`<a>${text}</a>`)
  })

  it('an encoding is found in an XML declaration that is not at the start', () => {
    expect(textOf(bytes("\n<!-- x --><?xml encoding='cp1251'?><a>", 0xcf, 0xf0, '</a>'))).toContain('<a>Пр</a>')
  })
})

describe('text that cannot be read is refused, with the reason,', () => {
  const many = Array.from({ length: 200 }, () => [0xcf, 0xf0, 0x20]).flat()
  it.each<[string, Uint8Array, string]>([
    ['when it names no encoding', bytes('<a>', ...many, '</a>'), 'It declares no encoding, and is not UTF-8.'],
    [
      'when it is not what it says',
      bytes('<?xml version="1.0" encoding="utf-8"?><a>', ...many, '</a>'),
      'It declares utf-8, but is not.',
    ],
    [
      'when nothing is known of what it says',
      bytes('<?xml version="1.0" encoding="klingon-1"?><a>', ...many, '</a>'),
      'It declares the unknown encoding klingon-1.',
    ],
    ['when its mark is wrong', bytes(0xff, 0xfe, 0x00, 0xd8, 0x20, 0x00), 'It declares utf-16le, but is not.'],
  ])('%s', (_, body, reason) => {
    expect(() => textOf(body)).toThrow(`The text at this address cannot be read. ${reason}`)
  })
})

it.each([
  ['first', [0x80, 0xa0, 0x80]],
  ['second', [0xf0, 0x41, 0x91, 0x8d]],
])('a text is UTF-8 though the %s byte of one of its three letters is damaged, whatever it declares', (_, damaged) => {
  const body = bytes('<a>', ...damaged, '日本', english, '</a>')
  expect(textOf(body, 'text/xml; charset=iso-8859-1')).toContain('日本')
})

it('a zero in the second byte is a mistake, not UTF-16', () => {
  expect(textOf(bytes('<', 0, 'ss>text'))).toContain('ss>text')
})
