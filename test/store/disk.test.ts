import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Files } from '../../src/store/files.ts'
import { filesIn } from '../../src/store/local-files.ts'
import { newRun } from '../support/app/stored.ts'
import { newFolder } from '../support/run/new-folder.ts'

const shared_memory = '/dev/shm'
const is_other_disk = existsSync(shared_memory) && statSync(shared_memory).dev !== statSync(tmpdir()).dev

const parent = newFolder()

/** A storage with one file, in a folder that a test can take away. */
async function stored() {
  const disk = join(parent, crypto.randomUUID())
  const files = filesIn(join(disk, 'downloads'))
  await files.write('ann/c/v1.mp4', Buffer.from('a video'))
  expect(await files.exists('ann/c/v1.mp4')).toBe(true)
  return { disk, files, ...mounts(disk) }
}

/** An unmounted disk leaves its mount point, an empty folder. */
const mounts = (disk: string) => ({
  async unmount() {
    await rename(disk, `${disk}-unmounted`)
    await mkdir(join(disk, 'downloads'), { recursive: true })
  },
  async mount() {
    await rm(disk, { recursive: true })
    await rename(`${disk}-unmounted`, disk)
  },
})

/** Everything that stores or deletes. */
const writesTo = (files: Files): [string, () => Promise<unknown>][] => [
  ['a download', () => files.workFolder(newRun())],
  ['a picture', () => files.write('pictures/p1', Buffer.from('a picture'))],
  ['a viewer', () => files.arriving.want('key')],
  ['segments', () => files.arriving.newFolder('key', 'claim')],
  ['a note', () => files.arriving.writeState('key', 'text')],
  ['a finished file', async () => (await files.stage(import.meta.filename, 'ann/c/v2.mp4')).put()],
  ['a deletion', () => files.discard('ann/c/v1.mp4')],
  ['a restore', () => files.recover('ann/c/v1.mp4')],
  ['a purge', () => files.purge('ann/c/v1.mp4')],
  ['a deleted account', () => files.forgetUser(newRun().user_id)],
  ['free space', () => files.freeBytes()],
]

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

it('nothing is written to the empty folder that an unmounted disk leaves, and all is well when the disk is back', async () => {
  const { disk, files, unmount, mount } = await stored()
  await unmount()
  for (const [name, write] of writesTo(files))
    await expect(write(), name).rejects.toMatchObject({ code: 'STORAGE_AWAY' })
  expect(await readdir(join(disk, 'downloads'))).toEqual([])
  await mount()
  await files.write('ann/c/v2.mp4', Buffer.from('another video'))
  expect([await files.exists('ann/c/v1.mp4'), await files.exists('ann/c/v2.mp4')]).toEqual([true, true])
})

it('a service that starts on an empty mount point waits for its disk', async () => {
  const { disk, unmount, mount } = await stored()
  await unmount()
  const files = filesIn(join(disk, 'downloads'), { knownFiles: async () => ['ann/c/v1.mp4'] })
  await expect(files.requireWritable()).rejects.toThrow('Mount the disk again.')
  await expect(files.exists('ann/c/v1.mp4')).rejects.toMatchObject({ code: 'STORAGE_AWAY' })
  expect(await readdir(join(disk, 'downloads'))).toEqual([])
  await mount()
  expect(await files.exists('ann/c/v1.mp4')).toBe(true)
})

it.each([
  ['is marked where half of the known files are', ['ann/c/v1.mp4', 'ann/c/lost.mp4'], true],
  ['waits for its disk where most of the known files are missing', ['ann/c/v1.mp4', 'a/lost', 'b/lost'], false],
])('a folder without a marker %s', async (_, known, is_marked) => {
  const { disk } = await stored()
  await rm(join(disk, 'downloads/.backlot'))
  const files = filesIn(join(disk, 'downloads'), { knownFiles: async () => known })
  expect(
    await files.requireWritable().then(
      () => true,
      () => false,
    ),
  ).toBe(is_marked)
  expect(existsSync(join(disk, 'downloads/.backlot'))).toBe(is_marked)
})

it('an empty disk is used once a person has put a marker there, and its missing files count as missing', async () => {
  const { disk, unmount } = await stored()
  await unmount()
  const files = filesIn(join(disk, 'downloads'), { knownFiles: async () => ['ann/c/v1.mp4'] })
  await expect(files.exists('ann/c/v1.mp4')).rejects.toMatchObject({ code: 'STORAGE_AWAY' })
  await writeFile(join(disk, 'downloads/.backlot'), '')
  expect(await files.exists('ann/c/v1.mp4')).toBe(false)
})

const mount = (...given: string[]) => execFileSync('mount', given, { stdio: 'ignore' })
const may_mount = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-mount-'))
  try {
    mount('-t', 'tmpfs', 'none', folder)
    execFileSync('umount', [folder])
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
})()

it.skipIf(!may_mount)(
  'a disk that becomes read-only refuses what writes with its own code, and can be read',
  async () => {
    const disk = await mkdtemp(join(parent, 'read-only-'))
    mount('-t', 'tmpfs', '-o', 'size=1m', 'none', disk)
    try {
      const files = filesIn(disk)
      await files.write('ann/c/v1.mp4', Buffer.from('a video'))
      mount('-o', 'remount,ro', disk)
      for (const [name, write] of writesTo(files))
        await expect(write(), name).rejects.toMatchObject({ code: 'STORAGE_READ_ONLY' })
      expect(await files.exists('ann/c/v1.mp4')).toBe(true)
      mount('-o', 'remount,rw', disk)
      await files.discard('ann/c/v1.mp4')
      expect(await files.exists('ann/c/v1.mp4')).toBe(false)
    } finally {
      execFileSync('umount', [disk])
    }
  },
)
