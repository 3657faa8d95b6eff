/** Playlists that are imported beside those of the person. */
import { expect, it } from 'vitest'
import { archiveOf, beginImport, getImport } from '../../../src/domain/imports/imports.ts'
import { RuleRequest } from '../../../src/schema/rules/rule.ts'
import { max_playlist_videos, max_playlists } from '../../../src/schema/watching/playlist.ts'
import { summary } from '../../../src/views/imports/import-page.tsx'
import { useDatabase } from '../../support/app/database.ts'
import { workThrough } from '../../support/app/imports.ts'
import { type Person, person, personWith } from '../../support/app/people.ts'

const { sql } = useDatabase()

async function withPlaylists(name: string, channel_id: string, playlists: Record<string, string[]>): Promise<Person> {
  const owner = await personWith(sql, name, channel_id, [...new Set(Object.values(playlists).flat())])
  for (const [called, video_ids] of Object.entries(playlists)) {
    const { playlist_id } = await owner.library.playlists.create(called)
    await owner.library.playlists.addVideos(playlist_id, video_ids)
  }
  return owner
}

async function playlistsOf({ library }: Person): Promise<Record<string, string[]>> {
  const playlists = await library.playlists.list()
  const read = playlists.map(async ({ name, playlist_id }) => [name, await library.playlists.videoIds(playlist_id)])
  return Object.fromEntries(await Promise.all(read))
}

const documentOf = async ({ library }: Person) =>
  JSON.parse((await Array.fromAsync(archiveOf(library, new Date('2026-11-22T12:00:00Z')))).join(''))

async function takeIn(to: Person, document: object) {
  const { import_id } = await beginImport(to.library, Buffer.from(JSON.stringify(document)))
  while ((await workThrough(to, import_id)) === 'more');
  const imported = await getImport(to.library, import_id)
  return { ...imported.content, said: summary(imported) }
}

it('takes playlists in with their order, and adds nothing when the file is imported again', async () => {
  const playlists = { Bread: ['c', 'a', 'b'], Empty: [], Tea: ['b'] }
  const alice = await withPlaylists('alice', 'kitchen', playlists)
  const { playlist_id } = await alice.library.playlists.create('Deleted')
  await alice.library.playlists.remove(playlist_id)
  const bob = await person(sql, 'bob')
  const document = await documentOf(alice)
  expect(await takeIn(bob, document)).toMatchObject({
    playlists: 3,
    playlists_left_out: 0,
    playlist_videos_left_out: 0,
    said: '1 channel, 3 videos, 3 playlists',
  })
  expect(await playlistsOf(bob)).toEqual(playlists)
  expect(await takeIn(bob, document)).toMatchObject({ playlists: 0, playlist_videos_left_out: 0, said: 'nothing new' })
  expect(await playlistsOf(bob)).toEqual(playlists)
})

it('a video that only the archive knows has its place, wherever the file lists the playlists', async () => {
  const alice = await withPlaylists('alice', 'kitchen', { Bread: ['c', 'a', 'b'] })
  const bob = await personWith(sql, 'bob', 'kitchen', ['a'])
  const { playlists, ...others } = await documentOf(alice)
  const { format, version, ...rest } = others
  await takeIn(bob, { format, version, playlists, ...rest })
  expect(await playlistsOf(bob)).toEqual({ Bread: ['c', 'a', 'b'] })
})

it('a playlist of the same name gets what it lacks at its end, and keeps its name and order', async () => {
  const alice = await withPlaylists('alice', 'kitchen', { BREAD: ['c', 'b', 'a'] })
  const bob = await withPlaylists('bob', 'cellar', { Bread: ['z', 'b'], Tea: ['z'] })
  expect(await takeIn(bob, await documentOf(alice))).toMatchObject({ playlists: 1 })
  expect(await playlistsOf(bob)).toEqual({ Bread: ['z', 'b', 'c', 'a'], Tea: ['z'] })
})

it('rules add to the playlists of the same names, and to none if it was left out', async () => {
  const alice = await withPlaylists('alice', 'kitchen', { Bread: ['a'] })
  const playlist_id = (await alice.library.playlists.list())[0]?.playlist_id
  const rule = RuleRequest.parse({ auto_download: true, playlist_id })
  await alice.library.rules.save('kitchen', rule)
  await alice.library.rules.saveDefault(rule)
  const document = await documentOf(alice)
  expect(document).toMatchObject({
    settings: { default_rule_playlist: 'Bread' },
    channels: [{ rule_playlist: 'Bread', rule: expect.not.objectContaining({ playlist_id }) }],
  })
  const rulesOf = async ({ library }: Person) =>
    [await library.rules.find('kitchen'), await library.rules.findDefault()].map(found => found?.playlist_id)
  const [bob, carol] = [await person(sql, 'bob'), await person(sql, 'carol')]
  await bob.library.playlists.create('BREAD')
  await takeIn(bob, document)
  const [hers] = await bob.library.playlists.list()
  expect(await rulesOf(bob)).toEqual([hers?.playlist_id, hers?.playlist_id])
  await takeIn(carol, { ...document, playlists: [] })
  expect(await rulesOf(carol)).toEqual([null, null])
})

it('a video in the bin is not in the archive, and its playlist is', async () => {
  const alice = await withPlaylists('alice', 'kitchen', { Bread: ['c', 'a'] })
  await alice.library.channels.remove('kitchen', true)
  expect((await documentOf(alice)).playlists).toEqual([{ name: 'Bread', video_ids: [] }])
})

it('more than a person, a playlist or a file may have is left out and counted', async () => {
  const bob = await personWith(sql, 'bob', 'kitchen', ['a', 'b'])
  const { user_id } = bob.user
  for (const nth of Array(max_playlists - 2).keys()) await bob.library.playlists.create(`His ${nth}`)
  await sql`
    insert into playlist_videos (user_id, playlist_id, video_id, place)
    select ${user_id}, playlist_id, 'gone-' || n, n
    from   playlists, generate_series(1, ${max_playlist_videos - 1}) n
    where  user_id = ${user_id} and name = 'His 0'`
  const empty = await documentOf(await person(sql, 'alice'))
  const long = ['b', ...Array.from({ length: 10_000 }, (_, at) => `unknown-${at}`), 'a']
  const taken = await takeIn(bob, {
    ...empty,
    playlists: [
      { name: 'his 0', video_ids: ['b', 'a'] },
      { name: 'Long', video_ids: long },
      { name: 'Fits', video_ids: ['a'] },
      { name: 'One more', video_ids: ['a'] },
    ],
  })
  expect(taken).toMatchObject({ playlists: 3, playlists_left_out: 1, playlist_videos_left_out: 10_001, failed: 0 })
  expect(await playlistsOf(bob)).toMatchObject({ 'His 0': ['b'], Long: ['b', 'a'], Fits: ['a'] })
  const playlists = Array.from({ length: 1001 }, (_, at) => ({ name: `More ${at}`, video_ids: [] }))
  await expect(takeIn(bob, { ...empty, playlists })).rejects.toThrow('This archive is too large.')
})

it('what does not fit is left out, alone', async () => {
  const bob = await personWith(sql, 'bob', 'kitchen', ['a', 'b'])
  const carol = await withPlaylists('carol', 'cellar', { Hers: ['h'] })
  const empty = await documentOf(await person(sql, 'alice'))
  const taken = await takeIn(bob, {
    ...empty,
    playlists: [
      7,
      null,
      ['a'],
      {},
      { name: '', video_ids: ['a'] },
      { name: 'x'.repeat(61), video_ids: ['a'] },
      { name: 'Text', video_ids: 'a' },
      { name: 'Huge', video_ids: ['x'.repeat(3_000_000)] },
      { name: ' Odd\0\n name\ud800 ', video_ids: ['b', 7, null, ['a'], '../a', 'a\0', 'h', 'a', 'b'] },
      { name: 'odd NAME\ufffd', video_ids: ['a'] },
      { name: 'Nothing' },
    ],
  })
  expect(taken).toMatchObject({ unknown: 8, playlists: 2, failed: 0 })
  expect(taken.playlist_videos_left_out).toBeGreaterThan(1)
  expect(await playlistsOf(bob)).toEqual({ 'Odd name\ufffd': ['b', 'a'], Nothing: [] })
  expect(await playlistsOf(carol)).toEqual({ Hers: ['h'] })
})
