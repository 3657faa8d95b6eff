/** Sweeping files out of the bin that no row names. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { sweepBin } from '../../../src/domain/bin/removal.ts'
import { unfollowChannel } from '../../../src/domain/channels/channels.ts'
import { deleteFile, recovered } from '../../../src/domain/downloads/deletions.ts'
import { useApp } from '../../support/app/app.ts'
import { onDisk } from '../../support/app/files.ts'
import { type Person, person, personWith } from '../../support/app/people.ts'
import { exists } from '../../support/run/made-once.ts'

const app = useApp()
const { sql } = app
const bin = { hours: 24, quota_bytes: 0 }
const day_ms = 24 * 3_600_000

const sweep = (after_ms: number, limit = 1000) =>
  sweepBin(sql, app.files, { hours: bin.hours, limit }, new Date(Date.now() + after_ms))
const binnedAt = ({ user }: Person, name: string) => join(app.folder, '.bin', user.user_id, 'kitchen', name)
async function leave(owner: Person, name: string): Promise<void> {
  const file = binnedAt(owner, name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, 'left')
}
const isThere = (owner: Person, name: string) => exists(binnedAt(owner, name))

it('a file in the bin that no row names is removed with its subtitles a day after its time, at most so many at once', async () => {
  const alice = await personWith(sql, 'alice', 'kitchen', ['v1'])
  for (const name of ['v1.mp4', 'v1.en.vtt', 'gone%3F.mp4']) await leave(alice, name)

  expect(await sweep(2 * day_ms - 60_000)).toBe(0)
  expect(await sweep(2 * day_ms + 60_000, 1)).toBe(1)
  expect(await sweep(2 * day_ms + 60_000)).toBe(1)
  for (const name of ['v1.mp4', 'v1.en.vtt', 'gone%3F.mp4']) expect(await isThere(alice, name)).toBe(false)
})

it('a file that the bin lists is not swept, however old, whether it was deleted alone or with its channel', async () => {
  const alice = await personWith(sql, 'alice', 'kitchen', ['v1', 'v2'])
  for (const id of ['v1', 'v2']) await onDisk(app.folder, alice, id)
  await deleteFile(alice.library, { files: app.files, bin }, 'v1')
  await unfollowChannel(alice.library, { files: app.files, bin }, 'kitchen')
  expect(await sweep(99 * day_ms)).toBe(0)
  expect([await isThere(alice, 'v1.mp4'), await isThere(alice, 'v2.mp4')]).toEqual([true, true])
})

it('a file that a completed download names is not swept, and returns when it is looked for', async () => {
  const alice = await personWith(sql, 'alice', 'kitchen', ['v1'])
  await onDisk(app.folder, alice, 'v1')
  const killed = alice.library.downloads.discardFile('v1', async path => {
    await app.files.discard(path)
    throw new Error('killed')
  })
  await expect(killed).rejects.toThrow('killed')
  expect(await sweep(99 * day_ms)).toBe(0)
  expect(await alice.library.downloads.findFile('v1', recovered(app.files))).toBe(true)
})

it('a file whose deletion is about to be committed is not swept', async () => {
  const alice = await personWith(sql, 'alice', 'kitchen', ['v1'])
  await onDisk(app.folder, alice, 'v1')
  const [moved, committing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const deleting = alice.library.downloads.discardFile('v1', async path => {
    await app.files.discard(path)
    moved.resolve()
    await committing.promise
  })
  await moved.promise
  expect(await sweep(99 * day_ms)).toBe(0)
  committing.resolve()
  expect(await deleting).toBe(true)
  expect(await sweep(99 * day_ms)).toBe(0)
  expect(await isThere(alice, 'v1.mp4')).toBe(true)
})

it('a file with the name of a listed file and another extension is kept, because the subtitles of both have one name', async () => {
  const alice = await personWith(sql, 'alice', 'kitchen', ['v1'])
  await onDisk(app.folder, alice, 'v1')
  await deleteFile(alice.library, { files: app.files, bin }, 'v1')
  for (const name of ['v1.m4a', 'v1.en.vtt']) await leave(alice, name)
  expect(await sweep(99 * day_ms)).toBe(0)
})

it('what a deleted person left in the bin is removed, and no file of another person', async () => {
  const [alice, bob] = [await person(sql, 'alice'), await personWith(sql, 'bob', 'kitchen', ['v1'])]
  await onDisk(app.folder, bob, 'v1')
  await deleteFile(bob.library, { files: app.files, bin }, 'v1')
  await leave(alice, 'v1.mp4')
  await sql`delete from users where id = ${alice.user.user_id}`
  expect(await sweep(99 * day_ms)).toBe(1)
  expect([await isThere(alice, 'v1.mp4'), await isThere(bob, 'v1.mp4')]).toEqual([false, true])
})
