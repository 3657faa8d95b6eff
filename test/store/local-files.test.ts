import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { closeSource } from '../../src/runtime/sending.ts'
import { filesIn } from '../../src/store/local-files.ts'
import { picturePath, placeOf, subtitlePath } from '../../src/store/paths.ts'
import { kept, newRun, stageCopy } from '../support/app/stored.ts'
import { newFolder } from '../support/run/new-folder.ts'

const folder = newFolder()
const files = filesIn(folder)

const inode = async (place: string) => (await stat(join(folder, place))).ino

it('a copy of a stored file is the same file on the disk', async () => {
  const first = await kept(files)
  const { place, staged } = await stageCopy(files, first)
  await staged?.put()
  expect(await inode(place)).toBe(await inode(first))
})

it('a deleted file and its subtitles are in the bin at the same path', async () => {
  const place = await kept(files, 'deleted')
  await files.discard(place)
  expect(await files.exists(place)).toBe(false)
  expect(await files.exists(subtitlePath(place, 'en'))).toBe(false)
  expect(await readFile(join(folder, '.bin', place), 'utf8')).toBe('deleted')

  expect(await files.recover(place)).toBe(true)
  expect(await files.recover(place)).toBe(false)
})

it.each(['.', '.bin'])('a file that a fault kept from moving to %s is restored with its subtitles', async to => {
  const place = await kept(files)
  if (to === '.') await files.discard(place)
  const obstacle = join(folder, to, place)
  await mkdir(join(obstacle, 'in the way'), { recursive: true })
  await expect(to === '.' ? files.recover(place) : files.discard(place)).rejects.toThrow()
  await rm(obstacle, { recursive: true })

  if (!(await files.exists(place))) expect(await files.recover(place)).toBe(true)
  expect(await files.exists(place)).toBe(true)
  expect(await files.exists(subtitlePath(place, 'en'))).toBe(true)
})

it('subtitles that a fault kept from moving to the bin are at their place when the file is restored', async () => {
  const place = await kept(files)
  const obstacle = join(folder, '.bin', subtitlePath(place, 'en'))
  await mkdir(join(obstacle, 'in the way'), { recursive: true })
  await expect(files.discard(place)).rejects.toThrow()
  await rm(obstacle, { recursive: true })

  expect(await files.recover(place)).toBe(true)
  expect(await files.exists(subtitlePath(place, 'en'))).toBe(true)
})

it('a file that is moved while it is opened is missing or open', async () => {
  const place = await kept(files)
  let is_moving = true
  const moves = async () => {
    for (let n = 0; n < 200; n++) {
      await files.discard(place)
      await files.recover(place)
    }
    is_moving = false
  }
  const looks = async () => {
    let looks = 0
    for (; is_moving; looks++) {
      const file = await files.open(place)
      if (file) await closeSource(file.source)
    }
    return looks
  }
  const [, ...looked] = await Promise.all([moves(), looks(), looks(), looks(), looks()])
  expect(Math.min(...looked)).toBeGreaterThan(0)
})

it('a file gets its place, and another one is deleted and restored, while empty folders of them are removed', async () => {
  const run = newRun()
  const [first, second] = ['v1', 'v2'].map(video_id => placeOf({ ...run, video_id, channel_id: 'kitchen' })) as [
    string,
    string,
  ]
  const put = async (place: string) => {
    const of_run = { ...run, claim: crypto.randomUUID() }
    const file = join(await files.workFolder(of_run), 'video.mp4')
    await writeFile(file, 'a video')
    await (await files.stage(file, place)).put()
    await files.forgetWork(of_run)
  }
  await put(first)
  for (let round = 0; round < 100; round++) {
    await Promise.all([files.discard(first), put(second)])
    await Promise.all([files.recover(first), files.remove(second)])
    expect([await files.exists(first), await files.exists(second)]).toEqual([true, false])
  }
})

it('a small file is replaced as a whole, and read as a whole', async () => {
  const path = picturePath(crypto.randomUUID(), 'small')
  expect(await files.read(path)).toBeUndefined()
  await files.write(path, new Uint8Array([1, 2, 3]))
  await files.write(path, new Uint8Array([4]))
  expect([...((await files.read(path)) ?? [])]).toEqual([4])
  expect(await readdir(join(folder, '.work', 'small', 'files'))).toEqual([])
  await files.remove(path)
  expect(await files.read(path)).toBeUndefined()
})

it('a path that leads out of the folder by a link or by dots is refused', async () => {
  const outside = newFolder()
  await writeFile(join(outside, 'v1.mp4'), 'not ours')
  await mkdir(join(folder, 'ann'))
  await symlink(outside, join(folder, 'ann', 'linked'))
  for (const path of ['ann/linked/v1.mp4', '../v1.mp4', 'ann/../../v1.mp4']) {
    expect(await files.open(path)).toBeUndefined()
    expect(await files.read(path)).toBeUndefined()
    expect(await files.localPath(path)).toBeUndefined()
    await files.discard(path)
    await files.remove(path)
  }
  expect(await readdir(outside)).toEqual(['v1.mp4'])
})
