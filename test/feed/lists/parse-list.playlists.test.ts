/** Playlists of other apps: they are counted, and never taken for channels. */
import { describe, expect, it } from 'vitest'
import { parseFile } from '../../../src/feed/lists/parse-file.ts'
import { parseList } from '../../../src/feed/lists/parse-list.ts'
import { zipOf } from '../../support/media/archives.ts'

const channel_id = 'UCabcdefghijklmnopqrstuv'
const video = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
const title = 'A playlist'
const subscriptions = `Channel Id,Channel Url,Channel Title\n${channel_id},http://www.youtube.com/channel/${channel_id},Slow kitchen\n`
const takeout_rows = 'dQw4w9WgXcQ,2024-01-02T03:04:05+00:00\nUCx4w9WgXcQ,2024-01-03T03:04:05+00:00\n'
const old_takeout = `Playlist ID,Channel ID,Time Created,Time Updated,Title,Description,Visibility
PLx,${channel_id},2020-01-01 00:00:00 UTC,2020-01-01 00:00:00 UTC,Watch later,,Private\n
Video ID,Time Added,,,,,\ndQw4w9WgXcQ,2020-01-01 00:00:00 UTC,,,,,\n`

const playlists: [of: string, content: string][] = [
  ['Takeout', `Video ID,Playlist Video Creation Timestamp\n${takeout_rows}`],
  ['Takeout in German', `Video-ID,Zeitstempel der Erstellung des Playlist-Videos\n${takeout_rows}`],
  ['Takeout in Japanese, saved by Excel', `sep=;\r\n動画 ID;再生リスト\r\n${takeout_rows.replaceAll(',', ';')}`],
  ['Takeout of 2020', old_takeout],
  ['Takeout of 2020 in French', old_takeout.replace('Playlist ID,Channel ID', 'ID de la playlist,ID de la chaîne')],
  [
    'FreeTube',
    `{"playlistName":"${title}","videos":[{"videoId":"dQw4w9WgXcQ","authorId":"${channel_id}"}],"_id":"x"}\n`,
  ],
  ['Piped', JSON.stringify({ format: 'Piped', version: 1, playlists: [{ name: title, videos: [video] }] })],
  ['Invidious', JSON.stringify({ subscriptions: [], playlists: [{ title, videos: ['dQw4w9WgXcQ'] }] })],
  [
    'LibreTube',
    JSON.stringify({ localPlaylists: [{ playlist: { name: title }, videos: [{ videoId: 'dQw4w9WgXcQ' }] }] }),
  ],
  ['Grayjay', JSON.stringify([`${title}:::1\n${video}\n${video}`])],
  ['Watch later of Grayjay', JSON.stringify([video, video.replace('Q', 'R')])],
]

describe('a playlist is refused alone, and counted beside a list', () => {
  it.each(playlists)('of %s', async (_, content) => {
    const is_playlist = expect.objectContaining({
      code: 'invalid',
      message: expect.stringContaining('only playlists of another app'),
    })
    expect(() => parseList(content)).toThrow(is_playlist)
    await expect(parseFile(Buffer.from(content))).rejects.toEqual(is_playlist)
    const packed = [{ name: 'stores/playlists', content }]
    await expect(parseFile(zipOf(packed))).rejects.toEqual(is_playlist)
    const beside = [...packed, { name: 'playlists/2', content }, { name: 'subscriptions.csv', content: subscriptions }]
    expect(await parseFile(zipOf(beside))).toMatchObject({
      kind: 'takeout',
      lines: [{ address: `https://www.youtube.com/channel/${channel_id}` }],
      content: { playlists_unread: 2, items: 0 },
    })
  })
})

it('playlists are counted in the document that also has channels and a history', async () => {
  const given = { playlists: [{ title, videos: ['dQw4w9WgXcQ'] }, { title: 'empty', videos: [] }, 7] }
  const followed = { subscriptions: [channel_id], ...given }
  expect(parseList(JSON.stringify(followed))).toMatchObject({ lines: [{}], content: { playlists_unread: 1 } })
  const watched = { watch_history: ['dQw4w9WgXcQ'], ...given }
  const content = { playlists_unread: 1, items: 1 }
  expect(await parseFile(Buffer.from(JSON.stringify(watched)))).toMatchObject({
    kind: 'history',
    lines: [],
    passed_over: 0,
    content,
  })
  expect(await parseFile(Buffer.from(JSON.stringify({ ...followed, ...watched })))).toMatchObject({
    lines: [{}],
    content,
  })
})

it('ids of videos, one per line, are no channels, and half an id of a channel fails by name', () => {
  expect(() => parseList('UCx4w9WgXcQ\ndQw4w9WgXcQ\n')).toThrow('No channels found')
  expect(parseList('UCx4w9WgXcQ\nUCabcdefghijklmnop\n')).toMatchObject({
    lines: [{ address: 'UCabcdefghijklmnop' }],
    passed_over: 1,
  })
})

it('channels with a date, or with videos, are no playlist', () => {
  const table = 'name,added,url\nslowkitchen,2024-01-02 03:04,https://kitchen.example/feed\n'
  expect(parseList(table)).toMatchObject({ lines: [{ address: 'https://kitchen.example/feed' }], content: null })
  const followed = [{ id: channel_id, name: 'Slow kitchen', videos: [video] }]
  expect(parseList(JSON.stringify(followed))).toMatchObject({ lines: [{ title: 'Slow kitchen' }], content: null })
  expect(() => parseList('{"playlistName":"Favorites","videos":[],"_id":"favorites"}')).toThrow('No channels found')
})

it('the ZIP file of Grayjay gives channels, a history and the number of playlists', async () => {
  const lists = {
    Subscriptions: [`https://www.youtube.com/channel/${channel_id}`, 'https://odysee.com/@x:1'],
    history: [`${video}|||1700000000|||61|||Title ||| of it`, 'https://elsewhere.example/1|||1700000000|||-1|||T'],
    playlists: [`${title}\n${video}`],
    watch_later: [video],
  }
  const files = Object.entries(lists).map(([name, list]) => ({ name: `stores/${name}`, content: JSON.stringify(list) }))
  const parts: unknown[] = []
  const read = await parseFile(zipOf(files), { sink: async part => void parts.push(part) })
  expect(read).toMatchObject({
    kind: 'json',
    lines: [{}, {}],
    passed_over: 0,
    content: { items: 1, unknown: 1, playlists_unread: 2 },
  })
  const viewing = { video_id: 'dQw4w9WgXcQ', watched_at: '2023-11-14T22:13:20.000Z', position_seconds: 61 }
  expect(parts).toMatchObject([{ kind: 'viewings', items: [viewing] }])
})
