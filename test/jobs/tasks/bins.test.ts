/** Several runs that meet the same full disk at once. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { roomMaker } from '../../../jobs/tasks/bins.ts'
import { deleteFile } from '../../../src/domain/downloads/deletions.ts'
import { silent, useApp } from '../../support/app/app.ts'
import { onDisk } from '../../support/app/files.ts'
import { personWith } from '../../support/app/people.ts'

const app = useApp()

it('every run that met the same full disk may run again, although only one of them found a file in the bin', async () => {
  const alice = await personWith(app.sql, 'alice', 'kitchen', ['v1'])
  await onDisk(app.folder, alice, 'v1')
  await deleteFile(alice.library, { files: app.files, bin: { hours: 24, quota_bytes: 0 } }, 'v1')
  const binned = async () =>
    (await readdir(join(app.folder, '.bin'), { recursive: true })).filter(name => /v1/.test(name))
  expect(await binned()).toHaveLength(1)
  const hasRoom = async () => (await binned()).length === 0
  const parts = { sql: app.sql, files: app.files, log: silent }
  const [download, share] = [roomMaker(parts), roomMaker(parts)]

  const helped = { has_room: true, is_emptied: true }
  expect(await Promise.all([download(hasRoom), share(hasRoom)])).toEqual([helped, helped])
  expect(await download(async () => false)).toEqual({ has_room: false, is_emptied: false })
})

it('a run is not tried again if there was room and nothing was removed', async () => {
  const makeRoom = roomMaker({ sql: app.sql, files: { ...app.files }, log: silent })
  expect(await makeRoom(async () => true)).toEqual({ has_room: true, is_emptied: false })
})
