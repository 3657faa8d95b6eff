/** The reserve beside the embedded database, on a disk with room, and what is said of a full one. Full disks: `database-full.test.ts`. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import {
  databaseRoom,
  databaseTrouble,
  giveUpIfFull,
  isDatabaseFull,
  keepReserve,
  recordFull,
} from '../../../src/db/postgres/room.ts'
import { newFolder } from '../../support/run/new-folder.ts'

it('nothing is said where the database is elsewhere and takes changes', async () => {
  expect(await databaseRoom()).toBeUndefined()
  expect([isDatabaseFull(), await databaseTrouble()]).toEqual([false, undefined])
})

it('a change that was refused counts for a while', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  recordFull()
  expect([isDatabaseFull(), await databaseTrouble()]).toEqual([
    true,
    expect.stringMatching(/^The disk of the database is full/),
  ])
  vi.advanceTimersByTime(20_001)
  expect([isDatabaseFull(), await databaseTrouble()]).toEqual([false, undefined])
})

it('a reserve is made, is kept while there is room, and is no second time made', async () => {
  const folder = newFolder()
  const end = keepReserve(folder)
  onTestFinished(end)
  await vi.waitFor(async () => expect(await readdir(folder)).toEqual(['reserve']), { timeout: 20_000 })
  const { size, ino } = await stat(join(folder, 'reserve'))
  expect(size).toBe(32e6)
  await giveUpIfFull(folder)
  expect((await stat(join(folder, 'reserve'))).ino).toBe(ino)
  expect(await databaseRoom()).toMatchObject({ free_bytes: expect.any(Number) })
})
