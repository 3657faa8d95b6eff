/** A tree of links: hard links on one file system, symbolic links across two, and files that are replaced only when they differ. */
import { existsSync } from 'node:fs'
import { chmod, lstat, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { mediaTree } from '../../src/store/media-tree.ts'
import { newFolder } from '../support/run/new-folder.ts'

const folder = newFolder()
const shared = existsSync('/dev/shm') ? newFolder('/dev/shm') : folder
beforeAll(() => writeFile(join(folder, 'video.mp4'), 'a video'))

const isElsewhere = async () => (await stat(folder)).dev !== (await stat(shared)).dev
const video = () => join(folder, 'video.mp4')

it('a link on the same file system is the same file', async () => {
  const media = join(folder, 'media')
  await mkdir(media)
  const tree = mediaTree(media, 'alice')
  await tree.link(video(), ['c', 'Season 2026'], 'a.mp4')
  const [linked, file] = [await lstat(join(media, 'alice/c/Season 2026/a.mp4')), await stat(video())]
  expect([linked.ino, linked.isSymbolicLink(), file.nlink]).toEqual([file.ino, false, 2])
  await tree.link(video(), ['c', 'Season 2026'], 'a.mp4')
  expect(await readdir(join(media, 'alice/c/Season 2026'))).toEqual(['a.mp4'])
})

it('a linked file can be written by its owner only, even where the group may delete links', async () => {
  const [media, file] = [join(folder, 'group'), join(folder, 'group.mp4')]
  await mkdir(media)
  await writeFile(file, 'a video')
  await chmod(file, 0o666)
  await mediaTree(media, 'alice').link(file, ['c', 'Season 2026'], 'a.mp4')
  expect((await stat(file)).mode & 0o777).toBe(0o644)
})

it('a link to another file system is symbolic and leads to the file, and is not made twice', async context => {
  if (!(await isElsewhere())) context.skip()
  const tree = mediaTree(shared, 'alice')
  await tree.link(video(), ['c', 'Season 2026'], 'a.mp4')
  const place = join(shared, 'alice/c/Season 2026/a.mp4')
  const linked = await lstat(place)
  expect(linked.isSymbolicLink()).toBe(true)
  expect(await readFile(place, 'utf8')).toBe('a video')
  await tree.link(video(), ['c', 'Season 2026'], 'a.mp4')
  expect((await lstat(place)).ino).toBe(linked.ino)
  expect(await tree.linkTo(video(), ['c', 'Season 2026'], ['b.mp4', 'a.mp4'])).toBe('a.mp4')
  await tree.remove(['c', 'Season 2026'], ['a.mp4'])
  expect(await readFile(video(), 'utf8')).toBe('a video')
})

it('a file is written again only when its bytes differ', async () => {
  const media = join(folder, 'written')
  await mkdir(media)
  const tree = mediaTree(media, 'alice')
  const place = join(media, 'alice/c/tvshow.nfo')
  await tree.write(Buffer.from('one'), ['c'], 'tvshow.nfo')
  const { ino } = await stat(place)
  await tree.write(Buffer.from('one'), ['c'], 'tvshow.nfo')
  expect((await stat(place)).ino).toBe(ino)
  await tree.write(Buffer.from('two'), ['c'], 'tvshow.nfo')
  expect(await readFile(place, 'utf8')).toBe('two')
  expect(await readdir(join(media, 'alice/c'))).toEqual(['tvshow.nfo'])
})

it('a missing MEDIA_DIR is a fault, not an empty tree', async () => {
  await expect(mediaTree(join(folder, 'missing'), 'alice').names(['c'])).rejects.toThrow('ENOENT')
})

it('the marker has the person and the stamp, and a tree without it has neither', async () => {
  const tree = mediaTree(folder, 'bob')
  expect([await tree.owner(), await tree.stamp()]).toEqual([undefined, undefined])
  const [user_id, stamp] = [crypto.randomUUID(), crypto.randomUUID()]
  await tree.mark(user_id, stamp)
  expect([await tree.owner(), await tree.stamp()]).toEqual([user_id, stamp])
  await tree.removeMarker()
  expect(await readdir(folder)).not.toContain('bob')
})
