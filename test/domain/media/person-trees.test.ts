/** Each person has one folder in MEDIA_DIR, and the folders of deleted accounts are removed. */
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JobHelpers } from 'graphile-worker'
import { expect, it } from 'vitest'
import { checkMedia, removeTreesTask } from '../../../jobs/tasks/media.ts'
import { accountsIn } from '../../../src/db/account/accounts.ts'
import { silent } from '../../support/app/app.ts'
import { useDatabase } from '../../support/app/database.ts'
import { runDownload } from '../../support/app/files.ts'
import { personWithKitchen, useMedia } from '../../support/app/media.ts'

const db = useDatabase()
const { sql } = db
const media = useMedia(db)
const parts = (dir = media.media_dir) => ({ sql, log: silent, media: { dir, toJpeg: async () => undefined } })
const removeTrees = () => removeTreesTask(parts())({}, {} as JobHelpers)

it('the tree of an account that was deleted while no worker ran is removed, and nothing else', async () => {
  const [alice, bob] = [await personWithKitchen(sql, 'alice', ['v1']), await personWithKitchen(sql, 'bob', ['v1'])]
  for (const each of [alice, bob]) {
    await runDownload(media.files, each, 'v1')
    await media.update(each)
  }
  await mkdir(join(media.media_dir, 'films', 'Season 2026'), { recursive: true })
  await writeFile(join(media.media_dir, 'films', 'Season 2026', 'S2026E1121 – x [y].mp4'), 'not written by us')
  await symlink(media.path(bob), join(media.media_dir, 'a-link'))
  const before = await readdir(media.media_dir)
  await accountsIn(sql).remove(alice.user)

  await removeTrees()

  expect(await readdir(media.media_dir)).toEqual(before.filter(name => name !== alice.user.username))
  expect(await media.tree(bob)).toHaveLength(4)
  expect(await readdir(join(media.media_dir, 'films', 'Season 2026'))).toHaveLength(1)
})

it('the tree of a deleted account is removed even when a new person has its name in another case', async () => {
  const alice = await personWithKitchen(sql, 'alice', ['v1'])
  await runDownload(media.files, alice, 'v1')
  await media.update(alice)
  await accountsIn(sql).remove(alice.user)
  await accountsIn(sql).create(alice.user.username.toUpperCase(), 'not a hash')

  await removeTrees()

  expect(await readdir(media.media_dir)).not.toContain(alice.user.username)
})

it('housekeeping queues the removal of trees once, and reads no folder, which a hanging share would delay', async () => {
  for (const _ of [1, 2]) await checkMedia(parts(join(media.media_dir, 'missing')))
  const [queued] = await sql`
    select count(*) as jobs from graphile_worker.jobs where task_identifier = 'remove-media-trees'`
  expect(queued?.jobs).toBe(1)
})

it('a new person with the name of a deleted one gets an empty tree', async () => {
  const alice = await personWithKitchen(sql, 'alice', ['v1'])
  await runDownload(media.files, alice, 'v1')
  await media.update(alice)
  await accountsIn(sql).remove(alice.user)
  const again = await accountsIn(sql).create(alice.user.username, 'not a hash')
  if (typeof again !== 'object') throw new Error('the name is free')

  await media.update({ ...alice, user: again })

  expect(await media.tree(alice)).toEqual(['.backlot.json'])
  expect(await media.read(alice, '.backlot.json')).toContain(again.user_id)
})

it('a folder that has the marker of another person is not touched, and the person gets another folder', async () => {
  const [alice, bob] = [await personWithKitchen(sql, 'alice', ['v1']), await personWithKitchen(sql, 'bob', ['v1'])]
  await runDownload(media.files, alice, 'v1')
  await mkdir(media.path(alice), { recursive: true })
  await writeFile(media.path(alice, '.backlot.json'), JSON.stringify({ user_id: bob.user.user_id }, null, 2))

  await media.update(alice)

  expect(await media.tree(alice)).toEqual(['.backlot.json'])
  const other = (await readdir(media.media_dir)).find(name => name.endsWith(alice.user.user_id))
  expect(await readdir(join(media.media_dir, other ?? ''))).toContain('Bread： Kitchen')
})

it('a person who registers with the name of a folder of the operator gets another folder, and stays in it', async () => {
  const alice = await personWithKitchen(sql, 'alice', ['v1'])
  await runDownload(media.files, alice, 'v1')
  await mkdir(media.path(alice, 'Holiday'), { recursive: true })
  await writeFile(media.path(alice, 'Holiday', 'beach.mp4'), 'not written by us')

  for (const _ of [1, 2]) await media.update(alice, 'check')

  expect(await media.tree(alice)).toEqual(['Holiday/beach.mp4'])
  expect(await readdir(`${media.path(alice)}-${alice.user.user_id}`)).toContain('Bread： Kitchen')
})
