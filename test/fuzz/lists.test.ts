/** Claims about lists of channels as people write, export and pack them, and about any other bytes. */
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect } from 'vitest'
import { DomainError } from '../../src/errors.ts'
import { opmlOf } from '../../src/feed/lists/opml.ts'
import { parseFile } from '../../src/feed/lists/parse-file.ts'
import { parseList } from '../../src/feed/lists/parse-list.ts'
import { max_list_lines } from '../../src/schema/imports/import.ts'
import { tarOf, zipOf } from '../support/media/archives.ts'
import { anyText, claim, few_runs, wordOf } from './claims.ts'
import { mutated } from './mutations.ts'

const letters = wordOf('abcdefgh0123456789', 1, 8)

/** Distinct feed addresses of every shape; none ends with punctuation. */
const addresses = fc
  .array(fc.tuple(letters, letters, fc.constantFrom('', '/x_(y)', '/@z', '?a=1&b=2', '?list=1,2,3', '#z')), {
    minLength: 1,
    maxLength: 12,
  })
  .map(parts => parts.map(([host, path, end], at) => `https://${host}${at}.example/${path}${end}`))

const around = fc.constantFrom(
  ...['()', '[]', '<>', '""', "''", '**', '“”', '（）', '  ', '``', '||', '{}'],
  ...[' .', ' ,', ' ;', ' !', ' :', '-,', ' 。', ' ),', ' ].', ' ">'],
)
const between = fc.constantFrom(
  '\n',
  '\r\n',
  ' ',
  ', ',
  '; ',
  '\t',
  '\n\n',
  '\n- ',
  '\n1. ',
  ' and ',
  '\n# ...\n',
  '\nSlow kitchen: ',
)

const keysOf = (lines: { address: string }[]) => lines.map(({ address }) => new URL(address).href).toSorted()

claim(
  'every address in a text is found, whatever punctuation surrounds it',
  fc.property(addresses, fc.array(fc.tuple(around, between), { minLength: 12, maxLength: 12 }), (list, signs) => {
    const text = list
      .map((address, at) => {
        const [pair = '  ', next = '\n'] = signs[at] ?? []
        return `${pair.slice(0, 1)}${address}${pair.slice(1)}${next}`
      })
      .join('')
    expect(keysOf(parseList(text).lines)).toEqual(keysOf(list.map(address => ({ address }))))
  }),
)

claim(
  'every address in a table is found, in any column, with any titles',
  fc.property(addresses, anyText, fc.constantFrom(',', ';', '\t'), fc.boolean(), (list, title, separator, is_first) => {
    const cell = `"${title
      .replaceAll(/https?:/gi, '')
      .replaceAll('"', '""')
      .replaceAll(/[\r\n]/g, ' ')}"`
    const rows = list.map(address => (is_first ? [`"${address}"`, cell] : [cell, `"${address}"`]).join(separator))
    const text = [`url${separator}title`, ...rows].join('\n')
    expect(keysOf(parseList(text).lines)).toEqual(keysOf(list.map(address => ({ address }))))
  }),
  few_runs,
)

claim(
  'a list in an archive is read like the plain list, under any name and next to any files',
  fc.asyncProperty(
    addresses,
    fc.array(fc.tuple(anyText, anyText), { maxLength: 5 }),
    fc.constantFrom('zip', 'stored', 'gz', 'tgz'),
    fc.nat(5),
    async (list, others, how, place) => {
      const content = opmlOf(
        list.map((rss_url, at) => ({ rss_url, title: `c${at}` })),
        new Date(0),
      )
      // An address in another file would be one of the archive's addresses too, if that were an OPML file.
      const files = others.map(([name, text]) => ({
        name: name.slice(0, 200),
        content: text.replaceAll(/opml|outline/gi, ''),
      }))
      files.splice(place, 0, { name: 'Abos/名前.opml', content })
      const bytes = {
        zip: () => zipOf(files),
        stored: () => zipOf(files.map(file => ({ ...file, stored: true }))),
        gz: () => gzipSync(content),
        tgz: () => gzipSync(tarOf([{ name: 'a.opml', content }])),
      }[how]()
      const { lines, kind } = await parseFile(new Uint8Array(bytes))
      expect([kind, keysOf(lines)]).toEqual(['opml', keysOf(list.map(address => ({ address })))])
    },
  ),
  few_runs,
)

/** Files in which nothing is a channel: playlists, and a history. */
const without_channels = fc
  .tuple(
    fc.array(wordOf('abcXYZ019_-', 11, 11), { minLength: 1, maxLength: 8 }),
    anyText,
    fc.constantFrom('UC', '', '-_'),
  )
  .map(([words, title, start]) => ({
    ids: words.map(word => `${start}${word}`.slice(0, 11)),
    title: `t${title.replaceAll(/\p{Cc}/gu, ' ').slice(0, 500)}`,
  }))
  .chain(({ ids, title }) => {
    const videos = ids.map(id => `https://www.youtube.com/watch?v=${id}`)
    const cell = `"${title.replaceAll('"', '""')}"`
    const rows = ids.map(id => `${id},2024-01-02T03:04:05+00:00`)
    const old_rows = ids.map(id => `${id},2020-01-01 00:00:00 UTC,,,`)
    return fc.constantFrom(
      `Video ID,Time\n${rows.join('\n')}\n`,
      `sep=;\r\nID;${cell}\r\n${rows.join('\r\n').replaceAll(',', ';')}`,
      `Playlist ID,Channel ID,Title\nPLx,UCabcdefghijklmnopqrstuv,${cell}\n\nVideo ID,Time,,\n${old_rows.join('\n')}`,
      `${JSON.stringify({ playlistName: title, videos: ids.map(videoId => ({ videoId })), _id: '1' })}\n`,
      JSON.stringify({ playlists: [{ name: title, videos }] }),
      JSON.stringify([`${title}\n${videos.join('\n')}`]),
      JSON.stringify(videos),
      JSON.stringify(videos.map(video => `${video}|||1700000000|||61|||${title}`)),
    )
  })

claim(
  'no video of a playlist or a history of another app becomes a channel, alone or packed beside a list',
  fc.asyncProperty(without_channels, fc.boolean(), async (content, is_first) => {
    const alone = await parseFile(Buffer.from(content)).catch((fault: unknown) => {
      if (fault instanceof DomainError) return { lines: [], content: null }
      throw fault
    })
    expect(alone.lines).toEqual([])
    const list = { name: 'feeds.opml', content: '<opml><outline xmlUrl="https://a.example/f"/></opml>' }
    const files = [list, { name: 'stores/other', content }]
    const read = await parseFile(zipOf(is_first ? files : files.toReversed()))
    expect([read.kind, keysOf(read.lines)]).toEqual(['opml', ['https://a.example/f']])
    expect((read.content?.playlists_unread ?? 0) + (read.content?.items ?? 0) > 0 || alone.content !== null).toBe(true)
  }),
  few_runs,
)

claim(
  'every address that a browser or player stores is found with its title',
  fc.property(addresses, anyText, fc.constantFrom('bookmarks', 'm3u', 'xspf', 'webloc', 'opml'), (list, text, as) => {
    const title = `T ${text.replaceAll(/[^\p{L}\p{N} ,]/gu, '')}`.slice(0, 100)
    const escaped = (address: string) => address.replaceAll('&', '&amp;')
    const written = {
      bookmarks: () =>
        `<!DOCTYPE NETSCAPE-Bookmark-file-1>${list.map(one => `<DT><A FEEDURL="${escaped(one)}" HREF="x">${title}</A>`).join('\n')}`,
      m3u: () => `#EXTM3U\n${list.map(one => `#EXTINF:-1 a="b, c",${title}\n${one}`).join('\r\n')}`,
      xspf: () =>
        `<playlist xmlns="http://xspf.org/ns/0/">${list.map(one => `<track><location>${escaped(one)}</location><title>${title}</title></track>`).join('')}`,
      webloc: () => `<plist>${list.map(one => `<key>URL</key> <string>${escaped(one)}</string>`).join('')}`,
      opml: () => `<o:opml>${list.map(one => `<o:outline text="${title}" xmlUrl="${escaped(one)}"/>`).join('')}`,
    }[as]()
    const { lines } = parseList(written)
    expect(keysOf(lines)).toEqual(keysOf(list.map(address => ({ address }))))
    if (as !== 'webloc') expect(new Set(lines.map(line => line.title?.replaceAll(/\s+/g, ' ').trim()))).toHaveLength(1)
  }),
  few_runs,
)

const archives = [
  zipOf([
    {
      name: 'Takeout/YouTube/subscriptions/subscriptions.csv',
      content: 'a,b\nUCabcdefghijklmnopqrstuv,https://youtube.com/channel/UCabcdefghijklmnopqrstuv,T\n',
    },
    { name: 'feeds.opml', content: '<opml><outline xmlUrl="https://a.example/f"/></opml>', stored: true },
    { name: 'locked.csv', content: 'x', encrypted: true },
  ]),
  new Uint8Array(gzipSync('<opml><outline xmlUrl="https://a.example/f"/></opml>')),
  tarOf([{ name: 'list.txt', content: 'https://a.example/f\n' }]),
  Buffer.from('<!DOCTYPE NETSCAPE-Bookmark-file-1><DT><A HREF="https://a.example/feed">A</A>'),
  Buffer.from('#EXTM3U\n#EXTINF:-1 a="b, c",T\nhttps://a.example/f\n'),
  Buffer.from('["https://youtu.be/dQw4w9WgXcQ|||1700000000|||61|||T","P\\nhttps://youtu.be/dQw4w9WgXcQ"]'),
  Buffer.from('sep=;\nName;Handle\nA;@a\nB;@b\n'),
]

claim(
  'any bytes give a list within the limits or a refusal with a sentence, and the same each time',
  fc.asyncProperty(
    mutated(archives, ['PK\u0003\u0004', 'PK\u0001\u0002', 'PK\u0005\u0006', '\u001f\u008b', '\u0000', 'ustar']),
    async bytes => {
      const read = () =>
        parseFile(bytes).catch((fault: unknown) => {
          if (!(fault instanceof DomainError)) throw fault
          return `${fault.code}: ${fault.message}`
        })
      const found = await read()
      expect(await read()).toEqual(found)
      if (typeof found === 'string') expect(found).toMatch(/^(invalid|too_large): [A-Z][^\n]{20,200}\.$/)
      else expect(found.lines.length).toBeLessThanOrEqual(max_list_lines)
    },
  ),
  few_runs,
)
