/** Playlists in MEDIA_DIR: each is one M3U file, which follows every change, and files of others stay as they are. */
import { lstat, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { accountsIn } from '../../../src/db/account/accounts.ts'
import { everyoneIn } from '../../../src/db/everyone.ts'
import { removeFiles } from '../../../src/domain/downloads/downloads.ts'
import { removeForgottenTrees } from '../../../src/domain/media/person-trees.ts'
import { useDatabase } from '../../support/app/database.ts'
import { no_bin, runDownload } from '../../support/app/files.ts'
import { personWithKitchen, useMedia } from '../../support/app/media.ts'
import type { Person } from '../../support/app/people.ts'

const db = useDatabase()
const { sql } = db
const media = useMedia(db)
beforeEach(() => void media.warnings.splice(0))

/** A person with the videos v1 and v2 on disk, v3 not, and a playlist of the three, the last one first. */
async function personWithPlaylist(name = 'Bread') {
  const alice = await personWithKitchen(sql, 'alice', ['v1', 'v2', 'v3'])
  for (const id of ['v1', 'v2']) await runDownload(media.files, alice, id)
  return { alice, playlist_id: await playlist(alice, name, ['v3', 'v2', 'v1']) }
}

async function playlist({ library }: Person, name: string, video_ids: string[]) {
  const { playlist_id } = await library.playlists.create(name)
  await library.playlists.setVideos(playlist_id, video_ids)
  return playlist_id
}

const playlistsOf = async (alice: Person) => (await media.tree(alice)).filter(path => path.endsWith('.m3u'))

/** The ids of the videos that a player finds, as Kodi and VLC read the file. */
async function played(alice: Person, file: string): Promise<string[]> {
  const path = media.path(alice, file)
  const lines = (await readFile(path, 'utf8')).split('\n').filter(line => line !== '' && !line.startsWith('#'))
  for (const line of lines) expect((await lstat(join(dirname(path), line))).isFile()).toBe(true)
  return lines.map(line => /\[([^[\]]*)\]\.mp4$/.exec(line)?.[1] ?? line)
}

it('a playlist is a file with its videos on disk, in its order, with their lengths and titles', async () => {
  const { alice } = await personWithPlaylist()
  await sql`
    update video_entries set duration_seconds = 61, title = ${'Rye - wheat,\n2'} where user_id = ${alice.user.user_id} and video_id = 'v2'`
  await sql`update video_entries set duration_seconds = null where user_id = ${alice.user.user_id} and video_id = 'v1'`
  await media.update(alice)

  expect(media.warnings).toEqual([])
  const season = './Bread： Kitchen/Season 2026'
  expect(await media.read(alice, 'Bread.m3u')).toBe(
    [
      ...['#EXTM3U', '# Backlot writes this file.'],
      ...['#EXTINF:61,Rye – wheat, 2', `${season}/S2026E112102 – Rye - wheat, 2 [v2].mp4`],
      ...['#EXTINF:-1,Bread v1?', `${season}/S2026E112101 – Bread v1？ [v1].mp4`],
      '',
    ].join('\n'),
  )
  expect(await played(alice, 'Bread.m3u')).toEqual(['v2', 'v1'])
})

it('the file follows its order, its videos, their files and titles, and is gone while none of them is on disk', async () => {
  const { alice, playlist_id } = await personWithPlaylist()
  const now = async () => {
    await media.update(alice)
    return (await playlistsOf(alice)).length === 0 ? undefined : played(alice, 'Bread.m3u')
  }
  expect(await now()).toEqual(['v2', 'v1'])
  await alice.library.playlists.put(playlist_id, 'v1', 'top')
  expect(await now()).toEqual(['v1', 'v2'])
  await runDownload(media.files, alice, 'v3')
  expect(await now()).toEqual(['v1', 'v3', 'v2'])
  await alice.library.playlists.takeOut(playlist_id, ['v1'])
  expect(await now()).toEqual(['v3', 'v2'])
  await sql`update video_entries set title = 'Another' where user_id = ${alice.user.user_id} and video_id = 'v2'`
  expect(await now()).toEqual(['v3', 'v2'])
  expect(await media.read(alice, 'Bread.m3u')).toContain(',Another\n')
  await removeFiles(alice.library, { files: media.files, bin: no_bin }, ['v3'])
  expect(await now()).toEqual(['v2'])
  await removeFiles(alice.library, { files: media.files, bin: no_bin }, ['v2'])
  expect(await now()).toBeUndefined()
  await runDownload(media.files, alice, 'v3')
  expect(await now()).toEqual(['v3'])
})

it('a renamed playlist has one file, a deleted one none, and a restored one its file again', async () => {
  const { alice, playlist_id } = await personWithPlaylist()
  await media.update(alice)
  for (const name of ['Rye', 'rye', 'Rye (2)', 'Rye']) {
    await alice.library.playlists.rename(playlist_id, name)
    await media.update(alice)
    expect(await playlistsOf(alice)).toEqual([`${name}.m3u`])
  }
  await alice.library.playlists.remove(playlist_id)
  await media.update(alice)
  expect(await playlistsOf(alice)).toEqual([])
  await alice.library.playlists.restore(playlist_id)
  await media.update(alice)
  expect(await played(alice, 'Rye.m3u')).toEqual(['v2', 'v1'])
})

it('every playlist has its own valid name, which it keeps when it changes', async () => {
  const { alice, playlist_id } = await personWithPlaylist('What?')
  await playlist(alice, 'What？', ['v1'])
  await playlist(alice, '../…', ['v1'])
  await playlist(alice, 'nul', ['v1'])
  await playlist(alice, '...', ['v1'])
  await media.update(alice)
  const names = await playlistsOf(alice)
  expect(names).toEqual(['Playlist.m3u', 'What？ (2).m3u', 'What？.m3u', '_nul.m3u', '⧸….m3u'].toSorted())

  await alice.library.playlists.put(playlist_id, 'v1', 'top')
  await media.update(alice)
  expect(await playlistsOf(alice)).toEqual(names)
})

it('the files, folders and links of others stay as they are', async () => {
  const { alice, playlist_id } = await personWithPlaylist()
  const root = media.path(alice)
  await media.update(alice)
  await rm(join(root, 'Bread.m3u'))
  await writeFile(join(root, 'Bread.m3u'), '#EXTM3U\nmine.mp4\n')
  await writeFile(join(root, 'outside.txt'), '#EXTM3U\n# Backlot writes this file.\n')
  await symlink('outside.txt', join(root, 'Rye.m3u'))
  await mkdir(join(root, 'RYE (2).m3u'))

  await alice.library.playlists.put(playlist_id, 'v1', 'top')
  await media.update(alice)
  expect(await media.read(alice, 'Bread.m3u')).toBe('#EXTM3U\nmine.mp4\n')
  expect(await played(alice, 'Bread (2).m3u')).toEqual(['v1', 'v2'])

  await alice.library.playlists.rename(playlist_id, 'Rye')
  await media.update(alice)
  expect(await played(alice, 'Rye (3).m3u')).toEqual(['v1', 'v2'])
  expect(await playlistsOf(alice)).toEqual(['Bread.m3u', 'Rye (3).m3u', 'Rye.m3u'])
  expect(media.warnings).toEqual([])
})

it('a missing file, and every file of a folder that is new, is written again, and what a dead run left is removed', async () => {
  const { alice } = await personWithPlaylist()
  await media.update(alice)
  await rm(media.path(alice, 'Bread.m3u'))
  await writeFile(media.path(alice, '.backlot-new-1'), 'a part')
  await media.update(alice, 'check')
  expect(await played(alice, 'Bread.m3u')).toEqual(['v2', 'v1'])
  expect(await media.tree(alice)).not.toContain('.backlot-new-1')

  await rm(media.path(alice), { recursive: true })
  await media.update(alice)
  expect(await played(alice, 'Bread.m3u')).toEqual(['v2', 'v1'])
})

it('the file of another person’s playlist stays, and those of a deleted account go with its tree', async () => {
  const [{ alice }, { alice: bob }] = [await personWithPlaylist(), await personWithPlaylist()]
  for (const each of [alice, bob]) await media.update(each)
  await writeFile(media.path(alice, 'Mine.m3u'), '#EXTM3U\nmine.mp4\n')
  await accountsIn(sql).remove(alice.user)
  await removeForgottenTrees(everyoneIn(sql), media.media_dir)
  expect(await media.tree(alice)).toEqual(['Mine.m3u'])
  expect(await played(bob, 'Bread.m3u')).toEqual(['v2', 'v1'])
})
