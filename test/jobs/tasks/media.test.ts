/** The tree of a person in MEDIA_DIR: what is in it after each change, with real files and the real job. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { accountsIn } from '../../../src/db/account/accounts.ts'
import { unfollowChannel } from '../../../src/domain/channels/channels.ts'
import { removeFiles } from '../../../src/domain/downloads/downloads.ts'
import { useDatabase } from '../../support/app/database.ts'
import { no_bin, runDownload } from '../../support/app/files.ts'
import { jpegMark, personWithKitchen, useMedia } from '../../support/app/media.ts'
import { entry, person } from '../../support/app/people.ts'
import { dot, storePicture } from '../../support/app/pictures.ts'
import { jellyfinEpisode, kodiEpisodes } from '../../support/media/servers.ts'

const db = useDatabase()
const { sql } = db
const media = useMedia(db)

const season = 'Bread： Kitchen/Season 2026'
const first = `${season}/S2026E112101 – Bread v1？ [v1]`
const second = `${season}/S2026E112102 – Bread v2？ [v2]`
const around = (...names: string[]) => ['.backlot.json', 'Bread： Kitchen/tvshow.nfo', ...names].toSorted()

it('downloads appear as links with NFO files and subtitles, in a season of their year', async () => {
  const alice = await personWithKitchen(sql, 'alice', ['v1', 'v2'])
  await runDownload(media.files, alice, 'v1', 'mp4', ['en', 'pt-BR'])
  await runDownload(media.files, alice, 'v2', 'm4a')

  await media.update(alice)

  expect(media.warnings).toEqual([])
  expect(await media.tree(alice)).toEqual(
    around(`${first}.en.vtt`, `${first}.mp4`, `${first}.nfo`, `${first}.pt-BR.vtt`, `${second}.m4a`, `${second}.nfo`),
  )
  const file = await media.files.localPath(`${alice.user.user_id}/kitchen/v1.mp4`)
  expect(await media.inode(media.path(alice, `${first}.mp4`))).toBe(await media.inode(file ?? ''))
  expect(kodiEpisodes(media.path(alice, `${second}.m4a`))).toEqual([{ season: 2026, episode: 112102 }])
  expect(jellyfinEpisode(media.path(alice, `${first}.mp4`))).toMatchObject({ season: 2026, episode: 112101 })
  expect(await media.read(alice, `${first}.nfo`)).toContain('<title>Bread v1?</title>')
})

it('a deleted file leaves the tree, and has the same number when it is downloaded again with an exact date', async () => {
  const alice = await personWithKitchen(sql, 'alice', ['v1', 'v2'])
  for (const id of ['v1', 'v2']) await runDownload(media.files, alice, id)
  await media.update(alice)

  await removeFiles(alice.library, { files: media.files, bin: no_bin }, ['v1', 'v2'])
  await media.update(alice)
  expect(await media.tree(alice)).toEqual(['.backlot.json'])

  await sql`update video_entries set published_at = '2026-11-20' where user_id = ${alice.user.user_id}`
  for (const id of ['v2', 'v1']) await runDownload(media.files, alice, id)
  await media.update(alice)
  expect(await media.tree(alice)).toEqual(around(`${first}.mp4`, `${first}.nfo`, `${second}.mp4`, `${second}.nfo`))
  expect(await media.read(alice, `${first}.nfo`)).toContain('<aired>2026-11-20</aired>')
})

it.each(['m4a', 'mp3'])(
  'a file that was deleted and downloaded again between two runs is linked anew: %s',
  async extension => {
    const alice = await personWithKitchen(sql, 'alice', ['v1'])
    await runDownload(media.files, alice, 'v1')
    await media.update(alice)
    await removeFiles(alice.library, { files: media.files, bin: no_bin }, ['v1'])
    await runDownload(media.files, alice, 'v1', extension)

    await media.update(alice)

    expect(await media.tree(alice)).toEqual(around(`${first}.${extension}`, `${first}.nfo`))
  },
)

it('an unfollowed channel leaves the tree, and its folder and numbers are the same when it is followed again', async () => {
  const alice = await personWithKitchen(sql, 'alice', ['v1', 'v2'])
  for (const id of ['v1', 'v2']) await runDownload(media.files, alice, id)
  await media.update(alice)
  await writeFile(media.path(alice, 'Bread： Kitchen', 'mine.txt'), 'not written by us')

  await unfollowChannel(alice.library, { files: media.files, bin: no_bin }, 'kitchen')
  await media.update(alice)
  expect(await media.tree(alice)).toEqual(around('Bread： Kitchen/mine.txt'))

  const again = { channel_id: 'kitchen', title: 'Another title', rss_url: 'https://videos.example/kitchen' }
  await alice.library.channels.save(again, [entry('v2'), entry('v1')])
  await runDownload(media.files, alice, 'v2')
  await media.update(alice)
  expect(await media.tree(alice)).toEqual(around('Bread： Kitchen/mine.txt', `${second}.mp4`, `${second}.nfo`))
  expect(await media.read(alice, 'Bread： Kitchen/tvshow.nfo')).toContain('<title>Another title</title>')
})

it('a changed title changes the NFO file and no name', async () => {
  const alice = await personWithKitchen(sql, 'alice', ['v1'])
  await runDownload(media.files, alice, 'v1')
  await media.update(alice)
  const [tree, inode] = [await media.tree(alice), await media.inode(media.path(alice, `${first}.mp4`))]

  await sql`update video_entries set title = 'Rye', description = 'New' where user_id = ${alice.user.user_id}`
  await media.update(alice)

  expect(await media.tree(alice)).toEqual(tree)
  expect(await media.inode(media.path(alice, `${first}.mp4`))).toBe(inode)
  const nfo = await media.read(alice, `${first}.nfo`)
  expect(nfo).toContain('<title>Rye</title>')
  expect(nfo).toContain('<plot>New\n')
})

it('pictures are written as JPEG once they are stored, for the episode, the channel and its background', async () => {
  const alice = await personWithKitchen(sql, 'alice', ['v1'])
  await sql`update channels set image_url = 'https://videos.example/kitchen.png' where user_id = ${alice.user.user_id}`
  await runDownload(media.files, alice, 'v1')
  await media.update(alice)
  expect(await media.tree(alice)).toEqual(around(`${first}.mp4`, `${first}.nfo`))

  await storePicture({ sql, files: media.files }, 'video', 'https://videos.example/v1.jpg')
  await storePicture({ sql, files: media.files }, 'channel', 'https://videos.example/kitchen.png')
  await media.update(alice)

  const pictures = [`${first}-thumb.jpg`, `${first}.jpg`, 'Bread： Kitchen/fanart.jpg', 'Bread： Kitchen/poster.jpg']
  expect(await media.tree(alice)).toEqual(around(`${first}.mp4`, `${first}.nfo`, ...pictures))
  for (const picture of pictures)
    expect(await readFile(media.path(alice, picture))).toEqual(Buffer.concat([Buffer.from(jpegMark), dot]))
  await sql`delete from pictures`
})

it('two channels of one title have two folders, and the second keeps its folder when the first is gone', async () => {
  const alice = await person(sql, 'alice')
  for (const channel_id of ['one', 'two'])
    await alice.library.channels.save(
      { channel_id, title: channel_id === 'one' ? 'Bread' : 'BREAD', rss_url: `https://videos.example/${channel_id}` },
      [entry(`${channel_id}-v`)],
    )
  for (const id of ['one-v', 'two-v']) await runDownload(media.files, alice, id)
  await media.update(alice)
  const folders = async () => new Set((await media.tree(alice)).map(path => path.split('/')[0]))
  expect(await folders()).toEqual(new Set(['.backlot.json', 'Bread', 'BREAD (2)']))

  await unfollowChannel(alice.library, { files: media.files, bin: no_bin }, 'one')
  await media.update(alice)
  expect(await folders()).toEqual(new Set(['.backlot.json', 'BREAD (2)']))
})

it('a video without a date has the day on which it was first seen, and no date in its NFO file', async () => {
  const alice = await personWithKitchen(sql, 'alice', ['v1'])
  await sql`
    update video_entries
    set    published_at = null, first_seen_at = '2025-01-05'
    where  user_id = ${alice.user.user_id}`
  await runDownload(media.files, alice, 'v1')
  await media.update(alice)
  const nfo = 'Bread： Kitchen/Season 2025/S2025E010501 – Bread v1？ [v1].nfo'
  expect(await media.tree(alice)).toContain(nfo)
  expect(await media.read(alice, nfo)).not.toContain('<aired>')
  expect(await media.read(alice, nfo)).toContain('<episode>10501</episode>')
})

it('the tree of a deleted account is removed, except for the files of others and the trees of others', async () => {
  const [alice, bob] = [await personWithKitchen(sql, 'alice', ['v1']), await personWithKitchen(sql, 'bob', ['v1'])]
  for (const each of [alice, bob]) {
    await runDownload(media.files, each, 'v1')
    await media.update(each)
  }
  await mkdir(media.path(alice, 'holiday', 'Season 2026'), { recursive: true })
  await writeFile(media.path(alice, 'holiday', 'Season 2026', 'beach.mp4'), 'not written by us')
  const tree = await media.tree(bob)

  await accountsIn(sql).remove(alice.user)
  await media.update(alice)

  expect(await media.tree(alice)).toEqual(['holiday/Season 2026/beach.mp4'])
  expect(await media.tree(bob)).toEqual(tree)
  await rm(media.path(alice), { recursive: true })
})

it('a second run changes nothing', async () => {
  const alice = await personWithKitchen(sql, 'alice', ['v1'])
  await runDownload(media.files, alice, 'v1', 'mp4', ['en'])
  await media.update(alice, 'check')
  const tree = await media.tree(alice)
  const inodes = async () => Promise.all(tree.map(path => media.inode(media.path(alice, path))))
  const before = await inodes()
  await media.update(alice, 'check')
  expect([await media.tree(alice), await inodes()]).toEqual([tree, before])
})
