/** Watch histories of other apps, as they are in the wild, and what hostile ones do. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { parseFile } from '../../../src/feed/lists/parse-file.ts'
import type { ArchiveViewing } from '../../../src/schema/imports/archive.ts'
import { tarOf, zipOf } from '../../support/media/archives.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const [a, b, c] = ['aaaaaaaaaaa', 'bbbbbbbbbbb', 'ccccccccccc'] as const
const page = (id: string) => `https://www.youtube.com/watch?v=${id}`

/** The marks of a file as `video_id: time of the mark, or position`, and what else it brings. */
async function read(given: string | Uint8Array) {
  const viewings: ArchiveViewing[] = []
  const bytes = typeof given === 'string' ? new Uint8Array(Buffer.from(given)) : given
  const { content, lines, kind } = await parseFile(bytes, {
    sink: async part => void viewings.push(...(part.items as ArchiveViewing[])),
  })
  const marks = Object.fromEntries(
    viewings.map(({ video_id, seen_at, position_seconds }) => [video_id, seen_at ?? position_seconds]),
  )
  return { marks, viewings, kind, lines: lines.length, ...content }
}

const visit = (title: string, titleUrl?: string, more: object = {}) => ({
  header: 'YouTube',
  title,
  titleUrl,
  time: '2025-01-01T00:00:00Z',
  ...more,
})
const takeout = JSON.stringify(
  [
    visit('Watched A', page(a), { time: '2026-05-02T10:00:00.123Z', products: ['YouTube'] }),
    visit('Watched A', page(a), { time: '2024-05-02T10:00:00Z' }),
    visit(`Hat ${page(b)} angesehen`, page(b)),
    visit('Watched an ad', page(c), { details: [{ name: 'Von Google Anzeigen' }] }),
    visit('Watched a song', `https://music.youtube.com/watch?v=${c}`, { header: 'YouTube Music' }),
    visit('Watched a video that has been removed'),
    visit('Viewed a post', 'https://www.youtube.com/post/Ugk'),
    visit('Searched for x', 'https://www.youtube.com/results?search_query=x'),
  ],
  null,
  2,
).replaceAll('=', '\\u003d')
const of_takeout = {
  marks: { [a]: '2026-05-02T10:00:00.123Z', [b]: '2025-01-01T00:00:00.000Z' },
  ads: 1,
  music: 1,
  removed: 1,
  unknown: 1,
  undated: 0,
}

describe('Google Takeout', () => {
  it('each video of a history in JSON is marked once with its newest time, without ads, music and removed videos', async () => {
    expect(await read(takeout)).toMatchObject({ ...of_takeout, kind: 'history', items: 2, lines: 0 })
  })

  it.each([
    ['ZIP', (files: { name: string; content: string }[]) => zipOf(files)],
    ['tgz', (files: { name: string; content: string }[]) => new Uint8Array(gzipSync(tarOf(files)))],
  ])('a %s with localised names brings the history and the subscriptions', async (_, pack) => {
    const id = `UC${'x'.repeat(22)}`
    const read_file = await read(
      pack([
        { name: 'Takeout/YouTube und YouTube Music/Verlauf/Wiedergabeverlauf.json', content: takeout },
        {
          name: 'Takeout/YouTube und YouTube Music/Abos/Abos.csv',
          content: `Kanal-ID,URL,Titel\n${id},http://www.youtube.com/channel/${id},X\n`,
        },
      ]),
    )
    expect(read_file).toMatchObject({ ...of_takeout, kind: 'takeout', lines: 1 })
  })

  it('a history of 60 MB in a ZIP of a megabyte is read as a stream', async () => {
    const idOf = (at: number) => at.toString(36).padStart(11, '0')
    const entries = Array.from({ length: 101_000 }, (_, at) =>
      visit('x'.repeat(480), page(idOf(at)), { time: new Date(1_600_000_000_000 + at * 1000).toISOString() }),
    )
    const found = await read(zipOf([{ name: 'watch-history.json', content: JSON.stringify(entries) }]))
    expect(found).toMatchObject({ items: 100_000, older: 1000 })
    expect(found.viewings.map(({ video_id }) => video_id)).toContain(idOf(100_999))
  })

  const box = (id: string, date: string, { head = 'YouTube', details = '' } = {}) => `
    <div class="outer-cell mdl-cell"><div class="mdl-grid"><div class="header-cell mdl-cell"><p class="mdl-typography--title">${head}<br></p></div>
    <div class="content-cell mdl-cell">Watched&nbsp;<a href="${page(id).replace('&', '&amp;')}">T &lt;b&gt;</a><br>
    <a href="https://www.youtube.com/channel/UC">Ch</a><br>${date}<br></div><div class="content-cell mdl-typography--text-right"></div>
    <div class="content-cell mdl-typography--caption"><b>Products:</b><br>&emsp;YouTube<br>${details}<b>Why is this here?</b></div></div></div>`
  const styles = `<html><head><style>${'.mdl{color:red}'.repeat(10_000)}</style></head><body>`

  it.each([
    ['a page', `<div>content-cell</div>outer-cell${'<'.repeat(250_000)}content-cell content-cell`],
    ['a last line', `<div>content-cell</div>outer-cell content-cell ${'<'.repeat(250_000)}</div>`],
    ['a log', `{${'"timeWatched"'.repeat(2000)}${`}${' '.repeat(300)}`.repeat(100)}a`],
  ])('the beginnings of tags and objects in %s take no time', async (_, text) => {
    await read(text).catch(fault => expect(fault.code).toBe('invalid'))
  })

  it('a history in HTML is read by its links and dates', async () => {
    const html = `${styles}${box(a, 'Sep 5, 2023, 10:11:12\u202fPM EST')}${box(b, 'gestern')}
      ${box(c, '5 Sept 2023', { details: '<b>Details:</b><br>From Google Ads<br>' })}${box(c, '5 Sept 2023', { head: 'YouTube Music' })}`
    const found = await read(zipOf([{ name: 'Takeout/YouTube/historique/watch-history.html', content: html }]))
    expect(found).toMatchObject({ ads: 1, music: 1, undated: 1, items: 2 })
    expect(found.marks[a]).toBe('2023-09-05T22:11:12.000Z')
  })
})

describe('other apps', () => {
  const line = (more: object) => JSON.stringify({ title: 'T', author: 'x', ...more })

  it("FreeTube's log is read with its updates and deletions, and positions are taken", async () => {
    const log = [
      line({ videoId: a, timeWatched: 1_700_000_000_000, lengthSeconds: 600, watchProgress: 0, _id: '1' }),
      line({ videoId: b, timeWatched: 1_700_000_000_000, lengthSeconds: 600, watchProgress: 20, _id: '2' }),
      line({ videoId: b, timeWatched: 1_710_000_000_000, lengthSeconds: 600, watchProgress: 300.5, _id: '2' }),
      line({ videoId: c, timeWatched: 1_700_000_000_000, lengthSeconds: 600, _id: '3' }),
      '{"$$deleted":true,"_id":"3"}',
      '{"$$indexCreated":{"fieldName":"author"}}',
      '{"videoId":"broken',
    ].join('\n')
    const found = await read(log)
    expect(found.marks).toEqual({ [a]: '2023-11-14T22:13:20.000Z', [b]: 300 })
    expect(await read(line({ videoId: a, timeWatched: 1_700_000_000_000, _id: '1' }))).toMatchObject({ items: 1 })
    const array = `[${line({ videoId: a, timeWatched: 1_700_000_000_000, lengthSeconds: 100, watchProgress: 98 })}]`
    expect((await read(array)).marks).toEqual({ [a]: '2023-11-14T22:13:20.000Z' })
  })

  it('LibreTube, Piped and Invidious are read together with their subscriptions', async () => {
    const id = `UC${'x'.repeat(22)}`
    const libretube = {
      watchHistory: [
        { videoId: a, duration: 600 },
        { videoId: b, duration: 600 },
      ],
      watchPositions: [{ videoId: b, position: 300_000 }],
      subscriptions: [{ channelId: id }],
    }
    const found = await read(JSON.stringify(libretube))
    expect(found).toMatchObject({ lines: 1, items: 2, undated: 2 })
    expect(found.marks[b]).toBe(300)
    const piped = {
      format: 'Piped',
      version: 1,
      watchHistory: [{ videoId: a, duration: 60, watchedAt: 1_700_000_000_000, currentTime: 59 }],
    }
    expect((await read(JSON.stringify(piped))).marks).toEqual({ [a]: '2023-11-14T22:13:20.000Z' })
    const invidious = { subscriptions: [id], watch_history: [a, b, 'no id'], playlists: [{ title: 'x', videos: [c] }] }
    expect(await read(JSON.stringify(invidious))).toMatchObject({ lines: 1, items: 2, unknown: 1 })
  })

  const databaseWith = (statements: string[]): Uint8Array<ArrayBuffer> => {
    const path = join(newFolder(), 'newpipe.db')
    const database = new DatabaseSync(path)
    for (const statement of statements) database.exec(statement)
    database.close()
    return new Uint8Array(readFileSync(path))
  }
  const newpipe = [
    'pragma journal_mode = wal',
    'create table streams (uid integer primary key, service_id integer, url text, title text, duration integer)',
    'create table stream_history (stream_id integer, access_date integer, repeat_count integer)',
    'create table stream_state (stream_id integer primary key, progress_time integer)',
    'create table subscriptions (uid integer primary key, service_id integer, url text, name text)',
    `insert into streams values (1, 0, '${page(a)}', 'A', 600), (2, 0, '${page(b)}', 'B', 600),
       (3, 0, '${page(c)}', 'only in a playlist', 600), (4, 1, 'https://soundcloud.com/x/y', 'S', 60)`,
    'insert into stream_history values (1, 1700000000000, 1), (1, 1710000000000, 2), (2, 1700000000000, 1), (4, 1700000000000, 1)',
    'insert into stream_state values (2, 300000)',
    `insert into subscriptions values (1, 0, 'https://www.youtube.com/channel/UC${'x'.repeat(22)}', 'X')`,
  ]

  it("NewPipe's export brings the history, the positions and the subscriptions", async () => {
    const bytes = databaseWith(newpipe)
    for (const given of [
      zipOf([
        { name: 'newpipe.db', content: bytes },
        { name: 'newpipe.settings', content: 'x' },
      ]),
      bytes,
    ]) {
      const found = await read(given)
      expect(found.marks).toEqual({ [a]: '2024-03-09T16:00:00.000Z', [b]: 300 })
      expect(found).toMatchObject({ kind: 'newpipe', lines: 1, unknown: 1 })
    }
  })

  it("NewPipe's playlists are counted", async () => {
    const playlists = [
      'create table playlists (uid integer primary key, name text)',
      "insert into playlists values (1, 'A'), (2, 'B')",
    ]
    expect(await read(databaseWith([...newpipe, ...playlists]))).toMatchObject({
      lines: 1,
      playlists_unread: 2,
      unknown: 1,
    })
  })

  it.each([
    ['has other tables', ['create table moz_places (url text)']],
    [
      'has an endless view in place of a table',
      [
        'create table stream_history (stream_id integer, access_date integer)',
        'create view streams as with recursive n (uid) as (select 1 union all select uid + 1 from n) select uid from n',
      ],
    ],
    [
      'computes a column',
      [
        'create table stream_history (stream_id integer, access_date integer)',
        `create table streams (uid integer, duration integer, url text as (replace(hex(zeroblob(20000000)), '0', 'ab')))`,
        `with recursive n (i) as (select 1 union all select i + 1 from n where i < 100000)
         insert into streams (uid) select i from n`,
      ],
    ],
  ])('a database that %s is refused', async (_, statements) => {
    await expect(read(databaseWith(statements))).rejects.toThrow('This is a database.')
  })

  it('texts and numbers of a megabyte in a database are not read', async () => {
    const huge = `printf('%.*c', 1000000, 'x')`
    const { marks, unknown, lines } = await read(
      databaseWith([
        ...newpipe,
        `insert into streams values (5, 0, ${huge}, 'E', 600)`,
        'insert into stream_history values (5, 1700000000000, 1)',
        `insert into stream_history values (${huge}, ${huge}, 1)`,
        `insert into subscriptions values (2, 0, 'https://www.youtube.com/channel/UC${'y'.repeat(22)}', ${huge})`,
      ]),
    )
    expect({ marked: Object.keys(marks), unknown, lines }).toEqual({ marked: [a, b], unknown: 2, lines: 2 })
  })

  it('a damaged database is refused', async () => {
    const bytes = databaseWith(newpipe)
    for (let at = 100; at < bytes.length; at += 3) bytes[at] = 0xff
    await expect(read(bytes)).rejects.toThrow('This is a database.')
  })

  it('a history that breaks off is refused', async () => {
    await expect(read(takeout.slice(0, 600))).rejects.toThrow('breaks off')
  })
})

describe('the backup of Tube Archivist', () => {
  // Source: the backup of its index, a file of lines per index: https://github.com/tubearchivist/tubearchivist.
  const linesOf = (index: string, documents: object[]) =>
    `${documents.flatMap(one => [{ index: { _index: index } }, one].map(line => JSON.stringify(line))).join('\n')}\n\n`
  const channel_id = `UC${'x'.repeat(22)}`
  const channels = [{ channel_id, channel_name: 'Slow kitchen', channel_subscribed: true }]
  const video = (youtube_id: string, player: object) => ({
    youtube_id,
    title: 'Rye',
    description: 'x'.repeat(2000),
    player: { watched: false, duration: 600, duration_str: '10m 0s', ...player },
    channel: channels[0],
  })
  const backupOf = (videos: object[]) =>
    zipOf([
      { name: 'es_channel-20260801.json', content: linesOf('ta_channel', channels) },
      { name: 'es_download-20260801.json', content: linesOf('ta_download', [{ youtube_id: c, channel_id }]) },
      {
        name: 'es_playlist-20260801.json',
        content: linesOf('ta_playlist', [{ playlist_id: 'PLx', playlist_channel_id: channel_id }]),
      },
      { name: 'es_video-20260801.json', content: linesOf('ta_video', videos) },
    ])

  it('brings the followed channels, and what was watched with its time', async () => {
    const videos = [video(a, { watched: true, watched_date: 1_780_000_000 }), video(b, {}), video(c, { watched: true })]
    const found = await read(backupOf(videos))
    expect(found).toMatchObject({ lines: 1, items: 2, undated: 1, unknown: 0 })
    expect(found.marks[a]).toBe('2026-05-28T20:26:40.000Z')
    expect(found.marks).not.toHaveProperty(b)
  })

  it('brings the followed channels alone where nothing was watched, whatever the size', async () => {
    const unwatched = Array.from({ length: 2000 }, (_, at) => video(at.toString(36).padStart(11, '0'), {}))
    expect(await read(backupOf(unwatched))).toMatchObject({ lines: 1, viewings: [] })
  })
})
