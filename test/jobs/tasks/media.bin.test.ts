/** What a media server deletes is in the bin, and returns to the tree with the same number. */
import { rm } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { restoreChannel, restoreDownload } from '../../../src/domain/bin/restore.ts'
import { unfollowChannel } from '../../../src/domain/channels/channels.ts'
import { useDatabase } from '../../support/app/database.ts'
import { runDownload } from '../../support/app/files.ts'
import { bin, personWithKitchen, useMedia } from '../../support/app/media.ts'
import type { Person } from '../../support/app/people.ts'

const db = useDatabase()
const { sql } = db
const media = useMedia(db)

const season = 'Bread： Kitchen/Season 2026'
const first = `${season}/S2026E112101 – Bread v1？ [v1]`
const restore = ({ library }: Person, video_id: string) =>
  restoreDownload(library, { files: media.files, bin }, video_id)
const statusOf = async ({ library }: Person, video_id: string) =>
  (await library.videos.status(video_id))?.download_status

async function personWithTree() {
  const alice = await personWithKitchen(sql, 'alice', ['v1', 'v2'])
  for (const id of ['v1', 'v2']) await runDownload(media.files, alice, id, 'mp4', ['en'])
  await media.update(alice)
  media.warnings.length = 0
  return { alice, tree: await media.tree(alice) }
}

it('a video that a media server deletes is in the bin, and has the same number and file when it is restored', async () => {
  const { alice, tree } = await personWithTree()
  const inode = await media.inode(media.path(alice, `${first}.mp4`))
  await rm(media.path(alice, `${first}.mp4`))

  await media.update(alice, 'check')
  expect(await statusOf(alice, 'v1')).toBe('pending')
  expect((await media.tree(alice)).filter(path => path.includes('[v1]'))).toEqual([])
  // The order of the dates is another one now, and the numbers stay.
  await sql`
    update video_entries set published_at = '2026-11-25' where user_id = ${alice.user.user_id} and video_id = 'v1'`

  expect(await restore(alice, 'v1')).toMatchObject({ download_status: 'completed' })
  await media.update(alice, 'check')
  expect(await media.tree(alice)).toEqual(tree)
  expect(await media.inode(media.path(alice, `${first}.mp4`))).toBe(inode)
  await media.update(alice, 'check')
  expect(await statusOf(alice, 'v1')).toBe('completed')
  expect(media.warnings).toEqual([])
})

it('an unfollowed channel that is restored has the same folder and numbers', async () => {
  const { alice, tree } = await personWithTree()
  await unfollowChannel(alice.library, { files: media.files, bin }, 'kitchen')
  await media.update(alice, 'check')
  expect(await media.tree(alice)).toEqual(['.backlot.json'])

  await restoreChannel(alice.library, { files: media.files, bin }, 'kitchen')
  await media.update(alice, 'check')
  expect(await media.tree(alice)).toEqual(tree)
})

it('the files of a restored channel that are still in the bin are linked by the first update', async () => {
  const { alice, tree } = await personWithTree()
  await unfollowChannel(alice.library, { files: media.files, bin }, 'kitchen')
  await media.update(alice)
  expect(await media.tree(alice)).toEqual(['.backlot.json'])

  // As after the commit of a restore, before it has moved a file.
  await alice.library.bin.restoreChannel('kitchen', bin)
  await media.update(alice)

  expect([await media.tree(alice), media.warnings]).toEqual([tree, []])
})
