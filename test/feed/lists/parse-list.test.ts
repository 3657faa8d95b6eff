import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { opmlOf } from '../../../src/feed/lists/opml.ts'
import { parseList } from '../../../src/feed/lists/parse-list.ts'
import { anyTextOf } from '../../../src/feed/markup/any-text.ts'
import { expectQuick } from '../../support/app/quick.ts'

const listIn = (name: string) =>
  parseList(anyTextOf(new Uint8Array(readFileSync(new URL(`../../fixtures/lists/${name}`, import.meta.url)))))
const channel = (letter: string) => `https://www.youtube.com/channel/UC${letter.repeat(22)}`

describe('a list', () => {
  it.each([
    [
      'opml-bare-ampersands.opml',
      'opml',
      [
        ['https://fish.example/feed?a=1&b=2&copy=3', 'Fish & Chips'],
        ['https://ab.example/feed?a=1&b=2', 'A & B — C'],
        ['https://signs.example/feed', '5 < 6 > 4'],
        ['https://single.example/feed', null],
      ],
    ],
    ['opml-words-before-the-declaration.opml', 'opml', [['https://cafe.example/feed', 'Café']]],
    [
      'opml-cut-off.opml',
      'opml',
      [['https://www.youtube.com/feeds/videos.xml?channel_id=UCabcdefghijklmnopqrstuv', 'Slow Kitchen']],
    ],
    [
      'opml-odd-quotes.opml',
      'opml',
      [
        ['https://vinyl.example/feed', 'Records at 12'],
        ['https://after.example/feed', 'After the odd one'],
        ['https://joe.example/feed', "Joe's"],
      ],
    ],
    [
      'opml-folders-in-latin-1.opml',
      'opml',
      [
        ['https://koeche.example/feed', 'Köche'],
        ['https://text.example/feed', 'Named by text'],
        ['https://page.example/', 'Only a page'],
      ],
    ],
    [
      'takeout-german-header.csv',
      'takeout',
      [
        [channel('a'), 'Slow Kitchen'],
        [channel('b'), 'Bread, butter & "jam"'],
        ['UC-_ccccccccccccccccccccc', 'Too long an identifier'],
        ['https://www.youtube.com/channel/UC-_cccccccccccccccccccc', 'Two lines'],
        [channel('d'), '"Never closed'],
        [channel('e'), '5" screens'],
      ],
    ],
    ['takeout-semicolons-and-lone-returns.csv', 'takeout', [[channel('a'), '料理']]],
    [
      'newpipe.json',
      'newpipe',
      [
        [channel('a'), 'Slow Kitchen'],
        ['https://peertube.example/video-channels/kitchen', null],
      ],
    ],
    [
      'freetube-profiles.db',
      'freetube',
      [
        [channel('a'), 'Slow Kitchen'],
        [channel('b'), 'Bread'],
      ],
    ],
    ['freetube-one-profile.db', 'freetube', [[channel('a'), 'Slow Kitchen']]],
    [
      'invidious.json',
      'json',
      [
        [channel('a'), null],
        [channel('b'), null],
      ],
    ],
    ['piped.json', 'json', [[channel('a'), 'Slow Kitchen']]],
    ['youtube-of-2020.json', 'json', [[channel('a'), 'Slow Kitchen']]],
    [
      'pasted-with-remarks.txt',
      'addresses',
      [
        ['https://kitchen.example/feed', null],
        ['@NASA', null],
        [`UC${'a'.repeat(22)}`, null],
        ['https://feed.example/rss', null],
        ['https://bread.example/feed?a=1&b=2#new', null],
        ['example.com/feed', null],
        ['file:///etc/passwd', null],
        ['UCodd', null],
      ],
    ],
  ])('a list is read from %s', (name, kind, lines) => {
    const list = listIn(name)
    expect(list.lines.map(({ address, title }) => [address, title])).toEqual(lines)
    expect(list.kind).toBe(kind)
  })

  it('a list is read from a file in UTF-16', () => {
    const text = Buffer.from('\ufeff<opml><outline xmlUrl="https://a.example/feed" text="é"/></opml>', 'utf16le')
    expect(parseList(anyTextOf(text)).lines).toEqual([{ address: 'https://a.example/feed', title: 'é' }])
  })

  it('a list keeps lines without a title, and cuts titles that are too long', () => {
    const { lines } = parseList(`https://a.example/${'x'.repeat(5000)}\n{"not json}`)
    expect(lines.map(({ address }) => address.length)).toEqual([2100])
    const [titled] = parseList(`[{"url":"https://a.example/feed","name":"${'n'.repeat(5000)}"}]`).lines
    expect(titled?.title?.length).toBe(500)
  })
})

describe('a file that is no list', () => {
  it.each([
    ['', 'This list is empty'],
    ['\n# only a remark\n', 'No channel'],
    ['Channel Id,Channel Url,Channel Title\n', 'No channel'],
    ['Kanal-ID,Kanal-URL,Kanaltitel', 'No channel'],
    ['Video ID,Playlist Video Creation Timestamp\ndQw4w9WgXcQ,2021-01-01T00:00:00+00:00\n', 'only playlists'],
    ['Playlist ID,Channel ID,Time Created\nPLx,UCabcdefghijklmnopqrstuv,2021-01-01 00:00:00 UTC', 'No channel'],
    ['[[feeds]]\nname = "nothing"', 'No channel'],
    ['"query:unread:unread = \\"yes\\""', 'No channel'],
    ['{"subscriptions":[]}', 'No channel'],
    ['{"subscriptions":{"a":1}}', 'No channel'],
    ['{"subscriptions":[{"url":', 'No channel'],
    ['[1, null, {}, []]', 'No channel'],
    ['{"__proto__":{"subscriptions":["x"]}}', 'No channel'],
    ['<html><body>Sign in</body></html>', 'This is a web page'],
    ['<opml><body><outline text="empty folder"/></body></opml>', 'No channel'],
    ['<!DOCTYPE opml [<!ENTITY a "aaaa">]><opml><outline text="&a;"/></opml>', 'No channel'],
  ])('a file that is no list is refused with a reason: %s', (text, words) => {
    expect(() => parseList(text)).toThrow(
      expect.objectContaining({ code: 'invalid', message: expect.stringContaining(words) }),
    )
  })

  it('a list with too many lines or bytes is refused', () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => `https://a.example/${n}`).join('\n')
    expect(parseList(many(5000)).lines).toHaveLength(5000)
    expect(() => parseList(many(5001))).toThrow(expect.objectContaining({ code: 'too_large' }))
    expect(() => parseList('é'.repeat(1_048_577))).toThrow(expect.objectContaining({ code: 'too_large' }))
  })

  /** Two megabytes each, made to be slow. */
  it.each([
    ['outlines without an address', '<outline a="" '.repeat(149_000)],
    ['comments that never end', '<!--'.repeat(524_000)],
    ['one endless tag', `<outline ${'a="'.repeat(690_000)}`],
    ['ends of tags', `<outline ${'/ >   '.repeat(300_000)}`],
    ['two outlines of categories', `<outline url="a" category="${'/a,'.repeat(300_000)}"/>`.repeat(2)],
    ['names without values', `<outline ${'a'.repeat(2_000_000)}`],
    ['quotes in cells', `UC${'a'.repeat(22)},x,${'"'.repeat(2_000_000)}`],
    ['open cells', `UC${'a'.repeat(22)},x,\n${'"a\n'.repeat(660_000)}`],
    ['spaces in cells', `UC${'a'.repeat(22)},x,${' '.repeat(2_000_000)}y`],
    ['one line of spaces', `x${' '.repeat(2_000_000)}y`],
    ['lines all alike', 'x\n'.repeat(1_000_000)],
    ['deep JSON', '['.repeat(1_000_000)],
    ['a JSON list of nothing', `[${'0,'.repeat(1_000_000)}0]`],
    ['a log of nothing', '{}\n'.repeat(690_000)],
    [
      'five thousand lines that are addresses',
      Array.from({ length: 5000 }, (_, n) => `https://a.example/${n}`).join('\n'),
    ],
    ['lines that are no addresses', Array.from({ length: 4999 }, (_, n) => `:${n} ${'x'.repeat(400)}`).join('\n')],
  ])('a hostile list is read quickly: %s', (_, text) => {
    expectQuick(1000, () => {
      try {
        parseList(text)
      } catch (fault) {
        expect(fault).toMatchObject({ code: expect.stringMatching(/invalid|too_large/) })
      }
    })
  })
})

const [ann, ben] = ['UCabcdefghijklmnopqrstuv', 'UCzyxwvutsrqponmlkjihgfe']
/** The names of the groups, each with the addresses of its channels. */
const groupsIn = (text: string) => {
  const { lines, groups = [] } = parseList(text)
  return groups.map(({ name, positions }) => [name, positions.map(at => lines[at]?.address.slice(-24))])
}

it.each([
  [
    'folders of OPML',
    `<opml><body><outline text="All"><outline text="Music"><outline text="A" xmlUrl="https://www.youtube.com/channel/${ann}"/>
     <outline text="B > C" xmlUrl="https://www.youtube.com/channel/${ben}"></outline></outline></outline>
     <outline text="music"><outline xmlUrl="https://www.youtube.com/channel/${ben}"/></outline>
     <outline text="News"><outline xmlUrl="https://www.youtube.com/channel/${ben}"/></outline>
     <outline xmlUrl="https://a.example/f"/></body></opml>`,
    [
      ['Music', [ann, ben]],
      ['News', [ben]],
    ],
  ],
  [
    'profiles of FreeTube',
    `{"_id":"allChannels","name":"All Channels","subscriptions":[{"id":"${ann}","name":"A"},{"id":"${ben}","name":"B"}]}
{"_id":"p2","name":"Music","subscriptions":[{"id":"${ben}","name":"B"}]}`,
    [['Music', [ben]]],
  ],
  [
    'groups of LibreTube',
    JSON.stringify({ localSubscriptions: [{ channelId: ann }], groups: [{ name: 'g', channels: [ann], index: 0 }] }),
    [['g', [ann]]],
  ],
  [
    'folders of OPML with a quote too many, or a space in the end of a tag,',
    `<opml><body><outline text="A"><outline text="c" d" xmlUrl="https://www.youtube.com/channel/${ann}"/></outline>
     <outline text="q" xmlUrl="https://www.youtube.com/channel/${ben}"/ >
     <outline text="B / > C"><outline text='it's' xmlUrl="https://www.youtube.com/channel/${ben}"></outline>
     <outline text="r" xmlUrl="https://a.example/f" / ></outline></body></opml>`,
    [
      ['A', [ann]],
      ['B / > C', [ben, 'https://a.example/f']],
    ],
  ],
  [
    'folders of OPML with a prefix on every element',
    `<o:opml xmlns:o="urn:x"><o:body><o:outline text="A"><o:outline xmlUrl="https://www.youtube.com/channel/${ann}"></o:outline></o:outline>
     <o:outline xmlUrl="https://www.youtube.com/channel/${ben}"/></o:body></o:opml>`,
    [['A', [ann]]],
  ],
  [
    'categories of OPML',
    `<opml><body><outline text="YouTube Subscriptions"><outline category="/Tech,/Home/Garden,tag" xmlUrl="https://www.youtube.com/channel/${ann}"/>
     <outline xmlUrl="https://a.example/f" category="Technology"/></outline></body></opml>`,
    [
      ['Tech', [ann]],
      ['Garden', [ann]],
    ],
  ],
  [
    'groups of PocketTube',
    JSON.stringify({ Music: [ann, ben], News: [ben], ysc_settings: { x: 1 } }),
    [
      ['Music', [ann, ben]],
      ['News', [ben]],
    ],
  ],
  [
    'groups of PocketTube in a collection, with handles,',
    JSON.stringify({ ysc_collection: { Music: ['@ann_of_music', ben], Empty: [], Numbers: [1, 2] } }),
    [['Music', ['https://www.youtube.com/@ann_of_music'.slice(-24), ben]]],
  ],
])('%s are groups', (_, text, groups) => {
  expect(groupsIn(text)).toEqual(groups)
})

it.each([
  ['with a text', `<outline text="YouTube Subscriptions"><outline xmlUrl="https://a.example/f"/>`],
  [
    'with a title, and an empty folder in it',
    `<outline title="All"><outline text="x"/><outline xmlUrl="https://a.example/f"/>`,
  ],
])('a folder around the whole list is no group: %s', (_, text) => {
  const both = `<opml><body>${text}<outline xmlUrl="https://b.example/f"/></outline></body></opml>`
  expect([parseList(both).lines.length, groupsIn(both)]).toEqual([2, []])
})

it('what is no channel in a group of PocketTube is counted, and groups in groups are not read', () => {
  expect(parseList(JSON.stringify({ Music: ['@ann', ben, 7, {}] }))).toMatchObject({ passed_over: 2 })
  const nested = `${'{"groups":['.repeat(60_000)}{"name":"g","channels":["${ann}"]}${']}'.repeat(60_000)}`
  expect(() => parseList(nested)).toThrow('No channels found')
})

it('a list of names of groups is limited like those of a person, and so are their letters', () => {
  const many = Array.from({ length: 150 }, (_, n) => [`${n} ${'x'.repeat(80)}`, [ann]])
  const { lines, groups = [] } = parseList(JSON.stringify(Object.fromEntries(many)))
  expect([lines.length, groups.length, groups[0]?.name.length]).toEqual([1, 100, 60])
})

it('the groups that we write are read back, with a channel that is in two of them', () => {
  const [a, b, c] = ['a', 'b', 'c'].map(name => ({
    title: name,
    rss_url: `https://${name}.example/f`,
    page_url: `https://${name}.example/`,
  }))
  if (!a || !b || !c) throw new Error('there are three')
  const written = opmlOf([c], new Date(0), [
    { name: 'A & "B"', channels: [a, b] },
    { name: 'Empty', channels: [] },
    { name: 'C', channels: [b] },
  ])
  expect(parseList(written)).toMatchObject({
    lines: [{ address: a.rss_url }, { address: b.rss_url }, { address: c.rss_url }],
    groups: [
      { name: 'A & "B"', positions: [0, 1] },
      { name: 'C', positions: [1] },
    ],
  })
  expect(written).toContain('htmlUrl="https://a.example/"')
})
