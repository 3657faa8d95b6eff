/** Lists inside archives, and files that are no lists at all. */
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { parseFile } from '../../../src/feed/lists/parse-file.ts'
import { type ListSource, readInTurn } from '../../../src/feed/lists/read-list.ts'
import { type Packed, type Tarred, tarOf, zipOf } from '../../support/media/archives.ts'

const [a, b] = ['a', 'b'].map(letter => `UC${letter.repeat(22)}`)
const channel = (id: string | undefined) => `https://www.youtube.com/channel/${id}`
const row = (id: string | undefined, title: string) => `${id},http://www.youtube.com/channel/${id},${title}\n`
const subscriptions = `Channel Id,Channel Url,Channel Title\n${row(a, 'Slow kitchen')}`
const kitchen = 'https://kitchen.example/feed'
const opml = `<opml><outline text="Kitchen" xmlUrl="${kitchen}"/></opml>`

const read = async (bytes: Uint8Array) => {
  const { kind, lines, passed_over } = await parseFile(bytes)
  return { kind, lines: lines.map(({ address, title }) => [address, title]), passed_over }
}
const one = { kind: 'takeout', lines: [[channel(a), 'Slow kitchen']], passed_over: 0 }

/** What Google puts beside the subscriptions. */
const takeout = (folder: string, list: string): Packed[] => [
  { name: 'Takeout/archive_browser.html', content: '<html><a href="https://takeout.google.com/">Takeout</a></html>' },
  { name: `Takeout/${folder}/`, content: '' },
  { name: `Takeout/${folder}/channels/channel.csv`, content: `Channel ID,Channel Country\n${b},DE,Mine\n` },
  { name: `Takeout/${folder}/history/watch-history.json`, content: '[{"title":"x","titleUrl":"https://youtu.be/x"}]' },
  {
    name: `Takeout/${folder}/comments/comments.csv`,
    content: `Comment ID,Channel ID,Comment Text\nUgx1,${b},"see https://not-meant.example/feed, it is good"\n`,
  },
  {
    name: `Takeout/${folder}/playlists/Watch later-videos.csv`,
    content: 'Video ID,Playlist Video Creation Timestamp\ndQw4w9WgXcQ,2021-01-01T00:00:00+00:00\n',
  },
  { name: `Takeout/${folder}/videos/mine.mp4`, content: new Uint8Array(5000), stored: true },
  { name: list, content: subscriptions },
]

describe('the subscriptions of a Takeout archive are read', () => {
  it.each([
    ['in English', 'YouTube and YouTube Music', 'Takeout/YouTube and YouTube Music/subscriptions/subscriptions.csv'],
    ['in German', 'YouTube und YouTube Music', 'Takeout/YouTube und YouTube Music/Abos/Abos.csv'],
    ['in Spanish', 'YouTube y YouTube Music', 'Takeout/YouTube y YouTube Music/suscripciones/suscripciones.csv'],
    ['in Korean', 'YouTube 및 YouTube Music', 'Takeout/YouTube 및 YouTube Music/구독정보/구독정보.csv'],
  ])('%s', async (_, folder, list) => {
    expect(await read(zipOf(takeout(folder, list)))).toEqual(one)
  })

  it('the subscriptions of a Takeout archive are read from a .tgz too', async () => {
    const files = takeout('YouTube', 'Takeout/YouTube/subscriptions/subscriptions.csv')
    const tar = tarOf(files.map(({ name, content }) => ({ name, content: String(content) })))
    expect(await read(gzipSync(tar))).toEqual(one)
    expect(await read(tar)).toEqual(one)
  })

  const list = { name: 'Takeout/YouTube/subscriptions/subscriptions.csv', content: subscriptions }
  it.each<[what: string, Tarred[]]>([
    ['links and folders', [{ name: 'Takeout/', content: '', type: '5' }, { name: 'a', content: '', type: '2' }, list]],
    [
      'a long name in front',
      [
        { name: 'x', content: `${52 + list.name.length} path=Takeout/${'d'.repeat(38)}/${list.name}\n`, type: 'x' },
        list,
      ],
    ],
    ['a film in front of the list', [{ name: 'Takeout/film.mp4', content: 'x'.repeat(300_000) }, list]],
    ['an end that is missing', [list, { name: 'rest.csv', content: 'x', claims: 1_000_000 }]],
  ])('a tar file with %s is read', async (_, files) => {
    expect(await read(tarOf(files))).toEqual(one)
  })

  it('a header without end is refused before it is in memory', async () => {
    const packed = gzipSync(
      tarOf([{ name: 'x', content: 'x'.repeat(8_000_000), type: 'x', claims: 600_000_000 }, list]),
    )
    await expect(read(packed)).rejects.toThrow('There is too much in this archive.')
  })

  it('the subscriptions of every account in a Takeout archive are read, each channel once', async () => {
    const files = ['one', 'two'].map((name, index) => ({
      name: `${name}/subscriptions.csv`,
      content: subscriptions + row(index === 0 ? a : b, 'Bread'),
    }))
    expect((await read(zipOf(files))).lines).toEqual([
      [channel(a), 'Slow kitchen'],
      [channel(b), 'Bread'],
    ])
  })

  it('no other table in a Takeout archive is mistaken for subscriptions', async () => {
    const files = takeout('YouTube', 'Takeout/YouTube/nothing.bin')
    await expect(parseFile(zipOf(files))).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('Choose the subscriptions'),
    })
  })
})

describe('other packed lists are read', () => {
  const kitchen_list = { kind: 'opml', lines: [[kitchen, 'Kitchen']], passed_over: 0 }
  it.each([
    ['an OPML file in a ZIP file', zipOf([{ name: 'feeds.opml', content: opml }]), kitchen_list],
    ['one that is not compressed', zipOf([{ name: 'feeds.opml', content: opml, stored: true }]), kitchen_list],
    ['an OPML file as .gz', gzipSync(opml), kitchen_list],
    ['a CSV file as .gz', gzipSync(subscriptions), one],
    ['strange names', zipOf([{ name: '../../etc/\u0000x\\feeds.opml', content: opml }]), kitchen_list],
    [
      'addresses in the only file',
      zipOf([{ name: 'list.txt', content: kitchen }]),
      { kind: 'addresses', lines: [[kitchen, null]], passed_over: 0 },
    ],
  ])('%s', async (_, bytes, expected) => {
    expect(await read(bytes)).toEqual(expected)
  })

  it('a backup of YT Zero: what is followed, with the titles of its channels', async () => {
    const lines = (...items: unknown[]) => items.map(item => `${JSON.stringify(item)}\n`).join('')
    const files = [
      { name: 'manifest.json', content: '{"format":"ytzero.portable-backup","profiles":[],"sections":[]}' },
      {
        name: 'instance/channels.jsonl',
        content: lines(
          { channel_id: a, title: 'Slow kitchen', url: channel(a) },
          { channel_id: b, title: 'Seen once', url: channel(b) },
        ),
      },
      {
        name: 'profiles/1/subscriptions.jsonl',
        content: lines({ channel_id: a, followed: 1 }, { channel_id: b, followed: 0 }),
      },
      { name: 'library/referenced-videos.jsonl', content: lines({ video_id: 'abcdefghijk', channel_id: b }) },
    ]
    expect(await read(zipOf(files))).toEqual({ kind: 'json', lines: [[channel(a), 'Slow kitchen']], passed_over: 1 })
  })
})

describe('an archive without a list is refused in one sentence that says what to do', () => {
  const lists = (count: number, each: Omit<Packed, 'name'>) =>
    Array.from({ length: count }, (_, n) => ({ name: `${n}.csv`, ...each }))
  const picture = new Uint8Array(Buffer.from('\u0089PNG\r\n\u001a\n\u0000\u0000', 'latin1'))
  const database = Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(500)])
  it.each([
    ['a picture', picture, 'This is a picture. Choose'],
    ['a PDF', Buffer.from('%PDF-1.7\n%âãÏÓ'), 'This is a PDF document. Choose'],
    ["NewPipe's database", database, 'This is a database. Export the subscriptions'],
    ["NewPipe's whole backup", zipOf([{ name: 'newpipe.db', content: database }]), 'This is a database.'],
    ['a spreadsheet', zipOf([{ name: '[Content_Types].xml', content: '<Types/>' }]), 'Save it as CSV'],
    ['a 7z archive', Buffer.from('7z\u00bc\u00af\u0027\u001c', 'latin1'), 'Unpack it'],
    ['a RAR archive', Buffer.from('Rar!\u001a\u0007\u0001\u0000', 'latin1'), 'Unpack it'],
    ['any other bytes', new Uint8Array(3000).map((_, at) => (at * 7) % 31), 'This file contains no text. Choose'],
    [
      'an archive in an archive',
      zipOf([{ name: 'takeout.zip', content: zipOf([]) }]),
      'There is another archive in this one.',
    ],
    ['a password', zipOf([{ name: 'feeds.opml', content: opml, encrypted: true }]), 'has a password'],
    ['a ZIP file cut off', zipOf([{ name: 'feeds.opml', content: opml }]).slice(0, -30), 'is damaged'],
    ['a .gz cut off', gzipSync(opml).subarray(0, -12), 'is damaged'],
    ['an empty ZIP file', zipOf([]), 'no list of channels'],
    ['a list too large', zipOf([{ name: 'feeds.opml', content: ' '.repeat(2_100_000) + opml }]), 'larger than 2 MB'],
    [
      'a size that is a lie',
      zipOf([{ name: 'feeds.opml', content: ' '.repeat(1_000_000) + opml, claims: 100 }]),
      'is damaged',
    ],
  ])('%s', async (_, bytes, words) => {
    await expect(parseFile(new Uint8Array(bytes))).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(words),
      fields: { text: expect.any(String) },
    })
  })

  it.each([
    ['34 MB of lists', () => zipOf(lists(17, { content: '\n'.repeat(2_000_000) }))],
    ['a gzip bomb', () => gzipSync(Buffer.alloc(10_000_000))],
    ['20,001 files', () => zipOf(lists(20_001, { content: 'x', stored: true }))],
  ])('an archive that unpacks to too much: %s', async (_, made) => {
    await expect(parseFile(new Uint8Array(made()))).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('There is too much in this archive.'),
    })
  })
})

describe('a list that is large or packed is read in its own thread', () => {
  it('a list read in a thread gives the same lines and the same refusals', async () => {
    const zip = zipOf([{ name: 'feeds.opml', content: opml }])
    const readList = (given: ListSource) => readInTurn(given, { whose: 'alice' }, read => read(async () => {}))
    const long = Array.from({ length: 4000 }, (_, n) => `https://a.example/feed/${n}`).join('\n')
    expect(await readList(zip)).toEqual(await parseFile(zip))
    expect((await readList(long)).lines).toHaveLength(4000)
    await expect(readList(zipOf([]))).rejects.toMatchObject({ code: 'invalid', fields: { text: expect.any(String) } })
    await expect(readList('x'.repeat(3_000_000))).rejects.toMatchObject({ code: 'too_large' })
  })
})
