import { existsSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { filesIn } from '../../src/store/local-files.ts'

const shared_memory = '/dev/shm'
const is_other_disk = existsSync(shared_memory) && statSync(shared_memory).dev !== statSync(tmpdir()).dev

let parent: string
beforeAll(async () => {
  parent = await realpath(await mkdtemp(join(tmpdir(), 'backlot-disk-')))
})
afterAll(() => rm(parent, { recursive: true, force: true }))

/** A storage with one file, in a folder that a test can take away. */
async function stored() {
  const disk = join(parent, crypto.randomUUID())
  const files = filesIn(join(disk, 'downloads'))
  await files.write('ann/c/v1.mp4', Buffer.from('a video'))
  expect(await files.exists('ann/c/v1.mp4')).toBe(true)
  return { disk, files }
}

it('a file is missing, and its storage is not away, when its folder was deleted', async () => {
  const { disk, files } = await stored()
  await rm(join(disk, 'downloads/ann'), { recursive: true })
  expect([await files.exists('ann/c/v1.mp4'), await files.open('ann/c/v1.mp4')]).toEqual([false, undefined])
})

it('no file counts as missing while the downloads folder is gone', async () => {
  const { disk, files } = await stored()
  await rename(disk, `${disk}-unmounted`)
  for (const work of [files.open, files.exists, files.read, files.remove, files.recover])
    await expect(work('ann/c/v1.mp4')).rejects.toMatchObject({ code: 'STORAGE_AWAY' })
  await rename(`${disk}-unmounted`, disk)
  expect(await files.exists('ann/c/v1.mp4')).toBe(true)
})

it.skipIf(!is_other_disk)('no file counts as missing while another disk is in the place of the downloads', async () => {
  const { disk, files } = await stored()
  const other = await mkdtemp(join(shared_memory, 'backlot-disk-'))
  await mkdir(join(other, 'downloads'))
  await writeFile(join(other, 'downloads/note'), '')
  await rename(disk, `${disk}-unmounted`)
  await symlink(other, disk)
  await expect(files.exists('ann/c/v1.mp4')).rejects.toMatchObject({ code: 'STORAGE_AWAY' })
  await rm(other, { recursive: true })
})
