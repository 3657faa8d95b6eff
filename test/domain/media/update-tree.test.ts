/** Only the tree that was written last reports deletions: no earlier folder, no copy of it, and no run that another one has overtaken. */
import { cp, rename, rm, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { giveNumbers } from '../../../src/domain/media/numbers.ts'
import { pathOf } from '../../../src/domain/media/video-paths.ts'
import { templateOf } from '../../../src/schema/values/media-names.ts'
import { mediaTree } from '../../../src/store/media-tree.ts'
import { useDatabase } from '../../support/app/database.ts'
import { runDownload } from '../../support/app/files.ts'
import { personWithKitchen, useMedia } from '../../support/app/media.ts'
import type { Person } from '../../support/app/people.ts'

const db = useDatabase()
const { sql } = db
const media = useMedia(db)

const season = 'Bread： Kitchen/Season 2026'
const first = `${season}/S2026E112101 – Bread v1？ [v1].mp4`

const done = async ({ library }: Person) => (await library.videos.tally()).done

/** A person with two videos in the tree. `next`: downloads the third one. */
async function personWithTree() {
  const alice = await personWithKitchen(sql, 'alice', ['v1', 'v2', 'v3'])
  for (const id of ['v1', 'v2']) await runDownload(media.files, alice, id)
  await media.update(alice)
  const next = async () => {
    await runDownload(media.files, alice, 'v3')
    await media.update(alice)
  }
  return { alice, next, here: media.path(alice), away: `${media.path(alice)}.away` }
}

it.each([
  ['a return to an earlier MEDIA_DIR', rename],
  [
    'a copy of the folder from before the last download',
    (from: string, to: string) => cp(from, to, { recursive: true }),
  ],
])('%s deletes no video, and the folder is filled again', async (_, keepIn) => {
  const { alice, next, here, away } = await personWithTree()
  await keepIn(here, away)
  await next()
  const tree = await media.tree(alice)
  await rm(here, { recursive: true })
  await rename(away, here)

  await media.update(alice, 'check')

  expect([await done(alice), await media.tree(alice)]).toEqual([3, tree])
})

it('two workers with two folders as MEDIA_DIR, in turn, delete no video', async () => {
  const { alice, next, here, away } = await personWithTree()
  await rename(here, away)
  await next()
  const swap = async () => {
    await rename(here, `${here}.third`)
    await rename(away, here)
    await rename(`${here}.third`, away)
  }
  for (const _ of [1, 2, 3]) {
    await swap()
    await rm(media.path(alice, first), { force: true })
    await media.update(alice, 'check')
  }
  expect(await done(alice)).toBe(3)
})

it('a deletion is noticed again after the folder was filled again', async () => {
  const { alice, next, here, away } = await personWithTree()
  await rename(here, away)
  await next()
  await rm(media.path(alice, first))
  await media.update(alice, 'check')
  expect(await done(alice)).toBe(2)
})

it('a worker that dies before the new stamp is stored deletes no video, and the folder is filled again', async () => {
  const { alice } = await personWithTree()
  const tree = await media.tree(alice)
  await mediaTree(media.media_dir, alice.user.username).mark(alice.user.user_id, crypto.randomUUID())
  await rm(media.path(alice, first))

  await media.update(alice, 'check')

  expect([await done(alice), await media.tree(alice)]).toEqual([2, tree])
})

it('a run that another one has overtaken finds nothing to delete, notes no link, and ends', async () => {
  const { alice, here, away } = await personWithTree()
  const { media: notes } = alice.library
  const { stamp } = (await notes.begin()) ?? {}
  await rename(here, away)
  await media.update(alice)
  await runDownload(media.files, alice, 'v3')
  await notes.unnumbered(9).then(videos => notes.giveNumbers(videos, giveNumbers))
  await notes.giveNames(null, 9, (video, nth) => pathOf(templateOf(null), video, nth))
  const [changed] = await notes.changed('', 9)

  expect(await notes.present(stamp ?? '')).toEqual([])
  expect(await notes.renewStamp(stamp ?? '', crypto.randomUUID())).toBe(false)
  const written = { ...changed?.file, video_id: 'v3', extension: 'mp4', subtitles: [] } as never
  await notes.recordPresent([written], stamp ?? '')
  expect((await notes.changed('', 9)).map(({ video_id }) => video_id)).toEqual(['v3'])
})

it('a tree that was written before trees had stamps is filled again without a warning', async () => {
  const { alice } = await personWithTree()
  const tree = await media.tree(alice)
  await sql`update media_trees set stamp = null where user_id = ${alice.user.user_id}`
  await writeFile(media.path(alice, '.backlot.json'), JSON.stringify({ user_id: alice.user.user_id }, null, 2))
  media.warnings.length = 0

  await media.update(alice, 'check')

  expect([await done(alice), await media.tree(alice), media.warnings]).toEqual([2, tree, []])
})
